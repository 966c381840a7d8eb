import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Zone } from '../../src/sla/zone.ts';
import { type Members, openPicking, type Picking, REASON } from '../picking/picking.ts';

const BOARDS = '/operator/v1/clients/TOWN/nodes/TOWN-Store001/boards';
const HOUR_MS = 3_600_000;

interface Numbers {
  ordersIn: number;
  unitsPicked: number;
  linesPicked: number;
  unitsShort: number;
  late: number;
}
interface Boards {
  date: string;
  timeZone: string;
  hours: (Numbers & { hour: number })[];
  days: (Numbers & { date: string })[];
  users: { userId: string; name?: string; lines: number; units: number; short: number; linesPerHour?: number }[];
  totals: Numbers & { linesPerHour?: number };
  before: Numbers & { linesPerHour?: number };
  targets: Record<string, number>;
  oldestOrder?: { fulfillmentOrderId: string; since: string };
}

let town: Picking;
beforeAll(async () => {
  town = await openPicking();
});
afterAll(() => town.close());

const boards = async (query = ''): Promise<Boards> => {
  const answer = await town.client.get(`${BOARDS}${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body as Boards;
};
const sum = (all: readonly Numbers[]): Numbers => {
  const of = (name: keyof Numbers) => all.reduce((total, one) => total + one[name], 0);
  return {
    ordersIn: of('ordersIn'),
    unitsPicked: of('unitsPicked'),
    linesPicked: of('linesPicked'),
    unitsShort: of('unitsShort'),
    late: of('late'),
  };
};
const plain = ({ ordersIn, unitsPicked, linesPicked, unitsShort, late }: Numbers) => ({
  ordersIn,
  unitsPicked,
  linesPicked,
  unitsShort,
  late,
});

const pick = async (userId: string, lines: readonly [string, number][], found: number): Promise<void> => {
  const ticket = await town.ticket([await town.order({ lines })]);
  const items = ticket.pickTicketItems.map(({ id, quantity, itemDetails: { itemId } }) => ({
    id,
    itemId,
    pickedQuantity: Math.min(found, quantity),
    ...(found < quantity && { cancellationReasonCode: REASON }),
  }));
  expect((await town.confirm(ticket, items, { userId })).status).toBe(204);
};

describe('the boards of a node', () => {
  it('add up: hours, days, users and totals, over a day of work', async () => {
    const before = await boards();
    await pick(
      'mara',
      [
        ['MUG-WHT', 3],
        ['SOAP-LAV', 1],
      ],
      2,
    );
    town.clock.now += HOUR_MS;
    await pick('mara', [['TEE-RED-M', 2]], 2);
    await pick('joe', [['MUG-WHT', 5]], 0);
    await town.order({ lines: [['MUG-WHT', 1]] });
    const after = await boards();
    expect(after.timeZone).toBe('America/New_York');
    expect(after.hours.map(({ hour }) => hour)).toEqual(Array.from({ length: 24 }, (_, hour) => hour));
    expect(sum(after.hours)).toEqual(plain(after.totals));
    expect(sum(after.days)).toEqual(plain(after.totals));
    expect(after.users).toEqual(
      [
        { userId: 'mara', name: 'Mara Quinn', lines: 3, units: 5, short: 1, linesPerHour: 1.5 },
        { userId: 'joe', lines: 0, units: 0, short: 5 },
        ...before.users,
      ].sort((a, b) => b.lines - a.lines || (a.userId < b.userId ? -1 : 1)),
    );
    expect(after.users.reduce((total, one) => total + one.units, 0)).toBe(after.totals.unitsPicked);
    expect(after.users.reduce((total, one) => total + one.lines, 0)).toBe(after.totals.linesPicked);
    expect(after.users.reduce((total, one) => total + one.short, 0)).toBe(after.totals.unitsShort);
    expect(after.totals.ordersIn).toBe(before.totals.ordersIn + 4);
    expect(after.totals.unitsShort).toBe(before.totals.unitsShort + 6);
    // The first picks are in the hour from 11:00 at the node, the last pick one hour later.
    expect(after.hours[11]!.unitsPicked - before.hours[11]!.unitsPicked).toBe(3);
    expect(after.hours[12]!.unitsPicked).toBe(2);
  });

  it('count what orders and tickets say', async () => {
    const { totals, date } = await boards();
    const from = Date.parse(`${date}T05:00:00Z`);
    const [orders, items] = await town.store.read(async (db) => [
      await db.selectFrom('fulfillment_orders').selectAll().where('node_id', '=', 'TOWN-Store001').execute(),
      await db
        .selectFrom('pick_ticket_items as item')
        .innerJoin('pick_tickets as ticket', (join) =>
          join
            .onRef('ticket.client_id', '=', 'item.client_id')
            .onRef('ticket.pick_ticket_id', '=', 'item.pick_ticket_id'),
        )
        .select(['item.picked', 'item.canceled', 'ticket.closed_at'])
        .where('ticket.node_id', '=', 'TOWN-Store001')
        .where('ticket.outcome', '=', 'CONFIRMED')
        .where('ticket.pick_ticket_type', '=', 'PICK_TICKET')
        .execute(),
    ]);
    expect(totals.ordersIn).toBe(orders.filter((row) => row.created_at >= from).length);
    const today = items.filter((row) => row.closed_at! >= from);
    expect(totals.unitsPicked).toBe(today.reduce((total, row) => total + row.picked!, 0));
    expect(totals.unitsShort).toBe(today.reduce((total, row) => total + row.canceled!, 0));
    expect(totals.linesPicked).toBe(today.filter((row) => row.picked! > 0).length);
  });

  it('count a corrected ticket as it is now', async () => {
    const ticket = await town.ticket([await town.order({ lines: [['MUG-WHT', 3]] })]);
    await town.confirm(ticket, [{ id: 1, itemId: '21-MUG-WHT', pickedQuantity: 1, cancellationReasonCode: REASON }]);
    const before = (await boards()).totals;
    const path = `/operator/v1/stores/TOWN_US/nodes/TOWN-Store001/pickTickets/${ticket.pickTicketId}/correct`;
    const answer = await town.client.post(path, {
      correctionId: 'c1',
      userId: 'picker',
      reason: 'Counted again',
      pickTicketItems: [{ id: 1, pickedQuantity: 3 }],
    });
    expect(answer.status).toBe(200);
    const after = (await boards()).totals;
    expect([after.unitsPicked, after.unitsShort, after.linesPicked]).toEqual([
      before.unitsPicked + 2,
      before.unitsShort - 2,
      before.linesPicked,
    ]);
  });

  it('count an order with several late steps once, at the first of them', async () => {
    const orderId = await town.order({ lines: [['MUG-WHT', 1]] });
    const before = await boards('?days=2');
    const row = await town.row(orderId);
    const late = (type: string, hours: number) => ({
      client_id: 'TOWN',
      alert_id: `late-${type}`,
      store_id: row.store_id,
      node_id: row.node_id,
      fulfillment_order_id: orderId,
      oms_order_id: row.oms_order_id,
      web_order_id: row.web_order_id,
      fulfillment_type: row.fulfillment_type,
      alert_type: `${type}_EXPIRED`,
      status: 'CLOSED' as const,
      revision: 1,
      queue_id: row.queue_id!,
      queued_at: row.queued_at,
      pick_ticket_id: null,
      sla_type: type,
      sla_at: row.sla_at!,
      generated_at: town.clock.now + hours * HOUR_MS,
      closed_at: town.clock.now,
    });
    await town.store.write((tx) =>
      tx
        .insertInto('alerts')
        .values([late('PACK', 1), late('START_PICK', -24), late('COMPLETE_PICK', -24)])
        .execute(),
    );
    const after = await boards('?days=2');
    expect(after.totals.late).toBe(before.totals.late + 1);
    expect(after.days.map((day, index) => day.late - before.days[index]!.late)).toEqual([1, 0]);
    expect((await boards()).totals.late).toBe(before.days[1]!.late);
    await town.store.write((tx) => tx.deleteFrom('alerts').where('fulfillment_order_id', '=', orderId).execute());
  });

  it('name the order that has waited longest, those that wait for their customer aside', async () => {
    const { oldestOrder } = await boards();
    const rows = (await town.rows()).filter(
      (row) =>
        row.client_id === 'TOWN' && row.node_id === 'TOWN-Store001' && row.queue_id !== null && row.status !== 1400,
    );
    const oldest = Math.min(...rows.map((row) => row.queued_at));
    expect(Date.parse(oldestOrder!.since)).toBe(Math.floor(oldest / 1000) * 1000);
  });

  it('go on by days in the time zone of the node, and keep those that are over', async () => {
    const today = await boards();
    town.clock.now += 24 * HOUR_MS;
    const next = await boards();
    expect(next.date > today.date).toBe(true);
    expect(plain(next.totals)).toMatchObject({ ordersIn: 0, unitsPicked: 0 });
    const both = await boards('?days=2');
    expect(both.days.map(({ date }) => date)).toEqual([today.date, next.date]);
    expect(plain(both.days[0]!)).toEqual(plain((await boards(`?date=${today.date}`)).totals));
    expect(sum(both.days)).toEqual(plain(both.totals));
    expect(sum(both.hours)).toEqual(plain(both.totals));
    town.clock.now -= 24 * HOUR_MS;
  });

  it('compare today with the same time of the day before, a day that is over with the whole day, and show the targets', async () => {
    const today = await boards();
    town.clock.now += 24 * HOUR_MS;
    const client = (await town.operator('GET', '/operator/v1/clients/TOWN')).body as Members;
    const targets = { linesPerHour: 40, shortPercent: 2.5, late: 3 };
    await town.operator('PUT', '/operator/v1/clients/TOWN', { ...client, settings: { targets } });
    const next = await boards();
    expect(plain(next.before)).toEqual(plain(today.totals));
    expect(next.targets).toEqual(targets);
    town.clock.now -= 2 * HOUR_MS;
    const earlier = (await boards()).before;
    expect(earlier.unitsPicked).toBeLessThan(today.totals.unitsPicked);
    town.clock.now += 2 * HOUR_MS;
    expect(plain((await boards(`?date=${next.date}`)).before)).toEqual(plain(today.totals));
    town.clock.now -= 24 * HOUR_MS;
    expect((await boards(`?date=${today.date}`)).before).toMatchObject({ unitsPicked: 0, linesPicked: 0 });
  });

  it('give a credential of one store the numbers of that store', async () => {
    const narrowed = await town.credential({ storeIds: ['TOWN_CA'], groups: ['fulfillment'] });
    const found = (await narrowed.get(BOARDS)).body as Boards;
    expect(found.users).toEqual([]);
    expect(found.totals.unitsPicked).toBe(0);
  });

  it.each(['?days=0', '?days=32', '?date=2026-02-30', '?date=today', '?other=1'])('reject %s', async (query) => {
    const answer = await town.client.get(`${BOARDS}${query}`);
    expect(answer.status).toBe(400);
    expect((answer.body as Members)['errors']).toHaveLength(1);
  });

  it('find the hour and the day of each number once, however many days they have', async () => {
    const lookups = vi.spyOn(Zone.prototype, 'stretchFrom');
    const many = async (days: number) => {
      lookups.mockClear();
      await boards(`?days=${days}`);
      return lookups.mock.calls.length;
    };
    expect(await many(31)).toBe(await many(7));
    lookups.mockRestore();
  });
});

describe('the boards of a node in another time zone', () => {
  const inZone = async (timeZone: string) => {
    const path = '/operator/v1/clients/TOWN/nodes/TOWN-Store001';
    const { body } = await town.operator('GET', path);
    const answer = await town.operator('PUT', path, { ...body, timeZone });
    expect(answer.status, answer.text).toBe(200);
  };
  const at = (instant: string) => {
    town.clock.now = Date.parse(instant);
  };

  it('compare with the same time of day across a change of the clocks', async () => {
    await inZone('Europe/Berlin');
    for (const instant of ['2026-03-29T14:30:00+02:00', '2026-03-29T15:30:00+02:00']) {
      at(instant);
      await town.order({ lines: [['MUG-WHT', 1]] });
    }
    at('2026-03-30T15:00:00+02:00');
    expect((await boards()).before.ordersIn).toBe(1);
  });

  it('count the lines per hour by the hours of the node', async () => {
    await inZone('Asia/Kolkata');
    for (const instant of ['2026-06-01T09:15:00+05:30', '2026-06-01T09:45:00+05:30']) {
      at(instant);
      await pick('joe', [['MUG-WHT', 1]], 1);
    }
    const { users, totals } = await boards();
    expect(users).toMatchObject([{ userId: 'joe', linesPerHour: 2 }]);
    expect(totals.linesPerHour).toBe(2);
    const { body } = await town.client.get(`${BOARDS.replace(/boards$/, 'work')}?userId=joe`);
    expect(body.today).toMatchObject({ linesPerHour: 2 });
  });
});
