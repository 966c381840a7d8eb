/** The end of returns: retention with their orders, and anonymization without one. */
import { afterEach, expect, it } from 'vitest';
import { ruleFindings } from '../../src/service/cli/doctor.ts';
import { type Aging, openAging } from '../retention/support.ts';
import { AT, RETURNS, type Shown, shown } from './support.ts';

let town: Aging;
afterEach(() => town.close());

const TABLES = ['returns', 'return_lines', 'return_receipts', 'return_held', 'refunds'] as const;
const line = (orderId: string, webLineId = '1') => ({ fulfillmentOrderId: orderId, webLineId, quantity: 1 });

async function take(takeId: string, lines: object[], more: object = {}): Promise<Shown> {
  const body = { takeId, number: takeId, userId: 'ana', storeId: 'TOWN_US', lines, ...more };
  const answer = await town.client.post(AT(), body);
  expect(answer.status, answer.text).toBe(201);
  return shown(answer);
}

const broken = async () => (await ruleFindings(town.store)).filter(({ ok }) => !ok);

it('a return is deleted with the last of its orders, and one without an order as an order that ended when it was closed', async () => {
  town = await openAging({ ORDER_DAYS: '30' });
  const first = await town.orderIn('STORE_PICK_UP', 3800);
  await town.days(20);
  const second = await town.orderIn('STORE_PICK_UP', 3800);
  await take('both', [
    { ...line(first), condition: 'GOOD' },
    { ...line(second), condition: 'OPENED' },
  ]);
  await take('blind', [{ itemId: '21-MUG-WHT', quantity: 1, condition: 'GOOD' }]);
  await town.days(11);
  const left = await town.client.get(`${RETURNS}/both`);
  expect(left.body).toMatchObject({
    state: 'CLOSED',
    lines: [{ fulfillmentOrderId: first }, { sellable: 0, held: 1 }],
  });
  expect((await town.client.get(`${RETURNS}/blind`)).status).toBe(200);
  expect(await broken()).toEqual([]);
  await town.days(20);
  expect((await town.client.get(`${RETURNS}/both`)).status).toBe(404);
  expect(await town.count(...TABLES)).toEqual(Object.fromEntries(TABLES.map((table) => [table, 0])));
  expect(await broken()).toEqual([]);
  expect(await town.removed()).toMatchObject({ returns: expect.any(Number) as number });
});

it('a return without an order loses the reference and the notes of its customer after blankAfterDays, with no match before', async () => {
  town = await openAging({});
  const secret = { customerRef: 'Ada-secret', note: 'secret words' };
  const mug = { itemId: '21-MUG-WHT', quantity: 1, condition: 'GOOD', note: 'secret line' };
  await take('alone', [mug], secret);
  await town.days(179);
  expect((await town.client.get(`${RETURNS}/alone`)).body).toMatchObject(secret);
  await town.days(2);
  const left = await town.client.get(`${RETURNS}/alone`);
  expect(left.status).toBe(200);
  expect(left.text).not.toContain('secret');
});
