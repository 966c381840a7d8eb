/**
 * Reads whether a PostgreSQL server archives its write-ahead log, and when it last did so
 * (docs/how-to/restore-to-a-second.md).
 */
import { sql } from 'kysely';
import type { Store } from '../../platform/storage/db.ts';

export interface Archive {
  isOn: boolean;
  /** Time of the last archived segment. Undefined if no segment was archived yet, or if the last attempt failed. */
  lastAt?: number;
  /** Time of the last attempt, if it failed. */
  failedAt?: number;
}

/**
 * Reads whether the server archives its log. Every role can read `pg_stat_archiver`. `isOn` is also false if the query
 * fails, for example on an engine without that view.
 */
export async function archiveOf(store: Store): Promise<Archive> {
  const { rows } = await store
    .read(
      (db) =>
        sql<{ mode: string; done: number | null; failed: number | null }>`
          select current_setting('archive_mode') as mode, extract(epoch from last_archived_time) * 1000 as done,
            extract(epoch from last_failed_time) * 1000 as failed from pg_stat_archiver`.execute(db),
      { single: true },
    )
    .catch(() => ({ rows: [] }));
  const [found] = rows;
  if (found === undefined || found.mode === 'off') return { isOn: false };
  const { done, failed } = found;
  if (failed !== null && failed > (done ?? 0)) return { isOn: true, failedAt: failed };
  return { isOn: true, ...(done !== null && { lastAt: done }) };
}
