import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findPackages } from '../../src/kernel/checkin-packages.ts';
import { DEFAULT_SETTINGS } from '../../src/shared/client-settings.ts';
import { BY_CUSTOMER, type Flow, OTHER_NODE, openFlow } from '../orders/flow.ts';
import { found, orderBody } from '../picking/picking.ts';
import { eventsOf, faultsOf } from '../provisioning/support.ts';
import {
  brokenRules,
  count,
  keepStock,
  levelOf,
  movesOf,
  NODE,
  NODE_ID,
  placesOf,
  putSettings,
  putStock,
  SOAP,
  TOWN,
} from './stock.ts';

/** In these tests, the first line of an order is soap. */
let town: Flow;
beforeEach(async () => {
  town = await openFlow();
});
afterEach(async () => {
  expect(await brokenRules(town)).toEqual([]);
  await town.close();
});

/** Sets the stock effect of every cancel reason. */
const effect = (stockEffect: string) =>
  putSettings(town, { cancelReasons: DEFAULT_SETTINGS.cancelReasons.map((one) => ({ ...one, stockEffect })) });

/** Hands over the given units of each line of an order; the customer rejects the other units. */
const handOver = async (fulfillmentOrderId: string, units: readonly number[]) => {
  const lines = await town.lines(fulfillmentOrderId);
  const customerPickUpItems = lines.map((line, index) => ({
    webLineId: line.web_line_id,
    itemId: line.item_id,
    customerPickedQuantity: units[index]!,
    canceledQuantity: line.picked - units[index]!,
    ...(line.picked > units[index]! && { cancellationReasonCode: 'CancelMXCreditCustomerRefusal' }),
    backroomPickedQuantity: line.picked,
  }));
  return town.client.put('/stores/TOWN_US/nodes/TOWN-Store001/customerPickUp/confirm', {
    modifyAssociateId: 'bo',
    customerPickUpDetails: { storeId: 'TOWN_US', nodeId: NODE_ID, fulfillmentOrderId, customerPickUpItems },
  });
};

/** Checks in every package of an order, with all units found. */
const arriveWhole = async (fulfillmentOrderId: string) => {
  const packages = await town.store.read((db) =>
    findPackages(db, { client_id: 'TOWN', fulfillment_order_id: fulfillmentOrderId }),
  );
  const checkInPackages = packages.map((one) => ({
    checkInPackageId: one.packageId,
    checkInPackageItems: one.items.map(({ itemId, webLineId, quantity }) => ({
      itemId,
      webLineId,
      quantity,
      checkInQuantity: quantity,
      checkInCanceledQuantity: 0,
    })),
  }));
  const where = { storeId: 'TOWN_US', nodeId: NODE_ID, fulfillmentOrderId };
  return town.client.post(`/stores/TOWN_US/nodes/${NODE_ID}/fulfillmentOrders/${fulfillmentOrderId}/checkin`, {
    modifyAssociateId: 'bo',
    fulfillmentOrder: { action: 'CONFIRM', ...where, holdLocation: 'A1', checkInPackages },
  });
};

describe('a node that keeps no stock', () => {
  it('has no levels and no moves, whatever happens to its orders', async () => {
    await town.picked('STORE_PICK_UP', [2, 1], [2, 1]);
    expect((await town.client.get(`${NODE}/stock`)).body).toEqual({ stock: [] });
    expect(await movesOf(town, SOAP)).toEqual([]);
    const rows = await town.store.read((db) => db.selectFrom('stock_levels').selectAll().execute());
    expect(rows).toEqual([]);
  });

  it('takes neither counts nor moves', async () => {
    const line = { itemId: SOAP, counted: 1, revision: 0 };
    const counted = await town.client.post(`${NODE}/counts`, { countId: 'c', userId: 'u', lines: [line] });
    const move = { itemId: SOAP, from: 'SHELF', to: 'DAMAGED', quantity: 1, reason: 'x' };
    const moved = await town.client.post(`${NODE}/stock/moves`, { moveId: 'm', userId: 'u', lines: [move] });
    expect([counted.status, moved.status]).toEqual([409, 409]);
  });
});

describe('switching on', () => {
  it('claims the open orders, and the first count of an item opens its ledger', async () => {
    const before = await levelUnits();
    await town.make('STORE_PICK_UP', [3, 1]);
    await town.picked('STORE_PICK_UP', [2, 1], [2, 1]);
    await keepStock(town, NODE_ID);
    const [, staged, , , , reserved] = await placesOf(town, SOAP);
    expect([staged, reserved]).toEqual([2 + before.held, 3 + before.open]);
    const counted = await count(town, SOAP, 10);
    expect([counted.status, counted.body]).toMatchObject([201, { state: 'POSTED' }]);
    expect((await levelOf(town, SOAP)).shelf).toBe(10);
    expect((await movesOf(town, SOAP)).at(-1)).toBe('OPENING > SHELF 10 OPENING');
  });

  async function levelUnits() {
    await keepStock(town, NODE_ID);
    const [, held = 0, , , , open = 0] = await placesOf(town, SOAP);
    await putStock(town, NODE_ID, { stock: 'NOT_KEPT' });
    return { held, open };
  }

  it('again begins again: what was there before goes out, and what was posted stays readable', async () => {
    await keepStock(town, NODE_ID);
    await count(town, SOAP, 10);
    await putStock(town, NODE_ID, { stock: 'NOT_KEPT' });
    const moves = await movesOf(town, SOAP);
    await town.make('STORE_PICK_UP', [3, 1]);
    expect(await movesOf(town, SOAP)).toEqual(moves);
    expect((await town.client.get(`${NODE}/stock`)).body).toEqual({ stock: [] });
    await keepStock(town, NODE_ID);
    expect((await levelOf(town, SOAP)).shelf).toBe(0);
    expect(await movesOf(town, SOAP)).toContain('SHELF > OPENING 10 OPENING');
    expect((await count(town, SOAP, 4)).body).toMatchObject({ state: 'POSTED' });
    expect((await movesOf(town, SOAP)).at(-1)).toBe('OPENING > SHELF 4 OPENING');
  });

  it('again rejects counts of the time before: a late one, one that waits, and those of a plan', async () => {
    const LAMP = '21-LAMP-BRS';
    const post = (path: string, body: object) => town.client.post(`${NODE}/${path}`, { userId: 'leo', ...body });
    const plan = async (planId: string) => {
      const add = [{ itemId: SOAP }];
      await post('countPlans', { planId, rule: { type: 'ITEMS' }, secondCount: 'NEVER' });
      await post(`countPlans/${planId}/lines`, { add });
      await post(`countPlans/${planId}/open`, {});
      await record(planId, `${planId}-1`);
    };
    const record = async (planId: string, countId: string) => {
      const { revision } = await levelOf(town, SOAP);
      const recorded = await post(`countPlans/${planId}/counts`, {
        countId,
        lines: [{ itemId: SOAP, counted: 7, revision }],
      });
      expect(recorded.status, recorded.text).toBe(201);
    };
    await keepStock(town, NODE_ID);
    await count(town, SOAP, 10);
    await count(town, LAMP, 0);
    const waiting = ((await count(town, SOAP, 6)).body as { countId: string }).countId;
    await plan('old');
    const late = await Promise.all(
      [SOAP, LAMP].map(async (itemId) => ({ itemId, counted: 5, revision: (await levelOf(town, itemId)).revision })),
    );
    await putStock(town, NODE_ID, { stock: 'NOT_KEPT' });
    await keepStock(town, NODE_ID);
    const sent = await post('counts', { countId: 'late', lines: late });
    expect(faultsOf(sent)).toEqual(['/lines/0/revision minimum', '/lines/1/revision minimum']);
    expect(await post(`counts/${waiting}/approve`, {})).toMatchObject({ status: 409, body: { itemId: SOAP } });
    expect(await post('countPlans/old/approve', {})).toMatchObject({
      status: 409,
      body: { state: 'COUNTED', itemId: SOAP },
    });
    expect((await levelOf(town, SOAP)).shelf).toBe(0);
    expect((await post(`counts/${waiting}/reject`, { reason: 'old' })).status).toBe(200);
    await post('countPlans/old/recount', { lines: [{ itemId: SOAP }] });
    await record('old', 'old-2');
    expect((await post('countPlans/old/approve', {})).status).toBe(200);
    expect((await movesOf(town, SOAP)).at(-1)).toBe('OPENING > SHELF 7 OPENING');
    expect((await count(town, LAMP, 2)).body).toMatchObject({ state: 'POSTED' });
  });
});

describe('what happens to orders', () => {
  let start: number[];
  beforeEach(async () => {
    await keepStock(town, NODE_ID);
    await count(town, SOAP, 20);
    start = await placesOf(town, SOAP);
  });

  /** Returns the difference of each place from the start: shelf, staged, damaged, held, missing, reserved. */
  const moved = async () => (await placesOf(town, SOAP)).map((units, index) => units - start[index]!);

  it('reserves units at intake and gives them back when they are canceled before the pick', async () => {
    const order = await town.make('STORE_PICK_UP', [3, 1]);
    expect(await moved()).toEqual([0, 0, 0, 0, 0, 3]);
    await town.cancel(order);
    expect(await moved()).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('takes picked units from the shelf; declined ones stay where their reason has no effect', async () => {
    await town.picked('STORE_PICK_UP', [3, 1], [2, 1]);
    expect(await moved()).toEqual([-2, 2, 0, 0, 0, 0]);
    expect(await movesOf(town, SOAP)).toContain('SHELF > STAGE 2 PICKED');
  });

  it.each([
    ['MISSING', [-3, 2, 0, 0, 1, 0]],
    ['DAMAGED', [-3, 2, 1, 0, 0, 0]],
  ])('takes declined units to %s where their reason says so', async (stockEffect, units) => {
    await effect(stockEffect);
    await town.picked('STORE_PICK_UP', [3, 1], [2, 1]);
    expect(await moved()).toEqual(units);
  });

  it('never rejects a pick: picking 5 from a shelf of 3 adds 2 first, and requests a count', async () => {
    const { revision, shelf } = await levelOf(town, SOAP);
    const write = { itemId: SOAP, from: 'SHELF', to: 'COUNT', quantity: shelf - 3, reason: 'gone' };
    await town.client.post(`${NODE}/stock/moves`, { moveId: 'm', userId: 'leo', lines: [write] });
    await town.picked('STORE_PICK_UP', [5, 1], [5, 1]);
    expect((await movesOf(town, SOAP)).slice(-2)).toEqual(['COUNT > SHELF 2 LEDGER_BEHIND', 'SHELF > STAGE 5 PICKED']);
    const wanted = async () =>
      (await town.client.get(`${NODE}/counts/wanted`)).body as { wanted: { itemId: string }[] };
    const soap = (await wanted()).wanted.find((one) => one.itemId === SOAP);
    expect(soap).toMatchObject({ cause: 'LEDGER_BEHIND' });
    expect(revision).toBeGreaterThan(0);
    await count(town, SOAP, 0);
    expect((await wanted()).wanted.map((one) => one.itemId)).not.toContain(SOAP);
  });

  it('never takes staged units of an order for the correction of a receipt, and requests a count instead', async () => {
    await town.picked('STORE_PICK_UP', [3, 1], [3, 1]);
    const inbound = `${NODE}/inbound/BLIND`;
    await town.client.post(inbound, { number: 'B-1', userId: 'ann' });
    const receive = (receiptId: string, good: number, more: object) =>
      town.client.post(`${inbound}/B-1/receipts`, {
        receiptId,
        userId: 'ann',
        lines: [{ itemId: SOAP, good, to: 'STAGE' }],
        ...more,
      });
    await receive('r', 2, {});
    const { shelf } = await levelOf(town, SOAP);
    const move = (from: string, to: string, quantity: number) => ({ itemId: SOAP, from, to, quantity, reason: 'x' });
    const lines = [move('STAGE', 'SHELF', 2), move('SHELF', 'COUNT', shelf + 1)];
    expect((await town.client.post(`${NODE}/stock/moves`, { moveId: 'm', userId: 'leo', lines })).status).toBe(201);
    expect((await receive('c', -2, { corrects: 'r' })).status).toBe(201);
    expect((await movesOf(town, SOAP)).slice(-3)).toEqual([
      'SHELF > STAGE 1 MOVE',
      'COUNT > STAGE 1 LEDGER_BEHIND',
      'STAGE > SUPPLIER 2 CORRECTION',
    ]);
    expect(await levelOf(town, SOAP)).toMatchObject({ shelf: 0, staged: 3 });
    const { wanted } = (await town.client.get(`${NODE}/counts/wanted`)).body as { wanted: unknown[] };
    expect(wanted).toContainEqual(expect.objectContaining({ itemId: SOAP, cause: 'LEDGER_BEHIND' }));
  });

  /** Moves units of the soap from the shelf to COUNT until the shelf has this many. */
  const shelve = async (units: number) => {
    const { shelf } = await levelOf(town, SOAP);
    const line = { itemId: SOAP, from: 'SHELF', to: 'COUNT', quantity: shelf - units, reason: 'gone' };
    const moved = await town.client.post(`${NODE}/stock/moves`, { moveId: 'm', userId: 'leo', lines: [line] });
    expect(moved.status, moved.text).toBe(201);
  };

  /** Corrects the found units of an item of a confirmed ticket. */
  const correctItem = async (
    { pickTicketId }: { pickTicketId: string },
    id: number,
    correctionId: string,
    pickedQuantity: number,
    reason: object = {},
  ) => {
    const item = { id, pickedQuantity, ...reason };
    const answer = await town.client.post(
      `/operator/v1/stores/TOWN_US/nodes/${NODE_ID}/pickTickets/${pickTicketId}/correct`,
      { correctionId, userId: 'lea', reason: 'Found', pickTicketItems: [item] },
    );
    expect(answer.status, answer.text).toBe(200);
  };

  /** Confirms a ticket of orders with the found soaps and lamps. Returns a function that corrects the soaps. */
  const confirmed = async (orders: string[], found: readonly number[]) => {
    const ticket = await town.ticket(orders, 'WAITING_FOR_PICK_ISPU');
    expect((await town.pick(ticket, found)).status).toBe(204);
    const { id } = ticket.pickTicketItems.find((one) => one.itemDetails.itemId === SOAP)!;
    return (correctionId: string, pickedQuantity: number, reason: object = {}) =>
      correctItem(ticket, id, correctionId, pickedQuantity, reason);
  };

  it.each(['MISSING', 'DAMAGED'])('moves units that a correction finds again from %s to the stage', async (place) => {
    await effect(place);
    await shelve(3);
    const correct = await confirmed([await town.make('STORE_PICK_UP', [3, 1])], [2, 1]);
    await correct('c', 3);
    const [, staged, , , , reserved] = start;
    expect(await placesOf(town, SOAP)).toEqual([0, staged! + 3, 0, 0, 0, reserved]);
    expect((await movesOf(town, SOAP)).slice(-2)).toEqual([
      `${place} > SHELF 1 PICK_CORRECTED`,
      'SHELF > STAGE 1 PICK_CORRECTED',
    ]);
  });

  const PAIRS = ['NONE', 'MISSING', 'DAMAGED'].flatMap((then) =>
    ['NONE', 'MISSING', 'DAMAGED'].filter((now) => now !== then).map((now) => [then, now]),
  );

  it.each(PAIRS)(
    'moves units back from where the CONFIRM moved them, if their reason changes from %s to %s',
    async (then, now) => {
      await effect('DAMAGED');
      await confirmed([await town.make('STORE_PICK_UP', [1, 1])], [0, 1]);
      await effect(then);
      await shelve(3);
      const correct = await confirmed([await town.make('STORE_PICK_UP', [3, 1])], [1, 1]);
      await effect(now);
      await correct('c', 2);
      await correct('d', 3);
      const [, staged, , , , reserved] = start;
      expect(await placesOf(town, SOAP)).toEqual([0, staged! + 3, 1, 0, 0, reserved]);
      const found = then === 'NONE' ? [] : [`${then} > SHELF 1 PICK_CORRECTED`];
      expect((await movesOf(town, SOAP)).slice(-2 - 2 * found.length)).toEqual([
        ...found,
        'SHELF > STAGE 1 PICK_CORRECTED',
        ...found,
        'SHELF > STAGE 1 PICK_CORRECTED',
      ]);
    },
  );

  it('moves nothing back that the node declined before it kept stock', async () => {
    await effect('DAMAGED');
    await putStock(town, NODE_ID, { stock: 'NOT_KEPT' });
    const correct = await confirmed([await town.make('STORE_PICK_UP', [2, 1])], [1, 1]);
    await keepStock(town, NODE_ID);
    await correct('c', 2);
    expect((await movesOf(town, SOAP)).filter((move) => move.includes('DAMAGED'))).toEqual([]);
  });

  it('moves a declined unit to MISSING only if the ledger has it on the shelf', async () => {
    await effect('MISSING');
    await shelve(4);
    const orders = [await town.make('STORE_PICK_UP', [3, 1]), await town.make('STORE_PICK_UP', [3, 1])];
    const correct = await confirmed(orders, [3, 2]);
    const [, staged, , , , reserved] = start;
    expect(await placesOf(town, SOAP)).toEqual([0, staged! + 3, 0, 0, 1, reserved]);
    expect((await movesOf(town, SOAP)).slice(-2)).toEqual(['SHELF > STAGE 3 PICKED', 'SHELF > MISSING 1 DECLINED']);
    const { body } = await town.client.get(`${NODE}/counts/wanted`);
    expect((body as { wanted: { itemId: string }[] }).wanted.map((one) => one.itemId)).not.toContain(SOAP);
    await correct('c', 6);
    expect(await placesOf(town, SOAP)).toEqual([0, staged! + 6, 0, 0, 0, reserved]);
    expect((await movesOf(town, SOAP)).slice(-3)).toEqual([
      'MISSING > SHELF 1 PICK_CORRECTED',
      'COUNT > SHELF 2 LEDGER_BEHIND',
      'SHELF > STAGE 3 PICK_CORRECTED',
    ]);
  });

  it.each([
    ['MISSING', 3, [0, 3, 0, 0, 0]],
    ['MISSING', 2, [0, 2, 0, 0, 1]],
    ['DAMAGED', 3, [0, 3, 2, 0, 0]],
  ])(
    'moves no units to %s that the ledger has added for the corrected pick of 5, of which %i are right',
    async (place, right, after) => {
      await effect(place);
      await shelve(3);
      const correct = await confirmed([await town.make('STORE_PICK_UP', [5, 1])], [5, 1]);
      expect((await movesOf(town, SOAP)).slice(-2)).toEqual([
        'COUNT > SHELF 2 LEDGER_BEHIND',
        'SHELF > STAGE 5 PICKED',
      ]);
      await correct('c', right, { cancellationReasonCode: 'CancelMXOutOfStock' });
      const [, staged = 0] = start;
      expect((await placesOf(town, SOAP)).slice(0, 5)).toEqual(
        after.map((units, index) => units + (index === 1 ? staged : 0)),
      );
      await correct('d', 5);
      expect((await placesOf(town, SOAP)).slice(0, 5)).toEqual([0, staged + 5, 0, 0, 0]);
      await correct('e', right, { cancellationReasonCode: 'CancelMXOutOfStock' });
      expect((await placesOf(town, SOAP)).slice(0, 5)).toEqual(
        after.map((units, index) => units + (index === 1 ? staged : 0)),
      );
    },
  );

  /** Creates an order of soaps that is this many minutes old. Older orders are more urgent. */
  const soaps = (units: number, ago: number, price = 10) =>
    town.order({ type: 'STORE_PICK_UP', lines: [['SOAP-LAV', units, price]], ago });

  const TWO_ORDERS = [
    { shelf: 2, wanted: [2, 2], found: [0, 2, 0, 4] },
    { shelf: 2, wanted: [2, 2], found: [4, 0, 2, 1, 4] },
    { shelf: 3, wanted: [2, 3], found: [5, 3, 5, 1, 2] },
    { shelf: 3, wanted: [3, 2], found: [1, 5, 0, 3] },
  ].flatMap((one) => [
    { ...one, ages: [0, 10] },
    { ...one, ages: [10, 0] },
  ]);

  it.each(TWO_ORDERS)(
    'has as many missing units as the shelf had more than two orders got, after any corrections: $shelf, $found of $wanted, $ages minutes old',
    async ({ shelf, wanted: [a, b], found: [first, ...corrections], ages: [ageOfA, ageOfB] }) => {
      await effect('MISSING');
      await shelve(shelf);
      const correct = await confirmed([await soaps(a!, ageOfA!), await soaps(b!, ageOfB!)], [first!]);
      const [, staged = 0] = start;
      const units = (right: number) => [0, staged + right, 0, 0, Math.max(0, shelf - right)];
      expect((await placesOf(town, SOAP)).slice(0, 5)).toEqual(units(first!));
      for (const [index, right] of corrections.entries()) {
        await correct(`c${index}`, right, { cancellationReasonCode: 'CancelMXOutOfStock' });
        expect((await placesOf(town, SOAP)).slice(0, 5)).toEqual(units(right));
      }
    },
  );

  it('moves units that the correction of one order finds back from where the other order has them as missing', async () => {
    await effect('MISSING');
    await shelve(2);
    const correct = await confirmed([await soaps(2, 0), await soaps(2, 10)], [0]);
    await correct('c', 2);
    expect((await movesOf(town, SOAP)).slice(-3)).toEqual([
      'SHELF > MISSING 2 DECLINED',
      'MISSING > SHELF 2 PICK_CORRECTED',
      'SHELF > STAGE 2 PICK_CORRECTED',
    ]);
  });

  it.each(['NONE', 'DAMAGED'])(
    'leaves missing units of one price missing if units of another price are found that were %s',
    async (other) => {
      const [missing, otherwise] = ['CancelMXOutOfStock', 'CancelMXPickDecline'] as const;
      const effects: Record<string, string> = { [missing]: 'MISSING', [otherwise]: other };
      await putSettings(town, {
        cancelReasons: DEFAULT_SETTINGS.cancelReasons.map((one) => ({
          ...one,
          stockEffect: effects[one.code] ?? 'NONE',
        })),
      });
      await shelve(2);
      const ticket = await town.ticket([await soaps(1, 0, 10), await soaps(1, 0, 11)], 'WAITING_FOR_PICK_ISPU');
      const [cheap, dear] = ticket.pickTicketItems;
      const confirmed = await town.confirm(ticket, [
        { ...found(cheap!, 0), cancellationReasonCode: missing },
        { ...found(dear!, 0), cancellationReasonCode: otherwise },
      ]);
      expect(confirmed.status, confirmed.text).toBe(204);
      const [, staged = 0] = start;
      const [shelf, damaged] = other === 'NONE' ? [1, 0] : [0, 1];
      expect((await placesOf(town, SOAP)).slice(0, 5)).toEqual([shelf, staged, damaged, 0, 1]);
      await correctItem(ticket, dear!.id, 'c', 1);
      expect((await placesOf(town, SOAP)).slice(0, 5)).toEqual([0, staged + 1, 0, 0, 1]);
    },
  );

  it.each([
    ['before the wrong pick', 3],
    ['between the wrong pick and its correction', 0],
  ])('compares a late count from %s with the right number of units', async (when, counted) => {
    await effect('MISSING');
    await shelve(3);
    const before = await levelOf(town, SOAP);
    const correct = await confirmed([await town.make('STORE_PICK_UP', [5, 1])], [5, 1]);
    const { revision } = when.startsWith('before') ? before : await levelOf(town, SOAP);
    await correct('c', 3, { cancellationReasonCode: 'CancelMXOutOfStock' });
    expect((await movesOf(town, SOAP)).slice(-2)).toEqual([
      'STAGE > SHELF 2 PICK_CORRECTED',
      'SHELF > COUNT 2 LEDGER_BEHIND',
    ]);
    expect((await count(town, SOAP, counted, { revision })).body).toMatchObject({ lines: [{ difference: 0 }] });
  });

  it('compares a count from before a correction with the right number of units, also if the ledger was behind for another order meanwhile', async () => {
    await effect('MISSING');
    await shelve(3);
    const correct = await confirmed([await soaps(5, 0)], [5]);
    const late = await levelOf(town, SOAP);
    await confirmed([await soaps(3, 0)], [3]);
    expect((await movesOf(town, SOAP)).slice(-2)).toEqual(['COUNT > SHELF 3 LEDGER_BEHIND', 'SHELF > STAGE 3 PICKED']);
    await correct('c', 3, { cancellationReasonCode: 'CancelMXOutOfStock' });
    expect((await count(town, SOAP, 3, { revision: late.revision })).body).toMatchObject({
      lines: [{ difference: 0 }],
    });
  });

  it('compares a count from before a correction with the right number of units, also if another order of the ticket gets the units back', async () => {
    await effect('MISSING');
    await shelve(3);
    const correct = await confirmed([await soaps(2, 0), await soaps(3, 10)], [5]);
    const late = await levelOf(town, SOAP);
    await correct('c', 3, { cancellationReasonCode: 'CancelMXOutOfStock' });
    await correct('d', 5);
    expect((await movesOf(town, SOAP)).slice(-4)).toEqual([
      'STAGE > SHELF 2 PICK_CORRECTED',
      'SHELF > COUNT 2 LEDGER_BEHIND',
      'COUNT > SHELF 2 LEDGER_BEHIND',
      'SHELF > STAGE 2 PICK_CORRECTED',
    ]);
    expect((await count(town, SOAP, 0, { revision: late.revision })).body).toMatchObject({
      lines: [{ difference: 0 }],
    });
  });

  it('hands over from the stage, and holds units that the customer rejects', async () => {
    const order = await town.picked('STORE_PICK_UP', [3, 1], [3, 1]);
    expect((await handOver(order, [2, 1])).status).toBe(204);
    expect(await moved()).toEqual([-3, 0, 0, 1, 0, 0]);
  });

  it('ships from the stage; a unit declined while packing goes back or where its reason says', async () => {
    const order = await town.picked('SHIP_TO_HOME', [3, 1], [3, 1]);
    await town.decline(order, { 1: 1 });
    expect(await moved()).toEqual([-2, 2, 0, 0, 0, 0]);
    await effect('DAMAGED');
    await town.decline(order, { 1: 1 });
    expect(await moved()).toEqual([-2, 1, 1, 0, 0, 0]);
    await town.pack(order, { 1: 1, 2: 1 }, undefined, { trackingNumber: 'T1' });
    expect(await moved()).toEqual([-2, 0, 1, 0, 0, 0]);
    expect(await movesOf(town, SOAP)).toContain('STAGE > CUSTOMER 1 SHIPPED');
  });

  it('brings canceled units back to the shelf; those not found are missing', async () => {
    const order = await town.picked('STORE_PICK_UP', [3, 1], [3, 1]);
    await town.cancel(order, { lines: [{ webLineId: '1', quantity: 3 }], reasonCode: BY_CUSTOMER });
    expect(await moved()).toEqual([-3, 3, 0, 0, 0, 0]);
    const [ticket] = await town.reverse(order);
    await town.bringBack(ticket!, [2]);
    expect(await moved()).toEqual([-1, 0, 0, 0, 1, 0]);
  });

  it('takes goods that come by carrier in at the check-in; on their way they are not reserved', async () => {
    const tee = '21-TEE-BLU-M';
    const before = await placesOf(town, tee);
    expect((await arriveWhole(town.orders.arriving)).status).toBe(204);
    expect((await movesOf(town, tee)).at(-1)).toBe('CARRIER > STAGE 3 CHECKED_IN');
    const after = await placesOf(town, tee);
    expect(after.map((units, index) => units - (before[index] ?? 0))).toEqual([0, 3, 0, 0, 0, 0]);
  });

  it('moves declined units of a check-in by the reason of their package, and not those that the customer had canceled', async () => {
    const [DAMAGED, LOST] = ['STSProductReceivedDamagedInterior', 'STSPackageNotReceived'];
    const effects: Record<string, string> = { [DAMAGED]: 'DAMAGED', [LOST]: 'MISSING' };
    await putSettings(town, {
      cancelReasons: DEFAULT_SETTINGS.cancelReasons.map((one) => ({
        ...one,
        stockEffect: effects[one.code] ?? 'NONE',
      })),
    });
    const arriving = async (lost: string, damaged: string) => {
      const packages = ['P1', 'P2'].map((checkInPackageId) => ({
        checkInPackageId,
        trackingNumber: `T-${checkInPackageId}`,
        items: [{ webLineId: '1', quantity: 4 }],
      }));
      const fulfillmentType = 'SHIP_TO_STORE';
      const more = { fulfillmentType, packages, shipFromAddress: { destinationId: 'home' } };
      const order = await town.order({ lines: [['SOAP-LAV', 8]], more });
      const units = (id: string, checkInQuantity: number, checkInCancellationReasonCode: string) => {
        const counted = { quantity: 4, checkInQuantity, checkInCanceledQuantity: 4 - checkInQuantity };
        const item = { itemId: SOAP, webLineId: '1', ...counted, checkInCancellationReasonCode };
        return { checkInPackageId: id, checkInPackageItems: [item] };
      };
      return { order, checkInPackages: [units(damaged, 3, DAMAGED), units(lost, 0, LOST)] };
    };
    const confirm = ({ order, checkInPackages }: Awaited<ReturnType<typeof arriving>>) =>
      town.client.post(`/stores/TOWN_US/nodes/${NODE_ID}/fulfillmentOrders/${order}/checkin`, {
        modifyAssociateId: 'bo',
        fulfillmentOrder: {
          ...{ action: 'CONFIRM', storeId: 'TOWN_US', nodeId: NODE_ID, fulfillmentOrderId: order, holdLocation: 'A1' },
          checkInPackages,
        },
      });
    const damagedFirst = await confirm(await arriving('P2', 'P1'));
    expect(damagedFirst.status, damagedFirst.text).toBe(204);
    expect(await moved()).toEqual([0, 3, 1, 0, 4, 0]);
    expect((await confirm(await arriving('P1', 'P2'))).status).toBe(204);
    expect(await moved()).toEqual([0, 6, 2, 0, 8, 0]);
    const changed = await arriving('P2', 'P1');
    await town.cancel(changed.order, { lines: [{ webLineId: '1', quantity: 3 }], reasonCode: BY_CUSTOMER });
    expect((await confirm(changed)).status).toBe(204);
    expect(await moved()).toEqual([0, 9, 3, 0, 9, 0]);
  });

  it('takes goods of ship-to-store orders that are in the store already from the shelf', async () => {
    const order = await town.make('SHIP_TO_STORE', [3, 1]);
    expect(await moved()).toEqual([0, 0, 0, 0, 0, 3]);
    await town.checkIn(order, [2, 1]);
    expect(await moved()).toEqual([-2, 2, 0, 0, 0, 0]);
    expect(await movesOf(town, SOAP)).toContain('SHELF > STAGE 2 CHECKED_IN');
  });

  it('re-sources in and out: the units are reserved at the other node', async () => {
    await keepStock(town, OTHER_NODE);
    const order = await town.picked('SHIP_TO_HOME', [3, 1], [1, 1]);
    const [request] = await town.requestsOf(order);
    const body = { outcome: 'RESOURCE', nodeId: OTHER_NODE, fulfillmentOrderId: 'R1' };
    expect((await town.answer(request!['requestId'], body)).status).toBe(200);
    expect((await levelOf(town, SOAP, OTHER_NODE)).reserved).toBe(2);
  });

  it('tells of each transaction with absolute levels and a revision for each item', async () => {
    await town.make('STORE_PICK_UP', [3, 1]);
    const told = (await eventsOf(town, 'stock', NODE_ID)).at(-1)!;
    const { shelf, staged, damaged, held, missing, reserved, revision } = await levelOf(town, SOAP);
    expect(told).toMatchObject({ type: 'stock.changed', data: { nodeId: NODE_ID } });
    const items = (told.data as { items: { itemId: string }[] }).items;
    expect(items.find((one) => one.itemId === SOAP)).toEqual({
      itemId: SOAP,
      shelf,
      staged,
      damaged,
      held,
      missing,
      reserved,
      revision,
    });
  });
});

/** Returns a function that updates the item of the soap with other fields. */
async function itemSetter(): Promise<(members: object) => Promise<void>> {
  const item = (await town.client.get(`/item-service/stores/TOWN_US/items/${SOAP}`)).body as Record<string, unknown>;
  return async (members) => {
    const answer = await town.client.put(`/item-service/clients/TOWN/items/${SOAP}`, { ...item, ...members });
    expect(answer.status, answer.text).toBeLessThan(300);
  };
}

describe('what is promised', () => {
  it('never asks for infinite items, and for eligible ones only where the client says so', async () => {
    await keepStock(town, NODE_ID, { promise: 'AVAILABLE' });
    await count(town, SOAP, 0);
    const setItem = await itemSetter();
    const taken: [members: object, promiseCheck: string, status: number][] = [
      [{}, 'ALL', 409],
      [{ infiniteInventory: true, inventoryCheckEligible: true }, 'ALL', 201],
      [{ inventoryCheckEligible: false }, 'ELIGIBLE', 201],
      [{ inventoryCheckEligible: true }, 'ELIGIBLE', 409],
      [{ infiniteInventory: true, inventoryCheckEligible: true }, 'ELIGIBLE', 201],
    ];
    await keepStock(town, OTHER_NODE, { promise: 'AVAILABLE' });
    await putStock(town, NODE_ID, { promise: 'ANY' });
    const order = await town.picked('SHIP_TO_HOME', [3, 1], [1, 1]);
    const [request] = await town.requestsOf(order);
    const resource = () =>
      town.answer(request!['requestId'], { outcome: 'RESOURCE', nodeId: OTHER_NODE, fulfillmentOrderId: 'R1' });
    expect((await resource()).status).toBe(409);
    await setItem({ infiniteInventory: true });
    expect((await resource()).status).toBe(200);
    await putStock(town, NODE_ID, { promise: 'AVAILABLE' });
    for (const [index, [members, promiseCheck, status]] of taken.entries()) {
      await setItem(members);
      await putSettings(town, { stock: { promiseCheck } });
      expect((await wanting(`I${index}`, 2)).status, JSON.stringify([members, promiseCheck])).toBe(status);
    }
  });

  const wanting = (id: string, quantity: number) =>
    town.client.post(
      '/operator/v1/stores/TOWN_US/fulfillmentOrders',
      orderBody(id, { lines: [['SOAP-LAV', quantity]] }, town.clock.now),
    );

  it('is anything, unless the node promises only what is available', async () => {
    await keepStock(town, NODE_ID);
    expect((await wanting('A1', 9)).status).toBe(201);
    expect((await levelOf(town, SOAP)).available).toBeLessThan(0);
    const below = (await town.client.get(`${NODE}/stock?belowZero=true`)).body as { stock: { itemId: string }[] };
    expect(below.stock.map((one) => one.itemId)).toContain(SOAP);
  });

  it('is rejected with the available quantity, and one of 16 orders for the last unit succeeds', async () => {
    await keepStock(town, NODE_ID);
    const { reserved } = await levelOf(town, SOAP);
    await count(town, SOAP, reserved + 1);
    await putStock(town, NODE_ID, { promise: 'AVAILABLE' });
    const refused = await wanting('A1', 2);
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: 'NOT_AVAILABLE', items: [{ itemId: SOAP, wanted: 2, available: 1 }] },
    ]);
    const answers = await Promise.all(Array.from({ length: 16 }, (_, index) => wanting(`B${index}`, 1)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 15 }, () => 409)]);
    expect((await levelOf(town, SOAP)).available).toBe(0);
  });

  it('is rejected for a message of several orders as a whole, with the shortage of each node', async () => {
    await keepStock(town, NODE_ID);
    const { reserved } = await levelOf(town, SOAP);
    await count(town, SOAP, reserved + 1);
    await putStock(town, NODE_ID, { promise: 'AVAILABLE' });
    await keepStock(town, OTHER_NODE, { promise: 'AVAILABLE' });
    const one = (id: string, more = {}) => orderBody(id, { lines: [['SOAP-LAV', 1]], more }, town.clock.now);
    const there = { nodeId: OTHER_NODE, fulfillmentType: 'SHIP_TO_HOME', carrier: 'UPS', service: 'GROUND' };
    const path = '/operator/v1/stores/TOWN_US/fulfillmentOrders';
    const refused = await town.client.post(path, [one('C1'), one('C2'), one('C3', there)]);
    expect([refused.status, (refused.body as { items: object[] }).items.toSorted(byNode)]).toEqual([
      409,
      [
        { nodeId: NODE_ID, itemId: SOAP, wanted: 2, available: 1 },
        { nodeId: OTHER_NODE, itemId: SOAP, wanted: 1, available: 0 },
      ].sort(byNode),
    ]);
    expect((await levelOf(town, SOAP)).available).toBe(1);
    expect((await town.client.post(path, [one('C1')])).status).toBe(201);
  });
});

const byNode = (a: { nodeId?: string }, b: { nodeId?: string }) => (a.nodeId! < b.nodeId! ? -1 : 1);

it('shows the levels of an item at every node that keeps stock', async () => {
  await keepStock(town, NODE_ID);
  await keepStock(town, OTHER_NODE);
  await count(town, SOAP, 7);
  const answer = await town.client.get(`${TOWN}/stock?itemId=${SOAP}`);
  expect((answer.body as { stock: object[] }).stock).toMatchObject([
    { nodeId: OTHER_NODE, itemId: SOAP, shelf: 0, revision: 0 },
    { nodeId: NODE_ID, itemId: SOAP, shelf: 7, countedAt: expect.any(String) },
  ]);
});
