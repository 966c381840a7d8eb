/** Re-source requests of the types that a client adds with its setting `resourceTypes`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Members, REASON } from '../picking/picking.ts';
import { brokenRules, putSettings } from '../stock/stock.ts';
import { type Flow, openFlow } from './flow.ts';

const NODES = '/operator/v1/clients/TOWN/nodes';
const TYPES = ['STORE_PICK_UP', 'ASSOCIATE_DELIVERY'] as const;
const QUEUES = { STORE_PICK_UP: 'WAITING_FOR_PICK_ISPU', ASSOCIATE_DELIVERY: 'WAITING_FOR_PICK_DEL' };

let town: Flow;
beforeAll(async () => {
  town = await openFlow();
  const first = (await town.operator('GET', `${NODES}/TOWN-Store001`)).body as Members;
  const { receivingWarehouseId: _none, ...other } = first;
  await town.operator('PUT', `${NODES}/TOWN-Second`, { ...other, nodeId: 'TOWN-Second' });
  await putSettings(town, { resourceTypes: TYPES });
});
afterAll(async () => {
  expect(await brokenRules(town)).toEqual([]);
  await town.close();
});

const requestId = async (orderId: string) => (await town.requestsOf(orderId)).at(-1)!['requestId'];
const events = async (orderId: string) => (await town.events('order', orderId)).map(({ type }) => type);

describe.each(TYPES)('declined units of %s, where the client wants a request', (type) => {
  it('become a request; without other units the order waits at 9100, and another node gets an order of the type', async () => {
    const orderId = await town.picked(type, [3, 2], [0, 0]);
    expect(await town.stands(orderId)).toEqual([9100, null]);
    expect(await town.requestsOf(orderId)).toMatchObject([
      {
        status: 'OPEN',
        excludedNodeIds: ['TOWN-Store001'],
        lines: [
          { quantity: 3, reasonCode: REASON },
          { quantity: 2, reasonCode: REASON },
        ],
        allowedActions: [{ action: 'answer', allowed: true }],
      },
    ]);
    await town.conserved(orderId);
    const to = { outcome: 'RESOURCE', nodeId: 'TOWN-Second', fulfillmentOrderId: `${orderId}-again` };
    const wrong = await town.answer(await requestId(orderId), { ...to, nodeId: 'TOWN-DC001' });
    expect(wrong.text).toContain(`does not fulfill ${type} orders`);
    expect((await town.answer(await requestId(orderId), to)).status).toBe(200);
    expect((await town.row(orderId)).status).toBe(9200);
    expect(await events(orderId)).toContain('order.resourced');
    const again = await town.row(to.fulfillmentOrderId);
    expect(again).toMatchObject({
      fulfillment_type: type,
      status: 1100,
      queue_id: QUEUES[type],
      node_id: 'TOWN-Second',
    });
    expect(await town.units(to.fulfillmentOrderId)).toEqual([
      [3, 0, 0, 0, 0, 0],
      [2, 0, 0, 0, 0, 0],
    ]);
  });

  it('take a new contact and proxy at 9100, and the order at the other node has them', async () => {
    const orderId = await town.picked(type, [3, 2], [0, 0]);
    const customer = { name: 'Ada Lovelace', email: 'ada@mail.example', phone: '+1 401 555 0199' };
    const changed = await town.client.post(`/operator/v1/stores/TOWN_US/fulfillmentOrders/${orderId}/change`, {
      changeId: 'typo',
      userId: 'mara',
      contact: customer,
      proxy: { name: 'Bo Byrne' },
    });
    expect(changed.status, changed.text).toBe(200);
    const to = { outcome: 'RESOURCE', nodeId: 'TOWN-Second', fulfillmentOrderId: `${orderId}-changed` };
    expect((await town.answer(await requestId(orderId), to)).status).toBe(200);
    const again = await town.client.get(`/operator/v1/stores/TOWN_US/fulfillmentOrders/${to.fulfillmentOrderId}`);
    expect(again.body).toMatchObject({ customer, proxyDetails: { name: 'Bo Byrne' } });
  });

  it('leave the other units to the customer; the decision on the request does not change the order', async () => {
    const orderId = await town.picked(type, [3, 2], [3, 0]);
    const before = await town.stands(orderId);
    const read = (await town.client.get(`/operator/v1/stores/TOWN_US/fulfillmentOrders/${orderId}`)).body as Members;
    expect(read['allowedActions']).toContainEqual({ action: 'resource', allowed: true });
    const answer = await town.answer(await requestId(orderId), { outcome: 'CANCEL', reasonCode: 'CancelGeneric' });
    expect(answer.body).toMatchObject({ status: 'CANCELED' });
    expect(await town.stands(orderId)).toEqual(before);
    await town.conserved(orderId);
  });

  it('end the order when the request is canceled, by the owner or with the rest of the order', async () => {
    const byOwner = await town.picked(type, [1], [0]);
    await town.answer(await requestId(byOwner), { outcome: 'CANCEL' });
    expect((await town.row(byOwner)).status).toBe(9000);
    const byCustomer = await town.picked(type, [1], [0]);
    expect((await town.cancel(byCustomer)).status).toBe(200);
    expect((await town.row(byCustomer)).status).toBe(9000);
    expect(await town.requestsOf(byCustomer)).toMatchObject([{ status: 'CANCELED' }]);
  });

  it('are asked for again when the CONFIRM is corrected, also if the setting is off by then', async () => {
    const orderId = await town.make(type);
    const ticket = await town.ticket([orderId], QUEUES[type]);
    await town.pick(ticket, [1, 2]);
    const { id } = ticket.pickTicketItems.find(({ itemDetails }) => itemDetails.itemId === '21-SOAP-LAV')!;
    const correct = (correctionId: string, pickedQuantity: number) =>
      town.client.post(`/operator/v1/stores/TOWN_US/nodes/TOWN-Store001/pickTickets/${ticket.pickTicketId}/correct`, {
        correctionId,
        userId: 'lea',
        reason: 'Counted again',
        pickTicketItems: [{ id, pickedQuantity, cancellationReasonCode: REASON }],
      });
    await putSettings(town, {});
    expect((await correct(`${orderId}-1`, 2)).status).toBe(200);
    await putSettings(town, { resourceTypes: TYPES });
    expect(await town.requestsOf(orderId)).toMatchObject([
      { status: 'CANCELED', lines: [{ quantity: 2 }] },
      { status: 'OPEN', lines: [{ quantity: 1 }] },
    ]);
    await town.answer(await requestId(orderId), { outcome: 'CANCEL' });
    expect((await correct(`${orderId}-2`, 3)).text).toContain('request of its declined units was accepted or canceled');
    await town.conserved(orderId);
  });
});

it('a whole order that its node declines before the pick waits for the decision, and so do units declined while packing', async () => {
  const whole = await town.make('STORE_PICK_UP');
  const body = { declineId: 'd-1', userId: 'lea', reasonCode: 'CancelGeneric', fulfillmentOrderIds: [whole] };
  const answer = await town.client.post(`${NODES}/TOWN-Store001/decline`, body);
  expect(answer.status, answer.text).toBe(200);
  expect((await town.row(whole)).status).toBe(9100);
  const packed = await town.picked('ASSOCIATE_DELIVERY', [3]);
  expect((await town.decline(packed, { 1: 1 })).body).toMatchObject({ resourceRequestIds: [await requestId(packed)] });
});

it('the units of a SHIP_TO_STORE order, and of other types by default, stay declined', async () => {
  const arrived = await town.picked('SHIP_TO_STORE', [3], [2]);
  expect(await town.requestsOf(arrived)).toEqual([]);
  await expect(putSettings(town, { resourceTypes: ['SHIP_TO_STORE'] })).rejects.toThrow(/STORE_PICK_UP/);
  await putSettings(town, {});
  const orderId = await town.picked('STORE_PICK_UP', [3, 2], [0, 0]);
  expect([(await town.row(orderId)).status, await town.requestsOf(orderId)]).toEqual([9000, []]);
});
