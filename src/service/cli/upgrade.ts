/**
 * Brings a database to this program's schema. A SQLite file of an older release is backed up first, so that the way back
 * is always there; a PostgreSQL database is backed up by its operator, so `serve` asks before it changes one.
 * See docs/operating.md, Upgrade.
 */
import { existsSync } from 'node:fs';
import type { Config } from '../../platform/config.ts';
import type { Ports } from '../../platform/ports.ts';
import { openStore } from '../../platform/storage/db.ts';
import {
  currentVersion,
  isMade,
  mayServeNewer,
  pendingMigrations,
  SchemaMismatch,
} from '../../platform/storage/migrate.ts';
import type { Migration } from '../../platform/storage/migration.ts';
import { takeServing } from '../../platform/storage/serving.ts';
import { isPostgres, sqliteFile } from '../../platform/storage/url.ts';
import { migrate } from '../migrate.ts';
import { type Taken, takeBackup } from './take-backup.ts';

/** What an upgrade did. */
export interface Upgraded {
  applied: Migration[];
  /** The backup that was taken before; none for a new database, one that is up to date, or PostgreSQL. */
  backup?: Taken;
  /** A newer program has migrated the database, and this one serves it as it is. */
  isNewer?: true;
}

/** Applies missing migrations; `backup: false` leaves the backup out, `force` is that of `applyMigrations`. */
async function upgrade(
  config: Config,
  ports: Pick<Ports, 'now'>,
  { backup = true, force = false } = {},
): Promise<Upgraded> {
  const taken = backup && !isPostgres(config.databaseUrl) ? await backUpOlder(config, ports) : undefined;
  const applied = await migrate(config.databaseUrl, { now: ports.now, force });
  return { applied, ...(taken && { backup: taken }) };
}

/**
 * As `upgrade`, while nothing serves the database.
 * @throws Error with what to do, when an SQLite file of an older release is being served.
 */
export async function upgradeByHand(
  config: Config,
  ports: Pick<Ports, 'now'>,
  options: { backup: boolean; force: boolean },
): Promise<Upgraded> {
  const isOlder = !isPostgres(config.databaseUrl) && (await findOlder(config.databaseUrl)) !== undefined;
  const giveBack = isOlder ? takeServing(config.databaseUrl, STOP_FIRST) : () => undefined;
  try {
    return await upgrade(config, ports, options);
  } finally {
    giveBack();
  }
}

const STOP_FIRST = 'Stop the service, run backroom migrate again, and start the new version. Nothing was changed.';

/**
 * As `upgrade`, for a start of the service. A database that a newer program has migrated is served as it is where its migrations
 * only add.
 * @throws Error with what to do, when the database is of an older release and MIGRATE says that a start must not change it.
 */
export async function upgradeAtStart(config: Config, ports: Pick<Ports, 'now'>): Promise<Upgraded> {
  try {
    if (config.migrate === 'manual') await refuseOlder(config.databaseUrl);
    return await upgrade(config, ports);
  } catch (error) {
    if (!(error instanceof SchemaMismatch && (await isServedBeside(config.databaseUrl)))) throw error;
    return { applied: [], isNewer: true };
  }
}

async function isServedBeside(url: string): Promise<boolean> {
  const store = await openStore(url, { readers: 1, connections: 1 });
  try {
    return await mayServeNewer(store);
  } finally {
    await store.close();
  }
}

async function refuseOlder(url: string): Promise<void> {
  const older = await findOlder(url);
  if (older === undefined) return;
  const backup = isPostgres(url) ? 'Back it up (pg_dump)' : 'Stop the older program';
  throw new Error(
    `The database is at migration ${older.at}, this program needs ${older.needed}. ${backup}, then run backroom migrate, or set MIGRATE=auto.`,
  );
}

/** The schema of a database that lacks migrations; undefined for one that is up to date or not made yet. */
async function findOlder(url: string): Promise<{ at: number; needed: number } | undefined> {
  if (!(await isMade(url))) return undefined;
  const store = await openStore(url, { readers: 1, connections: 1 });
  try {
    const at = await currentVersion(store);
    const pending = await pendingMigrations(store);
    return at === 0 || pending.length === 0 ? undefined : { at, needed: at + pending.length };
  } finally {
    await store.close();
  }
}

async function backUpOlder(config: Config, ports: Pick<Ports, 'now'>): Promise<Taken | undefined> {
  const older = await findOlder(config.databaseUrl);
  if (older === undefined) return undefined;
  const store = await openStore(config.databaseUrl, { readers: 1 });
  try {
    return await takeBackup(store, config, freeName(`${sqliteFile(config.databaseUrl)}.schema-${older.at}`), ports);
  } finally {
    await store.close();
  }
}

/** `name.backup`, or with a number where an earlier upgrade left one. */
function freeName(name: string): string {
  let file = `${name}.backup`;
  for (let number = 2; existsSync(file); number++) file = `${name}.${number}.backup`;
  return file;
}
