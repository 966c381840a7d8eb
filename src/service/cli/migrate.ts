import type { Command } from 'commander';
import { loadConfig } from '../../platform/config.ts';
import { useStore } from '../../platform/storage/db.ts';
import { isMade, pendingMigrations, readMigrations } from '../../platform/storage/migrate.ts';
import type { Migration } from '../../platform/storage/migration.ts';
import { needed } from '../../platform/storage/rolling.ts';
import { isPostgres } from '../../platform/storage/url.ts';
import { Failed, type Io, print, printJson } from './io.ts';
import { upgradeByHand } from './upgrade.ts';

export function add(program: Command, io: Io): void {
  program
    .command('migrate')
    .description('Migrate the database to the schema of this program; create it if there is none.')
    .option('--check', 'change nothing; exit with 1 if migrations are missing')
    .option('--no-backup', 'take no backup of an older SQLite database (DATABASE.schema-N.backup)')
    .option('--force', 'PostgreSQL: migrate even if a connected older version cannot serve afterwards')
    .option('--json', 'print one JSON line')
    .addHelpText('after', '\nExample:\n  backroom migrate --check')
    .action((options: Options) => (options.check ? check(io, options) : run(io, options)));
}

interface Options {
  check?: true;
  backup: boolean;
  force?: true;
  json?: true;
}

async function run(io: Io, options: Options): Promise<void> {
  const config = loadConfig(io.env);
  const how = { backup: options.backup, force: options.force === true };
  const { applied, backup } = await upgradeByHand(config, io.ports(config), how);
  if (options.json) {
    printJson(io, { applied: applied.map(({ number, name }) => ({ number, name })), backup: backup?.file ?? null });
    return;
  }
  if (backup !== undefined) print(io, `backup ${backup.file}`);
  for (const { number, name } of applied) print(io, `applied ${String(number).padStart(3, '0')}-${name}`);
  if (applied.length === 0) print(io, 'The database is up to date.');
}

async function check(io: Io, options: Pick<Options, 'json'>): Promise<void> {
  const config = loadConfig(io.env);
  const pending = (await isMade(config.databaseUrl))
    ? await useStore(config.databaseUrl, {}, (store) => pendingMigrations(store))
    : readMigrations();
  const how = pending.length === 0 ? null : howToUpgrade(config.databaseUrl, pending);
  if (options.json) printJson(io, { pending: pending.map(({ number, name }) => ({ number, name })), how });
  else if (pending.length === 0) print(io, 'The database is up to date.');
  for (const { number, name } of options.json ? [] : pending)
    print(io, `missing ${String(number).padStart(3, '0')}-${name}`);
  if (how !== null && !options.json) print(io, HOW[how]);
  if (pending.length > 0) throw new Failed('Migrations are missing.');
}

const HOW = {
  rolling: 'Processes of the older version can keep running: migrate, then replace them one after the other.',
  stop: 'Stop every process of the older version before you migrate.',
};

/**
 * Returns `rolling` if processes of the older version can serve during the upgrade, otherwise `stop`. Returns null for
 * a new database.
 */
function howToUpgrade(url: string, missing: readonly Migration[]): keyof typeof HOW | null {
  const knows = missing[0]!.number - 1;
  if (knows === 0) return null;
  return isPostgres(url) && needed(missing.map(({ number }) => number)) <= knows ? 'rolling' : 'stop';
}
