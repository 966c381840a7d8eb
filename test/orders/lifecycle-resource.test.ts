import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ORDER_STATES, ORDER_TRANSITIONS } from '../../src/kernel/states.ts';
import { type Members, REASON } from '../picking/picking.ts';
import { type Flow, OTHER_NODE, openFlow, STORE } from './flow.ts';

let town: Flow;
beforeAll(async () => {
  town = await openFlow();
  const node = await town.operator('GET', '/operator/v1/clients/TOWN/nodes/TOWN-DC001');
  const { receivingWarehouseId: _none, ...third } = node.body as Members;
  await town.operator('PUT', THIRD, { ...third, nodeId: 'TOWN-Third', nodeType: 'STORE' });
});
afterAll(() => town.close());

const THIRD = '/operator/v1/clients/TOWN/nodes/TOWN-Third';
const faultsOf = (answer: { body: unknown }) =>
  (answer.body as { errors: { pointer: string; rule: string }[] }).errors.map((one) => `${one.pointer} ${one.rule}`);

let count = 0;
const newId = () => `R${String(++count).padStart(4, '0')}`;
const resource = (nodeId = OTHER_NODE, fulfillmentOrderId = newId()) => ({
  outcome: 'RESOURCE',
  nodeId,
  fulfillmentOrderId,
});
const requestOf = async (orderId: string) => (await town.requestsOf(orderId)).at(-1)!['requestId'];

describe('declined units of SHIP_TO_HOME', () => {
  it('become one request per order at the pick, with the reason of each line', async () => {
    const orderId = await town.picked('SHIP_TO_HOME', [3, 2], [1, 0]);
    expect(await town.stands(orderId)).toEqual([1200, 'WAITING_FOR_PACK_SFS']);
    const [request, ...others] = await town.requestsOf(orderId);
    expect(others).toEqual([]);
    expect(request).toMatchObject({
      status: 'OPEN',
      nodeId: 'TOWN-Store001',
      excludedNodeIds: ['TOWN-Store001'],
      lines: [
        { webLineId: '1', itemId: '21-SOAP-LAV', quantity: 2, reasonCode: REASON },
        { webLineId: '2', itemId: '21-LAMP-BRS', quantity: 2, reasonCode: REASON },
      ],
      allowedActions: [{ action: 'answer', allowed: true }],
    });
    const read = await town.client.get(`${STORE}/resourceRequests/${String(request!['requestId'])}`);
    expect(read.body).toEqual(request);
    await town.conserved(orderId);
  });

  it('ship from the new node, so its order has no address of the earlier one', async () => {
    const of = { type: 'SHIP_TO_HOME', lines: [['SOAP-LAV', 2, 10]] } as const;
    const first = await town.order({ ...of, lines: [...of.lines] });
    const { shippingAddress } = (await town.client.get(`${STORE}/fulfillmentOrders/${first}`)).body as Members;
    const more = { fulfillmentType: 'SHIP_TO_HOME', shipFromAddress: shippingAddress };
    const orderId = await town.order({ ...of, lines: [...of.lines], more });
    expect((await town.client.get(`${STORE}/fulfillmentOrders/${orderId}`)).body).toMatchObject({
      shipFromAddress: shippingAddress,
    });
    await town.pick(await town.ticket([orderId], 'WAITING_FOR_PICK_SFS'), [0]);
    const to = resource();
    expect((await town.answer(await requestOf(orderId), to)).status).toBe(200);
    const there = await town.client.get(`${STORE}/fulfillmentOrders/${to.fulfillmentOrderId}`);
    expect(there.body).toMatchObject({ nodeId: OTHER_NODE, shippingAddress });
    expect(there.body).not.toHaveProperty('shipFromAddress');
  });

  it('of other types stay declined', async () => {
    const orderId = await town.picked('STORE_PICK_UP', [3, 2], [3, 0]);
    expect(await town.requestsOf(orderId)).toEqual([]);
    expect((await town.units(orderId))[1]).toEqual([0, 0, 0, 0, 2, 0]);
  });
});

describe('units declined while packing', () => {
  it.each([
    ['STORE_PICK_UP', 1100],
    ['STORE_PICK_UP', 1150],
    ['SHIP_TO_STORE', 1300],
    ['STORE_PICK_UP', 1400],
    ['ASSOCIATE_DELIVERY', 1500],
    ['SHIP_TO_HOME', 3700],
    ['STORE_PICK_UP', 3800],
    ['ASSOCIATE_DELIVERY', 3900],
    ['STORE_PICK_UP', 9000],
    ['SHIP_TO_HOME', 9100],
  ] as const)('are rejected for %s in %i', async (type, state) => {
    const orderId = await town.orderIn(type, state);
    expect((await town.decline(orderId, { 1: 1 })).status).toBe(409);
    expect(ORDER_TRANSITIONS[state].decline).toBe('refused');
  });

  it('of SHIP_TO_HOME become a request; their package is voided, the others remain', async () => {
    const orderId = await town.picked('SHIP_TO_HOME', [3, 2]);
    await town.pack(orderId, { 1: 3 });
    await town.pack(orderId, { 2: 1 }, '2');
    const answer = await town.decline(orderId, { 1: 1 });
    expect(answer.body).toMatchObject({
      status: '1200',
      lines: [{ heldQuantity: 2, declinedQuantity: 1 }, { heldQuantity: 2 }],
      resourceRequestIds: [await requestOf(orderId)],
    });
    expect((await town.pack(orderId, { 1: 2 }, '3')).status).toBe(204);
    expect((await town.pack(orderId, { 2: 1 }, '4')).status).toBe(204);
    expect((await town.row(orderId)).status).toBe(3700);
    await town.conserved(orderId);
  });

  it('of ASSOCIATE_DELIVERY make no request; the order continues if the rest is packed', async () => {
    const orderId = await town.picked('ASSOCIATE_DELIVERY', [3]);
    await town.pack(orderId, { 1: 2 });
    expect((await town.decline(orderId, { 1: 1 })).body.status).toBe('1500');
    expect(await town.requestsOf(orderId)).toEqual([]);
    await town.conserved(orderId);
  });

  it('return the order for re-sourcing or cancel it when no unit remains', async () => {
    const toShip = await town.picked('SHIP_TO_HOME', [2]);
    expect((await town.decline(toShip, { 1: 2 })).body.status).toBe('9100');
    const toDeliver = await town.picked('ASSOCIATE_DELIVERY', [2]);
    expect((await town.decline(toDeliver, { 1: 2 })).body.status).toBe('9000');
    for (const orderId of [toShip, toDeliver]) await town.conserved(orderId);
  });

  it('are never more than the units to pack, and never units canceled by the customer', async () => {
    const orderId = await town.picked('SHIP_TO_HOME', [3]);
    await town.cancel(orderId, { lines: [{ webLineId: '1', quantity: 2 }] });
    expect((await town.decline(orderId, { 1: 2 })).status).toBe(409);
    expect((await town.decline(orderId, { 1: 1 })).status).toBe(200);
    expect(await town.units(orderId)).toEqual([[0, 2, 2, 0, 1, 0]]);
    await town.conserved(orderId);
  });

  it('are rejected with every error of the message; an order at another node is 404', async () => {
    const orderId = await town.picked('SHIP_TO_HOME', [3]);
    const line = { webLineId: '1', quantity: 1, reasonCode: REASON };
    const lines = [
      { ...line, quantity: 9 },
      line,
      { ...line, webLineId: '7' },
      { ...line, reasonCode: 'NO', quantity: 0 },
    ];
    expect(faultsOf(await town.decline(orderId, {}, { lines })).sort()).toEqual([
      '/lines/0/quantity maximum',
      '/lines/1/webLineId duplicate',
      '/lines/2/webLineId unknown',
      '/lines/3/quantity minimum',
      '/lines/3/reasonCode reason',
      '/lines/3/webLineId duplicate',
    ]);
    expect((await town.decline(orderId, { 1: 1 }, { nodeId: 'TOWN-Store002' })).status).toBe(404);
    expect((await town.decline(orderId, { 1: 1 }, { nodeId: 'NONE' })).status).toBe(403);
    expect((await town.decline('NONE', { 1: 1 })).status).toBe(404);
  });
});

describe('the decision RESOURCE', () => {
  it('creates an order of the units at the other node with people, prices and the share of charges and tax', async () => {
    const orderId = await town.order({
      type: 'SHIP_TO_HOME',
      lines: [['SOAP-LAV', 3, 10]],
      more: {
        headerCharges: 5,
        lines: [{ webLineId: '7', itemId: '21-SOAP-LAV', quantity: 3, unitPrice: 10, charges: 1, tax: 0.5 }],
      },
    });
    await town.pick(await town.ticket([orderId], 'WAITING_FOR_PICK_SFS'), [1]);
    const body = resource();
    const answer = await town.answer(await requestOf(orderId), body);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({
      status: 'RESOURCED',
      newNodeId: OTHER_NODE,
      newFulfillmentOrderId: body.fulfillmentOrderId,
      allowedActions: [{ action: 'answer', allowed: false }],
    });
    const [from, to] = [await town.row(orderId), await town.row(body.fulfillmentOrderId)];
    expect(to).toMatchObject({
      node_id: OTHER_NODE,
      status: 1100,
      queue_id: 'WAITING_FOR_PICK_SFS',
      resourced_from: orderId,
      revision: 1,
      header_charges: '0',
      header_tax: '0',
      contacts: from.contacts,
      web_order_id: from.web_order_id,
      order_date: from.order_date,
    });
    expect(await town.lines(body.fulfillmentOrderId)).toMatchObject([
      { web_line_id: '7', ordered: 2, picked: 0, declined: 0, unit_price: '10', charges: '0.67', tax: '0.33' },
    ]);
    expect(from).toMatchObject({ status: 1200, header_charges: '5' });
    for (const id of [orderId, body.fulfillmentOrderId]) await town.conserved(id);
  });

  it.each([
    ['RESOURCE', 9200],
    ['CANCEL', 9000],
  ] as const)('%s of the last request of a returned order (9100) ends it: %i', async (outcome, after) => {
    const orderId = await town.orderIn('SHIP_TO_HOME', 9100);
    const body = outcome === 'RESOURCE' ? resource() : { outcome, reasonCode: REASON };
    expect((await town.answer(await requestOf(orderId), body)).status).toBe(200);
    expect(await town.stands(orderId)).toEqual([after, null]);
    await town.conserved(orderId);
  });

  it('puts a bar code on the new ticket that the item got between the order and the decision', async () => {
    const orderId = await town.order({ type: 'SHIP_TO_HOME', lines: [['SOAP-LAV', 1]] });
    await town.pick(await town.ticket([orderId], 'WAITING_FOR_PICK_SFS'), [0]);
    const [upcType, upc] = ['EAN', '4006381333931'];
    const path = '/item-service/clients/TOWN/items/21-SOAP-LAV?merge=true';
    expect((await town.client.put(path, { upcs: [{ upcType, upc }] })).status).toBe(200);
    town.clock.now += 10 * 60_000;
    const to = resource();
    expect((await town.answer(await requestOf(orderId), to)).status).toBe(200);
    const [item] = (await ticketAt(OTHER_NODE, to.fulfillmentOrderId)).pickTicketItems;
    expect((item!['itemDetails'] as { upcs: Members[] }).upcs).toContainEqual({ type: upcType, value: upc });
  });

  it('of an order whose rest was shipped does not change its state', async () => {
    const orderId = await town.picked('SHIP_TO_HOME', [3, 2], [3, 0]);
    await town.pack(orderId, { 1: 3 });
    expect((await town.row(orderId)).status).toBe(3700);
    expect((await town.answer(await requestOf(orderId), resource())).status).toBe(200);
    expect(await town.stands(orderId)).toEqual([3700, null]);
  });

  it('the same again is 200 and creates nothing; another decision is 409', async () => {
    const orderId = await town.orderIn('SHIP_TO_HOME', 9100);
    const id = await requestOf(orderId);
    const body = resource();
    const first = await town.answer(id, body);
    const again = await town.answer(id, body);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await town.answer(id, resource())).status).toBe(409);
    expect((await town.answer(id, { outcome: 'CANCEL' })).status).toBe(409);
  });

  it('CANCEL with another reason is 200 and keeps the first reason', async () => {
    const orderId = await town.orderIn('SHIP_TO_HOME', 9100);
    const id = (await requestOf(orderId)) as string;
    const first = await town.answer(id, { outcome: 'CANCEL', reasonCode: REASON });
    const again = await town.answer(id, { outcome: 'CANCEL', reasonCode: 'IPD' });
    expect([again.status, again.body]).toEqual([200, first.body]);
    const answered = (await town.events('resourceRequest', id)).filter(({ type }) => type === 'resource.answered');
    expect(answered.map(({ data }) => data)).toMatchObject([{ outcome: 'CANCEL', reasonCode: REASON }]);
  });

  it('CANCEL that is sent again after its reason was removed is 200', async () => {
    const id = (await requestOf(await town.orderIn('SHIP_TO_HOME', 9100))) as string;
    const first = await town.answer(id, { outcome: 'CANCEL', reasonCode: REASON });
    const path = '/operator/v1/clients/TOWN';
    const { body } = await town.operator('GET', path);
    const cancelReasons = [{ code: 'OTHER', description: 'Other' }];
    await town.operator('PUT', path, { ...body, settings: { ...body.settings, cancelReasons } });
    const again = await town.answer(id, { outcome: 'CANCEL', reasonCode: REASON });
    await town.operator('PUT', path, body);
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  it('never returns the units to a node that had them, through any number of orders', async () => {
    const first = await town.orderIn('SHIP_TO_HOME', 9100);
    expect(faultsOf(await town.answer(await requestOf(first), resource('TOWN-Store001')))).toEqual([
      '/nodeId excluded',
    ]);
    const second = resource();
    await town.answer(await requestOf(first), second);
    await declineAll(second.fulfillmentOrderId, OTHER_NODE);
    const third = await requestOf(second.fulfillmentOrderId);
    for (const node of [OTHER_NODE, 'TOWN-Store001']) {
      expect(faultsOf(await town.answer(third, resource(node)))).toEqual(['/nodeId excluded']);
    }
    const last = resource('TOWN-Third');
    expect((await town.answer(third, last)).status).toBe(200);
    await declineAll(last.fulfillmentOrderId, 'TOWN-Third');
    const [request] = await town.requestsOf(last.fulfillmentOrderId);
    expect(request!['excludedNodeIds']).toEqual(['TOWN-Third', OTHER_NODE, 'TOWN-Store001']);
  });

  it('lists every error: a missing node, a node that does not ship, fields of the other outcome, a used id', async () => {
    const orderId = await town.orderIn('SHIP_TO_HOME', 9100);
    const id = await requestOf(orderId);
    expect(faultsOf(await town.answer(id, { outcome: 'RESOURCE', reasonCode: 'NO' })).sort()).toEqual([
      '/fulfillmentOrderId required',
      '/nodeId required',
      '/reasonCode outcome',
      '/reasonCode reason',
    ]);
    expect(faultsOf(await town.answer(id, { ...resource(), outcome: 'CANCEL' })).sort()).toEqual([
      '/fulfillmentOrderId outcome',
      '/nodeId outcome',
    ]);
    expect(faultsOf(await town.answer(id, resource('NONE')))).toEqual(['/nodeId exists']);
    expect(faultsOf(await town.answer(id, resource('TOWN-Store002')))).toEqual(['/nodeId nodeType']);
    expect(faultsOf(await town.answer(id, { outcome: 'KEEP' }))).toEqual(['/outcome enum']);
    expect((await town.answer(id, resource(OTHER_NODE, orderId))).status).toBe(409);
    expect(await town.requestsOf(orderId)).toMatchObject([{ status: 'OPEN' }]);
  });

  it('is listed for the node that declined the units, and not for another node', async () => {
    const id = String(await requestOf(await town.orderIn('SHIP_TO_HOME', 9100)));
    const listed = async (nodeId: string) => {
      const { body } = await town.client.get(`${STORE}/resourceRequests?limit=500&nodeId=${nodeId}`);
      return (body as { resourceRequests: Members[] }).resourceRequests;
    };
    expect((await listed('TOWN-Store001')).map(({ requestId }) => requestId)).toContain(id);
    expect(await listed('TOWN-Store002')).toEqual([]);
  });

  it('is listed for its order, and not for another order', async () => {
    const [orderId, other] = [await town.orderIn('SHIP_TO_HOME', 9100), await town.orderIn('SHIP_TO_HOME', 9100)];
    const id = String(await requestOf(orderId));
    const { body } = await town.client.get(`${STORE}/resourceRequests?fulfillmentOrderId=${orderId}`);
    expect((body as { resourceRequests: Members[] }).resourceRequests.map(({ requestId }) => requestId)).toEqual([id]);
    expect(id).not.toBe(String(await requestOf(other)));
  });

  it('of a missing request, or one of another store or node, is 404', async () => {
    const orderId = await town.orderIn('SHIP_TO_HOME', 9100);
    const id = String(await requestOf(orderId));
    const narrowed = await town.credential({ nodeIds: ['TOWN-Store002'], groups: ['intake'] });
    expect((await town.answer('none', { outcome: 'CANCEL' })).status).toBe(404);
    for (const path of [`${STORE}/resourceRequests/${id}`, `/operator/v1/stores/TOWN_CA/resourceRequests/${id}`]) {
      const caller = path.startsWith(STORE) ? narrowed : town.client;
      expect((await caller.get(path)).status).toBe(404);
      expect((await caller.post(`${path}/answer`, { outcome: 'CANCEL' })).status).toBe(404);
    }
    const seen = (await narrowed.get(`${STORE}/resourceRequests`)).body as { resourceRequests: unknown[] };
    expect(seen.resourceRequests).toEqual([]);
    const canceled = await town.client.get(`${STORE}/resourceRequests?status=CANCELED&limit=500`);
    for (const one of (canceled.body as { resourceRequests: Members[] }).resourceRequests) {
      expect(one['status']).toBe('CANCELED');
    }
  });

  it('is allowed in the states of the table', () => {
    const states = ORDER_STATES.filter((state) => ORDER_TRANSITIONS[state].resource !== 'refused');
    expect(states).toEqual([1200, 1400, 1500, 3700, 3800, 3900, 8000, 9100]);
  });
});

/** Generates the pick ticket of an order at a node. */
async function ticketAt(nodeId: string, orderId: string) {
  const made = await town.client.post(`/stores/TOWN_US/nodes/${nodeId}/pickTicket/generate`, {
    storeId: 'TOWN_US',
    nodeId,
    queueId: 'WAITING_FOR_PICK_SFS',
    userId: 'u',
    fulfillmentOrderIds: [orderId],
    modifyAssociateId: 'a',
  });
  return (made.body as { pickTicketDetails: { pickTicketId: string; pickTicketItems: Members[] }[] })
    .pickTicketDetails[0]!;
}

/** Declines every unit of an order at a node. */
async function declineAll(orderId: string, nodeId: string): Promise<void> {
  const ticket = await ticketAt(nodeId, orderId);
  const pickTicketItems = ticket.pickTicketItems.map((item) => ({
    id: item['id'],
    itemId: (item['itemDetails'] as Members)['itemId'],
    canceledQuantity: item['quantity'],
    cancellationReasonCode: REASON,
  }));
  const confirmed = await town.client.put(`/stores/TOWN_US/nodes/${nodeId}/pickTicket/update`, {
    modifyAssociateId: 'a',
    pickTicketDetails: {
      pickTicketId: ticket.pickTicketId,
      action: 'CONFIRM',
      storeId: 'TOWN_US',
      nodeId,
      userId: 'u',
      holdLocation: 'H',
      pickTicketItems,
    },
  });
  expect(confirmed.status, confirmed.text).toBe(204);
}

describe('items that a node declined', () => {
  const holds = async () =>
    ((await town.client.get('/operator/v1/clients/TOWN/nodes/TOWN-Store001/holds')).body as { holds: Members[] }).holds;
  const ITEM = '/operator/v1/clients/TOWN/nodes/TOWN-Store001/items/21-SOAP-LAV';
  const release = (path = `${ITEM}/hold`) => town.client.delete(path);

  it('are held by the policy of the node for every type; intake and RESOURCE reject them there', async () => {
    await town.policy('HOLD_UNTIL_RELEASED');
    const orderId = await town.picked('STORE_PICK_UP', [1], [0]);
    expect(await holds()).toMatchObject([
      { itemId: '21-SOAP-LAV', policy: 'HOLD_UNTIL_RELEASED', fulfillmentOrderId: orderId, reasonCode: REASON },
    ]);
    const list = '/operator/v1/clients/TOWN/nodes/TOWN-Store001/holds?itemId=';
    expect((await town.client.get(`${list}21-SOAP-LAV`)).body).toMatchObject({ holds: [{ itemId: '21-SOAP-LAV' }] });
    expect((await town.client.get(`${list}21-LAMP-BRS`)).body).toEqual({ holds: [] });
    await expect(town.make('STORE_PICK_UP', [1])).rejects.toThrow('/lines/0/itemId');
    const elsewhere = resource();
    const id = await declinedElsewhere(elsewhere.fulfillmentOrderId);
    expect(faultsOf(await town.answer(id, resource('TOWN-Store001')))).toEqual(['/nodeId held']);
    expect((await town.operator('PUT', ITEM, { onHand: 3 })).status).toBeLessThan(300);
    expect(await holds()).toHaveLength(1);
    expect((await release()).status).toBe(204);
    expect((await release()).status).toBe(404);
    expect(await holds()).toEqual([]);
    await town.make('STORE_PICK_UP', [1]);
    await town.policy('NO_HOLD');
  });

  it('are released by the next feed of the node if its policy says so', async () => {
    await town.policy('HOLD_UNTIL_FEED');
    const orderId = await town.picked('SHIP_TO_HOME', [1]);
    await town.decline(orderId, { 1: 1 });
    expect(await holds()).toMatchObject([{ policy: 'HOLD_UNTIL_FEED' }]);
    expect((await town.operator('PUT', ITEM, { onHand: 3 })).status).toBeLessThan(300);
    expect(await holds()).toEqual([]);
    const types = (await town.events('nodeItem', 'TOWN-Store001/21-SOAP-LAV')).map(({ type }) => type);
    expect(types.slice(-2)).toContain('nodeItem.released');
    await town.picked('SHIP_TO_STORE', [2], [1]);
    expect(await holds()).toMatchObject([{ itemId: '21-SOAP-LAV', reasonCode: 'STSProductNotReceived' }]);
    await release();
    await town.policy('NO_HOLD');
  });

  it('are not held under NO_HOLD, nor for units canceled by the customer', async () => {
    await town.picked('STORE_PICK_UP', [1], [0]);
    expect(await holds()).toEqual([]);
    await town.policy('HOLD_UNTIL_RELEASED');
    const orderId = await town.make('STORE_PICK_UP', [2]);
    const ticket = await town.ticket([orderId]);
    await town.cancel(orderId);
    await town.pick(ticket, [0]);
    expect(await holds()).toEqual([]);
    await town.policy('NO_HOLD');
  });

  /**
   * Creates an order at the third node, declines it there, and returns its re-source request. The first node never has
   * the order.
   */
  async function declinedElsewhere(orderId: string): Promise<unknown> {
    await town.order({
      type: 'SHIP_TO_HOME',
      lines: [['SOAP-LAV', 1, 1]],
      more: { fulfillmentOrderId: orderId, nodeId: 'TOWN-Third' },
    });
    await declineAll(orderId, 'TOWN-Third');
    return requestOf(orderId);
  }
});
