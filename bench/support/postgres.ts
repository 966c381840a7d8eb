/**
 * A PostgreSQL database for the benches: the database at BENCH_POSTGRES_URL, in which the benches write, or a database
 * on a temporary server.
 */
import { PostgresServer } from '../../town/postgres-server.ts';

export interface Postgres {
  url: string;
  remove: () => Promise<void>;
}

/** Returns the database. Without PostgreSQL on this machine, reports the reason with `say` and returns undefined. */
export async function startPostgres(say: (line: string) => void): Promise<Postgres | undefined> {
  const given = process.env['BENCH_POSTGRES_URL'];
  if (given !== undefined && given !== '') return { url: given, remove: async () => undefined };
  try {
    // The server writes as durably as in production. The tests switch off fsync and similar settings for speed.
    const settings = {
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      autovacuum: 'on',
      shared_buffers: '512MB',
    };
    const server = await PostgresServer.start({ settings });
    return { url: server.url, remove: () => server.remove() };
  } catch (error) {
    say(`  skipped: ${(error as Error).message}`);
    return undefined;
  }
}
