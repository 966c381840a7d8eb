/** Engines of the PostgreSQL family: what they lack is found at the start, and the service does without it. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { openStore, type Store } from '../../src/platform/storage/db.ts';
import { watchStatements } from '../../src/platform/storage/handle.ts';
import { loadTown } from '../../src/service/demo/town.ts';
import { openBackroom } from '../support/backroom.ts';
import { makeDatabase } from '../support/postgres.ts';
import { describePostgresOnly } from '../support/store.ts';
import { townCall } from '../support/town.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  watchStatements(undefined);
  for (const end of ends.splice(0).reverse()) await end();
});

/** The server as one that has no column `xmin`: what asks for it is refused by the server itself. */
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
  return url.href;
}

async function open(url: string): Promise<Store> {
  const store = await openStore(url, { connections: 4 });
  ends.push(() => store.close());
  return store;
}

/** Loads the small town into a store and reads twice on the fast path; answers the statements. */
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
  it('without numbers of transactions in its rows is served without the proof that rests on them', async () => {
    const url = await makeDatabase('schema');
    const asked = (texts: string[]) => texts.filter((text) => /select .*xmin/.test(text));
    expect(asked(await workOn(await open(await makeDatabase('schema')))).length).toBeGreaterThan(0);
    const store = await open(await withoutRowVersions(url));
    expect(store.provesRows).toBe(false);
    expect(asked(await workOn(store))).toEqual([]);
  });

  it('that distributes tables gets limits that it can send to its shards', async () => {
    const url = await makeDatabase('schema');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    // What `create extension citus` leaves in the catalog.
    await client.query(
      `insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
       values (70000, 'citus', 10, 11, false, '13.2')`,
    );
    await client.end();
    const texts = await workOn(await open(url));
    const limited = texts.filter((text) => text.includes('2147483647'));
    expect(limited.length).toBeGreaterThan(5);
    expect(limited.filter((text) => text.includes('(select 2147483647)'))).toEqual([]);
  });
});
