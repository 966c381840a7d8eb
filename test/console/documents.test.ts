/** The content of printed documents, built from responses of the service. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as documents from '../../console/print/documents.ts';
import { type OpenTown, openTown } from '../support/town.ts';
import { orderOf as counterOrder, pickedOrder, STORE } from './support/counter.ts';

let town: OpenTown;
beforeAll(async () => {
  town = await openTown({ upTo: 'catalog' });
});
afterAll(() => town.close());

const ENGLISH = { language: 'en' };

type Order = Parameters<typeof documents.holdTicket>[0];

const orderOf = async (id: string) => (await counterOrder(town, id)) as unknown as Order;

/** Sends a write and returns its response. */
async function sent(method: 'post' | 'put', path: string, body: object) {
  const answer = await town.client[method](path, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body;
}

const cancel = (id: string, quantity: number, webLineId = '1') =>
  sent('post', `/operator/v1/stores/${STORE}/fulfillmentOrders/${id}/cancel`, {
    reasonCode: 'CancelCustomerInitiated',
    lines: [{ webLineId, quantity }],
  });

/** Texts of the rows of a document's table. */
const rowsOf = ({ tables }: documents.PrintDocument, at = 0) => tables[at]!.rows;

describe('the amount to collect on a hold ticket and on a delivery sheet', () => {
  it('is due for the units that are left, not for the order as it was sent', async () => {
    const id = await pickedOrder(town, 'B1', { lines: [['MUG-WHT', 2]], more: { cashOnDelivery: 20 } });
    await cancel(id, 1);
    const order = await orderOf(id);
    const due = [{ name: 'To collect', value: '$10.00' }];
    expect(documents.holdTicket(order, ENGLISH).totals).toEqual(due);
    expect(documents.deliverySheet(order, ENGLISH).totals).toEqual(due);
  });

  it('is left out if nothing is due', async () => {
    const id = await pickedOrder(town, 'B1', { lines: [['MUG-WHT', 2]] });
    expect(documents.holdTicket(await orderOf(id), ENGLISH).totals).toEqual([]);
  });
});

it('a hold ticket and a delivery sheet have only held units that the customer still gets', async () => {
  const id = await pickedOrder(town, 'B1', {
    lines: [
      ['MUG-WHT', 3],
      ['SOAP-LAV', 1],
    ],
  });
  await cancel(id, 1);
  await cancel(id, 1, '2');
  const order = await orderOf(id);
  expect(order.lines.map(({ heldQuantity }) => heldQuantity)).toEqual([3, 1]);
  expect(rowsOf(documents.holdTicket(order, ENGLISH))).toEqual([['Stoneware mug, white', '2']]);
  expect(rowsOf(documents.deliverySheet(order, ENGLISH))).toEqual([['Stoneware mug, white', '2']]);
});

it('a hold ticket leaves out units that have not arrived', async () => {
  const id = await pickedOrder(town, 'B1', { lines: [['MUG-WHT', 3]] });
  const order = await orderOf(id);
  const lines = order.lines.map((line) => ({ ...line, heldQuantity: 1, openQuantity: 2 }));
  expect(rowsOf(documents.holdTicket({ ...order, lines }, ENGLISH))).toEqual([['Stoneware mug, white', '1']]);
});
