/** Doctor and the start of the service report wrong settings of real PostgreSQL servers. */
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import { createLog } from '../../src/platform/log.ts';
import { openStore, type Store, useStore } from '../../src/platform/storage/db.ts';
import { DAY_MS } from '../../src/platform/time.ts';
import { add, examine } from '../../src/service/cli/doctor.ts';
import { CHECKS, type Check, type Finding, sentenceOf } from '../../src/service/cli/doctor-finding.ts';
import { serverFindings } from '../../src/service/cli/doctor-server.ts';
import { upgradeAtStart } from '../../src/service/cli/upgrade.ts';
import { migrate } from '../../src/service/migrate.ts';
import { PostgresServer } from '../../town/postgres-server.ts';
import { openBackroom } from '../support/backroom.ts';
import { describePostgresOnly } from '../support/store.ts';
import { perform } from './in-process.ts';

const SECRET = { BACKROOM_SECRET: 'ab'.repeat(32) };

describePostgresOnly('a server', () => {
  let server: PostgresServer;
  const folder = mkdtempSync(join(tmpdir(), 'backroom-doctor-'));
  beforeAll(async () => {
    server = await PostgresServer.start({
      settings: { synchronous_commit: 'on', full_page_writes: 'on', fsync: 'on', max_connections: 20 },
    });
    await migrate(server.url, { now: Date.now });
  });
  afterAll(async () => {
    await server.remove();
    rmSync(folder, { recursive: true });
  });

  const onServer = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const results = [];
    for (const statement of statements) results.push(await client.query<Record<string, string>>(statement));
    await client.end();
    return results.at(-1)!.rows;
  };
  const findings = (env: Record<string, string> = {}) =>
    examine(loadConfig({ DATABASE_URL: server.url, ...SECRET, ...env }), Date.now());
  const told = (all: readonly Finding[], check: Check) => {
    const found = all.find((one) => one.check === check);
    return found && [found.level, sentenceOf(found)];
  };
  const withStore = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    const store = await openStore(server.url, { connections: 2 });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  };

  it('that cannot complete a check leaves that check unknown, and all other checks are run', async () => {
    const holder = new pg.Client({ connectionString: server.url });
    await holder.connect();
    await holder.query('begin; lock table imports in access exclusive mode');
    const asked: Check[] = [];
    const all = await examine(loadConfig({ DATABASE_URL: server.url, ...SECRET }), Date.now(), (check) =>
      asked.push(check),
    );
    await holder.end();
    expect(told(all, 'imports')).toEqual([
      'unknown',
      expect.stringMatching(/^could not be completed: .*lock timeout.*; /),
    ]);
    // The locked table `imports` also stops the check of documents, because this check reads the imports too.
    expect(all.flatMap(({ level, check }) => (level === 'unknown' ? [check] : [])).toSorted()).toEqual([
      'documents',
      'imports',
    ]);
    expect(told(all, 'backups')).toBeDefined();
    expect(asked).toContain('levels of stock');
  }, 30_000);

  it('with correct settings has no error, and every check of a server is run', async () => {
    const all = await findings();
    expect(all.filter(({ level }) => level !== 'ok').map(sentenceOf)).toEqual([]);
    const ofServer = Object.entries(CHECKS).filter(([, { of }]) => of !== 'file');
    expect(all.map(({ check }) => check).toSorted()).toEqual(ofServer.map(([name]) => name).toSorted());
  });

  it('whose settings lose data, or that allows too few connections, is reported with each setting', async () => {
    const names = ['fsync', 'full_page_writes', 'synchronous_commit'];
    const role = 'alter role current_user set synchronous_commit = off';
    await onServer(role);
    const all = await findings({ DATABASE_POOL: '40' });
    expect(told(all, 'durability')).toEqual([
      'error',
      'synchronous_commit is off: a crash loses writes that were acknowledged; set synchronous_commit = on',
    ]);
    expect(told(all, 'connections')).toEqual([
      'warning',
      expect.stringMatching(/^a process may open 40 connections \(DATABASE_POOL 40\), the server allows \d+; raise/),
    ]);
    await onServer('alter role current_user reset synchronous_commit', 'alter role current_user connection limit 15');
    const config = loadConfig({ DATABASE_URL: server.url, DATABASE_POOL: '8', ...SECRET });
    const four = await withStore((store) => serverFindings(store, config, Date.now, 4));
    expect(told(four, 'connections')![1]).toMatch(
      /^4 processes may open 32 connections \(DATABASE_POOL 8\), the server allows 15;/,
    );
    await onServer('alter role current_user connection limit -1');
    const careless = await PostgresServer.start();
    await migrate(careless.url, { now: Date.now });
    const lost = told(await findings({ DATABASE_URL: careless.url }), 'durability')!;
    await careless.remove();
    for (const name of names) expect(lost[1]).toContain(`set ${name} = on`);
  });

  it('whose clock differs is reported with the difference in seconds', async () => {
    const config = loadConfig({ DATABASE_URL: server.url, ...SECRET });
    const at = (offsetMs: number) =>
      withStore(async (store) => told(await serverFindings(store, config, () => Date.now() + offsetMs, 1), 'clock'));
    expect(await at(60_000)).toEqual([
      'error',
      expect.stringMatching(
        /^the clock of this machine is (59\.\d|60\.\d) s ahead of the clock of the database server; synchronize both with NTP/,
      ),
    ]);
    expect((await at(-3_000))![0]).toBe('warning');
    expect((await at(-3_000))![1]).toContain('behind');
  });

  it('that is too old, or has another encoding, is reported and not served', async () => {
    const old = await answering(server.url, (text) => text.replaceAll(/\b1[5-9]\d{4}\b/g, '140011'));
    const all = await findings({ DATABASE_URL: old.url });
    expect(told(all, 'server')).toEqual([
      'error',
      'PostgreSQL 15 or newer is needed; this is 14; upgrade the server (pg_upgrade)',
    ]);
    await expect(openStore(old.url, {})).rejects.toThrow('PostgreSQL 15 or newer is needed; this is 14. Upgrade');
    await old.close();
    await onServer(`create database latin encoding 'LATIN1' locale 'C' template template0`);
    const latin = new URL(server.url);
    latin.pathname = '/latin';
    expect(told(await findings({ DATABASE_URL: latin.href }), 'server')![1]).toContain(
      'must be in UTF8; this one is in LATIN1',
    );
  });

  it('whose certificate is not trusted, expires soon or has expired is reported with sslmode=verify-full', async () => {
    const certificate = async (fromDays: number, toDays: number) => {
      const dates = {
        notBeforeDate: new Date(Date.now() + fromDays * DAY_MS),
        notAfterDate: new Date(Date.now() + toDays * DAY_MS),
      };
      const extensions = [{ name: 'subjectAltName' as const, altNames: [{ type: 7 as const, ip: '127.0.0.1' }] }];
      const pair = await generate([{ name: 'commonName', value: '127.0.0.1' }], { ...dates, extensions });
      const [{ setting: data }] = (await onServer(`select setting from pg_settings where name = 'data_directory'`)) as [
        Record<string, string>,
      ];
      const { uid, gid } = statSync(data!);
      for (const [name, content] of [
        ['server.crt', pair.cert],
        ['server.key', pair.private],
      ] as const) {
        writeFileSync(join(data!, name), content, { mode: 0o600 });
        chownSync(join(data!, name), uid, gid);
      }
      writeFileSync(join(folder, 'root.pem'), pair.cert);
      await onServer('alter system set ssl = on', 'select pg_reload_conf()');
      // The server uses the new certificate some time after the reload.
      const shown = async () => {
        const client = new pg.Client({ connectionString: server.url, ssl: { rejectUnauthorized: false } });
        await client.connect();
        const { stream } = (client as unknown as { connection: { stream: import('node:tls').TLSSocket } }).connection;
        const { valid_to: until } = stream.getPeerCertificate();
        await client.end();
        return Math.abs(Date.parse(until) - dates.notAfterDate.getTime()) < 2_000;
      };
      await expect.poll(() => shown().catch(() => false)).toBe(true);
    };
    const verified = `${server.url}?sslmode=verify-full&sslrootcert=${join(folder, 'root.pem')}`;
    await certificate(-1, 90);
    expect(told(await findings({ DATABASE_URL: verified }), 'database certificate')![0]).toBe('ok');
    expect(told(await findings({ DATABASE_URL: `${server.url}?sslmode=verify-full` }), 'database')).toEqual([
      'unknown',
      expect.stringMatching(
        /^The database cannot be reached: .*self[- ]signed.*; name the authority that signed the certificate/,
      ),
    ]);
    await certificate(-80, 5);
    expect(told(await findings({ DATABASE_URL: verified }), 'database certificate')).toEqual([
      'warning',
      expect.stringMatching(/^it is valid until .*; renew the certificate of the database server/),
    ]);
    await certificate(-90, -1);
    const { code, out } = await perform(add, { DATABASE_URL: verified, ...SECRET }, ['doctor']);
    expect([code, out]).toEqual([
      3,
      expect.stringMatching(/^unknown {2}database: .*certificate has expired; renew the certificate/m),
    ]);
    await expect(openStore(verified, {})).rejects.toThrow('Renew the certificate of the database server');
    await onServer('alter system set ssl = off', 'select pg_reload_conf()');
  });

  it('without the database, the role or a free connection is reported with the fix', async () => {
    const url = (change: (url: URL) => void) => {
      const other = new URL(server.url);
      change(other);
      return other.href;
    };
    const none = url((one) => {
      one.pathname = '/nowhere';
    });
    expect(told(await findings({ DATABASE_URL: none }), 'database')![1]).toMatch(
      /"nowhere" does not exist; create the database/,
    );
    await onServer('create role stranger login connection limit 0');
    const stranger = url((one) => {
      one.username = 'stranger';
    });
    expect(told(await findings({ DATABASE_URL: stranger }), 'database')![1]).toContain('raise max_connections');
  });

  it('that gives no further connection, or whose replica does not know a function, leaves all other checks', async () => {
    await onServer(
      'create role narrow login connection limit 1',
      'grant pg_read_all_data, pg_monitor to narrow',
      'create role strange login',
      'create schema strange authorization strange',
      `create function strange.pg_last_wal_receive_lsn() returns pg_lsn language plpgsql
        as 'begin raise exception ''not in this engine''; end'`,
      'alter role strange set search_path = strange, pg_catalog',
    );
    const as = (role: string) => {
      const url = new URL(server.url);
      url.username = role;
      return url.href;
    };
    const config = loadConfig({ DATABASE_URL: as('narrow'), ...SECRET });
    const few = await useStore(as('narrow'), { connections: 2 }, (store) => serverFindings(store, config, Date.now, 1));
    expect(told(few, 'database certificate')).toEqual([
      'unknown',
      expect.stringMatching(/^could not be completed: too many connections for role "narrow"; raise max_connections/),
    ]);
    expect(told(few, 'shards')![0]).toBe('ok');

    const all = await findings({ DATABASE_READ_URL: as('strange') });
    expect(told(all, 'replica')).toEqual([
      'warning',
      expect.stringMatching(/not in this engine; the primary serves its reads/),
    ]);
    expect(told(all, 'schema')![0]).toBe('ok');
  });

  it('with a full disk makes the service unready, and the log says where to free space', async () => {
    let log = '';
    const write = (line: string) => {
      log += line;
    };
    const store = await openStore(server.url, { connections: 4 });
    const room = await openBackroom({}, { store, log: createLog('error', { write }) });
    // Raises the error of a full disk on the server.
    const full = sql`do $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`;
    const written = store.write.bind(store);
    store.write = (work) =>
      written(async (tx, onCommit) => {
        await full.execute(tx);
        return work(tx, onCommit);
      });
    const answer = await room.operator('PUT', '/operator/v1/clients/FULL', { name: 'Full', catalogIds: ['1'] });
    expect([answer.status, answer.body.code]).toEqual([503, 'UNAVAILABLE']);
    const { status, body } = await room.call({ method: 'GET', path: '/readyz' });
    expect([status, body.reason]).toEqual([503, 'The disk of the database is full.']);
    expect(log).toContain('The disk of the database is full: free some space on the database server.');
    await room.close();
  });

  it('that is a standby is reported, is rejected at a start, and makes a running service unready', async () => {
    const [{ setting: data }] = (await onServer(`select setting from pg_settings where name = 'data_directory'`)) as [
      Record<string, string>,
    ];
    const store = await openStore(server.url, { connections: 4 });
    const room = await openBackroom({}, { store });
    const ready = async () => {
      const { status, body } = await room.call({ method: 'GET', path: '/readyz' });
      return [status, body.reason];
    };
    expect(await ready()).toEqual([200, undefined]);
    await server.stop();
    writeFileSync(join(data!, 'standby.signal'), '');
    chownSync(join(data!, 'standby.signal'), statSync(data!).uid, statSync(data!).gid);
    await server.startAgain();
    await expect.poll(ready).toEqual([503, expect.stringContaining('DATABASE_URL leads to a standby')]);
    const all = await findings();
    expect(told(all, 'primary')).toEqual([
      'error',
      'the server is a standby, which accepts no writes; point DATABASE_URL to the primary; a replica belongs in DATABASE_READ_URL',
    ]);
    // If DATABASE_READ_URL names this standby too, the standby passes the check `replica`, because it has no lag.
    const config = loadConfig({ DATABASE_URL: server.url, DATABASE_READ_URL: server.url, ...SECRET, MIGRATE: 'auto' });
    expect(told(await serverFindings(store, config, Date.now, 1), 'replica')![0]).toBe('ok');
    await expect(upgradeAtStart(config, { now: Date.now })).rejects.toThrow('point DATABASE_URL to the primary');
    await room.close();
    await onServer('select pg_promote()');
    await expect.poll(async () => told(await findings(), 'primary')![0]).toBe('ok');
  });

  it('that is read only, or a primary configured as a replica, is reported', async () => {
    await onServer('alter role current_user set default_transaction_read_only = on');
    expect(told(await findings(), 'primary')![1]).toMatch(
      /^the database is read only; switch default_transaction_read_only off/,
    );
    await onServer(
      'set default_transaction_read_only = off',
      'alter role current_user reset default_transaction_read_only',
    );
    const replica = told(await findings({ DATABASE_READ_URL: server.url }), 'replica');
    expect(replica).toEqual([
      'warning',
      expect.stringMatching(/^the server is not a standby; set DATABASE_READ_URL to a replica/),
    ]);
    const away = told(await findings({ DATABASE_READ_URL: 'postgres://127.0.0.1:1/none' }), 'replica');
    expect(away).toEqual([
      'warning',
      expect.stringMatching(/^The database cannot be reached: .*; the primary serves its reads/),
    ]);
  });
});

/** Starts a proxy that changes the responses of a PostgreSQL server. */
async function answering(databaseUrl: string, change: (text: string) => string) {
  const { port, hostname } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.pipe(upstream);
    upstream.on('data', (bytes) => client.write(change(bytes.toString('latin1')), 'latin1'));
    upstream.on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => proxy.once('listening', resolve));
  const url = new URL(databaseUrl);
  url.port = String((proxy.address() as { port: number }).port);
  // Deletes the parameter `host`: it names a socket, which would bypass the proxy.
  url.searchParams.delete('host');
  return {
    url: url.href,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => proxy.close(resolve));
    },
  };
}
