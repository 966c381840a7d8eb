/**
 * A Citus coordinator and two Citus workers on the loopback address. The tables of their databases are distributed over
 * the workers.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import pg from 'pg';
import { citusStatements } from '../src/platform/storage/distribute.ts';
import { migrate } from '../src/service/migrate.ts';
import { PostgresServer } from './postgres-server.ts';

const NODES = 3;

/**
 * Returns undefined if the servers find the library of Citus. Otherwise returns the path at which the PostgreSQL
 * servers of this machine expect the library.
 */
export function missingLibrary(): string | undefined {
  const library = `${libraryFolder()}/citus.so`;
  return existsSync(library) ? undefined : library;
}

function libraryFolder(): string {
  try {
    return execFileSync('pg_config', ['--pkglibdir'], { encoding: 'utf8' }).trim();
  } catch {
    return 'no pg_config';
  }
}

export class Cluster {
  readonly #nodes: PostgresServer[];
  #removing: Promise<unknown> | undefined;

  private constructor(nodes: PostgresServer[]) {
    this.#nodes = nodes;
  }

  static async start(): Promise<Cluster> {
    const nodes: PostgresServer[] = [];
    try {
      for (let node = 0; node < NODES; node += 1) nodes.push(await startNode());
      return new Cluster(nodes);
    } catch (error) {
      for (const node of nodes) await node.remove();
      throw error;
    }
  }

  /** Returns the versions of the servers and of Citus. */
  async version(): Promise<string> {
    const [{ url, version }] = this.#nodes as [PostgresServer];
    const [row] = await ask(url, `select default_version as citus from pg_available_extensions where name = 'citus'`);
    return `${version}, Citus ${String(row?.['citus'])}`;
  }

  /** The URLs of the servers, beginning with the coordinator. */
  get urls(): string[] {
    return this.#nodes.map(({ url }) => url);
  }

  /** Creates a database whose tables are distributed. Returns its URL. */
  database(): Promise<string> {
    return spreadDatabase(this.urls, `backroom_citus_${randomBytes(6).toString('hex')}`);
  }

  /** Ends the servers and deletes their data. */
  remove(): Promise<unknown> {
    this.#removing ??= Promise.all(this.#nodes.map((node) => node.remove()));
    return this.#removing;
  }
}

/**
 * Creates a database of this name on every server. The first server is the coordinator; the tables of this program's
 * schema are distributed over the other servers. This takes some seconds. Returns the URL of the database.
 */
export async function spreadDatabase(servers: readonly string[], name: string): Promise<string> {
  const urls: string[] = [];
  for (const server of servers) {
    await ask(server, `create database ${name}`);
    const url = new URL(server);
    url.pathname = `/${name}`;
    await ask(url.href, 'create extension citus');
    urls.push(url.href);
  }
  const [coordinator, ...workers] = urls as [string, ...string[]];
  await ask(coordinator, `select citus_set_coordinator_host('127.0.0.1', ${new URL(coordinator).port})`);
  for (const worker of workers) await ask(coordinator, `select citus_add_node('127.0.0.1', ${new URL(worker).port})`);
  await migrate(coordinator, { now: () => 0 });
  await ask(coordinator, citusStatements());
  return coordinator;
}

function startNode(): Promise<PostgresServer> {
  return PostgresServer.start({
    settings: {
      shared_preload_libraries: 'citus',
      'citus.shard_count': 8,
      'citus.node_conninfo': 'sslmode=prefer',
      'citus.enable_version_checks': 'off',
      max_connections: 300,
      // In each database, Citus runs a background worker that looks for deadlocks between nodes.
      max_worker_processes: 64,
      // Citus uses logical replication to move a client to a separate node.
      wal_level: 'logical',
      output_plugin_libraries: 'pgoutput,citus',
    },
  });
}

export type Row = Record<string, unknown>;

/** Runs a statement and returns its rows. Returns no rows if `text` has several statements. */
export async function ask(url: string, text: string, values?: unknown[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const result = (await client.query(text, values)) as unknown as { rows?: Row[] };
    return result.rows ?? [];
  } finally {
    await client.end();
  }
}
