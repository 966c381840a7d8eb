/** Keeps one snapshot of a PostgreSQL database open for readers in this process and for `pg_dump --snapshot`. */
import Cursor from 'pg-cursor';
import { translated } from './errors.ts';
import { connectAlone, postgresSettings, types, WITHOUT_LIMITS } from './postgres-connection.ts';
import type { Stream } from './sums.ts';

/** Number of rows per fetch. */
const ROWS = 500;

/**
 * Runs `work` with the name of a snapshot and a stream that reads from it, one query at a time. Until `work` ends, the
 * server keeps every row of the snapshot, so vacuum cannot remove rows that are deleted meanwhile.
 * @throws StorageUnavailable if the server cannot be reached or the connection breaks.
 */
export async function withSnapshot<T>(url: string, work: (snapshot: string, stream: Stream) => Promise<T>): Promise<T> {
  const client = await connectAlone(postgresSettings(url));
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(WITHOUT_LIMITS);
    const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id');
    return await work(rows[0]!.id, async function* read<R>(query: { sql: string; parameters: readonly unknown[] }) {
      const cursor = client.query(new Cursor<R>(query.sql, [...query.parameters], { types }));
      try {
        for (;;) {
          const some = await cursor.read(ROWS);
          if (some.length === 0) return;
          yield* some;
        }
      } finally {
        await cursor.close();
      }
    });
  } catch (error) {
    throw translated(error);
  } finally {
    await client.end();
  }
}
