/**
 * The service through a real PgBouncer: through every program that `PGBOUNCER` names (paths, separated by colons), or
 * through the installed program. Without a PgBouncer these tests are skipped.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import { openStore } from '../../src/platform/storage/db.ts';
import { withoutLimit } from '../../src/platform/storage/postgres-connection.ts';
import { examine } from '../../src/service/cli/doctor.ts';
import { sentenceOf } from '../../src/service/cli/doctor-finding.ts';
import { loadTown } from '../../src/service/demo/town.ts';
import { migrate } from '../../src/service/migrate.ts';
import { freePort } from '../../town/free-port.ts';
import { openBackroom } from '../support/backroom.ts';
import { administer, makeDatabase } from '../support/postgres.ts';
import { ENGINE } from '../support/store.ts';
import { townCall } from '../support/town.ts';

const found = (process.env['PGBOUNCER'] ?? 'pgbouncer').split(':').flatMap((program) => {
  try {
    const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))!;
    return [{ program, version: `${major}.${minor}`, keepsStatements: Number(minor) >= 21 || Number(major) > 1 }];
  } catch {
    return [];
  }
});

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Starts a pooler in front of a new database; returns the URL of the pooler. */
async function pooled(program: string, settings: Record<string, string>, content: 'nothing' | 'schema' = 'schema') {
  const url = new URL(await makeDatabase(content));
  const folder = mkdtempSync(join(tmpdir(), 'backroom-pooler-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const lines = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'any',
    default_pool_size: '8',
    ...settings,
  };
  const { hostname: host, port: at, username: user, password } = url;
  const target = { host, port: at || '5432', user, ...(password !== '' && { password }) };
  const words = (of: Record<string, string>, between: string) =>
    Object.entries(of)
      .map(([name, value]) => `${name}=${value}`)
      .join(between);
  const file = join(folder, 'pgbouncer.ini');
  const database = `${url.pathname.slice(1)} = ${words(target, ' ')}`;
  writeFileSync(file, `[databases]\n${database}\n[pgbouncer]\n${words(lines, '\n')}\n`);
  // PgBouncer does not run as root.
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(program, [...asUser, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const said: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  ends.push(() => ended(child).then(() => rmSync(folder, { recursive: true })));
  url.hostname = '127.0.0.1';
  url.port = String(port);
  // Deletes the parameter `host`: it names a socket, which would bypass the pooler.
  url.searchParams.delete('host');
  for (let tries = 0; ; tries += 1) {
    const client = new pg.Client({ connectionString: url.href });
    const failure = await client.connect().then(
      () => client.end(),
      (error: unknown) => error,
    );
    if (failure === undefined) return url.href;
    if (tries === 100 || child.exitCode !== null) throw new Error(`The pooler does not serve: ${said.join('')}`);
    await sleep(50);
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exit;
}

const TAKEN = { ignore_startup_parameters: 'statement_timeout, lock_timeout, idle_in_transaction_session_timeout' };

/** Loads the small town, and sends 200 concurrent writes and reads of its items. */
async function work(url: string): Promise<void> {
  const store = await openStore(url, { connections: 8 });
  ends.push(() => store.close());
  const { call, clock } = await openBackroom({}, { store });
  const send = townCall(call);
  const { credential } = await loadTown(send, { now: clock.now });
  const path = '/item-service/stores/TOWN_US/items/21-MUG-WHT';
  const { body } = await send('GET', path, { as: credential });
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      index % 2 === 0
        ? send('GET', path, { as: credential })
        : send('PUT', '/item-service/clients/TOWN/items/21-MUG-WHT', { as: credential, body }),
    ),
  );
  expect([...new Set(answers.map(({ status }) => status))].filter((status) => status >= 300)).toEqual([]);
}

/** Returns the finding of doctor about the pooler. */
async function told(url: string): Promise<[string, string][]> {
  const config = loadConfig({ DATABASE_URL: url, BACKROOM_SECRET: 'ab'.repeat(32) });
  const findings = (await examine(config, 0)).filter(({ check }) => check === 'pooler');
  return findings.map((found) => [found.level, sentenceOf(found)]);
}

/** Without an installed PgBouncer the tests are reported as skipped. */
const NONE = { program: '', version: '(none is installed)', keepsStatements: false };

describe.skipIf(ENGINE === 'sqlite' || found.length === 0).each(found.length === 0 ? [NONE] : found)(
  'PgBouncer $version',
  ({ program, keepsStatements }) => {
    it('that rejects the settings of a connection is named with the setting to change', async () => {
      const url = await pooled(program, { pool_mode: 'session' });
      await expect(openStore(url)).rejects.toThrow(
        /the pooler rejects the setting \w+\. Add ignore_startup_parameters = /,
      );
      expect(await told(url)).toEqual([
        ['error', expect.stringMatching(/^the pooler rejects the setting \w+; add ignore_startup_parameters = /)],
      ]);
    });

    it('serves in session mode, and migrations hold no lock in it', async () => {
      const url = await pooled(program, { ...TAKEN, pool_mode: 'session', default_pool_size: '20' }, 'nothing');
      await Promise.all([migrate(url, { now: () => 0 }), migrate(url, { now: () => 0 })]);
      await work(url);
    });

    it.runIf(keepsStatements)('serves in transaction mode, where it keeps prepared statements', async () => {
      const settings = { ...TAKEN, pool_mode: 'transaction', max_prepared_statements: '1000' };
      const url = await pooled(program, settings, 'nothing');
      await migrate(url, { now: () => 0 });
      await work(url);
    });

    it('in transaction mode keeps the limit of its connections for others during a long statement', async () => {
      const url = await pooled(program, { ...TAKEN, pool_mode: 'transaction', default_pool_size: '1' });
      const name = new URL(url).pathname.slice(1);
      await administer(async (client) => {
        await client.query(`alter database ${name} set statement_timeout = '7s'`);
        // The pooler has opened a connection already, without the limit.
        await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      });
      await withoutLimit(url, async (long) => {
        const other = new pg.Client({ connectionString: url });
        await other.connect();
        for (const client of [long, other]) {
          const { rows } = await client.query('show statement_timeout');
          expect(rows).toEqual([{ statement_timeout: '7s' }]);
        }
        await other.end();
      });
    });

    it('that loses prepared statements in transaction mode is rejected at the start, with the setting to change', async () => {
      const settings = { ...TAKEN, pool_mode: 'transaction', ...(keepsStatements && { max_prepared_statements: '0' }) };
      const url = await pooled(program, settings);
      // The second start uses connections that already have the statements of the first start.
      for (let start = 0; start < 3; start += 1) {
        await expect(openStore(url)).rejects.toThrow('Use PgBouncer 1.21 or newer with max_prepared_statements = 1000');
      }
      expect(await told(url)).toEqual([['error', expect.stringContaining('; use PgBouncer 1.21 or newer with')]]);
    });
  },
);
