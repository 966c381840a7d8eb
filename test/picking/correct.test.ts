import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anonymizeOrder } from '../../src/orders/anonymize.ts';
import { ruleFindings } from '../../src/service/cli/doctor.ts';
import { type Flow, OTHER_NODE, openFlow, STORE, systemCtx } from '../orders/flow.ts';
import { faultsOf, found, type Members, REASON, SFS, type Ticket } from './picking.ts';

let town: Flow;
beforeAll(async () => {
  town = await openFlow();
});
afterAll(() => town.close());

let count = 0;
const correct = (pickTicketId: string, items: unknown, more: Members = {}) =>
  town.client.post(`/operator/v1/stores/TOWN_US/nodes/TOWN-Store001/pickTickets/${pickTicketId}/correct`, {
    correctionId: `k-${++count}`,
    userId: 'lea',
    reason: 'Counted again',
    pickTicketItems: items,
    ...more,
  });
const SOAP = 'SOAP-LAV';
/**
 * Returns the result for the soap or the lamp of a ticket: the number of the item, and the units that were really
 * picked.
 */
const item = (
  ticket: Ticket,
  sku: string,
  pickedQuantity: number,
  more: Members = { cancellationReasonCode: REASON },
) => ({
  id: ticket.pickTicketItems.find((one) => one.itemDetails.itemId === `21-${sku}`)!.id,
  pickedQuantity,
  ...more,
});
const types = ['STORE_PICK_UP', 'SHIP_TO_HOME', 'ASSOCIATE_DELIVERY'] as const;
const QUEUES = {
  STORE_PICK_UP: 'WAITING_FOR_PICK_ISPU',
  SHIP_TO_HOME: SFS,
  ASSOCIATE_DELIVERY: 'WAITING_FOR_PICK_DEL',
};
const AFTER = { STORE_PICK_UP: 1400, SHIP_TO_HOME: 1200, ASSOCIATE_DELIVERY: 1200 };

/** Creates an order of three soaps and two lamps and confirms its ticket with the found units. */
async function picked(type: (typeof types)[number], found: readonly number[]) {
  const orderId = await town.make(type);
  const ticket = await town.ticket([orderId], QUEUES[type]);
  expect((await town.pick(ticket, found)).status).toBe(204);
  return { orderId, ticket };
}
const holdsOf = async () =>
  (await town.client.get('/operator/v1/clients/TOWN/nodes/TOWN-Store001/holds')).body['holds'] as Members[];

describe('a corrected CONFIRM', () => {
  it.each(types)(
    'of a %s order with too few units: the order gets the units that a right CONFIRM gives it',
    async (type) => {
      const { orderId, ticket } = await picked(type, [1, 2]);
      const answer = await correct(ticket.pickTicketId, [item(ticket, SOAP, 3, {})]);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body).toMatchObject({ pickTicketDetails: { status: 'CLOSED' } });
      expect(await town.units(orderId)).toEqual([
        [0, 3, 0, 0, 0, 0],
        [0, 2, 0, 0, 0, 0],
      ]);
      expect((await town.row(orderId)).status).toBe(AFTER[type]);
      await town.conserved(orderId);
      const ticketEvent = (await town.events('pickTicket', ticket.pickTicketId)).at(-1)!;
      expect(ticketEvent).toMatchObject({
        type: 'pickTicket.corrected',
        data: {
          userId: 'lea',
          reason: 'Counted again',
          pickedQuantity: 5,
          canceledQuantity: 0,
          items: [{ pickedBefore: 1, pickedQuantity: 3 }],
        },
      });
      const orderEvent = (await town.events('order', orderId)).at(-1)!;
      expect(orderEvent).toMatchObject({
        type: 'order.pickCorrected',
        data: {
          pickTicketId: ticket.pickTicketId,
          pickedQuantity: 5,
          declinedQuantity: 0,
          status: String(AFTER[type]),
        },
      });
      expect((await town.lines(orderId))[0]).toMatchObject({ declined: 0, decline_reason: null });
    },
  );

  it.each(types)('of a %s order with too many units: the missing units are declined', async (type) => {
    const { orderId, ticket } = await picked(type, [3, 2]);
    const answer = await correct(ticket.pickTicketId, [item(ticket, SOAP, 1)]);
    expect(answer.status, answer.text).toBe(200);
    expect(await town.units(orderId)).toEqual([
      [0, 1, 0, 0, 2, 0],
      [0, 2, 0, 0, 0, 0],
    ]);
    const requests = await town.requestsOf(orderId);
    if (type === 'SHIP_TO_HOME') {
      expect(requests).toMatchObject([{ status: 'OPEN', lines: [{ quantity: 2, reasonCode: REASON }] }]);
    } else expect(requests).toEqual([]);
    await town.conserved(orderId);
  });

  it.each(types)('of a %s order with no units: the ended order continues', async (type) => {
    const { orderId, ticket } = await picked(type, [0, 0]);
    const ended = type === 'SHIP_TO_HOME' ? 9100 : 9000;
    expect(await town.stands(orderId)).toEqual([ended, null]);
    expect((await correct(ticket.pickTicketId, [item(ticket, SOAP, 2)])).status).toBe(200);
    const row = await town.row(orderId);
    expect([row.status, row.ended_at]).toEqual([AFTER[type], null]);
    expect(row.queue_id).not.toBeNull();
    expect(row.sla_at).toBeGreaterThan(town.clock.now);
    expect(row.hold_location).toBe(ticket.holdLocation);
    const requests = await town.requestsOf(orderId);
    const lines = requests.map((one) => [one['status'], (one['lines'] as Members[]).map((line) => line['quantity'])]);
    expect(lines).toEqual(
      type === 'SHIP_TO_HOME'
        ? [
            ['CANCELED', [3, 2]],
            ['OPEN', [1, 2]],
          ]
        : [],
    );
    await town.conserved(orderId);
    expect((await ruleFindings(town.store)).filter(({ ok }) => !ok)).toEqual([]);
    const back = await correct(ticket.pickTicketId, [item(ticket, SOAP, 0)]);
    expect(back.status, back.text).toBe(200);
    expect(await town.stands(orderId)).toEqual([ended, null]);
    expect((await town.row(orderId)).hold_location).toBeNull();
    await town.conserved(orderId);
  });

  it('frees the items that only this ticket had declined at the node, and holds those that it declines now', async () => {
    const { orderId: earlierId } = await picked('STORE_PICK_UP', [1, 2]);
    town.clock.now += 60_000;
    await town.policy('HOLD_UNTIL_RELEASED');
    const { orderId, ticket } = await picked('STORE_PICK_UP', [2, 2]);
    // The earlier order declined the item before the hold began. This later change of the earlier order must not prevent
    // the release of the hold.
    const move = { moveId: 'm-1', userId: 'lea', holdLocation: 'Z9' };
    expect((await town.client.post(`${STORE}/fulfillmentOrders/${earlierId}/move`, move)).status).toBe(200);
    expect(await holdsOf()).toMatchObject([{ itemId: '21-SOAP-LAV', fulfillmentOrderId: orderId }]);
    await correct(ticket.pickTicketId, [item(ticket, SOAP, 3, {})]);
    expect(await holdsOf()).toEqual([]);
    const [event] = (await town.events('nodeItem', 'TOWN-Store001/21-SOAP-LAV')).slice(-1);
    expect(event).toMatchObject({ type: 'nodeItem.released', data: { by: 'CORRECTION' } });
    await correct(ticket.pickTicketId, [item(ticket, 'LAMP-BRS', 1)]);
    expect(await holdsOf()).toMatchObject([{ itemId: '21-LAMP-BRS' }]);
    await town.client.delete('/operator/v1/clients/TOWN/nodes/TOWN-Store001/items/21-LAMP-BRS/hold');
    await town.policy('NO_HOLD');
  });

  it('keeps an item held that another ticket has declined since, with the order of that ticket', async () => {
    await town.policy('HOLD_UNTIL_RELEASED');
    const [id, otherId] = [await town.make('STORE_PICK_UP'), await town.make('STORE_PICK_UP')];
    const [ticket, other] = [await town.ticket([id]), await town.ticket([otherId])];
    await town.pick(ticket, [2, 2]);
    town.clock.now += 60_000;
    await town.pick(other, [1, 2]);
    expect(await holdsOf()).toMatchObject([{ itemId: '21-SOAP-LAV', fulfillmentOrderId: id }]);
    await correct(ticket.pickTicketId, [item(ticket, SOAP, 3, {})]);
    expect(await holdsOf()).toMatchObject([{ itemId: '21-SOAP-LAV', fulfillmentOrderId: otherId }]);
    await correct(other.pickTicketId, [item(other, SOAP, 3, {})]);
    expect(await holdsOf()).toEqual([]);
    await town.policy('NO_HOLD');
  });

  it('keeps an item held for an earlier order if the policy of the node changed between the declines', async () => {
    town.clock.now += 60_000;
    await town.policy('HOLD_UNTIL_FEED');
    const [id, otherId] = [await town.make('STORE_PICK_UP'), await town.make('STORE_PICK_UP')];
    const [ticket, other] = [await town.ticket([id]), await town.ticket([otherId])];
    await town.pick(ticket, [2, 2]);
    town.clock.now += 60_000;
    await town.policy('HOLD_UNTIL_RELEASED');
    await town.pick(other, [1, 2]);
    expect(await holdsOf()).toMatchObject([{ policy: 'HOLD_UNTIL_RELEASED', fulfillmentOrderId: otherId }]);
    await correct(other.pickTicketId, [item(other, SOAP, 3, {})]);
    expect(await holdsOf()).toMatchObject([{ itemId: '21-SOAP-LAV', fulfillmentOrderId: id }]);
    await correct(ticket.pickTicketId, [item(ticket, SOAP, 3, {})]);
    expect(await holdsOf()).toEqual([]);
    await town.policy('NO_HOLD');
  });

  it('keeps an item held that another order declined at the same time with an earlier time', async () => {
    town.clock.now += 60_000;
    await town.policy('HOLD_UNTIL_RELEASED');
    const [id, otherId] = [await town.make('STORE_PICK_UP'), await town.make('STORE_PICK_UP')];
    const [ticket, other] = [await town.ticket([id]), await town.ticket([otherId])];
    town.clock.now += 5;
    await town.pick(ticket, [2, 2]);
    town.clock.now -= 5;
    await town.pick(other, [1, 2]);
    town.clock.now += 60_000;
    await correct(ticket.pickTicketId, [item(ticket, SOAP, 3, {})]);
    expect(await holdsOf()).toMatchObject([{ itemId: '21-SOAP-LAV', fulfillmentOrderId: otherId }]);
    await correct(other.pickTicketId, [item(other, SOAP, 3, {})]);
    expect(await holdsOf()).toEqual([]);
    await town.policy('NO_HOLD');
  });

  it.each([
    ['as a whole order before the pick', 'STORE_PICK_UP', undefined],
    ['while packing', 'SHIP_TO_HOME', [3, 2]],
    ['at check-in', 'SHIP_TO_STORE', undefined],
  ] as const)('keeps an item held that another order has declined since %s', async (_way, type, found) => {
    town.clock.now += 60_000;
    const otherId = found === undefined ? await town.make(type) : await town.picked(type, [3, 2], found);
    town.clock.now += 60_000;
    await town.policy('HOLD_UNTIL_RELEASED');
    const { orderId, ticket } = await picked('STORE_PICK_UP', [2, 2]);
    expect(await holdsOf()).toMatchObject([{ itemId: '21-SOAP-LAV', fulfillmentOrderId: orderId }]);
    town.clock.now += 60_000;
    const declined = {
      STORE_PICK_UP: () =>
        town.client.post('/operator/v1/clients/TOWN/nodes/TOWN-Store001/decline', {
          declineId: `all-${otherId}`,
          userId: 'lea',
          reasonCode: REASON,
          fulfillmentOrderIds: [otherId],
        }),
      SHIP_TO_HOME: () => town.decline(otherId, { 1: 1 }),
      SHIP_TO_STORE: () => town.checkIn(otherId, [2, 2]),
    };
    expect((await declined[type]()).status).toBeLessThan(300);
    await correct(ticket.pickTicketId, [item(ticket, SOAP, 3, {})]);
    expect(await holdsOf()).toContainEqual(
      expect.objectContaining({ itemId: '21-SOAP-LAV', fulfillmentOrderId: otherId }),
    );
    for (const { itemId } of await holdsOf()) {
      await town.client.delete(`/operator/v1/clients/TOWN/nodes/TOWN-Store001/items/${String(itemId)}/hold`);
    }
    await town.policy('NO_HOLD');
  });

  it('with units that the customer canceled during the pick creates the ticket that brings them back', async () => {
    const orderId = await town.make('STORE_PICK_UP');
    const ticket = await town.ticket([orderId]);
    await town.cancel(orderId, { lines: [{ webLineId: '1', quantity: 1 }] });
    await town.pick(ticket, [1, 2]);
    expect(await town.reverse(orderId)).toEqual([]);
    expect((await correct(ticket.pickTicketId, [item(ticket, SOAP, 3, {})])).status).toBe(200);
    expect(await town.units(orderId)).toEqual([
      [0, 3, 1, 0, 0, 0],
      [0, 2, 0, 0, 0, 0],
    ]);
    const [reverse] = await town.reverse(orderId);
    expect(reverse).toMatchObject({ total_quantity: 1 });
    await town.conserved(orderId);
  });

  it('changes the hold location of the goods', async () => {
    const { orderId, ticket } = await picked('STORE_PICK_UP', [3, 2]);
    const same = item(ticket, SOAP, 3, {});
    expect((await correct(ticket.pickTicketId, [same], { holdLocation: 'Z9' })).status).toBe(200);
    expect((await town.row(orderId)).hold_location).toBe('Z9');
    expect((await town.ticketRow(ticket.pickTicketId)).hold_location).toBe('Z9');
  });

  it('changes the hold location only of orders whose units it changes', async () => {
    const ids: string[] = [];
    for (let ago = 3; ago > 0; ago -= 1)
      ids.push(
        await town.order({
          lines: [
            [SOAP, 1],
            ['LAMP-BRS', 1],
          ],
          ago,
        }),
      );
    const ticket = await town.ticket([...ids], QUEUES.STORE_PICK_UP);
    const places = ['A1', 'B2', 'C3'];
    const orderHoldLocations = ids.map((fulfillmentOrderId, index) => {
      return { fulfillmentOrderId, holdLocation: places[index] };
    });
    const items = ticket.pickTicketItems.map((one) => found(one, one.itemDetails.itemId === `21-${SOAP}` ? 2 : 3));
    expect((await town.confirm(ticket, items, { holdLocation: 'A1', orderHoldLocations })).status).toBe(204);
    const before = await Promise.all(ids.map((id) => town.row(id)));
    const answer = await correct(ticket.pickTicketId, [item(ticket, SOAP, 3, {})], { holdLocation: 'Z9' });
    expect(answer.status, answer.text).toBe(200);
    const after = await Promise.all(ids.map((id) => town.row(id)));
    expect(after.map((order) => order.hold_location)).toEqual(['A1', 'B2', 'Z9']);
    expect(after.map((order, index) => order.revision - before[index]!.revision)).toEqual([0, 0, 1]);
  });

  it('leaves the place of the ticket while other orders have goods there, and found goods go to it', async () => {
    const ids: string[] = [];
    for (let ago = 3; ago > 0; ago -= 1) ids.push(await town.order({ lines: [[SOAP, 1]], ago }));
    const ticket = await town.ticket(ids, QUEUES.STORE_PICK_UP);
    expect((await town.confirm(ticket, [found(ticket.pickTicketItems[0]!, 1)], { holdLocation: 'A1' })).status).toBe(
      204,
    );
    const places = async () => Promise.all(ids.map(async (id) => (await town.row(id)).hold_location));
    expect(await places()).toEqual(['A1', null, null]);
    const moved = await correct(ticket.pickTicketId, [item(ticket, SOAP, 2)], { holdLocation: 'Z9' });
    expect(moved.status, moved.text).toBe(200);
    expect(await places()).toEqual(['A1', 'Z9', null]);
    expect((await town.ticketRow(ticket.pickTicketId)).hold_location).toBe('A1');
    const [event] = (await town.events('pickTicket', ticket.pickTicketId)).slice(-1);
    expect(event).toMatchObject({ type: 'pickTicket.corrected', data: { holdLocation: 'A1' } });
    await correct(ticket.pickTicketId, [item(ticket, SOAP, 3, {})]);
    expect(await places()).toEqual(['A1', 'Z9', 'A1']);
  });

  it('of the place alone is rejected if all orders of its items have later steps', async () => {
    const { orderId, ticket } = await picked('SHIP_TO_HOME', [3, 2]);
    expect((await town.pack(orderId, { 1: 1 }, '1', { trackingNumber: undefined })).status).toBe(204);
    const answer = await correct(ticket.pickTicketId, [item(ticket, SOAP, 3, {})], { holdLocation: 'Z9' });
    expect(answer.status).toBe(409);
    expect(answer.body['followed']).toEqual([
      { fulfillmentOrderId: orderId, what: 'units of the order are in packages' },
    ]);
  });

  it('under a used correctionId changes nothing more; with other content it is rejected', async () => {
    const { orderId, ticket } = await picked('STORE_PICK_UP', [1, 2]);
    const [one, other] = [item(ticket, SOAP, 2), item(ticket, SOAP, 3, {})];
    const first = await correct(ticket.pickTicketId, [one], { correctionId: 'same' });
    const row = await town.row(orderId);
    const again = await correct(ticket.pickTicketId, [one], { correctionId: 'same' });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await correct(ticket.pickTicketId, [other], { correctionId: 'same' })).status).toBe(409);
    expect(await town.row(orderId)).toEqual(row);
  });

  it('does not change the effect of the same CONFIRM sent again: 204', async () => {
    const { ticket } = await picked('STORE_PICK_UP', [1, 2]);
    await correct(ticket.pickTicketId, [item(ticket, SOAP, 2)]);
    expect((await town.pick(ticket, [1, 2])).status).toBe(204);
  });

  it('rejects another CONFIRM with the corrected content, and the 409 says that the ticket was corrected', async () => {
    const { ticket } = await picked('STORE_PICK_UP', [1, 2]);
    await correct(ticket.pickTicketId, [item(ticket, SOAP, 3, {})]);
    const answer = await town.pick(ticket, [3, 2]);
    expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('the ticket was corrected since')]);
  });

  it('that is sent again after a later correction removed its reason changes nothing', async () => {
    const { ticket } = await picked('STORE_PICK_UP', [2, 2]);
    const first = () => correct(ticket.pickTicketId, [item(ticket, SOAP, 1, {})], { correctionId: 'first' });
    expect((await first()).status).toBe(200);
    expect((await correct(ticket.pickTicketId, [item(ticket, SOAP, 3, {})])).status).toBe(200);
    const again = await first();
    expect([again.status, again.body]).toMatchObject([
      200,
      {
        pickTicketDetails: {
          pickTicketItems: expect.arrayContaining([expect.objectContaining({ pickedQuantity: 3 })]),
        },
      },
    ]);
  });

  it('of several orders changes the least urgent one that it can, and none that is past the pick', async () => {
    const ids: string[] = [];
    for (let ago = 3; ago > 0; ago -= 1) {
      ids.push(await town.order({ lines: [[SOAP, 1]], ago, type: 'SHIP_TO_HOME' }));
    }
    const ticket = await town.ticket(ids, SFS);
    await town.pick(ticket, [3]);
    expect((await town.pack(ids[2]!, { 1: 1 }, '1', { trackingNumber: undefined })).status).toBe(204);
    expect((await correct(ticket.pickTicketId, [item(ticket, SOAP, 2)])).status).toBe(200);
    const states = await Promise.all(ids.map(async (id) => (await town.row(id)).status));
    expect(states).toEqual([1200, 9100, 1200]);
    const late = await correct(ticket.pickTicketId, [item(ticket, SOAP, 0)]);
    expect(late.status).toBe(409);
    expect(late.body['followed']).toEqual([{ fulfillmentOrderId: ids[2], what: 'units of the order are in packages' }]);
    expect(await Promise.all(ids.map(async (id) => (await town.row(id)).status))).toEqual(states);
  });

  it('takes a missing unit from an order that entered the queue later on its street date', async () => {
    const held = await town.order({ lines: [[SOAP, 1]], type: 'SHIP_TO_HOME' });
    const streetDates = [{ itemId: SOAP, date: new Date(town.clock.now + 50 * 60_000).toISOString() }];
    const line = (await town.lines(held))[0]!;
    const snapshot = JSON.stringify({ ...JSON.parse(line.snapshot), streetDates }) as typeof line.snapshot;
    await town.store.write((tx) =>
      tx.updateTable('order_lines').set({ snapshot }).where('fulfillment_order_id', '=', held).execute(),
    );
    town.clock.now += 10 * 60_000;
    const other = await town.order({ lines: [[SOAP, 1]], type: 'SHIP_TO_HOME' });
    const ticket = await town.ticket([held, other], SFS);
    await town.pick(ticket, [2]);
    expect((await correct(ticket.pickTicketId, [item(ticket, SOAP, 1)])).status).toBe(200);
    expect([(await town.row(held)).status, (await town.row(other)).status]).toEqual([9100, 1200]);
  });

  it('takes a missing unit from the order that is due last, as the CONFIRM would have, whatever the order dates', async () => {
    const first = await town.order({ lines: [[SOAP, 1]], ago: 1, type: 'SHIP_TO_HOME' });
    town.clock.now += 50 * 60_000;
    const later = await town.order({ lines: [[SOAP, 1]], ago: 120, type: 'SHIP_TO_HOME' });
    const ticket = await town.ticket([first, later], SFS);
    await town.pick(ticket, [2]);
    expect((await correct(ticket.pickTicketId, [item(ticket, SOAP, 1)])).status).toBe(200);
    expect((await town.row(first)).status).toBe(1200);
    expect((await town.row(later)).status).toBe(9100);
  });
});

describe('a CONFIRM with later changes', () => {
  const refused = async (ticket: Ticket, what: string | RegExp) => {
    const answer = await correct(ticket.pickTicketId, [item(ticket, SOAP, 1)]);
    expect(answer.status, answer.text).toBe(409);
    const [first] = answer.body['followed'] as { what: string }[];
    expect(first!.what).toMatch(what);
  };

  it('cannot be corrected once units are packed, handed over, or canceled by the customer', async () => {
    const shipped = await picked('SHIP_TO_HOME', [3, 2]);
    await town.pack(shipped.orderId, { 1: 3, 2: 2 });
    await refused(shipped.ticket, 'handed over');
    const ready = await picked('STORE_PICK_UP', [3, 2]);
    await town.handedOver(ready.orderId, [1, 0]);
    await refused(ready.ticket, 'handed over');
    const canceled = await picked('STORE_PICK_UP', [3, 2]);
    await town.cancel(canceled.orderId, { lines: [{ webLineId: '2', quantity: 1 }] });
    await refused(canceled.ticket, 'reverse pick ticket');
  });

  it('cannot be corrected once units were declined while packing, or the request for them has a response', async () => {
    const broken = await picked('SHIP_TO_HOME', [3, 2]);
    await town.decline(broken.orderId, { 1: 1 });
    await refused(broken.ticket, 'declined during packing');
    const asked = await picked('SHIP_TO_HOME', [0, 2]);
    const [request] = await town.requestsOf(asked.orderId);
    await town.answer(request!['requestId'], {
      outcome: 'RESOURCE',
      nodeId: OTHER_NODE,
      fulfillmentOrderId: `${asked.orderId}-next`,
    });
    await refused(asked.ticket, 'accepted or canceled');
    const withdrawn = await picked('SHIP_TO_HOME', [0, 0]);
    await town.cancel(withdrawn.orderId);
    await refused(withdrawn.ticket, 'accepted or canceled');
  });

  it('cannot be corrected once the customer’s data is anonymized, and the ticket has no name of the customer', async () => {
    const { orderId, ticket } = await picked('STORE_PICK_UP', [0, 0]);
    const row = await town.row(orderId);
    await town.store.write((db) => anonymizeOrder(systemCtx(town, db), row));
    await refused(ticket, 'anonymized');
    const { pickTicketId } = ticket;
    const read = await town.client.post(`/stores/TOWN_US/nodes/TOWN-Store001/pickTickets/${pickTicketId}`, {
      storeId: 'TOWN_US',
      nodeId: 'TOWN-Store001',
      pickTicketId,
    });
    const [shown] = (read.body as { pickTicketDetails: { orders: Members[] } }).pickTicketDetails.orders;
    expect(shown).toMatchObject({ fulfillmentOrderId: orderId });
    expect(shown).not.toHaveProperty('customerName');
  });

  it('is required: a reverse ticket, an open or reset ticket and an unknown ticket are rejected', async () => {
    const { orderId } = await picked('STORE_PICK_UP', [3, 2]);
    await town.cancel(orderId);
    const [reverse] = await town.reverse(orderId);
    await town.bringBack(reverse!);
    expect(
      (await correct(reverse!.pick_ticket_id, [{ id: 1, pickedQuantity: 1, cancellationReasonCode: REASON }])).status,
    ).toBe(409);
    const open = await town.ticket([await town.make('STORE_PICK_UP')]);
    expect((await correct(open.pickTicketId, [item(open, SOAP, 1)])).status).toBe(409);
    expect((await correct('999999', [{ id: 1, pickedQuantity: 1 }])).status).toBe(404);
  });

  it('corrected at the same time as a pack leaves each unit in one place', async () => {
    const { orderId, ticket } = await picked('SHIP_TO_HOME', [3, 2]);
    const [corrected, packed] = await Promise.all([
      correct(ticket.pickTicketId, [item(ticket, SOAP, 2)]),
      town.pack(orderId, { 1: 3, 2: 2 }),
    ]);
    expect([corrected.status, packed.status]).not.toEqual([200, 204]);
    await town.conserved(orderId);
  });
});

describe('a correction', () => {
  it('lists every error of its items in one response', async () => {
    const { ticket } = await picked('STORE_PICK_UP', [3, 2]);
    const answer = await correct(ticket.pickTicketId, [
      { id: 1, pickedQuantity: 99 },
      { id: 2, pickedQuantity: 0, canceledQuantity: 1, cancellationReasonCode: REASON },
      { id: 2, pickedQuantity: 1 },
      { id: 9, pickedQuantity: 1 },
      { id: 1, pickedQuantity: -1 },
    ]);
    expect([answer.status, faultsOf(answer)]).toEqual([
      400,
      [
        '/pickTicketItems/0/pickedQuantity maximum',
        '/pickTicketItems/1 sum',
        '/pickTicketItems/2/id duplicate',
        '/pickTicketItems/3/id exists',
        '/pickTicketItems/4/id duplicate',
        '/pickTicketItems/4/pickedQuantity minimum',
      ],
    ]);
    const missing = await correct(ticket.pickTicketId, [{ id: 1, pickedQuantity: 0 }]);
    expect(faultsOf(missing)).toEqual(['/pickTicketItems/0/cancellationReasonCode required']);
    expect((await town.client.get(`${STORE}/fulfillmentOrders/none`)).status).toBe(404);
  });
});
