/** Creates databases with the nodes, stores and items of the small town. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { loadConfig } from '../src/platform/config.ts';
import { systemPorts } from '../src/platform/ports.ts';
import { openStore } from '../src/platform/storage/db.ts';
import { harbourStreet, loadTown } from '../src/service/demo/town.ts';
import { migrate } from '../src/service/migrate.ts';
import { createServer } from '../src/service/server.ts';
import { clientHeaders, townCall } from './call.ts';
import { inject } from './in-process.ts';
import { OPERATOR_KEY, SECRET } from './service-process.ts';

/** Headers of the town's client. */
export type Credential = Record<string, string>;

const NODES = '/operator/v1/clients/TOWN/nodes';

interface LoadedTown {
  /** The bytes of the closed SQLite database. */
  file: Buffer;
  credential: Credential;
}

let loadedTown: Promise<LoadedTown> | undefined;

/**
 * Creates a town on the database and returns the credential of the client TOWN. The store puts declined items on hold
 * until they are released; store and warehouse keep stock. A new SQLite file is a copy of a town that is loaded once
 * per process.
 */
export async function makeTown(url: string): Promise<Credential> {
  if (!url.startsWith('sqlite:') || existsSync(fileOf(url))) return load(url);
  loadedTown ??= loadAside();
  const { file, credential } = await loadedTown;
  // The file is flushed, so that a power cut cannot remove the copy.
  writeFileSync(fileOf(url), file, { mode: 0o600, flush: true });
  return credential;
}

async function loadAside(): Promise<LoadedTown> {
  const folder = mkdtempSync(join(tmpdir(), 'backroom-proof-town-'));
  try {
    const file = join(folder, 'town.db');
    const credential = await load(`sqlite:${file}`);
    return { file: readFileSync(file), credential };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function load(url: string): Promise<Credential> {
  const config = loadConfig({ DATABASE_URL: url, BACKROOM_OPERATOR_KEY: OPERATOR_KEY, BACKROOM_SECRET: SECRET });
  const ports = systemPorts(pino({ level: process.env['PROOF_LOG'] ?? 'silent' }));
  await migrate(url, { now: ports.now });
  const server = await createServer(config, ports, await openStore(url));
  try {
    const call = townCall((request) => inject(server, request), OPERATOR_KEY);
    const town = await loadTown(call, { now: ports.now(), upTo: 'catalog' });
    const nodes = {
      'TOWN-Store001': { ...harbourStreet, declinePolicy: 'HOLD_UNTIL_RELEASED' },
      'TOWN-DC001': (await call('GET', `${NODES}/TOWN-DC001`, { as: 'operator' })).body as object,
    };
    for (const [nodeId, node] of Object.entries(nodes)) {
      const put = await call('PUT', `${NODES}/${nodeId}`, { as: 'operator', body: { ...node, stock: 'KEPT' } });
      if (put.status !== 200) throw new Error(`PUT of node ${nodeId} returned ${put.status}`);
    }
    return clientHeaders(town.credential);
  } finally {
    await server.close();
  }
}

/** Returns the path in an SQLite URL. */
export function fileOf(url: string): string {
  return url.slice('sqlite:'.length);
}

/** Creates an empty database on a PostgreSQL server. Returns its URL. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
