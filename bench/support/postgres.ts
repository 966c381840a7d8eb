/** A PostgreSQL for the benches: the one of BENCH_POSTGRES_URL (a database that may be filled), else one of our own. */
import { PostgresServer } from '../../scripts/postgres-server.ts';

export interface Postgres {
  url: string;
  remove: () => Promise<void>;
}

/** Undefined, and why, where there is none. */
export async function startPostgres(say: (line: string) => void): Promise<Postgres | undefined> {
  const given = process.env['BENCH_POSTGRES_URL'];
  if (given !== undefined && given !== '') return { url: given, remove: async () => undefined };
  try {
    // As durable as an operator's: what the tests switch off for speed is on here.
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
