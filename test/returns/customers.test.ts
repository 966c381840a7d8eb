/** The customers of returns: who sees their names, and who finds a return by them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anonymizeOrder } from '../../src/orders/anonymize.ts';
import type { Ctx } from '../../src/platform/ctx.ts';
import { contextOf } from '../support/context.ts';
import { type Counter, openCounter, RETURNS } from './support.ts';

let town: Counter;
beforeEach(async () => {
  town = await openCounter();
});
afterEach(() => town.close());

type Caller = Pick<Counter['client'], 'post'>;

const customer = (name: string, email = '') => ({ name, email, phone: '' });
const ada = { customer: { name: 'Ada Löwe', email: 'ada@mail.example', phone: '+1 401 555 0142' } };

/** Announces a return for an order of Ada and one for an order of another customer; returns the ids of the orders. */
async function twoCustomers(): Promise<{ own: string; other: string }> {
  const own = await town.handed([2], ada);
  const other = await town.handed([2], { customer: { ...ada.customer, name: 'Bo Diaz', email: 'bo@mail.example' } });
  await town.request(own, { 1: 1 }, { number: 'R-ADA' });
  await town.request(other, { 1: 1 }, { number: 'R-BO' });
  return { own, other };
}

async function search(caller: Caller, body: object) {
  const { status, text, body: shown } = await caller.post(`${RETURNS}/search`, body);
  expect(status, text).toBe(200);
  return shown.returns as { number: string; orders: { fulfillmentOrderId: string; customerName?: string }[] }[];
}

describe('a return in the search', () => {
  it('has its orders with the number of the web store and the name of the customer', async () => {
    const { own } = await twoCustomers();
    const { web_order_id: webOrderId } = await town.row(own);
    const [found] = await search(town.client, { number: 'R-ADA' });
    expect(found!.orders).toEqual([{ fulfillmentOrderId: own, webOrderId, customerName: 'Ada Löwe' }]);
    const blind = { itemId: '21-SOAP-LAV', quantity: 1, condition: 'GOOD' };
    await town.take('', {}, { number: 'B-1', lines: [blind] });
    expect((await search(town.client, { number: 'B-1' }))[0]!.orders).toEqual([]);
  });

  it('is found by words of the name, without case and accents, and by the whole e-mail address', async () => {
    await twoCustomers();
    for (const wanted of [customer('lowe a'), customer('ADA'), customer('', 'Ada@mail.example')]) {
      const found = await search(town.client, { customer: wanted });
      expect(
        found.map(({ number }) => number),
        JSON.stringify(wanted),
      ).toEqual(['R-ADA']);
    }
    expect(await search(town.client, { customer: customer('Nemo') })).toEqual([]);
    expect(await search(town.client, { customer: customer('ada'), states: ['CLOSED'] })).toEqual([]);
    expect((await search(town.client, { customer: customer('') })).map(({ number }) => number)).toEqual([
      'R-ADA',
      'R-BO',
    ]);
  });

  it('has no name once the customer is anonymized, and is then not found by it', async () => {
    const { own } = await twoCustomers();
    const order = await town.row(own);
    await town.store.write((db) => anonymizeOrder(contextOf(town, db) as Ctx, order));
    const [found] = await search(town.client, { number: 'R-ADA' });
    expect(found!.orders[0]).not.toHaveProperty('customerName');
    expect(await search(town.client, { customer: customer('ada') })).toEqual([]);
  });

  it('has the name only for callers who may read the order, and only those with the search of orders find by it', async () => {
    await twoCustomers();
    const named = async (caller: Caller) =>
      (await search(caller, { number: 'R-ADA' }))[0]!.orders.map(({ customerName }) => customerName);
    const associate = await town.signIn('associate');
    const clerk = await town.signIn('clerk');
    const elsewhere = await town.credential({ nodeIds: ['TOWN-DC001'] });
    const receiving = await town.credential({ groups: ['receiving'] });
    const intake = await town.credential({ groups: ['intake'] });
    expect(await named(associate)).toEqual(['Ada Löwe']);
    expect(await named(intake)).toEqual(['Ada Löwe']);
    for (const caller of [clerk, elsewhere, receiving]) expect(await named(caller)).toEqual([undefined]);
    expect(await search(associate, { customer: customer('ada') })).toHaveLength(1);
    // A credential of another node can search, but finds only orders of its own nodes.
    expect(await search(elsewhere, { customer: customer('ada') })).toEqual([]);
    for (const caller of [clerk, receiving, intake]) {
      const { status, body } = await caller.post(`${RETURNS}/search`, { customer: customer('ada') });
      expect([status, body.code]).toEqual([403, 'ACCESS_DENIED']);
    }
  });

  it('rejects a name with too many words and names the field', async () => {
    const words = Array.from({ length: 21 }, (_, index) => `w${index}`).join(' ');
    const { status, body } = await town.client.post(`${RETURNS}/search`, { customer: customer(words) });
    expect([status, body.errors[0].pointer]).toEqual([400, '/customer/name']);
  });

  it('is noted in the access log with the orders whose customers it named, each once', async () => {
    const { own, other } = await twoCustomers();
    await town.request(own, { 1: 1 }, { number: 'R-ADA-2' });
    const associate = await town.signIn('associate');
    await search(associate, {});
    const path = '/operator/v1/clients/TOWN/accessEvents?order=desc&actor=user%3Aana';
    const { body } = await town.operator('GET', path);
    const shown = (body.events as { data: { operation?: string; fulfillmentOrderIds?: string[] } }[]).find(
      ({ data }) => data.operation === 'searchReturns',
    );
    expect(shown!.data.fulfillmentOrderIds).toEqual([own, other]);
  });
});

describe('the check of a return', () => {
  it('names the customer of an order, and says what is in each of its returns', async () => {
    const { own } = await twoCustomers();
    const path = `${RETURNS}/eligibility`;
    const { body } = await town.client.post(path, { fulfillmentOrderId: own });
    expect(body.orders[0].customerName).toBe('Ada Löwe');
    expect(body.returns).toMatchObject([
      {
        number: 'R-ADA',
        state: 'REQUESTED',
        lines: [{ fulfillmentOrderId: own, webLineId: '1', itemId: '21-SOAP-LAV', quantity: 1 }],
      },
    ]);
    const clerk = await town.signIn('clerk');
    expect((await clerk.post(path, { fulfillmentOrderId: own })).body.orders[0]).not.toHaveProperty('customerName');
  });
});

describe('a refund in the list', () => {
  it('has the name of its customer for callers who may read the order', async () => {
    const own = await town.handed([2], ada);
    await town.take(own, { 1: 1 });
    const path = '/operator/v1/clients/TOWN/refunds';
    const manager = await town.signIn('manager');
    expect((await manager.get(path)).body.refunds).toMatchObject([
      { fulfillmentOrderId: own, customerName: 'Ada Löwe' },
    ]);
    const feed = await town.credential({ groups: ['events'] });
    const { status, body } = await feed.get(path);
    expect(status).toBe(200);
    expect(body.refunds[0]).not.toHaveProperty('customerName');
  });
});

describe('the history of an order', () => {
  it('has the names of the users who made its returns and received their goods', async () => {
    const own = await town.handed([2], ada);
    await town.take(own, { 1: 1 });
    const { body } = await town.client.get(`/operator/v1/stores/TOWN_US/fulfillmentOrders/${own}/history`);
    expect(body.names).toContainEqual({ actor: 'user:leo', name: 'Leo Marsh' });
  });
});
