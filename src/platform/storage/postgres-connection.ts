/** Connections to PostgreSQL: their settings, their prepared statements, and their errors. */

import { createHash } from 'node:crypto';
import type { ConnectionOptions } from 'node:tls';
import type { CompiledQuery, QueryResult } from 'kysely';
import pg from 'pg';
import { lru } from '../lru.ts';
import { asError, unavailable } from './errors.ts';
import { ownSchema } from './migration.ts';
import type { StoreOptions } from './store.ts';

// Every integer of the schema is a time, a count or a number that the service assigns, so it is a safe integer in
// JavaScript.
const INT8 = 20;
const NUMERIC = 1700;

const usualParser = pg.types.getTypeParser as (oid: number, format: string) => (text: string) => unknown;

/** Parsers of database values: 64-bit integers, counts and sums become numbers. */
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
    // A migration finds the connected programs by this name (docs/decisions/330).
    application_name: `backroom/${ownSchema()}`,
    connectionTimeoutMillis: 5_000,
    statement_timeout: jobTimeoutMs,
    lock_timeout: lockWaitMs,
    idle_in_transaction_session_timeout: jobTimeoutMs * 2,
    keepAlive: true,
  };
}

/** Host, port, user, password, database and TLS that the driver reads from a URL and the environment. */
export function connectionOf(url: string) {
  const client = new pg.Client({ connectionString: url });
  const { host, port, user, password, database } = client;
  // The types of the driver know only a boolean here.
  const ssl = client.ssl as boolean | ConnectionOptions;
  return { host, port, user, password, database, ssl };
}

/**
 * Connects outside of the pool. If the connection breaks between two statements, the next statement fails; without the
 * listener, the error would end the process.
 * @throws StorageUnavailable if the server cannot be reached.
 */
export async function connectAlone(settings: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(settings);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw unreachable(error);
  }
}

/**
 * Removes the time limits for the present transaction. The setting 0 of the connection is not enough: `pg` does not
 * send 0, a pooler ignores the setting, and the role can have limits.
 */
export const WITHOUT_LIMITS = 'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0';

/**
 * The longest timeout of PostgreSQL, 24 days. `pg` does not send 0 (no limit), so with 0 the limit of the role would
 * apply.
 */
const LONGEST_MS = 2_147_483_647;

/**
 * Connects for statements that may take long and cannot run in a transaction. The timeout is a setting of the
 * connection, which a pooler ignores. `set` is no alternative: behind a pooler, it could remove the limit for other
 * clients.
 * @throws StorageUnavailable if the server cannot be reached.
 */
export async function withoutLimit<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectAlone({ ...postgresSettings(url), statement_timeout: LONGEST_MS });
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Maximum number of prepared statements per connection and generation, because the server never drops a prepared
 * statement. Further statements are planned at each execution.
 */
const PREPARED = 500;

const NAMES_MAX = 2_000;
const names = lru<string, string>(NAMES_MAX);
const prepared = new WeakMap<pg.ClientBase, { generation: number; names: Set<string> }>();
/**
 * Part of the name of every prepared statement. After a migration has changed tables, a new generation gives every
 * statement a new name.
 */
let generation = 0;

/**
 * Whether the error means that a statement was prepared before a migration changed its table. From then on, the server
 * rejects the statement under that name on that connection. The statement had no effect.
 */
export function isStalePlan(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '0A000' && error.message.includes('cached plan');
}

/** At the first stale plan of a generation, begins a new generation: every connection prepares its statements again. */
function noteStale(error: unknown, name: string | undefined): void {
  if (name?.startsWith(`${generation}.`) !== true || !isStalePlan(error)) return;
  generation += 1;
  names.clear();
}

/**
 * The name of a prepared statement: generation and hash of its text. Undefined if the connection already has the
 * maximum number of prepared statements.
 */
function nameOf(client: pg.ClientBase, text: string): string | undefined {
  let name = names.get(text);
  if (name === undefined) {
    name = `${generation}.${createHash('sha256').update(text).digest('base64url').slice(0, 32)}`;
    names.set(text, name);
  }
  let own = prepared.get(client);
  if (own?.generation !== generation) {
    own = { generation, names: new Set() };
    prepared.set(client, own);
  }
  if (!own.names.has(name)) {
    if (own.names.size >= PREPARED) return undefined;
    own.names.add(name);
  }
  return name;
}

/** Runs one statement, prepared once per connection. */
export async function execute<R>(
  client: pg.ClientBase,
  query: Pick<CompiledQuery, 'sql' | 'parameters'>,
): Promise<QueryResult<R>> {
  const name = nameOf(client, query.sql);
  const { rows, rowCount, command } = await client
    .query<R & pg.QueryResultRow>({
      ...(name !== undefined && { name }),
      text: query.sql,
      values: [...query.parameters],
      types,
    })
    .catch((error: unknown) => {
      noteStale(error, name);
      throw error;
    });
  return command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(rowCount ?? 0) };
}

/** Like `execute`, with a callback, for callers that count the statements in flight. */
export function send<R>(
  client: pg.ClientBase,
  { sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>,
  done: (error: Error | undefined, result?: QueryResult<R>) => void,
): void {
  const name = nameOf(client, sql);
  const query = { ...(name !== undefined && { name }), text: sql, values: [...parameters], types };
  client.query<R & pg.QueryResultRow>(query, (error: Error | null, result) => {
    if (error === null) {
      done(undefined, { rows: result.rows });
      return;
    }
    noteStale(error, name);
    done(error);
  });
}

/** Fixes for a failed connection, by error code. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    'Renew the certificate of the database server, and check the clock of this machine.',
  ],
  [
    /^(DEPTH_ZERO_)?SELF_SIGNED_CERT|^UNABLE_TO_(VERIFY_LEAF|GET_ISSUER)/,
    'Name the authority that signed the certificate of the database server: sslrootcert=FILE in DATABASE_URL.',
  ],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'Use the name that is in the certificate of the database server in DATABASE_URL.'],
  [/^28/, 'Correct the user and password in DATABASE_URL, or pg_hba.conf of the server.'],
  [/^3D000$/, 'Create the database, or correct its name in DATABASE_URL.'],
  [/^53300$/, 'Raise max_connections of the server, or lower DATABASE_POOL of its clients.'],
  [
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH)$/,
    'Start the server, or correct host and port in DATABASE_URL.',
  ],
];

/** The fix for a failed connection; undefined if `REMEDIES` does not have the error. */
export function remedyOf(error: unknown): string | undefined {
  const { code = '' } = (error ?? {}) as { code?: string };
  return REMEDIES.find(([codes]) => codes.test(code))?.[1];
}

/** The error of a failed connection, with the fix (docs/operating.md#postgresql). */
export function unreachable(error: unknown): Error {
  const { message, code = 'no reason' } = asError(error) as Error & { code?: string };
  const setting = /unsupported startup parameter: (\w+)/.exec(message)?.[1];
  const what =
    setting === undefined
      ? [(message || code).replace(/\.?$/, '.'), remedyOf(error) ?? []].flat().join(' ')
      : `the pooler rejects the setting ${setting}. Add ignore_startup_parameters = statement_timeout, lock_timeout, idle_in_transaction_session_timeout to its configuration, and set the three on the role.`;
  return unavailable(`The database cannot be reached: ${what}`, error);
}

/**
 * Whether the error means that the connection cannot be used any more: it is broken, the server ended it, or the server
 * has become read only. In the last case, the next connection must find the new primary.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^(08|57P|25006|25P03|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)/.test(code) ||
    /^(Connection terminated|Client has encountered a connection error|Client was closed)/.test(error.message)
  );
}
