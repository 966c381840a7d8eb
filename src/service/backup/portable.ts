/**
 * A backup of PostgreSQL as an SQLite file with the same rows. It needs no program of PostgreSQL. Its content can be
 * verified without a server, and either engine can restore it.
 */
import { chmodSync } from 'node:fs';
import type { Ports } from '../../platform/ports.ts';
import { writeRows } from '../../platform/storage/copy.ts';
import { type Store, useStore } from '../../platform/storage/db.ts';
import { applyMigrations, currentVersion } from '../../platform/storage/migrate.ts';
import { withSnapshot } from '../../platform/storage/postgres-snapshot.ts';
import { type Row, rowsOf, type Sum, Summing, tableNames, tableOf } from '../../platform/storage/sums.ts';
import { type Content, contentOfFile } from './content.ts';
import { differences } from './manifest.ts';

/** Time limit of a batch, long enough for slow disks. */
const BATCH_MS = 60_000;

/**
 * Copies one snapshot to a new SQLite file, then reads the file back.
 * @throws Error if the file differs from the snapshot.
 */
export async function copyPortable(store: Store, to: string, { now }: Pick<Ports, 'now'>): Promise<Content> {
  const schema = await currentVersion(store);
  await applyMigrations(`sqlite:${to}`, { now, upTo: schema });
  chmodSync(to, 0o600);
  const tables = await useStore(`sqlite:${to}`, { readers: 1, jobTimeoutMs: BATCH_MS }, (target) =>
    withSnapshot(store.url, async (_snapshot, stream) => {
      const sums: Record<string, Sum> = {};
      for (const name of tableNames(schema)) {
        const table = await tableOf(store, name);
        const summing = new Summing(table);
        await writeRows(target, table, summed(rowsOf(store, table, stream), summing));
        sums[name] = summing.end();
      }
      return sums;
    }),
  );
  const content = await contentOfFile(to);
  const wrong = differences({ schema, tables }, content);
  if (wrong.length > 0) throw new Error(`The copy differs from the database: ${wrong.join('; ')}.`);
  return content;
}

async function* summed(rows: AsyncIterable<Row>, summing: Summing): AsyncGenerator<Row> {
  for await (const row of rows) {
    summing.add(row);
    yield row;
  }
}
