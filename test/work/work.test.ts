import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BeforeRead } from '../../src/platform/http/operation.ts';
import type { NodeRow } from '../../src/platform/storage/tables.ts';
import type { Kept } from '../../src/work/state.ts';
import { readShared } from '../../src/work/watch.ts';
import { ISPU, type Members, NODE, openPicking, type Picking, REASON, SFS } from '../picking/picking.ts';
import { watchReads } from '../support/reads.ts';

const WORK = '/operator/v1/clients/TOWN/nodes/TOWN-Store001/work';

interface Queue {
  queueId: string;
  kind: string;
  fulfillmentType: string;
  storeIds: string[];
  orders: number;
  inWork: number;
  units: number;
  late: number;
  lateInWork: number;
  oldestAt?: string;
  nextDueAt?: string;
  nextFreeDueAt?: string;
}
interface Work {
  revision: string;
  at: string;
  name: string;
  queues: Queue[];
  myTickets: Members[];
  tickets: { open: number; mine: number };
  today: Members;
  inbound: Members;
  exceptions: Members;
}

let town: Picking;
beforeAll(async () => {
  town = await openPicking();
});
afterAll(() => town.close());

const work = async (query = ''): Promise<Work> => {
  const answer = await town.client.get(`${WORK}${query}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body as Work;
};
const queue = (found: Work, queueId: string, type?: string) =>
  found.queues.find((one) => one.queueId === queueId && (type === undefined || one.fulfillmentType === type))!;

/** Counts the reads of the work of a node. Each read sees one more event of the client, as on a busy day. */
function countReads() {
  let events = 0;
  const end = watchReads(town.store, (sql, { rows }) => {
    if (sql.includes('from "pick_tickets"')) reads.count += 1;
    if (sql.includes('"placed"')) rows[0]!['placed'] = Number(rows[0]!['placed']) + ++events;
  });
  const reads = { count: 0, end };
  return reads;
}

describe('the work of a node', () => {
  it('lists every queue of the types that the node serves, empty ones too', async () => {
    const found = await work();
    expect(found.name).toBe('Harbour Street');
    expect(found.queues.map(({ kind, fulfillmentType }) => `${kind} ${fulfillmentType}`)).toEqual([
      'PICK STORE_PICK_UP',
      'PICK SHIP_TO_HOME',
      'PICK ASSOCIATE_DELIVERY',
      'PACK SHIP_TO_HOME',
      'PACK ASSOCIATE_DELIVERY',
      'CHECK_IN SHIP_TO_STORE',
      'CHECK_IN SHIP_TO_STORE',
      'HAND_OVER STORE_PICK_UP',
      'HAND_OVER SHIP_TO_STORE',
      'DELIVER ASSOCIATE_DELIVERY',
      'BRING_BACK STORE_PICK_UP',
      'BRING_BACK SHIP_TO_HOME',
      'BRING_BACK SHIP_TO_STORE',
      'BRING_BACK ASSOCIATE_DELIVERY',
    ]);
  });

  it('counts the orders of each queue as its search finds them, with their units', async () => {
    const found = await work();
    for (const one of found.queues) {
      const orders: { fulfillmentType: string; totalQuantity: string; storeId: string }[] = [];
      for (const storeId of ['TOWN_US', 'TOWN_CA']) {
        const answer = await town.client.post(
          `/stores/${storeId}/nodes/TOWN-Store001/fulfillmentOrders?queueId=${one.queueId}`,
          { storeId, nodeId: 'TOWN-Store001', queueId: one.queueId, pageSize: 500 },
        );
        if (answer.status !== 200) continue;
        orders.push(...(answer.body as { fulfillmentOrders: typeof orders }).fulfillmentOrders);
      }
      const own = orders.filter(({ fulfillmentType }) => fulfillmentType === one.fulfillmentType);
      expect([one.queueId, one.fulfillmentType, one.orders]).toEqual([one.queueId, one.fulfillmentType, own.length]);
      expect(one.storeIds).toEqual([...new Set(own.map(({ storeId }) => storeId))].sort());
      if (one.kind !== 'BRING_BACK')
        expect(one.units).toBe(own.reduce((sum, { totalQuantity }) => sum + Number(totalQuantity), 0));
    }
  });

  it('shows a new order at once, and says how many are late when their time has passed', async () => {
    const before = await work();
    await town.order({ lines: [['MUG-WHT', 2]] });
    const after = await work();
    expect(after.revision).not.toBe(before.revision);
    const [was, is] = [queue(before, ISPU), queue(after, ISPU)];
    expect(is).toMatchObject({ orders: was.orders + 1, units: was.units + 2, late: was.late });
    town.clock.now += 46 * 60_000;
    const later = await work();
    expect(later.revision).not.toBe(after.revision);
    expect(queue(later, ISPU).late).toBeGreaterThan(was.late);
    expect(queue(later, ISPU)).toMatchObject({ inWork: 1, lateInWork: 1 });
    expect(queue(later, ISPU).nextFreeDueAt).toBe(queue(later, ISPU).nextDueAt);
    expect(later.exceptions['late']).toBe(
      later.queues.filter(({ kind }) => kind !== 'HAND_OVER').reduce((sum, { late }) => sum + late, 0),
    );
  });

  it('keeps its revision while nothing changes, for every caller', async () => {
    const { revision } = await work();
    town.clock.now += 1_000;
    expect((await work()).revision).toBe(revision);
    expect((await work('?userId=nobody')).revision).toBe(revision);
  });

  it('has the tickets of a user with what is done of them, and counts them as they are confirmed', async () => {
    const ids = [await town.order({ lines: [['MUG-WHT', 3]] }), await town.order({ lines: [['SOAP-LAV', 2]] })];
    const before = await work('?userId=picker');
    const ticket = await town.ticket(ids);
    await town.client.post(`/operator/v1${NODE}/pickTickets/${ticket.pickTicketId}/scans`, {
      userId: 'picker',
      scans: [
        { scanId: 'a', id: 1, pickedQuantity: 2 },
        { scanId: 'b', id: 2 },
        { scanId: 'c', undoes: 'b' },
      ],
    });
    const during = await work('?userId=picker');
    expect(during.tickets).toEqual({ open: before.tickets.open + 1, mine: before.tickets.mine + 1 });
    expect(during.myTickets.find(({ pickTicketId }) => pickTicketId === ticket.pickTicketId)).toEqual({
      storeId: 'TOWN_US',
      pickTicketId: ticket.pickTicketId,
      pickTicketType: 'PICK_TICKET',
      status: 'IN_PROGRESS',
      fulfillmentType: 'STORE_PICK_UP',
      orders: 2,
      quantity: 5,
      done: 2,
      dueAt: expect.any(String),
      leaseUntil: expect.any(String),
    });
    expect(queue(during, ISPU)).toMatchObject({
      orders: queue(before, ISPU).orders,
      inWork: queue(before, ISPU).inWork + 2,
    });
    const short = ticket.pickTicketItems[0]!.quantity;
    await town.confirm(
      ticket,
      ticket.pickTicketItems.map(({ id, quantity, itemDetails: { itemId } }, index) => ({
        id,
        itemId,
        pickedQuantity: index === 0 ? quantity - 1 : quantity,
        ...(index === 0 && { cancellationReasonCode: REASON }),
      })),
    );
    const after = await work('?userId=picker');
    expect(short).toBeGreaterThan(1);
    expect(after.today).toEqual({ linesPicked: 2, linesPerHour: 2, unitsShort: 1, unitsPicked: 4 });
    expect((await work('?userId=nobody')).today).toEqual({ linesPicked: 0, unitsShort: 0, unitsPicked: 0 });
    expect(after.tickets.open).toBe(before.tickets.open);
    town.clock.now += 24 * 3_600_000;
    expect((await work('?userId=picker')).today).toEqual({ linesPicked: 0, unitsShort: 0, unitsPicked: 0 });
  });

  it('counts the goods of an order that was canceled in part, although the order waits for its customer', async () => {
    const BACK = 'WAITING_FOR_REVERSE_PICK';
    const id = await town.order({ lines: [['MUG-WHT', 3]] });
    await town.confirm(await town.ticket([id]));
    const before = await work();
    const was = queue(before, BACK, 'STORE_PICK_UP');
    const cancel = (quantity: number) =>
      town.client.post(`/operator/v1/stores/TOWN_US/fulfillmentOrders/${id}/cancel`, {
        reasonCode: 'CancelCustomerInitiated',
        lines: [{ webLineId: '1', quantity }],
      });
    for (const quantity of [1, 2]) expect((await cancel(quantity)).status).toBe(200);
    expect((await town.row(id)).status).toBe(1400);
    const after = await work();
    expect(queue(after, BACK, 'STORE_PICK_UP')).toMatchObject({
      storeIds: [...new Set([...was.storeIds, 'TOWN_US'])].sort(),
      orders: was.orders + 1,
      units: was.units + 2,
      late: was.late,
      nextDueAt: expect.any(String),
    });
    // The step REVERSE_PICK ends after 240 minutes. The order is then not late, but the goods to bring back are.
    town.clock.now += 241 * 60_000;
    const late = await work();
    expect(late.revision).not.toBe(after.revision);
    expect(queue(late, BACK, 'STORE_PICK_UP').late).toBeGreaterThan(was.late);
    expect(late.exceptions['late']).toBe(
      late.queues.filter(({ kind }) => kind !== 'HAND_OVER').reduce((sum, one) => sum + one.late, 0),
    );
    await town.credential({ storeIds: ['TOWN_CA'], groups: ['fulfillment'] }).then(async (caller) => {
      expect(queue((await caller.get(WORK)).body as Work, BACK, 'STORE_PICK_UP').storeIds).not.toContain('TOWN_US');
    });
    // A locked PIN needs no decision if all units of the order are canceled and its goods must be brought back.
    expect((await cancel(3)).status).toBe(200);
    expect((await town.row(id)).status).toBe(8000);
    await town.store.write((tx) =>
      tx
        .updateTable('fulfillment_orders')
        .set({ pin_locked_until: town.clock.now + 60_000 })
        .where('fulfillment_order_id', '=', id)
        .execute(),
    );
    town.clock.now += 1_000;
    await town.order({ lines: [['MUG-WHT', 1]] });
    expect((await work()).exceptions['pinLocks']).toBe(late.exceptions['pinLocks']);
    const locked = await town.client.get(`${WORK.replace(/work$/, 'orders')}?view=PIN_LOCKED`);
    expect(JSON.stringify(locked.body)).not.toContain(id);
  });

  it('counts open re-source requests', async () => {
    const id = await town.order({ type: 'SHIP_TO_HOME', lines: [['MUG-WHT', 1]] });
    const before = (await work()).exceptions['resourceRequests'] as number;
    const ticket = await town.ticket([id], SFS);
    await town.confirm(ticket, [{ id: 1, itemId: '21-MUG-WHT', pickedQuantity: 0, cancellationReasonCode: REASON }]);
    expect((await work()).exceptions).toMatchObject({
      resourceRequests: before + 1,
      resourceRequestStoreIds: expect.arrayContaining(['TOWN_US']),
    });
  });

  it('shows a credential of one store the orders and tickets of that store only', async () => {
    const { client } = await town
      .credential({ storeIds: ['TOWN_CA'], groups: ['fulfillment'] })
      .then((caller) => ({ client: caller }));
    const found = (await client.get(WORK)).body as Work;
    expect(found.queues.flatMap(({ storeIds }) => storeIds).filter((id) => id !== 'TOWN_CA')).toEqual([]);
    expect(found.tickets.open).toBe(0);
  });
});

describe('waiting for other work', () => {
  /** Sends a request that waits for another revision, and lets the service begin to wait. */
  const waitFor = async (revision: string) => {
    let over = false;
    const waiting = work(`?since=${revision}&wait=20`).then((found) => {
      over = true;
      return found;
    });
    await sleep(300);
    return { waiting, isOver: () => over };
  };

  it('responds as soon as something changes at the node', async () => {
    const { revision } = await work();
    const { waiting, isOver } = await waitFor(revision);
    expect(isOver()).toBe(false);
    await town.order({ lines: [['MUG-WHT', 1]] });
    expect((await waiting).revision).not.toBe(revision);
  });

  it('responds at once if the caller has another revision, and after the wait if nothing changes', async () => {
    const { revision } = await work();
    expect((await work('?since=old&wait=25')).revision).toBe(revision);
    const again = performance.now();
    expect((await work(`?since=${revision}&wait=1`)).revision).toBe(revision);
    expect(performance.now() - again).toBeGreaterThan(900);
  });

  it('hears of an order that becomes late, for which nothing is written', async () => {
    await town.order({ lines: [['MUG-WHT', 1]] });
    const { revision } = await work();
    const waiting = work(`?since=${revision}&wait=20`);
    await sleep(50);
    town.clock.now += 46 * 60_000;
    expect((await waiting).revision).not.toBe(revision);
  });

  it('reads the node once for all waiting requests, also if every read finds a new event of the client', async () => {
    const { revision } = await work();
    const reads = countReads();
    const all = Array.from({ length: 20 }, () => work(`?since=${revision}&wait=20`));
    await sleep(1_500);
    const before = reads.count;
    await town.order({ lines: [['MUG-WHT', 1]] });
    expect((await Promise.all(all)).every((found) => found.revision !== revision)).toBe(true);
    expect(reads.count - before).toBeLessThanOrEqual(3);
    reads.end();
  });

  it('has one read of a node at a time: requests during a read share the next one', async () => {
    const reads: ((kept: Kept) => void)[] = [];
    const store = { read: () => new Promise<Kept>((resolve) => reads.push(resolve)) };
    const parts = { store, now: () => 0, config: {} } as unknown as BeforeRead;
    const node = { client_id: 'C', node_id: 'N', updated_at: 1 } as NodeRow;
    const kept = (events: number) => ({ events }) as Kept;
    const first = [readShared(parts, node), readShared(parts, node)];
    await sleep(0);
    const second = [readShared(parts, node), readShared(parts, node)];
    await sleep(0);
    expect(reads.length).toBe(1);
    reads[0]!(kept(1));
    expect(await Promise.all(first)).toEqual([kept(1), kept(1)]);
    await sleep(0);
    expect(reads.length).toBe(2);
    reads[1]!(kept(2));
    expect(await Promise.all(second)).toEqual([kept(2), kept(2)]);
  });

  it('wakes a waiting request also if the read of another request finds the change first', async () => {
    const { revision } = await work();
    const { waiting, isOver } = await waitFor(revision);
    await town.order({ lines: [['MUG-WHT', 1]] });
    const found = await work(`?since=${revision}&wait=20`);
    await sleep(1_000);
    expect(isOver()).toBe(true);
    expect((await waiting).revision).toBe(found.revision);
  });

  it('wakes every waiting request on a change, and ends them when the service stops', async () => {
    const other = await openPicking();
    const { revision } = (await other.client.get(WORK)).body as Work;
    const all = Array.from({ length: 30 }, () => other.client.get(`${WORK}?since=${revision}&wait=25`));
    await sleep(100);
    await other.order({ lines: [['MUG-WHT', 1]] });
    const revisions = (await Promise.all(all)).map(({ body }) => (body as Work).revision);
    expect(new Set(revisions).size).toBe(1);
    expect(revisions[0]).not.toBe(revision);
    const last = other.client.get(`${WORK}?since=${revisions[0]}&wait=25`);
    await sleep(100);
    const [answer] = await Promise.all([last, other.close()]);
    expect([200, 503]).toContain(answer.status);
  });

  it.each([
    ['wait=26', 'query:wait'],
    ['wait=x', 'query:wait'],
    ['userId=', 'query:userId'],
  ])('refuses %s', async (query, pointer) => {
    const answer = await town.client.get(`${WORK}?${query}`);
    expect(answer.status).toBe(400);
    expect((answer.body as { errors: { pointer: string }[] }).errors.map((error) => error.pointer)).toEqual([pointer]);
  });
});
