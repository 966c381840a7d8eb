/**
 * Upgrades a database to the schema of this program. The upgrade of an SQLite file begins with a backup. Operators back
 * up PostgreSQL themselves, so `serve` does not upgrade PostgreSQL without permission. See docs/operating.md, Upgrade.
 */
import { rm } from 'node:fs/promises';
import type { Config } from '../../platform/config.ts';
import type { Ports } from '../../platform/ports.ts';
import { useStore } from '../../platform/storage/db.ts';
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
import { filesOf, findPresent, findReplaced, noteBackup, type Taken, takeBackup } from '../backup/take.ts';
import { migrate } from '../migrate.ts';

const ONE = { readers: 1, connections: 1 };

/** The result of an upgrade. */
export interface Upgraded {
  applied: Migration[];
  /**
   * The backup that was taken before the upgrade. Absent for a new or current database, for PostgreSQL, and with
   * `backup: false`.
   */
  backup?: Taken;
  /** Whether a newer program has migrated the database. This program serves such a database without a change. */
  isNewer?: true;
}

/** Applies missing migrations. With `backup: false`, no backup is taken. `force` is passed to `applyMigrations`. */
async function upgrade(
  config: Config,
  ports: Pick<Ports, 'now'>,
  { backup = true, force = false } = {},
): Promise<Upgraded> {
  const url = config.databaseUrl;
  const before = backup && !isPostgres(url) ? await backUpOlder(config, ports) : undefined;
  try {
    const applied = await migrate(url, { now: ports.now, force });
    return { applied, ...(before && { backup: before.taken }) };
  } finally {
    // The upgrade ends with its own error, also if the backup remains.
    if (before !== undefined) await settle(url, before).catch(() => undefined);
  }
}

/**
 * Like `upgrade`, for `backroom migrate`. No process can serve an SQLite file during its upgrade.
 * @throws Error with the fix if a process serves an SQLite file of an older release.
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
 * Like `upgrade`, for the start of the service. A database that a newer program has migrated is served unchanged if
 * this program has every migration that the newer migrations require.
 * @throws Error with the fix if the database is of an older release and MIGRATE is `manual`.
 */
export async function upgradeAtStart(config: Config, ports: Pick<Ports, 'now'>): Promise<Upgraded> {
  try {
    if (config.migrate === 'manual') await refuseOlder(config.databaseUrl);
    return await upgrade(config, ports);
  } catch (error) {
    if (!(error instanceof SchemaMismatch && (await useStore(config.databaseUrl, ONE, mayServeNewer)))) throw error;
    return { applied: [], isNewer: true };
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

/** The schema of a database that lacks migrations; undefined for a current or new database. */
async function findOlder(url: string): Promise<{ at: number; needed: number } | undefined> {
  if (!(await isMade(url))) return undefined;
  return useStore(url, ONE, async (store) => {
    const at = await currentVersion(store);
    const pending = await pendingMigrations(store);
    return at === 0 || pending.length === 0 ? undefined : { at, needed: at + pending.length };
  });
}

/** The backup before an upgrade, and the state of the database at this time. */
interface Before {
  taken: Taken;
  schema: number;
  at: number;
  /** Whether an earlier upgrade that did not end has taken the backup. */
  isKept: boolean;
}

async function backUpOlder(config: Config, ports: Pick<Ports, 'now'>): Promise<Before | undefined> {
  const older = await findOlder(config.databaseUrl);
  if (older === undefined) return undefined;
  const schema = older.at;
  const { newest, free } = placesOf(config, `${sqliteFile(config.databaseUrl)}.schema-${schema}`);
  const kept = newest === undefined ? undefined : await findPresent(config, newest).catch(() => undefined);
  const taken = kept ?? (await useStore(config.databaseUrl, ONE, (store) => takeBackup(store, config, free, ports)));
  return { taken, schema, at: ports.now(), isKept: kept !== undefined };
}

/**
 * Removes the backup of an upgrade that has changed nothing: otherwise each start would leave one more copy of the
 * database. Another backup is recorded for the metrics.
 */
async function settle(url: string, { taken, schema, at, isKept }: Before): Promise<void> {
  await useStore(url, ONE, async (store) => {
    if ((await currentVersion(store)) > schema) await noteBackup(store, at);
    else if (!isKept) for (const file of filesOf(taken.file)) await rm(file, { force: true });
  });
}

/**
 * Returns the first free name of `name.backup`, `name.2.backup` and so on, and the last backup before it, if earlier
 * upgrades have left some.
 */
function placesOf(config: Config, name: string): { newest: string | undefined; free: string } {
  let newest: string | undefined;
  let free = `${name}.backup`;
  for (let number = 2; findReplaced(config, free) !== undefined; number++) {
    newest = free;
    free = `${name}.${number}.backup`;
  }
  return { newest, free };
}
