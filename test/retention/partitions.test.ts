import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Config } from '../../src/platform/config.ts';
import type { Ctx } from '../../src/platform/ctx.ts';
import type { Due } from '../../src/platform/due.ts';
import type { Parts } from '../../src/platform/due-kind.ts';
import type { Json } from '../../src/platform/json-column.ts';
import { createLog } from '../../src/platform/log.ts';
import { idsFrom } from '../../src/platform/ports.ts';
import { openStore } from '../../src/platform/storage/db.ts';
import { partsOf } from '../../src/platform/storage/partitions.ts';
import { add } from '../../src/service/cli/partitions.ts';
import { dropPart, makeMonth, months, stepsOf } from '../../src/service/retention/months.ts';
import { perform } from '../cli/in-process.ts';
import { type Backroom, openBackroom } from '../support/backroom.ts';
import { makeDatabase } from '../support/postgres.ts';
import { ENGINE, freshUrl, untilBlocked } from '../support/store.ts';

const SECRET = 'ab'.repeat(32);
const postgresOnly = ENGINE === 'postgres' ? describe : describe.skip;

describe('backroom partitions', () => {
  it('says on SQLite that there are none, and how old events are removed', async () => {
    const said = await perform(add, { DATABASE_URL: freshUrl() }, ['partitions']);
    expect([said.code, said.err]).toEqual([
      1,
      'Partitions need PostgreSQL; this database is SQLite, where EVENT_DAYS removes old events row by row.',
    ]);
  });
});

postgresOnly('events by month', () => {
  let url: string;
  let town: Backroom;
  const log: string[] = [];
  const AT = Date.UTC(2026, 11, 15);
  const days = { EVENT_DAYS: '60' };
  beforeEach(async () => {
    url = await makeDatabase('schema');
    log.length = 0;
    town = await openBackroom(
      { ...days, BACKROOM_SECRET: SECRET },
      {
        store: await openStore(url),
        now: AT,
        log: createLog('info', { write: (line: string) => void log.push(line) }),
      },
    );
  });
  afterEach(() => town.close());

  const partitions = (...args: string[]) =>
    perform(add, { DATABASE_URL: url, BACKROOM_SECRET: SECRET, ...days }, ['partitions', ...args], {
      now: () => town.clock.now,
    });
  const rename = async (name: string) =>
    expect((await town.operator('PUT', '/operator/v1/clients/A', { name, catalogIds: ['1'] })).status).toBeLessThan(
      300,
    );
  const feed = (query = '') => town.operator('GET', `/operator/v1/events?clientId=A${query}`);
  const shown = async (query = '') =>
    ((await feed(query)).body.events as { position: number; sequence: number }[]).map(
      ({ position, sequence }) => `${position}/${sequence}`,
    );
  const parts = async () => (JSON.parse((await partitions('--json')).out) as { partitions: string[] }).partitions;
  const go = async (year: number, month: number, day: number) => {
    town.clock.now = Date.UTC(year, month - 1, day);
    await town.server.runDue();
  };

  it('prints the statements and changes nothing; --apply runs them while other connections read and write', async () => {
    await rename('one');
    const dry = await partitions();
    expect([dry.code, dry.err]).toEqual([0, '']);
    expect(dry.out).toContain('partition by range (event_id);');
    expect(await parts()).toEqual([]);
    expect((await partitions('--check')).code).toBe(1);
    const [applied] = await Promise.all([partitions('--apply'), rename('two'), feed(), rename('three')]);
    expect([applied.code, applied.err]).toEqual([0, '']);
    const made = ['events_before_2027_01', 'events_2027_01', 'events_2027_02', 'events_2027_03', 'events_later'];
    expect(await parts()).toEqual(made);
    await rename('four');
    expect(await shown()).toEqual(['1/1', '2/2', '3/3', '4/4']);
    expect((await partitions('--check')).code).toBe(0);
    expect((await partitions('--apply')).out).toBe(`There is nothing to do. Partitions: ${made.join(', ')}.\n`);
  });

  it('makes the next months, and drops expired ones only after the webhook has received their events', async () => {
    await rename('one');
    await partitions('--apply');
    await go(2027, 1, 20);
    await rename('two');
    await feed();
    await go(2027, 2, 10);
    await rename('three');
    expect(await parts()).toContain('events_2027_05');
    const hook = { url: 'https://hooks.example.com/x', enabled: false };
    const webhook = '/operator/v1/clients/A/webhooks/slow';
    expect((await town.operator('PUT', webhook, hook)).status).toBe(201);
    await go(2027, 3, 1);
    expect(await shown()).toEqual(['1/1', '2/2', '3/3', '4/1']);
    // The partition ends on January 1. It is dropped after the 60 days of retention and one more day.
    await go(2027, 3, 4);
    expect(await parts()).not.toContain('events_before_2027_01');
    expect(await shown()).toEqual(['2/2', '3/3', '4/1']);
    expect([(await feed('&after=0')).status, (await feed('&after=0')).body.gone]).toEqual([410, 1]);
    await go(2027, 6, 1);
    // The webhook has not received the event of its own creation, so the partition of February remains; January is
    // dropped.
    expect(await shown()).toEqual(['3/3', '4/1']);
    expect((await town.operator('DELETE', webhook)).status).toBe(204);
    await feed();
    await go(2027, 6, 2);
    expect(await shown()).toEqual(['5/2']);
    await go(2027, 9, 10);
    await rename('four');
    // Every earlier event of the client has expired; the numbering continues with the next event.
    expect(await shown()).toEqual(['6/4']);
    const text = (await town.server.app.inject({ url: '/metrics' })).payload;
    expect(text).toContain('backroom_retention_removed_total{kind="events"} 5');
    expect(log.join('')).not.toContain('the scheduler could not read due work');
  });

  it.each(['service', 'command'])('keeps a month whose events a replay queues at its end: %s', async (by) => {
    await rename('one');
    await partitions('--apply');
    const hook = { url: 'https://hooks.example.com/x', types: ['order.*'] };
    expect((await town.operator('PUT', '/operator/v1/clients/A/webhooks/slow', hook)).status).toBe(201);
    await feed();
    await town.store.write((tx) => tx.updateTable('webhooks').set({ position: 2, enabled: 0 }).execute());
    const row = { client_id: 'A', webhook_id: 'slow', position: 1, status: 'PENDING', attempts: 0, due_at: 0 } as const;
    const queued = Promise.withResolvers<undefined>();
    const commit = Promise.withResolvers<undefined>();
    const replay = town.store.write(async (tx) => {
      await tx.selectFrom('event_heads').select('gone').modifyEnd(town.store.dialect.forUpdate).execute();
      const values = { ...row, log: '[]' as Json<never[]>, created_at: 0, updated_at: 0 };
      await tx.insertInto('webhook_deliveries').values(values).execute();
      queued.resolve(undefined);
      await commit.promise;
    });
    await queued.promise;
    town.clock.now = Date.UTC(2027, 2, 4);
    const dropping = by === 'service' ? town.server.runDue() : partitions('--apply');
    await untilBlocked(town.store);
    commit.resolve(undefined);
    const [outcome] = await Promise.all([dropping, replay]);
    expect(await shown()).toEqual(['1/1', '2/1']);
    expect(log.join('')).not.toContain('a month of events was dropped');
    if (by === 'command') {
      const err =
        'events_before_2027_01 was not dropped, because a webhook or an EDI partner needs its events again, or younger events are before its last one. Run the command later.';
      expect(outcome).toMatchObject({ code: 1, err });
    }
  });

  it.each(['service', 'command'])(
    'deletes events of a clock that was ahead with the months around them, and then makes their month: %s',
    async (by) => {
      await rename('one');
      await partitions('--apply');
      await rename('ahead');
      await rename('two');
      await feed();
      const id = `${idsFrom(Date.UTC(2027, 3, 10))}7000-8000-000000000000`;
      await town.store.write((tx) =>
        tx.updateTable('events').set({ event_id: id }).where('position', '=', 2).execute(),
      );
      await go(2027, 1, 5);
      expect(await parts()).not.toContain('events_2027_04');
      const said = await partitions('--check');
      expect([said.code, said.out]).toEqual([
        0,
        expect.stringMatching(
          /events_2027_04 cannot be created: events_later .* It is created when EVENT_DAYS has removed them/,
        ),
      ]);
      town.clock.now = Date.UTC(2027, 2, 4);
      if (by === 'service') await town.server.runDue();
      else expect((await partitions('--apply')).code).toBe(0);
      expect(await parts()).toContain('events_2027_04');
      await rename('three');
      expect(await shown()).toEqual(['4/4']);
    },
  );

  it('of a clock that was behind keep their month until the events before them are past their time', async () => {
    const change = (position: number, at: number) => {
      const event_id = `${idsFrom(at)}7000-8000-000000000000`;
      return town.store.write((tx) =>
        tx.updateTable('events').set({ event_id, at }).where('position', '=', position).execute(),
      );
    };
    await rename('one');
    await partitions('--apply');
    await rename('ahead');
    await go(2027, 1, 20);
    await rename('two');
    await go(2027, 2, 20);
    await rename('three');
    await rename('behind');
    await rename('four');
    await feed();
    await town.store.write((tx) => sql`update events set written = at * 1000`.execute(tx));
    await change(2, Date.UTC(2027, 1, 10));
    await change(5, AT + 1);
    await go(2027, 4, 20);
    expect(await parts()).toContain('events_before_2027_01');
    expect(await shown()).toEqual(['1/1', '2/2', '3/3', '4/4', '5/5', '6/6']);
    await go(2027, 4, 22);
    expect(await parts()).not.toContain('events_before_2027_01');
    expect((await feed('&after=0')).body.gone).toBe(5);
    expect(await shown()).toEqual(['6/6']);
  });

  it('of a clock that was ahead are left to the command of the owner by a role without access to the partitions', async () => {
    await rename('one');
    await partitions('--apply');
    await rename('ahead');
    await rename('two');
    await feed();
    const id = `${idsFrom(Date.UTC(2027, 3, 10))}7000-8000-000000000000`;
    await town.store.write((tx) => tx.updateTable('events').set({ event_id: id }).where('position', '=', 2).execute());
    const role = `plain_${process.pid}`;
    const asRole = new URL(url);
    asRole.username = role;
    await town.store.write(async (tx) => {
      await sql`create role ${sql.ref(role)} login`.execute(tx);
      await sql`grant select on events, event_heads to ${sql.ref(role)}`.execute(tx);
    });
    const plain = await openStore(asRole.href);
    try {
      const due = () => plain.read((db) => months().due(db, Date.UTC(2026, 11, 15), 10, { eventDays: 60 } as Config));
      await town.store.write((tx) => tx.updateTable('event_heads').set({ gone: 2 }).execute());
      expect(await due()).toEqual([]);
    } finally {
      await plain.close();
      await town.store.write(async (tx) => {
        await sql`drop owned by ${sql.ref(role)}`.execute(tx);
        await sql`drop role ${sql.ref(role)}`.execute(tx);
      });
    }
    const left = () => town.store.read((db) => sql`select from events_later`.execute(db));
    expect((await left()).rows).toHaveLength(1);
    const check = await partitions('--check');
    expect([check.code, check.out]).toEqual([1, expect.stringContaining('delete from events_later where ')]);
    expect((await partitions('--apply')).out).toMatch(/^Done\./);
    expect((await left()).rows).toEqual([]);
  });

  it('retries later when a month cannot be made now, and does not count this as a failure', async () => {
    await partitions('--apply');
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    try {
      await holder.query('begin; lock table events in share mode');
      await go(2027, 1, 20);
      const text = (await town.server.app.inject({ url: '/metrics' })).payload;
      expect(text).toContain('backroom_scheduler_due_total{kind="months of events",outcome="failed"} 0');
      expect(await parts()).not.toContain('events_2027_04');
      await holder.query('commit');
    } finally {
      await holder.end();
    }
    await go(2027, 1, 21);
    expect(await parts()).toContain('events_2027_04');
  });

  it('keep their numbering if a step of dropping their month is rolled back and runs again', async () => {
    await rename('one');
    await partitions('--apply');
    await rename('two');
    await feed();
    const { store } = town;
    const lost = new Error('The connection broke.');
    const write: Parts['write'] = async (job) => {
      const run = (tx: Ctx['db']) => job({ db: tx, dialect: store.dialect, now: town.clock.now } as Ctx);
      const broken = store.write(async (tx) => {
        await run(tx);
        throw lost;
      });
      await expect(broken).rejects.toBe(lost);
      return store.write(run);
    };
    const [part] = await store.read((db) => partsOf(db));
    town.clock.now = Date.UTC(2027, 2, 4);
    const progress = new Map<string, number>();
    while ((await dropPart(write, part!, 60, progress)) === 'MORE');
    expect(await parts()).not.toContain(part!.name);
    await rename('three');
    expect(await shown()).toEqual(['3/3']);
  });

  it('two processes that create the same months at the same time both succeed', async () => {
    await partitions('--apply');
    const stores = await Promise.all([openStore(url), openStore(url)]);
    try {
      const made = await Promise.all(
        stores.map((store) => {
          const write: Parts['write'] = (job) => store.write((tx) => job({ db: tx } as Ctx));
          return makeMonth(write, { year: 2027, month: 3 }, 10_000);
        }),
      );
      expect(made).toHaveLength(2);
    } finally {
      for (const store of stores) await store.close();
    }
    expect(await parts()).toContain('events_2027_04');
  });

  it('that another process drops at the same time are no failure', async () => {
    await rename('one');
    await partitions('--apply');
    await feed();
    const { store } = town;
    town.clock.now = Date.UTC(2027, 2, 4);
    const write: Parts['write'] = async (job) => {
      await store.write((tx) => sql`drop table if exists events_before_2027_01`.execute(tx));
      return store.write((tx) => job({ db: tx, dialect: store.dialect, now: town.clock.now } as Ctx));
    };
    const ports = { now: () => town.clock.now };
    const run = () => months().run({ store, write, ports, config: { eventDays: 60 } } as Parts, {} as Due);
    const made = await store.read((db) => stepsOf(db, town.clock.now, 60));
    for (const step of made)
      if ('month' in step) await makeMonth((job) => store.write((tx) => job({ db: tx } as Ctx)), step.month);
    expect(await run()).toBe(false);
  });

  it('that another process drops while the command waits for them are no failure, and the other steps are done', async () => {
    await rename('one');
    await partitions('--apply');
    await feed();
    town.clock.now = Date.UTC(2027, 2, 4);
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    try {
      await holder.query('begin; drop table events_before_2027_01');
      const dropping = partitions('--apply');
      await untilBlocked(town.store);
      await holder.query('commit');
      expect(await dropping).toMatchObject({ code: 0, err: '' });
    } finally {
      await holder.end();
    }
    expect(await parts()).toContain('events_2027_06');
  });

  it('also drops the months that the command finds, and gives up while other transactions hold the table of events', async () => {
    await rename('one');
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    try {
      await holder.query('begin; lock table events in access share mode');
      const busy = await partitions('--apply', '--lock-timeout', '1');
      expect([busy.code, busy.err]).toEqual([
        1,
        'Other transactions used the table of events all the time, so a statement did not run. Run the command again, or with a longer --lock-timeout.',
      ]);
      await holder.query('commit');
    } finally {
      await holder.end();
    }
    expect((await partitions('--apply')).code).toBe(0);
    await feed();
    town.clock.now = Date.UTC(2027, 5, 1);
    const check = await partitions('--check');
    expect([check.code, check.out]).toEqual([1, expect.stringContaining('drop table events_before_2027_01;')]);
    expect((await partitions('--apply')).code).toBe(0);
    expect((await parts())[0]).toBe('events_2027_06');
    expect((await feed('&after=0')).body.gone).toBe(1);
  });
});
