/** Engines of the PostgreSQL family: the service detects missing features at its start and works without them. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { loadConfig } from '../../src/platform/config.ts';
import { openStore, type Store } from '../../src/platform/storage/db.ts';
import { watchStatements } from '../../src/platform/storage/handle.ts';
import { tableNames } from '../../src/platform/storage/sums.ts';
import { takeBackup } from '../../src/service/backup/take.ts';
import { serverFindings } from '../../src/service/cli/doctor-server.ts';
import { loadTown } from '../../src/service/demo/town.ts';
import { migrate } from '../../src/service/migrate.ts';
import { openBackroom } from '../support/backroom.ts';
import { makeDatabase } from '../support/postgres.ts';
import { describePostgresOnly } from '../support/store.ts';
import { townCall } from '../support/town.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  watchStatements(undefined);
  for (const end of ends.splice(0).reverse()) await end();
});

/**
 * Opens a proxy that simulates a server without the column `xmin`. It renames the column in every statement, so that
 * the server itself rejects the statement.
 */
async function withoutRowVersions(databaseUrl: string): Promise<string> {
  const { port, hostname } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    const upstream = connect(Number(port || 5432), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.on('data', (bytes) => upstream.write(bytes.toString('latin1').replaceAll('xmin', 'xnim'), 'latin1'));
    upstream.on('data', (bytes) => client.write(bytes));
    client.on('close', () => upstream.end());
    upstream.on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as { port: number }).port);
  // Deletes the parameter `host`: it names a socket, which would bypass the proxy.
  url.searchParams.delete('host');
  return url.href;
}

async function open(url: string): Promise<Store> {
  const store = await openStore(url, { connections: 4 });
  ends.push(() => store.close());
  return store;
}

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** Adds the row that `create extension citus` adds to `pg_extension`. */
function pretend(url: string): Promise<void> {
  return query(
    url,
    `insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
     values (70000, 'citus', 10, 11, false, '13.2')`,
  );
}

/** Loads the small town into a store and reads twice on the fast path; returns the statements. */
async function workOn(store: Store): Promise<string[]> {
  const texts: string[] = [];
  watchStatements((text) => texts.push(text));
  const { call, clock } = await openBackroom({}, { store });
  const send = townCall(call);
  const { credential } = await loadTown(send, { now: clock.now });
  for (let times = 0; times < 2; times += 1) {
    const answer = await send('GET', '/item-service/stores/TOWN_US/items/21-MUG-WHT', { as: credential });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }
  return texts;
}

describePostgresOnly('a server of the PostgreSQL family', () => {
  it('without transaction ids in its rows is served without the proof that needs them', async () => {
    const url = await makeDatabase('schema');
    const asked = (texts: string[]) => texts.filter((text) => /select .*xmin/.test(text));
    expect(asked(await workOn(await open(await makeDatabase('schema')))).length).toBeGreaterThan(0);
    const store = await open(await withoutRowVersions(url));
    expect(store.provesRows).toBe(false);
    expect(asked(await workOn(store))).toEqual([]);
  });

  it('that distributes tables gets limits that the engine can send to its shards', async () => {
    const url = await makeDatabase('schema');
    await pretend(url);
    const texts = await workOn(await open(url));
    const limited = texts.filter((text) => text.includes('2147483647'));
    expect(limited.length).toBeGreaterThan(5);
    expect(limited.filter((text) => text.includes('(select 2147483647)'))).toEqual([]);
  });

  it('that distributes tables cannot be backed up or migrated, and doctor names a table that is not distributed', async () => {
    const url = await makeDatabase('schema');
    await pretend(url);
    const config = loadConfig({ DATABASE_URL: url, BACKROOM_SECRET: 'ab'.repeat(32) });
    const shards = async () => {
      const all = await serverFindings(await open(url), config, Date.now, 1);
      return all.find(({ check }) => check === 'shards')!;
    };
    expect(await shards()).toMatchObject({ level: 'warning', found: 'the sharding engine spreads none of the tables' });
    // Creates the table of the engine's catalog that doctor queries.
    await query(url, 'create table pg_dist_partition (logicalrelid regclass)');
    const spread = tableNames();
    for (const name of spread.slice(1)) await query(url, `insert into pg_dist_partition values ('${name}')`);
    expect((await shards()).found).toBe(`the sharding engine does not spread ${spread[0]}`);
    await query(url, `insert into pg_dist_partition values ('${spread[0]}')`);
    expect((await shards()).level).toBe('ok');
    const file = join(tmpdir(), `backroom-never-${process.pid}`);
    await expect(takeBackup(await open(url), config, file, { now: Date.now })).rejects.toThrow(
      /^A sharding engine spreads this database over servers, and a dump of it is not consistent\./,
    );
    expect(existsSync(file)).toBe(false);
    expect(await migrate(url, { now: Date.now })).toEqual([]);
    await query(url, 'delete from migrations where number = (select max(number) from migrations)');
    await expect(migrate(url, { now: Date.now })).rejects.toThrow(
      /^A sharding engine spreads the tables.* Nothing was changed\./,
    );
  });
});
