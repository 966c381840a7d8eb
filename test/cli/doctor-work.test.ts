/** Findings of doctor about work that has stopped: events, webhooks, imports, backups. */
import { type RawBuilder, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/platform/time.ts';
import { examine } from '../../src/service/cli/doctor.ts';
import { type Check, type Level, sentenceOf } from '../../src/service/cli/doctor-finding.ts';
import { add } from '../../src/service/cli/import.ts';
import { forgetInterrupted, NOTHING_YET, type Progress, saveProgress } from '../../src/service/import/progress.ts';
import { NOON } from '../support/backroom.ts';
import { type OpenTown, openTown } from '../support/town.ts';
import { perform } from './in-process.ts';

let town: OpenTown;
beforeEach(async () => {
  town = await openTown();
});
afterEach(() => town.store.close());

const run = (...statements: RawBuilder<unknown>[]) =>
  town.store.write(async (tx) => {
    for (const statement of statements) await statement.execute(tx);
  });
const env = () => ({ DATABASE_URL: town.store.url, BACKROOM_SECRET: 'ab'.repeat(32) });
const look = async (check: Check, now = NOON) => {
  const config = loadConfig(env());
  const found = (await examine(config, now)).find((one) => one.check === check)!;
  return [found.level, sentenceOf(found)];
};
/** Returns statements that insert rows of `installation`, as a backup does. */
const told = (values: Record<string, number>) =>
  Object.entries(values).map(
    ([name, value]) => sql`insert into installation (client_id, name, value) values ('', ${name}, ${String(value)})`,
  );
/** Returns the statement that inserts a run of an import. */
const importRow = (id: string, fileName: string, finishedAt: number | null) =>
  sql`insert into imports (client_id, import_id, kind, file_name, position, reject_position, rows_read, rows_imported,
      rows_refused, started_at, updated_at, finished_at)
    values ('TOWN', ${id}, ${fileName.split('.')[0]}, ${fileName}, 1, 0, 7, 7, '{}', 0, ${finishedAt ?? 0}, ${finishedAt})`;
const hook = (id: string) => town.client.put(`/operator/v1/clients/TOWN/webhooks/${id}`, { url: 'https://h.example/' });

describe('doctor', () => {
  const cases: [string, Check, RawBuilder<unknown>[], Level, RegExp][] = [
    [
      'events without a position',
      'events to come',
      [
        sql`update events set position = null, sequence = null, at = ${NOON - HOUR_MS}
        where position = (select position from event_heads)`,
      ],
      'warning',
      /^\d+ events of client TOWN have waited for their place in the feed since 2026-03-02T11:00:00\+00:00; start the service/,
    ],
    [
      'a feed that ends before its last event',
      'places of events',
      [sql`update event_heads set position = position - 2`],
      'error',
      /^the feed of client TOWN does not include its event \d+; restore a backup/,
    ],
    [
      'an event written by a machine with a wrong clock',
      'places of events',
      [sql`update events set at = ${NOON + MINUTE_MS} where position = (select position from event_heads)`],
      'warning',
      /^the last event of client TOWN is from 2026-03-02T12:01:00\+00:00, which is in the future; use NTP to synchronize the clock/,
    ],
    [
      'a disabled webhook',
      'webhooks',
      [sql`update webhooks set enabled = 0, disabled_reason = 'FAILING'`],
      'warning',
      /^webhook h of client TOWN was switched off \(FAILING\); repair its receiver, then set enabled again$/,
    ],
    [
      'a webhook that has failed for hours',
      'webhooks',
      [sql`update webhooks set failing_since = ${NOON - 2 * HOUR_MS}`],
      'warning',
      /^webhook h of client TOWN has failed since 2026-03-02T10:00:00\+00:00; read its deliveries/,
    ],
    [
      'a webhook that sends nothing',
      'webhooks',
      [sql`update webhooks set position = 0`],
      'warning',
      /^webhook h of client TOWN has had due deliveries and sent none since 2026-03-02T11:30:00\+00:00; start the service/,
    ],
    [
      'deliveries without further attempts',
      'webhooks',
      [
        sql`insert into webhook_deliveries (client_id, webhook_id, position, status, attempts, due_at, log, created_at, updated_at)
        values ('TOWN', 'h', 1, 'DEAD', 9, null, '[]', 0, 0)`,
      ],
      'warning',
      /^1 deliveries were given up; replay them/,
    ],
    [
      'a backup from the day before yesterday',
      'backups',
      told({ lastBackupAt: NOON - 2 * DAY_MS }),
      'warning',
      /^the last backroom backup was taken at 2026-02-28T12:00:00\+00:00; take a backup every night/,
    ],
    [
      'an installation of two days without any backup, on PostgreSQL also without an archive',
      'backups',
      [sql`update migrations set applied_at = ${NOON - 2 * DAY_MS}`],
      'warning',
      /^no backroom backup was ever taken(?:, and the server does not archive its log)?; take a backup every night/,
    ],
    [
      'a missed copy of a series',
      'backups',
      told({ lastBackupAt: NOON - 36 * MINUTE_MS, backupEveryMs: 15 * MINUTE_MS }),
      'warning',
      /^the last copy was taken at 2026-03-02T11:24:00\+00:00; a copy is due every 15 min; start backroom backup --every/,
    ],
    [
      'an interrupted import',
      'imports',
      [importRow('i', 'items.csv', null)],
      'warning',
      /^items of items.csv \(client TOWN\) stopped after row 7; run it again, or end it with backroom import --forget i --client TOWN$/,
    ],
  ];
  it.each(cases)('finds %s', async (_what, check, statements, level, said) => {
    expect((await hook('h')).status).toBe(201);
    await run(sql`update migrations set applied_at = ${NOON}`);
    expect(await look(check)).toEqual(['ok', expect.not.stringContaining(';')]);
    await run(...statements);
    expect(await look(check)).toEqual([level, expect.stringMatching(said)]);
  });

  it('does not report an interrupted import whose file was corrected and imported to the end', async () => {
    await run(importRow('i', 'items.csv', null), importRow('other', 'nodes.csv', NOON));
    expect((await look('imports'))[0]).toBe('warning');
    await run(importRow('corrected', 'items.csv', NOON));
    expect((await look('imports'))[0]).toBe('ok');
  });

  it.each(['orders', 'inbound', 'stock'])(
    'reports interrupted %s until they are forgotten, because another file of this name adds other rows',
    async (kind) => {
      await run(importRow('i', `${kind}.csv`, null), importRow('of-another-day', `${kind}.csv`, NOON));
      expect((await look('imports'))[0]).toBe('warning');
      const forget = (id: string, ...more: string[]) =>
        perform(add, env(), ['import', ...more, '--forget', id, '--client', 'TOWN']);
      expect(await forget('i', kind)).toMatchObject({ code: 2 });
      expect(await forget('of-another-day')).toMatchObject({
        code: 1,
        err: expect.stringContaining('has no interrupted'),
      });
      expect((await look('imports'))[0]).toBe('warning');
      expect(await forget('i')).toEqual({
        code: 0,
        out: `Forgot the import of ${kind} from ${kind}.csv; its first 7 rows were imported or rejected.\n`,
        err: '',
      });
      expect((await look('imports'))[0]).toBe('ok');
    },
  );

  it('fails the next batch of a run that was forgotten while it was in progress', async () => {
    const name = { clientId: 'TOWN', importId: 'i', kind: 'orders', fileName: 'orders.csv' };
    const save = (from: Progress, to: Progress) => town.store.write((tx) => saveProgress(tx, name, from, to, NOON));
    const first = { ...NOTHING_YET, position: 70, rowsRead: 7, rowsImported: 7 };
    const second = { ...NOTHING_YET, position: 90, rowsRead: 9, rowsImported: 9 };
    await save(NOTHING_YET, first);
    await save(first, second);
    await expect(save(first, second)).rejects.toThrow('Another process imports orders.csv');
    await expect(save(NOTHING_YET, first)).rejects.toThrow('Another process imports orders.csv');
    await forgetInterrupted(town.store, 'TOWN', 'i');
    await expect(save(second, { ...second, finished: true })).rejects.toThrow('has ended this run with --forget');
    expect((await look('imports'))[0]).toBe('ok');
  });

  it('does not report deliveries whose events are deleted and cannot be replayed', async () => {
    await hook('h');
    await run(
      sql`insert into webhook_deliveries (client_id, webhook_id, position, status, attempts, due_at, log, created_at, updated_at)
        values ('TOWN', 'h', 1, 'DEAD', 9, null, '[]', 0, 0)`,
      sql`update event_heads set gone = 1`,
    );
    expect((await look('webhooks'))[0]).toBe('ok');
  });

  it('does not report a webhook that a user has switched off while its deliveries failed', async () => {
    await hook('h');
    await run(sql`update webhooks set enabled = 0, failing_since = ${NOON - 2 * HOUR_MS}`);
    expect((await look('webhooks'))[0]).toBe('ok');
  });

  it('does not report work that a running service completes within minutes', async () => {
    await hook('h');
    await run(
      sql`update events set position = null, sequence = null, at = ${NOON - MINUTE_MS}
        where position = (select position from event_heads)`,
      sql`update webhooks set failing_since = ${NOON - MINUTE_MS}`,
      ...told({ lastBackupAt: NOON - HOUR_MS }),
    );
    for (const check of ['events to come', 'webhooks', 'backups'] as const) expect((await look(check))[0]).toBe('ok');
  });

  it.each([
    ['15 min', { lastBackupAt: NOON - 30 * MINUTE_MS, backupEveryMs: 15 * MINUTE_MS }],
    ['7 d', { lastBackupAt: NOON - 13 * DAY_MS, backupEveryMs: 7 * DAY_MS }],
  ])('does not report a series of copies every %s that is on time', async (every, row) => {
    await run(...told(row));
    expect(await look('backups')).toEqual(['ok', expect.stringContaining(`; a copy is due every ${every}`)]);
  });
});
