/** Fields of an item that limit orders: street date, orderable quantities, status. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import { examine } from '../../src/service/cli/doctor.ts';
import { generateBody, ISPU, type LineWish, type Members, orderBody } from '../picking/picking.ts';
import { openTimed, type Timed } from '../scheduler/sandbox.ts';

/** The clock starts on Monday 2026-03-02 at 16:00 UTC: 11:00 in New York, the time zone of the node. */
let town: Timed;
beforeEach(async () => {
  town = await openTimed();
});
afterEach(() => town.close());

const STORE = '/operator/v1/stores/TOWN_US/fulfillmentOrders';

async function settings(members: Members): Promise<void> {
  const path = '/operator/v1/clients/TOWN';
  const { body } = await town.operator('GET', path);
  const answer = await town.operator('PUT', path, { ...body, settings: { ...body.settings, ...members } });
  expect(answer.status, answer.text).toBe(200);
}

async function item(sku: string, members: Members): Promise<void> {
  const answer = await town.client.put(`/item-service/clients/TOWN/items/21-${sku}?merge=true`, members);
  expect(answer.status, answer.text).toBe(200);
}

/** Stores a bundle of a bundle and a mug. */
async function putCrate(): Promise<void> {
  const crate = await town.client.put('/item-service/clients/TOWN/items/21-CRATE', {
    catalogId: '21',
    clientId: 'TOWN',
    clientItemId: 'CRATE',
    itemId: '21-CRATE',
    type: 'MERCH',
    salesClass: 'stock',
    styleId: '',
    taxCode: '',
    description: 'Crate',
    bundle: true,
    bundleItems: [{ itemId: '21-SET-BATH' }, { itemId: '21-MUG-WHT' }],
  });
  expect([200, 201], crate.text).toContain(crate.status);
}

const read = async (orderId: string) => (await town.client.get(`${STORE}/${orderId}`)).body;

let made = 0;

/** Sends an order of these lines. Returns the id of the order, the response and the errors in the response. */
async function send(lines: LineWish[], members: Members = {}) {
  const id = `SD-${++made}`;
  const answer = await town.client.post(STORE, {
    ...orderBody(id, { lines, type: members['fulfillmentType'] as 'SHIP_TO_HOME' }, town.clock.now),
    ...members,
  });
  return { id, answer, faults: (answer.body.errors ?? []) as { pointer: string; rule: string; message: string }[] };
}

describe('an item before its street date', () => {
  it('is rejected with item and date, and accepted from the start of that day at the node', async () => {
    await item('MUG-WHT', { streetDate: '2026-03-03' });
    const early = await send([
      ['SOAP-LAV', 1],
      ['MUG-WHT', 1],
    ]);
    expect(early.answer.status).toBe(400);
    expect(early.faults).toEqual([
      {
        pointer: '/lines/1/itemId',
        rule: 'streetDate',
        limit: '2026-03-03',
        message:
          'item "21-MUG-WHT" cannot be ordered before its streetDate 2026-03-03; send the order on or after that date',
      },
    ]);
    await town.to('2026-03-03T04:59:59');
    expect((await send([['MUG-WHT', 1]])).answer.status).toBe(400);
    await town.to('2026-03-03T05:00:00');
    expect((await send([['MUG-WHT', 1]])).answer.status).toBe(201);
  });

  it('with a time and offset counts from that instant', async () => {
    await item('MUG-WHT', { streetDate: '2026-03-02T17:30:00+01:00' });
    expect((await send([['MUG-WHT', 1]])).answer.status).toBe(400);
    await town.to('2026-03-02T16:30:00');
    expect((await send([['MUG-WHT', 1]])).answer.status).toBe(201);
  });

  it('is also rejected in a bundle, with the name of the bundle', async () => {
    await item('SOAP-LAV', { streetDate: '2099-01-01' });
    const { faults } = await send([['SET-BATH', 1]]);
    expect(faults.map(({ pointer, message }) => [pointer, message])).toEqual([
      [
        '/lines/0/itemId',
        'item "21-SET-BATH" contains item "21-SOAP-LAV", which cannot be ordered before its streetDate 2099-01-01; send the order on or after that date',
      ],
    ]);
  });

  it('is also rejected or held as a bundle inside another bundle', async () => {
    await putCrate();
    expect((await send([['CRATE', 1]])).answer.status).toBe(201);
    await item('SET-BATH', { streetDate: '2099-01-01' });
    const { faults } = await send([['CRATE', 1]]);
    expect(faults.map(({ rule, message }) => [rule, message])).toEqual([
      ['streetDate', expect.stringContaining('contains item "21-SET-BATH"')],
    ]);
    await settings({ streetDate: 'HOLD' });
    const { id } = await send([['CRATE', 1]]);
    expect(await read(id)).toMatchObject({ status: '1000' });
  });

  it('is accepted if its sales class is sold before that date', async () => {
    expect((await send([['CANDLE-26', 1]])).answer.status).toBe(201);
    await item('CANDLE-26', { salesClass: 'backOrderLimited' });
    expect((await send([['CANDLE-26', 1]])).answer.status).toBe(201);
    for (const salesClass of ['stock', 'advanceOrderOpen']) {
      await item('CANDLE-26', { salesClass });
      expect(
        (await send([['CANDLE-26', 1]])).faults.map((fault) => fault.rule),
        salesClass,
      ).toEqual(['streetDate']);
    }
    await settings({ salesClassesBeforeStreetDate: ['stock'] });
    await item('CANDLE-26', { salesClass: 'stock' });
    expect((await send([['CANDLE-26', 1]])).answer.status).toBe(201);
  });

  it('is reported with all other errors of the order', async () => {
    await item('MUG-WHT', { streetDate: '2099-01-01', maxOrderableQuantity: 1 });
    const { faults } = await send([
      ['MUG-WHT', 2],
      ['NONE', 1],
    ]);
    expect(faults.map(({ pointer, rule }) => `${pointer} ${rule}`)).toEqual([
      '/lines/0/itemId streetDate',
      '/lines/1/itemId exists',
      '/lines/0/quantity maxOrderableQuantity',
    ]);
  });
});

describe('an order that is held until a street date', () => {
  const hold = async (
    streetDate: string,
    lines: LineWish[] = [
      ['MUG-WHT', 1],
      ['SOAP-LAV', 2],
    ],
    members: Members = {},
  ) => {
    await settings({ streetDate: 'HOLD' });
    await item('MUG-WHT', { streetDate });
    const { id, answer } = await send(lines, members);
    expect(answer.status, answer.text).toBe(201);
    return { id, said: answer.body.fulfillmentOrders[0] as Members };
  };

  it('is on no queue, has no SLA, and shows the date until which it is held', async () => {
    const { id, said } = await hold('2026-03-09');
    const heldUntil = '2026-03-09T04:00:00+00:00';
    expect(said).toEqual({ fulfillmentOrderId: id, status: '1000', statusName: 'Held until street date', heldUntil });
    const order = await read(id);
    expect(order).toMatchObject({ statusName: 'Held until street date', heldUntil });
    expect(String(order.status)).toBe('1000');
    expect([order.queueId, order.slaDate, order.endedDate]).toEqual([undefined, undefined, undefined]);
    const generate = order.allowedActions.find((one: Members) => one['action'] === 'generate');
    expect(generate).toEqual({
      action: 'generate',
      allowed: false,
      reason: `the order is 1000 Held until street date (${heldUntil}); the action generate is allowed only in status 1100 Waiting for pick`,
    });
    expect(order.allowedActions.filter((one: Members) => one['allowed'])).toEqual([
      { action: 'cancel', allowed: true },
    ]);
    expect((await town.events('order', id))[0]).toMatchObject({ type: 'order.received', data: { heldUntil } });
    const found = await town.client.post('/stores/TOWN_US/fulfillmentOrder/search', {
      storeId: 'TOWN_US',
      nodeId: 'TOWN-Store001',
      fulfillmentOrder: { statuses: { from: 1000, to: 1000 } },
    });
    expect(found.body.fulfillmentOrders.map((one: Members) => one['fulfillmentOrderId'])).toEqual([id]);
  });

  it('cannot be picked, checked in, packed or handed over, and each error has the reason', async () => {
    const { id } = await hold('2026-03-09');
    const said = [
      await town.client.post('/stores/TOWN_US/nodes/TOWN-Store001/pickTicket/generate', generateBody([id])),
      await town.client.post(`/stores/TOWN_US/nodes/TOWN-Store001/customerPickUps/${id}`, {
        storeId: 'TOWN_US',
        nodeId: 'TOWN-Store001',
        fulfillmentOrderId: id,
      }),
    ];
    const ship = await hold('2026-03-09', [['MUG-WHT', 1]], { fulfillmentType: 'SHIP_TO_HOME' });
    const key = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', fulfillmentOrderId: ship.id };
    said.push(
      await town.client.post(`/stores/TOWN_US/fulfillmentOrders/${ship.id}/packages?nodeId=TOWN-Store001`, key),
      await town.client.post(`/stores/TOWN_US/fulfillmentOrders/${ship.id}/packslip/generate`, {
        ...key,
        modifyAssociateId: 'bo',
      }),
    );
    const sts = await hold('2026-03-09', [['MUG-WHT', 1]], { fulfillmentType: 'SHIP_TO_STORE', inStore: true });
    const path = `/stores/TOWN_US/nodes/TOWN-Store001/fulfillmentOrders/${sts.id}/checkin`;
    const { fulfillmentOrder } = (await town.client.get(path)).body;
    const arrived = fulfillmentOrder.checkInPackages.map((one: Members) => ({
      ...one,
      checkInPackageItems: (one['checkInPackageItems'] as Members[]).map((line) => ({ ...line, checkInQuantity: 1 })),
    }));
    const confirm = { ...fulfillmentOrder, action: 'CONFIRM', holdLocation: 'A1', checkInPackages: arrived };
    said.push(await town.client.post(path, { modifyAssociateId: 'bo', fulfillmentOrder: confirm }));
    expect(said.map((answer) => answer.status)).toEqual([409, 409, 400, 400, 400]);
    for (const answer of said) expect(answer.body.description).toMatch(/held until/);
  });

  it('is released to its queue at the start of the day at the node, with an SLA that begins then', async () => {
    const { id } = await hold('2026-03-09');
    await town.to('2026-03-09T03:59:59');
    expect(String((await read(id)).status)).toBe('1000');
    await town.to('2026-03-09T04:00:00');
    expect(await read(id)).toMatchObject({
      queueId: ISPU,
      queuedDate: '2026-03-09T04:00:00+00:00',
      slaDate: { slaTypeId: 'START_PICK' },
    });
    expect((await read(id)).heldUntil).toBeUndefined();
    const events = await town.events('order', id);
    expect(events.map(({ type }) => type)).toEqual(['order.received', 'order.released']);
    expect(events[1]!.data).toMatchObject({ queueId: ISPU, nodeId: 'TOWN-Store001' });
    const ticket = await town.ticket([id]);
    expect((await town.confirm(ticket)).status).toBe(204);
  });

  it('waits for the latest of its dates, and intake accepts the same order again meanwhile', async () => {
    await settings({ streetDate: 'HOLD' });
    await item('MUG-WHT', { streetDate: '2026-03-09' });
    await item('SOAP-LAV', { streetDate: '2026-03-11T09:00:00Z' });
    const lines: LineWish[] = [
      ['MUG-WHT', 1],
      ['SOAP-LAV', 2],
    ];
    const { id, answer } = await send(lines);
    expect(answer.body.fulfillmentOrders[0].heldUntil).toBe('2026-03-11T09:00:00+00:00');
    const again = await town.client.post(STORE, orderBody(id, { lines }, town.clock.now));
    expect([again.status, again.body]).toEqual([200, answer.body]);
  });

  it('is released at once when the customer cancels the items it waits for, and canceled when no unit is left', async () => {
    const { id } = await hold('2026-03-09');
    const cancel = (lines?: Members[]) =>
      town.client.post(`${STORE}/${id}/cancel`, {
        reasonCode: 'CancelCustomerInitiated',
        ...(lines && { lines }),
      });
    expect((await cancel([{ webLineId: '2', quantity: 1 }])).status).toBe(200);
    expect(await read(id)).toMatchObject({ heldUntil: '2026-03-09T04:00:00+00:00' });
    const answer = await cancel([{ webLineId: '1', quantity: 1 }]);
    expect(answer.body).toMatchObject({ queueId: ISPU });
    expect(await town.eventTypes(id)).toEqual(['order.received', 'order.canceled', 'order.canceled', 'order.released']);
    const other = await hold('2026-03-09');
    await town.client.post(`${STORE}/${other.id}/cancel`, { reasonCode: 'CancelCustomerInitiated' });
    expect(String((await read(other.id)).status)).toBe('9000');
    await town.to('2026-03-10T00:00:00');
    expect(String((await read(other.id)).status)).toBe('9000');
  });

  it('remains held if an item has a later date on the day of release; an earlier date does not release it sooner', async () => {
    const { id } = await hold('2026-03-09');
    await item('MUG-WHT', { streetDate: '2026-03-20' });
    expect((await read(id)).heldUntil).toBe('2026-03-09T04:00:00+00:00');
    await town.to('2026-03-09T04:00:00');
    expect(await read(id)).toMatchObject({ heldUntil: '2026-03-20T04:00:00+00:00' });
    expect((await town.events('order', id)).at(-1)).toMatchObject({
      type: 'order.held',
      data: { itemId: '21-MUG-WHT', heldUntil: '2026-03-20T04:00:00+00:00' },
    });
    await item('MUG-WHT', { streetDate: '2026-03-10' });
    await town.to('2026-03-19T00:00:00');
    expect(String((await read(id)).status)).toBe('1000');
    await town.to('2026-03-20T04:00:00');
    expect(String((await read(id)).status)).toBe('1100');
  });

  it('remains held until a later date of its item when the customer cancels other units', async () => {
    const { id } = await hold('2026-03-09');
    await item('MUG-WHT', { streetDate: '2026-03-20' });
    await town.to('2026-03-10T12:00:00');
    const lines = [{ webLineId: '2', quantity: 1 }];
    await town.client.post(`${STORE}/${id}/cancel`, { reasonCode: 'CancelCustomerInitiated', lines });
    expect(await read(id)).toMatchObject({ heldUntil: '2026-03-20T04:00:00+00:00' });
    expect(await town.eventTypes(id)).toEqual(['order.received', 'order.held', 'order.canceled']);
    await town.to('2026-03-20T04:00:00');
    expect(String((await read(id)).status)).toBe('1100');
  });

  it('waits for the goods that it has, not for those that its bundle has now', async () => {
    await settings({ streetDate: 'HOLD' });
    const list = (itemId: string, operationType?: string) => ({ itemId, ...(operationType && { operationType }) });
    await item('SOAP-LAV', { streetDate: '2026-03-09' });
    const first = await send([['SET-BATH', 1]]);
    await item('SET-BATH', { bundleItems: [list('21-SOAP-LAV', 'delete'), list('21-MUG-WHT')] });
    await item('SOAP-LAV', { streetDate: '2026-03-20' });
    await item('MUG-WHT', { streetDate: '2026-03-10' });
    const second = await send([['SET-BATH', 1]]);
    await item('SET-BATH', { bundleItems: [list('21-MUG-WHT', 'delete'), list('21-SOAP-LAV')] });
    await town.to('2026-03-10T04:00:00');
    expect(await read(first.id)).toMatchObject({ status: '1000', heldUntil: '2026-03-20T04:00:00+00:00' });
    expect(String((await read(second.id)).status)).toBe('1100');
  });

  it('waits for a date that a bundle inside its bundle gets later', async () => {
    await settings({ streetDate: 'HOLD' });
    await putCrate();
    await item('MUG-WHT', { streetDate: '2026-03-09' });
    const { id } = await send([['CRATE', 1]]);
    await item('SET-BATH', { streetDate: '2026-03-20' });
    await town.to('2026-03-09T04:00:00');
    expect(await read(id)).toMatchObject({ status: '1000', heldUntil: '2026-03-20T04:00:00+00:00' });
  });

  it('is released on its date at intake if its item was deleted', async () => {
    const { id } = await hold('2026-03-09');
    expect((await town.client.delete('/item-service/clients/TOWN/items/21-MUG-WHT')).status).toBe(204);
    await town.to('2026-03-09T03:59:59');
    expect(String((await read(id)).status)).toBe('1000');
    await town.to('2026-03-09T04:00:00');
    expect(String((await read(id)).status)).toBe('1100');
  });
});

describe('the orderable quantity of an item', () => {
  it('is at most its maxOrderableQuantity and at least its minOrderableQuantity, over all of its lines', async () => {
    await item('MUG-WHT', { minOrderableQuantity: 2, maxOrderableQuantity: 3 });
    const said = async (...units: number[]) =>
      (await send(units.map((quantity): LineWish => ['MUG-WHT', quantity]))).faults.map(
        ({ pointer, message }) => `${pointer} ${message}`,
      );
    expect(await said(1)).toEqual([
      '/lines/0/quantity the order has 1 unit of item "21-MUG-WHT"; one order must have at least 2 (minOrderableQuantity of the item)',
    ]);
    expect(await said(1, 1)).toEqual([]);
    expect(await said(3)).toEqual([]);
    expect(await said(2, 2)).toEqual([
      '/lines/1/quantity the order has 4 units of item "21-MUG-WHT"; one order can have at most 3 (maxOrderableQuantity of the item)',
    ]);
  });

  it('has no limit if a limit is 0 or absent', async () => {
    await item('MUG-WHT', { minOrderableQuantity: 0, maxOrderableQuantity: 0 });
    expect((await send([['MUG-WHT', 5000]])).answer.status).toBe(201);
    expect((await send([['TEE-RED-M', 5000]])).answer.status).toBe(201);
  });
});

describe('the status of an item', () => {
  it('Discontinued rejects orders and Inactive accepts them, and the client can change both', async () => {
    await item('MUG-WHT', { status: 'Inactive' });
    expect((await send([['MUG-WHT', 1]])).answer.status).toBe(201);
    await item('MUG-WHT', { status: 'discontinued' });
    const { faults } = await send([['MUG-WHT', 1]]);
    expect(faults.map(({ pointer, rule }) => [pointer, rule])).toEqual([['/lines/0/itemId', 'status']]);
    await settings({ refusedItemStatuses: [] });
    expect((await send([['MUG-WHT', 1]])).answer.status).toBe(201);
    await settings({ refusedItemStatuses: ['Inactive', 'Discontinued'] });
    await item('MUG-WHT', { status: 'Inactive' });
    expect((await send([['MUG-WHT', 1]])).faults.map(({ rule }) => rule)).toEqual(['status']);
  });

  it('and the sales class are compared with the settings without regard to case, spaces and hyphens', async () => {
    await item('MUG-WHT', { status: 'Discontinued' });
    await settings({ itemStatuses: ['ACTIVE', 'DISCONTINUED'], salesClasses: ['Stock', 'Back-Order Limited'] });
    expect((await send([['MUG-WHT', 1]])).faults.map(({ rule }) => rule)).toEqual(['status']);
    await item('MUG-WHT', { status: 'ACTIVE', salesClass: 'backOrderLimited', streetDate: '2099-01-01' });
    expect((await send([['MUG-WHT', 1]])).answer.status).toBe(201);
    await settings({ refusedItemStatuses: ['active'], salesClassesBeforeStreetDate: ['STOCK'] });
  });

  it('settings with a status or sales class that no item can have are rejected', async () => {
    const { body } = await town.operator('GET', '/operator/v1/clients/TOWN');
    const put = await town.operator('PUT', '/operator/v1/clients/TOWN', {
      ...body,
      settings: { refusedItemStatuses: ['Gone'], salesClassesBeforeStreetDate: ['never', 'never'], streetDate: 'WAIT' },
    });
    expect(put.status).toBe(400);
    expect(put.body.errors.map((fault: { pointer: string }) => fault.pointer).sort()).toEqual([
      '/settings/refusedItemStatuses/0',
      '/settings/salesClassesBeforeStreetDate/0',
      '/settings/salesClassesBeforeStreetDate/1',
      '/settings/salesClassesBeforeStreetDate/1',
      '/settings/streetDate',
    ]);
  });
});

describe('a held order with goods on their way to the store', () => {
  it('marks canceled units, is released to its check-in, and after it the canceled units wait to be brought back', async () => {
    await settings({ streetDate: 'HOLD' });
    await item('MUG-WHT', { streetDate: '2026-03-09' });
    const lines: LineWish[] = [
      ['MUG-WHT', 2],
      ['SOAP-LAV', 3],
    ];
    const { id, answer } = await send(lines, { fulfillmentType: 'SHIP_TO_STORE', inStore: true });
    expect(answer.status, answer.text).toBe(201);
    const cancel = (line: Members) =>
      town.client.post(`${STORE}/${id}/cancel`, { reasonCode: 'CancelCustomerInitiated', lines: [line] });
    expect((await cancel({ webLineId: '2', quantity: 1 })).body.lines[1]).toMatchObject({ cancelingQuantity: 1 });
    expect(await read(id)).toMatchObject({ heldUntil: '2026-03-09T04:00:00+00:00' });
    expect((await cancel({ webLineId: '1', quantity: 2 })).body).toMatchObject({
      queueId: 'WAITING_FOR_INSTORE_CHECKIN_STS',
    });
    const path = `/stores/TOWN_US/nodes/TOWN-Store001/fulfillmentOrders/${id}/checkin`;
    const { fulfillmentOrder } = (await town.client.get(path)).body;
    const arrived = fulfillmentOrder.checkInPackages.map((one: Members) => ({
      ...one,
      checkInPackageItems: (one['checkInPackageItems'] as Members[]).map((line) => ({
        ...line,
        checkInQuantity: line['quantity'],
      })),
    }));
    const confirm = { ...fulfillmentOrder, action: 'CONFIRM', holdLocation: 'A1', checkInPackages: arrived };
    const checked = await town.client.post(path, { modifyAssociateId: 'bo', fulfillmentOrder: confirm });
    expect(checked.status, checked.text).toBe(204);
    const order = await read(id);
    expect(order).toMatchObject({ queueId: 'WAITING_FOR_CUSTOMER_PICK' });
    expect(
      order.lines.map((line: Members) => [line['heldQuantity'], line['cancelingQuantity'], line['canceledQuantity']]),
    ).toEqual([
      [2, 2, 0],
      [3, 1, 0],
    ]);
    const config = loadConfig({ DATABASE_URL: town.store.url, BACKROOM_SECRET: 'ab'.repeat(32) });
    const faults = (await examine(config, town.clock.now)).filter(
      ({ ok, check }) => !ok && check !== 'disk' && check !== 'durability',
    );
    expect(faults.map(({ found }) => found)).toEqual([]);
  });
});
