import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NODE, SFS, WHERE } from '../picking/picking.ts';
import { openTimed, type Timed, weekdays } from './sandbox.ts';

const MINUTE_MS = 60_000;

/** The clock starts on Monday 2026-03-02 at 16:00 UTC: 11:00 in New York, the time zone of the node. */
let town: Timed;
beforeEach(async () => {
  town = await openTimed();
});
afterEach(() => town.close());

const mug = () => town.order({ lines: [['MUG-WHT', 1]] });
const shown = (instant: number | null) => instant !== null && new Date(instant).toISOString().slice(0, 16);

describe('the alert of a step', () => {
  it('opens when the step approaches its deadline, is replaced when the step expires, and never opens twice', async () => {
    const orderId = await mug();
    await town.to('2026-03-02T16:32:59');
    expect(await town.alertsOf(orderId)).toEqual([]);
    await town.to('2026-03-02T16:33:00');
    expect(await town.alertsOf(orderId)).toEqual(['START_PICK_APPROACHING OPEN']);
    await town.to('2026-03-02T16:45:00');
    const both = ['START_PICK_APPROACHING CLOSED', 'START_PICK_EXPIRED OPEN'];
    expect(await town.alertsOf(orderId)).toEqual(both);
    await town.to('2026-03-05T00:00:00');
    await town.server.runDue();
    expect(await town.alertsOf(orderId)).toEqual(both);
  });

  it('closes when the order leaves the step, on a ticket or off it', async () => {
    const orderId = await town.order({ type: 'SHIP_TO_HOME', lines: [['MUG-WHT', 1]] });
    await town.to('2026-03-02T16:40:00');
    const ticket = await town.ticket([orderId], SFS);
    expect(await town.alertsOf(orderId)).toEqual(['START_PICK_APPROACHING CLOSED']);
    await town.to('2026-03-02T17:10:00');
    expect((await town.alertsOf(orderId)).at(-1)).toBe('COMPLETE_PICK_APPROACHING OPEN');
    await town.confirm(ticket);
    expect((await town.alertsOf(orderId)).at(-1)).toBe('COMPLETE_PICK_APPROACHING CLOSED');
  });

  it('is the same alert after a RESET, which restores the order', async () => {
    const orderId = await mug();
    const before = await town.row(orderId);
    await town.to('2026-03-02T16:50:00');
    const opened = (await town.search({ statuses: ['OPEN'] })).body.alerts;
    const ticket = await town.ticket([orderId]);
    await town.to('2026-03-02T16:55:00');
    await town.reset(ticket);
    const { queued_at, sla_type, sla_at, due_at } = await town.row(orderId);
    expect({ queued_at, sla_type, sla_at, due_at }).toEqual({
      queued_at: before.queued_at,
      sla_type: before.sla_type,
      sla_at: before.sla_at,
      due_at: before.due_at,
    });
    await town.advance({ advanceBy: 1 });
    expect((await town.search({ statuses: ['OPEN'] })).body.alerts).toEqual(opened);
  });

  it('opens as expired if the service was down while the step approached and expired', async () => {
    const orderId = await mug();
    town.clock.now += 46 * MINUTE_MS;
    await town.server.runDue();
    expect(await town.alertsOf(orderId)).toEqual(['START_PICK_EXPIRED OPEN']);
  });

  it('does not open while the node is closed: over a weekend, a holiday and the start of daylight saving time', async () => {
    await town.node({ openingHours: weekdays('09:00', '17:00'), holidays: ['2026-03-09'] });
    // Friday 16:40 at the node: it closes in 20 minutes, and daylight saving time begins on Sunday.
    await town.to('2026-03-06T21:40:00');
    const orderId = await mug();
    expect(shown((await town.row(orderId)).sla_at)).toBe('2026-03-10T13:25');
    await town.to('2026-03-10T13:12:59');
    expect(await town.alertsOf(orderId)).toEqual([]);
    await town.to('2026-03-10T13:13:00');
    expect(await town.alertsOf(orderId)).toEqual(['START_PICK_APPROACHING OPEN']);
    await town.to('2026-03-10T13:25:00');
    expect((await town.alertsOf(orderId)).at(-1)).toBe('START_PICK_EXPIRED OPEN');
  });

  it('follows local time over the end of daylight saving time, one hour later in UTC', async () => {
    await town.node({ openingHours: weekdays('09:00', '17:00') });
    await town.to('2026-10-30T20:40:00');
    const orderId = await mug();
    expect(shown((await town.row(orderId)).sla_at)).toBe('2026-11-02T14:25');
    await town.to('2026-11-02T14:24:59');
    expect(await town.alertsOf(orderId)).toEqual(['START_PICK_APPROACHING OPEN']);
    await town.advance({ next: true });
    expect((await town.alertsOf(orderId)).at(-1)).toBe('START_PICK_EXPIRED OPEN');
  });

  it('follows the SLA definitions of its client', async () => {
    const { body } = await town.operator('GET', '/operator/v1/clients/TOWN');
    const slaDefinitions = {
      STORE_PICK_UP: { START_PICK: { approachingMinutes: 5, expiredMinutes: 10, counts: 'ELAPSED' } },
    };
    const put = await town.operator('PUT', '/operator/v1/clients/TOWN', { ...body, settings: { slaDefinitions } });
    expect([put.status, put.body.settings]).toEqual([200, { slaDefinitions }]);
    await town.to('2026-03-03T03:00:00');
    const orderId = await mug();
    await town.to('2026-03-03T03:10:00');
    expect(await town.alertsOf(orderId)).toEqual(['START_PICK_APPROACHING CLOSED', 'START_PICK_EXPIRED OPEN']);
  });
});

describe('an uncollected order', () => {
  it('has one reminder, expires on an open day, and is canceled when its goods are back on the shelf', async () => {
    await town.node({ openingHours: weekdays('09:00', '17:00'), holidays: ['2026-03-16'] });
    await town.to('2026-03-07T15:00:00');
    const orderId = await town.readyOrder(2);
    // Seven days later is a Saturday, and Monday is a holiday. On Tuesday the node closes at 17:00, which is 21:00 UTC
    // in daylight saving time.
    expect(shown((await town.row(orderId)).sla_at)).toBe('2026-03-17T21:00');
    await town.to('2026-03-17T20:59:59');
    expect((await town.eventTypes(orderId)).filter((type) => type === 'order.pickupReminder')).toHaveLength(1);
    expect((await town.events('order', orderId)).at(-1)!.data).toMatchObject({
      expiresAt: '2026-03-17T21:00:00+00:00',
    });
    expect(await town.alertsOf(orderId)).toEqual(['CUSTOMER_PICKUP_APPROACHING OPEN']);
    expect((await town.row(orderId)).status).toBe(1400);
    await town.to('2026-03-17T21:00:00');
    expect(await town.row(orderId)).toMatchObject({ queue_id: 'WAITING_FOR_REVERSE_PICK', sla_type: 'REVERSE_PICK' });
    expect(await town.alertsOf(orderId)).toEqual(['CUSTOMER_PICKUP_APPROACHING CLOSED']);
    const reverse = await town.store.read((db) =>
      db
        .selectFrom('pick_tickets')
        .selectAll()
        .where('client_id', '=', 'TOWN')
        .where('pick_ticket_type', '=', 'REVERSE_PICK_TICKET')
        .execute(),
    );
    expect(reverse).toMatchObject([{ status: 'NEW', total_quantity: 2 }]);
    const details = {
      pickTicketId: reverse[0]!.pick_ticket_id,
      ...WHERE,
      userId: 'picker',
      action: 'CONFIRM',
      holdLocation: 'A1',
      pickTicketItems: [{ id: 1, itemId: '21-MUG-WHT', pickedQuantity: 2, canceledQuantity: 0 }],
    };
    expect((await town.update(details)).status).toBe(204);
    const ended = await town.row(orderId);
    expect([ended.status, ended.queue_id, ended.ended_at]).toEqual([9000, null, town.clock.now]);
    expect((await town.lines(orderId))[0]).toMatchObject({ returned: 2, cancel_reason: 'CancelMXCustomerAbandon' });
  });

  it('expires at the end of Monday after the weekend on which daylight saving time ends', async () => {
    await town.node({ openingHours: weekdays('09:00', '17:00') });
    await town.to('2026-10-24T15:00:00');
    const orderId = await town.readyOrder();
    await town.to('2026-11-02T21:59:59');
    expect((await town.row(orderId)).queue_id).toBe('WAITING_FOR_CUSTOMER_PICK');
    await town.to('2026-11-02T22:00:00');
    expect((await town.row(orderId)).queue_id).toBe('WAITING_FOR_REVERSE_PICK');
    expect(await town.eventTypes(orderId)).toContain('order.expired');
  });
});

describe('the scheduler', () => {
  it('returns the orders of an abandoned ticket to their queue when its lease expires', async () => {
    const orderId = await mug();
    const { pickTicketId } = await town.ticket([orderId]);
    const opened = await town.client.post(`${NODE}/pickTickets/${pickTicketId}`, {
      ...WHERE,
      pickTicketId,
      userId: 'picker',
    });
    expect(opened.status, opened.text).toBe(200);
    await town.advance({ advanceBy: 2 * 3_600 - 1 });
    expect((await town.row(orderId)).status).toBe(1150);
    await town.advance({ advanceBy: 1 });
    expect(await town.row(orderId)).toMatchObject({ status: 1100, pick_ticket_id: null });
    expect(await town.ticketRow(pickTicketId)).toMatchObject({ status: 'CLOSED', outcome: 'RESET' });
  });

  it('removes anonymized data from the database files: on SQLite at once, on PostgreSQL by one vacuum an hour', async () => {
    let times = 0;
    const scrub = town.store.scrub.bind(town.store);
    town.store.scrub = (...given) => {
      times++;
      return scrub(...given);
    };
    const later = [0, 10, 55];
    for (const minutes of later) {
      await town.advance({ advanceBy: minutes * 60 });
      const orderId = await mug();
      const cancel = `/operator/v1/stores/TOWN_US/fulfillmentOrders/${orderId}/cancel`;
      await town.operator('POST', cancel, { reasonCode: 'CancelCustomerInitiated' });
    }
    await town.advance({ advanceBy: 180 * 86_400 - 65 * 60 });
    for (const minutes of later.slice(1)) await town.advance({ advanceBy: minutes * 60 });
    // The search for due work does not wait for a vacuum. During a vacuum, a search starts no second vacuum; a search
    // after its end starts the next vacuum.
    const look = async () => {
      await town.advance({ advanceBy: 1 });
      return times;
    };
    await expect.poll(look).toBe(town.store.engine === 'sqlite' ? 3 : 2);
  });

  it("anonymizes the customer's data 180 days after the end of an order", async () => {
    const orderId = await town.order({ type: 'SHIP_TO_HOME', lines: [['MUG-WHT', 1]] });
    const cancel = `/operator/v1/stores/TOWN_US/fulfillmentOrders/${orderId}/cancel`;
    const canceled = await town.operator('POST', cancel, { reasonCode: 'CancelCustomerInitiated' });
    expect(canceled.status, canceled.text).toBe(200);
    const { ended_at, contacts } = await town.row(orderId);
    await town.advance({ advanceBy: 180 * 86_400 - 1 });
    expect((await town.row(orderId)).contacts).toBe(contacts);
    await town.advance({ advanceBy: 1 });
    const row = await town.row(orderId);
    expect(row).toMatchObject({ blanked_at: ended_at! + 180 * 86_400_000, due_at: null, customer_email_key: '' });
    expect(row.contacts).not.toContain('@');
    expect((await town.eventTypes(orderId)).at(-1)).toBe('order.forgotten');
  });

  it('deletes the response stored for an Idempotency-Key after 24 hours', async () => {
    const headers = { 'idempotency-key': 'once' };
    const count = () =>
      town.store.read((db) =>
        db
          .selectFrom('idempotency_keys')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow(),
      );
    const body = { label: 'Kept' };
    const made = await town.call({
      method: 'POST',
      path: '/operator/v1/clients/TOWN/credentials',
      headers: { authorization: 'Bearer operator-key-of-the-tests', ...headers },
      body,
    });
    expect(made.status).toBe(201);
    expect((await count()).count).toBe(1);
    await town.advance({ advanceBy: 86_400 });
    expect((await count()).count).toBe(0);
  });
});
