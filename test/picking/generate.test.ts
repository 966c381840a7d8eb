import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal } from '../../src/platform/decimal.ts';
import { formatDateTime } from '../../src/platform/time.ts';
import {
  allFound,
  DEL,
  GENERATE,
  generateBody,
  ISPU,
  type Members,
  openPicking,
  type Picking,
  SFS,
} from './picking.ts';

const MINUTE_MS = 60_000;

let town: Picking;
beforeAll(async () => {
  town = await openPicking();
});
afterAll(() => town.close());

describe('the ticket that generate returns', () => {
  let ids: string[];
  let ticket: Members;
  let items: Members[];
  let status: number;
  let body: Members;

  beforeAll(async () => {
    const other = await openPicking();
    const first = await other.order({
      lines: [
        ['TEE-RED-M', 2, 19.99],
        ['SOAP-LAV', 3, 4.25],
      ],
    });
    other.clock.now += 10 * MINUTE_MS;
    const second = await other.order({
      lines: [
        ['TEE-RED-M', 1, 19.99],
        ['MATCH-100', 4, 1.2],
      ],
    });
    ids = [second, first];
    const answer = await other.generate(ids);
    status = answer.status;
    body = answer.body as Members;
    ticket = (body.pickTicketDetails as Members[])[0]!;
    items = ticket.pickTicketItems as Members[];
    await other.close();
  });

  it('has status 201 and is the only element of pickTicketDetails', () => {
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(['pickTicketDetails']);
    expect(body.pickTicketDetails).toHaveLength(1);
  });

  it.each([
    ['pickTicketId', '100006'],
    ['storeId', 'TOWN_US'],
    ['nodeId', 'TOWN-Store001'],
    ['queueId', 'WAITING_FOR_PICK_ISPU'],
    ['userId', 'picker'],
    ['status', 'NEW'],
    ['holdLocation', 'B2'],
    ['fulfillmentType', 'STORE_PICK_UP'],
    ['pickTicketType', 'PICK_TICKET'],
    ['pickTicketDate', '2026-03-02T16:10:00+00:00'],
    ['pickSLADate', '2026-03-02T17:30:00+00:00'],
    ['currency', 'USD'],
    ['totalFulfillmentOrders', 2],
    ['totalSKUs', 3],
    ['totalQuantity', 10],
  ])('has %s %j', (member, value) => {
    expect(ticket[member]).toStrictEqual(value);
  });

  it('has pickTicketItems, merged over the orders, sorted by pick location, with those without a location last', () => {
    const shown = items.map((item) => [item.id, (item.itemDetails as Members).itemId, item.pickLocation]);
    expect(shown).toEqual([
      [1, '21-TEE-RED-M', 'A-01-2'],
      [2, '21-SOAP-LAV', 'D-01-1'],
      [3, '21-MATCH-100', undefined],
    ]);
  });

  it('has the documented fields, and its orders with their totes', () => {
    expect(Object.keys(ticket).sort()).toEqual(
      [
        'pickTicketId',
        'storeId',
        'nodeId',
        'queueId',
        'userId',
        'status',
        'holdLocation',
        'fulfillmentType',
        'pickTicketType',
        'pickTicketDate',
        'pickSLADate',
        'currency',
        'totalFulfillmentOrders',
        'totalSKUs',
        'totalQuantity',
        'orders',
        'pickTicketItems',
      ].sort(),
    );
    expect(Object.keys(items[0]!).sort()).toEqual(
      ['id', 'itemDetails', 'quantity', 'unitPrice', 'retailPrice', 'pickLocation', 'imageUrl', 'orders'].sort(),
    );
  });

  it.each([
    ['id', [1, 2, 3]],
    ['quantity', [3, 3, 4]],
    ['unitPrice', [19.99, 4.25, 1.2]],
    ['retailPrice', [19.99, undefined, 1.2]],
    ['pickLocation', ['A-01-2', 'D-01-1', undefined]],
    ['pickedQuantity', [undefined, undefined, undefined]],
    ['canceledQuantity', [undefined, undefined, undefined]],
    ['cancellationReasonCode', [undefined, undefined, undefined]],
  ])('has items with %s %j', (member, values) => {
    expect(items.map((item) => item[member])).toStrictEqual(values);
  });

  it.each([
    ['itemId', '21-TEE-RED-M'],
    ['itemDesc', 'Harbour tee, signal red, M'],
    ['color', 'Signal red'],
    ['colorCode', '600'],
    ['size', 'Medium'],
    ['sizeCode', 'M'],
    ['style', 'HTEE'],
    ['upcs', [{ type: 'UPC', value: '400000000015' }]],
  ])('has itemDetails.%s %j', (member, value) => {
    expect((items[0]!.itemDetails as Members)[member]).toStrictEqual(value);
  });

  it('has "" for missing fields of an item', () => {
    const { color, colorCode, size, sizeCode, style } = items[1]!.itemDetails as Members;
    expect([color, colorCode, size, sizeCode, style]).toEqual(['', '', '', '', '']);
  });
});

describe('the effects of generate', () => {
  it('are orders on the ticket: status 1150, same queue and hold location, due for COMPLETE_PICK', async () => {
    const orderId = await town.order({ lines: [['MUG-WHT', 1]] });
    const before = await town.row(orderId);
    town.clock.now += MINUTE_MS;
    const ticket = await town.ticket([orderId]);
    expect(await town.row(orderId)).toEqual({
      ...before,
      status: 1150,
      sla_type: 'COMPLETE_PICK',
      sla_at: before.queued_at + 90 * MINUTE_MS,
      due_at: before.queued_at + 67 * MINUTE_MS,
      pick_ticket_id: ticket.pickTicketId,
      revision: before.revision + 1,
      updated_at: town.clock.now,
    });
  });

  it('keep unit prices to the last digit, and separate when they differ', async () => {
    const price = new Decimal('1234567890123456789.0123');
    const orderId = await town.order({
      lines: [
        ['MUG-WHT', 1, price],
        ['MUG-WHT', 2, 0.1],
        ['MUG-WHT', 3, 0.1],
      ],
    });
    const answer = await town.generate([orderId]);
    expect(answer.text).toContain('"unitPrice":1234567890123456789.0123');
    const [ticket] = (answer.body as { pickTicketDetails: [Members] }).pickTicketDetails;
    const items = ticket.pickTicketItems as Members[];
    expect(items.map((item) => [item.quantity, String(item.unitPrice)])).toEqual([
      [5, '0.1'],
      [1, '1234567890123456789.0123'],
    ]);
    expect([ticket.totalSKUs, ticket.totalQuantity]).toEqual([1, 6]);
  });

  it('show the item as it was at intake of the order, also after its deletion', async () => {
    const orderId = await town.order({ lines: [['UMBR-NAV', 1]] });
    const path = '/item-service/clients/TOWN/items/21-UMBR-NAV';
    expect((await town.client.delete(path)).status).toBe(204);
    const ticket = await town.ticket([orderId]);
    expect(ticket.pickTicketItems[0]!.itemDetails).toMatchObject({ itemDesc: 'Storm umbrella, navy', color: 'Navy' });
  });

  it.each([
    ['SHIP_TO_HOME', SFS],
    ['ASSOCIATE_DELIVERY', DEL],
  ] as const)('are the same for %s on its own queue', async (type, queueId) => {
    const ticket = await town.ticket([await town.order({ type, lines: [['MUG-WHT', 1]] })], queueId);
    expect(ticket).toMatchObject({ fulfillmentType: type, queueId });
  });

  it('include one event for the ticket and one for each order, with the user', async () => {
    const orderId = await town.order({ lines: [['MUG-WHT', 2]] });
    const ticket = await town.ticket([orderId]);
    expect(await town.events('pickTicket', ticket.pickTicketId)).toEqual([
      {
        type: 'pickTicket.generated',
        revision: 1,
        data: {
          userId: 'picker',
          modifyAssociateId: 'associate',
          queueId: ISPU,
          holdLocation: ticket.holdLocation,
          fulfillmentOrderIds: [orderId],
          totalQuantity: 2,
        },
      },
    ]);
    expect((await town.events('order', orderId)).at(-1)).toMatchObject({
      type: 'order.pickStarted',
      revision: 2,
      data: {
        pickTicketId: ticket.pickTicketId,
        userId: 'picker',
        modifyAssociateId: 'associate',
        status: '1150',
        statusName: 'Picking',
      },
    });
  });

  it('include a row for the units of each order line in each item', async () => {
    const first = await town.order({ lines: [['MUG-WHT', 2]] });
    const second = await town.order({
      lines: [
        ['SOAP-LAV', 1],
        ['MUG-WHT', 3],
      ],
    });
    const { pickTicketId } = await town.ticket([first, second]);
    const rows = await town.store.read((db) =>
      db
        .selectFrom('pick_ticket_lines')
        .select(['fulfillment_order_id', 'line_index', 'id', 'quantity', 'picked', 'canceled'])
        .where('client_id', '=', 'TOWN')
        .where('pick_ticket_id', '=', pickTicketId)
        .orderBy('fulfillment_order_id')
        .orderBy('line_index')
        .execute(),
    );
    const none = { picked: null, canceled: null };
    expect(rows).toEqual([
      { fulfillment_order_id: first, line_index: 0, id: 1, quantity: 2, ...none },
      { fulfillment_order_id: second, line_index: 0, id: 2, quantity: 1, ...none },
      { fulfillment_order_id: second, line_index: 1, id: 1, quantity: 3, ...none },
    ]);
  });

  it('include ticket numbers that start at 100001 for each client', () => {
    expect(town.tickets.ready).toBe('100001');
  });

  it('cover 50 orders in one request', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 50; count += 1) ids.push(await town.order({ lines: [['MUG-WHT', 1]] }));
    const ticket = await town.ticket(ids);
    expect(ticket).toMatchObject({ totalFulfillmentOrders: 50, totalQuantity: 50, totalSKUs: 1 });
  });

  it('include a due time: that of the earliest order', async () => {
    const ids: string[] = [];
    for (const minutes of [0, 3, 7]) {
      town.clock.now += minutes * MINUTE_MS;
      ids.push(await town.order({ lines: [['MUG-WHT', 1]] }));
    }
    const ticket = await town.ticket(ids.toReversed());
    expect(ticket.pickSLADate).toBe(formatDateTime(town.clock.now - 10 * MINUTE_MS + 90 * MINUTE_MS));
  });
});

describe('the suggested hold location', () => {
  const NODE_PATH = '/operator/v1/clients/TOWN/nodes/TOWN-Store001';
  let other: Picking;
  const withLocations = async (holdLocations: string[]) => {
    const { body } = await other.operator('GET', NODE_PATH);
    expect((await other.operator('PUT', NODE_PATH, { ...body, holdLocations })).status).toBeLessThan(300);
  };
  const suggested = async () => other.ticket([await other.order({ lines: [['MUG-WHT', 1]] })]);

  beforeAll(async () => {
    other = await openPicking();
  });
  afterAll(() => other.close());

  it('is the first of the node while none is used, and then the least used one', async () => {
    await withLocations(['Y', 'X']);
    const tickets = [await suggested(), await suggested(), await suggested()];
    expect(tickets.map((ticket) => ticket.holdLocation)).toEqual(['Y', 'X', 'Y']);
    expect((await other.reset(tickets[0]!)).status).toBe(204);
    expect((await other.reset(tickets[2]!)).status).toBe(204);
    expect((await suggested()).holdLocation).toBe('Y');
  });

  it('takes into account the orders that still wait in a location, and the open tickets', async () => {
    await withLocations(['P', 'Q']);
    const ticket = await suggested();
    expect(ticket.holdLocation).toBe('P');
    expect((await other.confirm(ticket, allFound(ticket), { holdLocation: 'Q' })).status).toBe(204);
    expect((await suggested()).holdLocation).toBe('P');
    await other.store.write((tx) =>
      tx
        .updateTable('fulfillment_orders')
        .set({ status: 3800, queue_id: null })
        .where('client_id', '=', 'TOWN')
        .where('hold_location', '=', 'Q')
        .execute(),
    );
    expect((await suggested()).holdLocation).toBe('Q');
  });

  it('takes into account the goods of a saved check-in', async () => {
    await withLocations(['R', 'S']);
    const id = other.orders.arriving;
    const order = { action: 'UPDATE', storeId: 'TOWN_US', nodeId: 'TOWN-Store001', fulfillmentOrderId: id };
    const path = `/stores/TOWN_US/nodes/TOWN-Store001/fulfillmentOrders/${id}/checkin`;
    const saved = await other.client.post(path, {
      modifyAssociateId: 'UserId001',
      fulfillmentOrder: { ...order, checkInPackages: [], holdLocation: 'R' },
    });
    expect(saved.status, saved.text).toBe(204);
    expect((await suggested()).holdLocation).toBe('S');
  });

  it('is STAGING for a node without hold locations', async () => {
    await withLocations([]);
    expect((await suggested()).holdLocation).toBe('STAGING');
  });
});

describe('Idempotency-Key on generate', () => {
  it('returns the same ticket again, with Idempotent-Replayed, and creates no second one', async () => {
    const orderId = await town.order({ lines: [['MUG-WHT', 1]] });
    const headers = { 'idempotency-key': 'pick-1' };
    const first = await town.client.post(GENERATE, generateBody([orderId]), headers);
    const again = await town.client.post(GENERATE, generateBody([orderId]), headers);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.text).toBe(first.text);
    expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([undefined, 'true']);
    expect(await town.events('order', orderId)).toHaveLength(2);
  });

  it('rejects the key with another body with 422', async () => {
    const orderId = await town.order({ lines: [['MUG-WHT', 1]] });
    const other = await town.order({ lines: [['MUG-WHT', 1]] });
    const headers = { 'idempotency-key': 'pick-2' };
    expect((await town.client.post(GENERATE, generateBody([orderId]), headers)).status).toBe(201);
    expect((await town.client.post(GENERATE, generateBody([other]), headers)).status).toBe(422);
    expect((await town.row(other)).status).toBe(1100);
  });
});

it('the longest name of a customer and the longest town that intake accepts are in the responses', async () => {
  const [name, city] = ['n'.repeat(255), 'c'.repeat(120)];
  const home = { line1: '1 Pier', city, mainDivisionCode: 'RI', postalCode: '02840', countryCode: 'US' };
  const destination = { destinationId: 'home', destinationType: 'SHIPPING_ADDRESS', address: home };
  const personName = { firstName: 'Pat', lastName: 'Kim' };
  const id = await town.order({
    lines: [['MUG-WHT', 1]],
    more: { customer: { name }, destinations: [{ ...destination, personName }] },
  });
  const path = '/operator/v1/clients/TOWN/nodes/TOWN-Store001/orders?limit=500';
  const { orders } = (await town.client.get(path)).body as { orders: Members[] };
  expect(orders.find((one) => one['fulfillmentOrderId'] === id)).toMatchObject({ city });
  expect((await town.ticket([id]))['orders']).toMatchObject([{ customerName: name }]);
});
