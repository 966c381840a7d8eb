/** Deletes credentials and operator keys when they have been revoked or expired for KEY_DAYS. */
import { sql } from 'kysely';
import type { DueKind } from '../../platform/due-kind.ts';
import type { Reader, Writer } from '../../platform/storage/db.ts';
import { DAY_MS } from '../../platform/time.ts';

const BATCH = 500;
const LOOK_EVERY_MS = 600_000;
const ENDED = sql<number | null>`coalesce(revoked_at, expires_at)`;

export const keys: DueKind = {
  name: 'keys past their time',
  upkeepEveryMs: LOOK_EVERY_MS,
  due: async (db, now, _limit, { keyDays }) => {
    const oldest = keyDays === undefined ? undefined : await oldestKey(db);
    return oldest === undefined || oldest > now - keyDays! * DAY_MS
      ? []
      : [{ at: now, clientId: '', id: String(oldest) }];
  },
  run: async ({ store, removed, config, ports }) => {
    const upTo = ports.now() - config.keyDays! * DAY_MS;
    const count = await store.write((tx) => purgeOldKeys(tx, upTo));
    removed('keys', count);
    return count > 0;
  },
};

/**
 * Returns the earliest time at which a key ended or will end; undefined if no key has an end. Crosses tenants: ended
 * keys are few (docs/decisions/190).
 */
async function oldestKey(db: Reader): Promise<number | undefined> {
  const { rows } = await sql<{ at: number | null }>`
    select min(at) as at from (
      select min(${ENDED}) as at from credentials union all select min(${ENDED}) as at from operator_keys
    ) as ended`.execute(db);
  return rows[0]?.at ?? undefined;
}

/**
 * Deletes a batch of the keys that ended at or before `upTo`. Returns the number of deleted keys. Crosses tenants, like
 * `oldestKey`.
 */
async function purgeOldKeys(tx: Writer, upTo: number): Promise<number> {
  let count = 0;
  for (const [table, column] of [
    ['credentials', 'credential_id'],
    ['operator_keys', 'key_id'],
  ] as const) {
    const { rows } = await sql<{ client_id: string; id: string }>`
      select client_id, ${sql.ref(column)} as id from ${sql.table(table)} where ${ENDED} <= ${upTo}
      order by ${ENDED} limit ${sql.lit(BATCH)}`.execute(tx);
    for (const { client_id, id } of rows) {
      // The condition keeps a key whose expiry was postponed in the meantime.
      const done = await sql`delete from ${sql.table(table)}
        where client_id = ${client_id} and ${sql.ref(column)} = ${id} and ${ENDED} <= ${upTo}`.execute(tx);
      count += Number(done.numAffectedRows ?? 0n);
    }
  }
  return count;
}
