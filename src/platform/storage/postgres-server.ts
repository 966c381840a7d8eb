/**
 * Checks, at the start, that the PostgreSQL server and a pooler in front of it support what the store needs
 * (docs/operating.md#postgresql).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import type pg from 'pg';
import { isUnknownColumn, NotReady } from './errors.ts';
import type { Reader } from './store.ts';

const OLDEST = 150_000;

/** The server or pooler behind the URL cannot be used: what was found, and the fix. */
export class Unfit extends Error {
  override readonly name = 'Unfit';
  readonly part: 'server' | 'pooler';
  readonly found: string;
  readonly fix: string;

  constructor(part: Unfit['part'], found: string, fix: string, options?: ErrorOptions) {
    super(`${found} ${fix}`, options);
    this.part = part;
    this.found = found;
    this.fix = fix;
  }
}

/** @throws Unfit if the server is too old or its database is not in UTF-8. */
export async function mustServe<DB>(db: Reader<DB>): Promise<{ isSharded: boolean }> {
  const { rows } = await db.executeQuery<{ version: string; encoding: string; has_citus: boolean }>(
    CompiledQuery.raw(
      `select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding,
         exists (select 1 from pg_catalog.pg_extension where extname = 'citus') as has_citus`,
    ),
  );
  const { version, encoding, has_citus } = rows[0]!;
  if (Number(version) < OLDEST) {
    const major = Math.floor(Number(version) / 10_000);
    throw new Unfit(
      'server',
      `PostgreSQL 15 or newer is needed; this is ${major}.`,
      'Upgrade the server (pg_upgrade).',
    );
  }
  if (encoding !== 'UTF8') {
    const fix = 'Create it with --encoding UTF8 --template template0, and copy or restore into it.';
    throw new Unfit('server', `The database must be in UTF8; this one is in ${encoding}.`, fix);
  }
  return { isSharded: has_citus };
}

/** @throws NotReady if the server is a standby, or the database is read only. */
export async function mustTakeWrites(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ read_only: string }>(
    `select current_setting('transaction_read_only') as read_only`,
  );
  if (rows[0]?.read_only === 'on') throw new NotReady('read_only');
}

/**
 * Whether rows have the number of the transaction that wrote them (`xmin`): engines with another storage format reject
 * this query.
 */
export async function hasRowVersions<DB>(db: Reader<DB>): Promise<boolean> {
  try {
    await db.executeQuery(CompiledQuery.raw('select xmin::text from pg_catalog.pg_namespace limit 1'));
    return true;
  } catch (error) {
    if (isUnknownColumn(error)) return false;
    throw error;
  }
}

export const LOSES_STATEMENTS =
  'The pooler before the database gives each transaction another connection and loses the prepared statements.';
export const KEEP_STATEMENTS =
  'Use PgBouncer 1.21 or newer with max_prepared_statements = 1000, or pool_mode = session.';

/** Error codes: the prepared statement does not exist, or exists already. */
export const LOST_STATEMENT = /^(26000|42P05)$/;

/** The error of a pooler that loses prepared statements; undefined for every other error. */
export function lostStatement(error: unknown): Unfit | undefined {
  if (!LOST_STATEMENT.test(String((error as { code?: unknown } | null)?.code))) return undefined;
  return new Unfit('pooler', LOSES_STATEMENTS, KEEP_STATEMENTS, { cause: error });
}

/**
 * Time limit of the second client's query while the first client has an open transaction. With a pooler that has only
 * one connection, this query waits, and the probe ends without a result.
 */
const PROBE_MS = 2_000;
/** One round is not enough: on a busy machine, the pooler can give the second client its own connection again. */
const PROBE_ROUNDS = 4;

/**
 * Checks that a pooler keeps prepared statements. Two clients use the server at the same time, so a pooler in
 * transaction mode opens two connections to the server. A statement that the second client has prepared must also work
 * on the server connection that the first client has released.
 * @throws Unfit if the pooler loses the statement.
 */
export async function mustKeepStatements(pool: pg.Pool, randomBytes: (size: number) => Buffer): Promise<void> {
  if (pool.options.max < 2) return;
  const connected = await Promise.allSettled([pool.connect(), pool.connect()]);
  const clients = connected.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const [first, second] = clients;
  if (first === undefined || second === undefined) {
    for (const client of clients) client.release();
    return;
  }
  // A new name for each probe: a connection of the pooler can still have the statement of an earlier probe.
  const name = `backroom_kept_${randomBytes(8).toString('hex')}`;
  const ask = () => second.query({ name, text: 'select 1' });
  const probe = async () => {
    for (let round = 0; round < PROBE_ROUNDS; round += 1) {
      await first.query('begin');
      const isServed = await Promise.race([ask().then(() => true), sleep(PROBE_MS, false, { ref: false })]);
      if (!isServed) return false;
      await first.query('rollback');
      await ask();
    }
    return true;
  };
  let isOver = false;
  try {
    isOver = await probe();
  } catch (error) {
    const lost = lostStatement(error);
    if (lost !== undefined) throw lost;
  } finally {
    // After an abandoned probe, a query may still be waiting for its response, so the connections are closed.
    for (const client of clients) client.release(!isOver);
  }
}
