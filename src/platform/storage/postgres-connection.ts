/** Connections to PostgreSQL: their settings, their prepared statements, and whether an error means that one is lost. */

import { createHash } from 'node:crypto';
import type { CompiledQuery, QueryResult } from 'kysely';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import type { StoreOptions } from './store.ts';

// Every integer of the schema is an epoch time, a count or a number of ours: all within the safe integers.
const INT8 = 20;
const NUMERIC = 1700;

const usualParser = pg.types.getTypeParser as (oid: number, format: string) => (text: string) => unknown;

/** How values of the database become JavaScript's: 64-bit integers, counts and sums are numbers. */
export const types = {
  getTypeParser: (oid: number, format?: string) =>
    oid === INT8 || oid === NUMERIC ? Number : usualParser(oid, format ?? 'text'),
} as pg.CustomTypesConfig;

/** Settings of every connection to `url`; times in milliseconds. */
export function postgresSettings(
  url: string,
  options: Pick<StoreOptions, 'lockWaitMs' | 'jobTimeoutMs'> = {},
): pg.ClientConfig {
  const { lockWaitMs = 10_000, jobTimeoutMs = 10_000 } = options;
  return {
    connectionString: url,
    application_name: 'backroom',
    connectionTimeoutMillis: 5_000,
    statement_timeout: jobTimeoutMs,
    lock_timeout: lockWaitMs,
    idle_in_transaction_session_timeout: jobTimeoutMs * 2,
    keepAlive: true,
  };
}

/**
 * Statements kept prepared on one connection. The server never forgets one by itself, so what comes after these is planned
 * anew each time.
 */
const PREPARED = 500;

const NAMES_MAX = 2_000;
const names = new LRUCache<string, string>({ max: NAMES_MAX });
const prepared = new WeakMap<pg.ClientBase, Set<string>>();

/** A prepared statement's name: the hash of its text. Undefined when this connection has enough of them. */
function nameOf(client: pg.ClientBase, text: string): string | undefined {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
    names.set(text, name);
  }
  let own = prepared.get(client);
  if (own === undefined) {
    own = new Set();
    prepared.set(client, own);
  }
  if (!own.has(name)) {
    if (own.size >= PREPARED) return undefined;
    own.add(name);
  }
  return name;
}

/** Runs one statement, prepared once a connection. */
export async function execute<R>(
  client: pg.ClientBase,
  query: Pick<CompiledQuery, 'sql' | 'parameters'>,
): Promise<QueryResult<R>> {
  const name = nameOf(client, query.sql);
  const { rows, rowCount, command } = await client.query<R & pg.QueryResultRow>({
    ...(name !== undefined && { name }),
    text: query.sql,
    values: [...query.parameters],
    types,
  });
  return command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(rowCount ?? 0) };
}

/** As `execute`, for those who count what is on its way. */
export function send<R>(
  client: pg.ClientBase,
  { sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>,
  done: (error: Error | undefined, result?: QueryResult<R>) => void,
): void {
  const name = nameOf(client, sql);
  const query = { ...(name !== undefined && { name }), text: sql, values: [...parameters], types };
  client.query<R & pg.QueryResultRow>(query, (error: Error | null, result) => {
    if (error === null) done(undefined, { rows: result.rows });
    else done(error);
  });
}

/**
 * Whether the error means that the connection is of no use any more: broken, ended by the server, or one to a server that
 * has become read only, so that the next one must look for the new primary.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^(08|57P|25006|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)/.test(code) ||
    /^(Connection terminated|Client has encountered a connection error|Client was closed)/.test(error.message)
  );
}
