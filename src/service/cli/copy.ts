import type { Command } from 'commander';
import { type CopiedTable, copyStore } from '../../platform/storage/copy.ts';
import { openStore, type Store, useStore } from '../../platform/storage/db.ts';
import { isMade, pendingMigrations } from '../../platform/storage/migrate.ts';
import { placeOf } from '../../platform/storage/url.ts';
import { countRows } from '../backup/content.ts';
import { migrate } from '../migrate.ts';
import { Failed, type Io, print, printJson, WrongUsage } from './io.ts';

interface Options {
  from: string;
  to: string;
  json?: true;
}

/** Time limit of a batch, long enough for slow disks and distant servers. */
const BATCH_MS = 60_000;

export function add(program: Command, io: Io): void {
  program
    .command('copy')
    .description('Copy an installation to another database, of the same or the other engine. Stop the service first.')
    .requiredOption('--from <url>', 'database to copy: sqlite:PATH or postgres://...')
    .requiredOption(
      '--to <url>',
      'database to fill: a new one, or one that an earlier run of this copy has started to fill',
    )
    .option('--json', 'print one JSON line')
    .addHelpText(
      'after',
      '\nExample:\n  backroom copy --from sqlite:data/backroom.db --to postgres://backroom@db/backroom',
    )
    .action((options: Options) => run(io, options));
}

async function run(io: Io, { from, to, json }: Options): Promise<void> {
  if (placeOf(from) === placeOf(to)) throw new WrongUsage('--from and --to are the same database.');
  if (!(await isMade(from))) throw new Error(`There is no database ${placeOf(from)}.`);
  await mustNotBeOlder(to);
  await migrate(to, { now: io.ports({ logLevel: 'silent' }).now });
  const tables = await withStores(from, to, async (source, target) => {
    if ((await pendingMigrations(source)).length > 0) {
      throw new Error(`${placeOf(from)} belongs to an older program: run backroom migrate on it first.`);
    }
    const onTable = (table: string, copied: number) => io.err.write(`${table}: ${copied} rows written\n`);
    return copyStore(source, target, { signal: io.signal, onTable });
  });
  report(io, tables, json === true);
  if (tables.some((table) => !table.same)) {
    throw new Failed('The databases differ.');
  }
}

/**
 * Rejects a target that has clients and an older schema. The target is probably the wrong database, and after a
 * migration the older program could not open it. Without clients, it can be a new database whose migration was
 * interrupted.
 * @throws Error
 */
async function mustNotBeOlder(to: string): Promise<void> {
  if (!(await isMade(to))) return;
  await useStore(to, { readers: 1, connections: 1 }, async (store) => {
    if ((await pendingMigrations(store)).length === 0) return;
    const { clients = 0 } = await countRows(store, ['clients']);
    if (clients > 0)
      throw new Error(`${placeOf(to)} has data of an older program: copy into a new database. Nothing was changed.`);
  });
}

async function withStores<T>(from: string, to: string, work: (from: Store, to: Store) => Promise<T>): Promise<T> {
  const options = { lockWaitMs: BATCH_MS, jobTimeoutMs: BATCH_MS };
  const source = await openStore(from, options);
  try {
    const target = await openStore(to, options);
    try {
      return await work(source, target);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function report(io: Io, tables: readonly CopiedTable[], json: boolean): void {
  const isSame = tables.every((table) => table.same);
  if (json) {
    printJson(io, { same: isSame, tables });
    return;
  }
  for (const { table, copied, from, to, same } of tables) {
    const words = same ? `same ${from.hash.slice(0, 16)}` : `DIFFERENT: ${from.rows} and ${to.rows} rows`;
    print(io, `${table}: ${to.rows} rows, ${copied} of them copied now, ${words}`);
  }
  print(
    io,
    isSame
      ? 'Both databases have the same content. Serve the new one with the same BACKROOM_SECRET.'
      : 'The databases differ: was the service running? Stop it and copy again.',
  );
}
