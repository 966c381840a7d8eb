import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import type { DueKind } from '../../src/platform/due-kind.ts';
import { createLog } from '../../src/platform/log.ts';
import { seededPorts } from '../../src/platform/ports.ts';
import { createSealer } from '../../src/platform/secrets.ts';
import { openStore, type Store } from '../../src/platform/storage/db.ts';
import { leases } from '../../src/service/scheduler/kinds.ts';
import { Scheduler } from '../../src/service/scheduler/scheduler.ts';
import { NODE, type Ticket, WHERE } from '../picking/picking.ts';
import { openBackroom } from '../support/backroom.ts';
import { describePostgresOnly } from '../support/store.ts';
import { openTimed, type Timed } from './sandbox.ts';

const MINUTE_MS = 60_000;
const YEAR_MS = 365 * 86_400_000;
const config = loadConfig({ BACKROOM_SECRET: 'ab'.repeat(32), LOG_LEVEL: 'silent' });

let town: Timed;
const others: Store[] = [];
afterEach(async () => {
  for (const store of others.splice(0)) await store.close();
  await town.close();
});

/**
 * Returns the scheduler of another process. On PostgreSQL it has its own connections. Only one process can serve an
 * SQLite file, so on SQLite the scheduler uses the store of the town.
 */
async function scheduler(seed: string, kinds?: readonly DueKind[]): Promise<Scheduler> {
  let { store } = town;
  if (store.engine === 'postgres') {
    store = await openStore(store.url, { connections: 3 });
    others.push(store);
  }
  const ports = seededPorts(seed, town.clock, createLog('silent'));
  const sealer = createSealer(Buffer.from('ab'.repeat(32), 'hex'));
  return new Scheduler({ config, ports, store, sealer, ...(kinds && { kinds }) });
}

const allAlerts = async () => (await town.search({ pageSize: 500 })).body.alerts as { fulfillmentOrderId: string }[];

const opened = () =>
  town.store.read((db) =>
    db
      .selectFrom('events')
      .select('resource_id')
      .where('client_id', '=', 'TOWN')
      .where('type', '=', 'alert.opened')
      .execute(),
  );

describe('two schedulers at once', () => {
  it('run each due task once', async () => {
    town = await openTimed();
    const ids: string[] = [];
    for (let count = 0; count < 40; count++) ids.push(await town.order({ lines: [['MUG-WHT', 1]] }));
    const [one, two] = [await scheduler('one'), await scheduler('two')];
    for (const minutes of [34, 12]) {
      town.clock.now += minutes * MINUTE_MS;
      await Promise.all([one.runDue(), two.runDue()]);
    }
    const done = [one, two].map((each) => each.states.get('order agenda')!);
    expect(done[0]!.done + done[1]!.done).toBe(80);
    expect(done.map(({ failed }) => failed)).toEqual([0, 0]);
    expect((await allAlerts()).map((alert) => alert.fulfillmentOrderId).sort()).toEqual([...ids, ...ids].sort());
    expect(await opened()).toHaveLength(80);
  });

  it('expire an order once, with one reverse pick ticket', async () => {
    town = await openTimed();
    const orderId = await town.readyOrder();
    town.clock.now += 8 * 1_440 * MINUTE_MS;
    const all = await Promise.all([scheduler('one'), scheduler('two'), scheduler('three')]);
    await Promise.all(all.map((each) => each.runDue()));
    const tickets = await town.store.read((db) =>
      db
        .selectFrom('pick_tickets')
        .select('pick_ticket_id')
        .where('client_id', '=', 'TOWN')
        .where('pick_ticket_type', '=', 'REVERSE_PICK_TICKET')
        .execute(),
    );
    expect(tickets).toHaveLength(1);
    expect((await town.eventTypes(orderId)).filter((type) => type === 'order.expired')).toHaveLength(1);
  });

  it('leave no alert open for an order that associates have moved out of its step', async () => {
    town = await openTimed();
    const ids: string[] = [];
    for (let count = 0; count < 24; count++) ids.push(await town.order({ lines: [['MUG-WHT', 1]] }));
    town.clock.now += 34 * MINUTE_MS;
    const [one, two] = [await scheduler('one'), await scheduler('two')];
    const tickets = ids.filter((_id, index) => index % 2 === 0).map((id) => town.ticket([id]));
    await Promise.all([one.runDue(), two.runDue(), ...tickets]);
    const open = (await town.search({ statuses: ['OPEN'], pageSize: 500 })).body.alerts as {
      fulfillmentOrderId: string;
    }[];
    const waiting = ids.filter((_id, index) => index % 2 === 1);
    expect(open.map((alert) => alert.fulfillmentOrderId).sort()).toEqual(waiting.sort());
  });
});

describe('a scheduler after an outage', () => {
  const GRACE_MS = 2_500;
  const kinds = [{ ...leases, graceMs: GRACE_MS }];
  const openTicket = async () => {
    const ticket = await town.ticket([await town.order({ lines: [['MUG-WHT', 1]] })]);
    const { pickTicketId } = ticket;
    const path = `${NODE}/pickTickets/${pickTicketId}`;
    expect((await town.client.post(path, { ...WHERE, pickTicketId, userId: 'picker' })).status).toBe(200);
    return ticket;
  };
  const outcome = async ({ pickTicketId }: Ticket) => (await town.ticketRow(pickTicketId)).outcome;

  it('resets no ticket before the devices had time to send their work', async () => {
    town = await openTimed();
    const [picked, forgotten] = [await openTicket(), await openTicket()];
    town.clock.now += 3 * 60 * MINUTE_MS;
    const one = await scheduler('one', kinds);
    one.start();
    await sleep(1_200);
    await town.confirm(picked);
    await vi.waitFor(async () => expect(await outcome(forgotten)).toBe('RESET'), { timeout: 5_000 });
    expect(await outcome(picked)).toBe('CONFIRMED');
    await one.stop();
  });

  it('of the database waits again', async () => {
    town = await openTimed();
    const one = await scheduler('one', kinds);
    one.start();
    await sleep(GRACE_MS);
    const ticket = await openTicket();
    const store = others[0] ?? town.store;
    const read = vi.spyOn(store, 'read').mockRejectedValue(new Error('the database is down'));
    town.clock.now += 3 * 60 * MINUTE_MS;
    await sleep(1_200);
    read.mockRestore();
    await sleep(1_200);
    expect(await outcome(ticket)).toBeNull();
    await vi.waitFor(async () => expect(await outcome(ticket)).toBe('RESET'), { timeout: 5_000 });
    await one.stop();
  });
});

describe('a scheduler whose clock was a year ahead', () => {
  it('tries failed work again after its delay', async () => {
    town = await openTimed();
    const now = town.clock.now;
    let runs = 0;
    const kind: DueKind = {
      name: 'order agenda',
      due: () => Promise.resolve([{ id: 'A', at: now }] as never),
      run: () => {
        runs += 1;
        return runs === 1 ? Promise.reject(new Error('The database was starting.')) : Promise.resolve(true);
      },
    };
    const one = await scheduler('one', [kind]);
    town.clock.now = now + YEAR_MS;
    await one.runDue();
    town.clock.now = now + 1_000;
    await one.runDue();
    expect(one.states.get('order agenda')).toMatchObject({ done: 1, failed: 1 });
  });
});

describePostgresOnly('the vacuum after an anonymization', () => {
  it('delays no due work and no stop, and is done once an hour by one of the schedulers', async () => {
    town = await openTimed();
    let done = 0;
    const kind: DueKind = {
      name: 'order agenda',
      due: () => Promise.resolve([{ id: 'A', at: town.clock.now }] as never),
      run: ({ anonymized }) => {
        done += 1;
        anonymized();
        return Promise.resolve(true);
      },
    };
    const [one, two] = [await scheduler('one', [kind]), await scheduler('two', [kind])];
    const begun: AbortSignal[] = [];
    for (const store of others) {
      // A vacuum that runs until it is aborted.
      store.scrub = (_tables, { signal } = {}) => {
        begun.push(signal!);
        return new Promise((_resolve, reject) => {
          signal!.addEventListener('abort', () => reject(new Error('aborted')));
        });
      };
    }
    await one.runDue();
    await expect.poll(() => begun.length).toBe(1);
    for (let minute = 0; minute < 59; minute += 1) {
      town.clock.now += MINUTE_MS;
      await Promise.all([one.runDue(), two.runDue()]);
    }
    expect([done, begun.length]).toEqual([119, 1]);
    town.clock.now += 21 * MINUTE_MS;
    // A process needs some time to claim the vacuum.
    await expect
      .poll(async () => {
        await two.runDue();
        return begun.length;
      })
      .toBe(2);
    await Promise.all([one.stop(), two.stop()]);
    expect(begun.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it('is done by another process within the hour if it fails or is stopped, and after a restart', async () => {
    town = await openTimed();
    const [one, two] = [await scheduler('one', []), await scheduler('two', [])];
    const [failing, working] = others as [Store, Store];
    const begun: string[] = [];
    failing.scrub = () => {
      begun.push('failing');
      return Promise.reject(new Error('Another process has locked a table that needs a vacuum.'));
    };
    working.scrub = (_tables, { signal } = {}) => {
      begun.push('working');
      return new Promise((resolve, reject) => {
        signal!.addEventListener('abort', () => reject(new Error('aborted')));
        if (begun.length > 2) resolve(true);
      });
    };
    const vacuums = (each: Scheduler, count: number) =>
      expect
        .poll(async () => {
          await each.runDue();
          return begun.length;
        })
        .toBe(count);
    one.start();
    await vacuums(one, 1);
    await one.stop();
    two.start();
    await vacuums(two, 2);
    await two.stop();
    const ports = seededPorts('three', town.clock, createLog('silent'));
    const sealer = createSealer(Buffer.from('ab'.repeat(32), 'hex'));
    const three = new Scheduler({ config, ports, store: working, sealer, kinds: [] });
    three.start();
    await vacuums(three, 3);
    await three.stop();
    expect(begun).toEqual(['failing', 'working', 'working']);
  });
});

describePostgresOnly('the vacuum of an installation whose clock was a year ahead', () => {
  it('is done by the same and by another process when the clock is right again', async () => {
    town = await openTimed();
    const { now } = town.clock;
    const kind: DueKind = {
      name: 'order agenda',
      due: () => Promise.resolve([{ id: 'A', at: town.clock.now }] as never),
      run: ({ anonymized }) => {
        anonymized();
        return Promise.resolve(true);
      },
    };
    for (const seed of ['same', 'other']) {
      const ahead = await scheduler(`${seed} ahead`, [kind]);
      const one = seed === 'same' ? ahead : await scheduler(seed, [kind]);
      let begun = 0;
      for (const store of others) {
        store.scrub = () => {
          begun += 1;
          return Promise.resolve(true);
        };
      }
      const vacuums = (each: Scheduler, count: number) =>
        expect
          .poll(async () => {
            await each.runDue();
            return begun;
          })
          .toBe(count);
      town.clock.now += YEAR_MS;
      await vacuums(ahead, 1);
      town.clock.now = now;
      await vacuums(one, 2);
      await Promise.all([ahead.stop(), one.stop()]);
    }
  });
});

describe('a restart', () => {
  it('in the middle of a run loses no task and runs none twice', async () => {
    town = await openTimed();
    const early = await town.order({ lines: [['MUG-WHT', 1]] });
    await town.to('2026-03-02T16:40:00');
    const late = await town.order({ lines: [['MUG-WHT', 1]] });
    await town.server.app.close();
    const again = await openBackroom(
      {},
      { store: town.store, seed: 'started again', now: town.clock.now + 7 * MINUTE_MS },
    );
    await again.server.runDue();
    await again.server.runDue();
    await again.operator('POST', '/operator/v1/sandbox/clock', { advanceBy: 40 * 60 });
    const rows = await town.store.read((db) =>
      db
        .selectFrom('alerts')
        .select(['fulfillment_order_id', 'alert_type', 'status', 'revision'])
        .where('client_id', '=', 'TOWN')
        .orderBy('generated_at')
        .orderBy('alert_id')
        .execute(),
    );
    expect(rows.map((row) => [row.fulfillment_order_id, row.alert_type, row.status, row.revision])).toEqual([
      [early, 'START_PICK_APPROACHING', 'CLOSED', 2],
      [early, 'START_PICK_EXPIRED', 'OPEN', 1],
      [late, 'START_PICK_APPROACHING', 'CLOSED', 2],
      [late, 'START_PICK_EXPIRED', 'OPEN', 1],
    ]);
  });
});

describe('the scheduler', () => {
  const kind = (run: DueKind['run'], count: number): DueKind => ({
    name: 'test',
    due: async (_db, now, limit) =>
      Array.from({ length: Math.min(limit, count) }, (_none, index) => ({
        at: now - 5_000,
        clientId: '',
        id: String(index),
      })),
    run,
  });

  it('continues when a task fails, and retries the task later', async () => {
    town = await openTimed();
    const tried: string[] = [];
    const failing = kind(async (_parts, due) => {
      tried.push(due.id);
      if (due.id === '1') throw new Error('planted');
      return true;
    }, 3);
    const one = await scheduler('one', [failing]);
    expect(await one.runDue()).toBe(3);
    expect(one.states.get('test')).toEqual({ done: 2, missed: 0, failed: 1, lagMs: 5_000 });
    await one.runDue();
    expect(tried.filter((id) => id === '1')).toHaveLength(1);
  });

  it.each([
    ['background work', { upkeepEveryMs: 1_000 }],
    ['work', {}],
  ])('retries failed %s that is due as of now after 1 s, 2 s and 4 s', async (_what, upkeep) => {
    town = await openTimed();
    const began = town.clock.now;
    const tried: number[] = [];
    const failing: DueKind = {
      name: 'test',
      ...upkeep,
      // The id of background work names its next batch, which other writes can change. Here each search gets a new id.
      due: async (_db, now) => [{ at: now, clientId: '', id: 'upkeepEveryMs' in upkeep ? String(now) : '' }],
      run: async () => {
        tried.push(town.clock.now - began);
        town.clock.now += 10;
        throw new Error('planted');
      },
    };
    const one = await scheduler('one', [failing]);
    for (const second of [0, 1.01, 2, 3.02, 5, 7.03]) {
      town.clock.now = began + second * 1_000;
      await one.runDue(500);
    }
    expect(tried).toEqual([0, 1_010, 3_020, 7_030]);
  });

  it('runs at most the given number of tasks at a time', async () => {
    town = await openTimed();
    const one = await scheduler('one', [kind(async () => true, 50)]);
    expect(await one.runDue(7)).toBe(7);
  });

  it('reports metrics by kind of task', async () => {
    town = await openTimed();
    await town.order({ lines: [['MUG-WHT', 1]] });
    town.clock.now += 34 * MINUTE_MS;
    await town.server.runDue();
    const { text } = await town.call({ method: 'GET', path: '/metrics' });
    expect(text).toContain('backroom_scheduler_due_total{kind="order agenda",outcome="done"} 1');
    expect(text).toContain('backroom_scheduler_lag_seconds{kind="ticket lease"} 0');
  });
});
