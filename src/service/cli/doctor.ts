import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { type Config, loadConfig } from '../../platform/config.ts';
import { createSealer, fitSecret, openSecret, otherSecret, type Sealer, secretFile } from '../../platform/secrets.ts';
import { openStore, type Store } from '../../platform/storage/db.ts';
import { currentVersion, isMade, pendingMigrations } from '../../platform/storage/migrate.ts';
import { remedyOf } from '../../platform/storage/postgres-connection.ts';
import { KEEP_STATEMENTS, LOSES_STATEMENTS, LOST_STATEMENT, Unfit } from '../../platform/storage/postgres-server.ts';
import { isPostgres, placeOf, realSqliteFile, sqliteFile } from '../../platform/storage/url.ts';
import { integrityFaults } from '../backup/content.ts';
import { type Looking, namesOf, type Rule } from './doctor-data.ts';
import { type Check, type Finding, finding, fine, sentenceOf, type Trouble } from './doctor-finding.ts';
import { type Look, lookAt, type OnCheck, phrased } from './doctor-look.ts';
import {
  certificateFinding,
  diskFinding,
  looseMode,
  modesFinding,
  plainTextFinding,
  tracesFinding,
} from './doctor-machine.ts';
import { RULES } from './doctor-rules.ts';
import { schemaFaults } from './doctor-schema.ts';
import { backupsFinding, eventFindings, importsFinding, webhooksFinding } from './doctor-work.ts';
import { Failed, type Io, print, printJson } from './io.ts';

/** Time limit of a statement: checks read whole tables, and some take a minute with ten million orders. */
const LOOK_MS = 3_600_000;

/** Exit code when a check could not be completed. */
const COULD_NOT_LOOK = 3;

export function add(program: Command, io: Io): void {
  program
    .command('doctor')
    .description(
      'Check the database and its surroundings without changes. Exits with 1 on an error, 3 if a check could not be completed.',
    )
    .option('--json', 'print one JSON line')
    .addHelpText('after', '\nExample:\n  backroom doctor')
    .action((options: { json?: true }) => run(io, options));
}

async function run(io: Io, { json }: { json?: true }): Promise<void> {
  const config = loadConfig(io.env);
  const findings = await examine(config, io.ports(config).now(), showCheck(io));
  if (io.err.isTTY) io.err.write(CLEAR_LINE);
  const errors = findings.filter((found) => !found.ok);
  if (json) printJson(io, { ok: errors.length === 0, findings });
  else for (const found of findings) print(io, `${found.level.padEnd(5)}  ${found.check}: ${sentenceOf(found)}`);
  if (findings.some(({ level }) => level === 'unknown'))
    throw new Failed('Some checks could not be completed.', COULD_NOT_LOOK);
  if (errors.length > 0) throw new Failed(`${errors.length} errors.`);
}

const CLEAR_LINE = '\r\u001b[K';

/** Shows the current check on a terminal. */
function showCheck(io: Io): OnCheck {
  return (check) => {
    if (io.err.isTTY) io.err.write(`${CLEAR_LINE}${check} ...`);
  };
}

/**
 * Runs every check, except checks that an earlier error makes meaningless. Calls `onCheck` before each check of the
 * content.
 */
export async function examine(config: Config, now: number, onCheck: OnCheck = () => {}): Promise<Finding[]> {
  const { databaseUrl } = config;
  let store: Store;
  try {
    if (!(await isMade(databaseUrl))) {
      const fix = 'set DATABASE_URL or run backroom migrate';
      return [finding('database', [{ found: `there is no database at ${placeOf(databaseUrl)}`, fix }], '')];
    }
    store = await openStore(databaseUrl, { readers: 1, connections: 3, jobTimeoutMs: LOOK_MS });
  } catch (error) {
    return [...closedFindings(error), ...(await machineFindings(config, now))];
  }
  try {
    const schema = await schemaFinding(store);
    const file =
      store.engine === 'sqlite'
        ? [faults('file', await integrityFaults(store), 'all pages, references and constraints are correct')]
        : [];
    const isWhole = [schema, ...file].every((found) => found.ok);
    return [
      fine('database', `${placeOf(databaseUrl)} responds`),
      ...(store.engine === 'postgres' ? await fitFindings(store, config) : []),
      schema,
      ...file,
      ...(isWhole ? await contentFindings(store, now, onCheck, await sealerOf(config, store)) : []),
      ...(await machineFindings(config, now)),
      await secretFinding(config, isWhole ? store : undefined),
    ];
  } finally {
    await store.close();
  }
}

/**
 * Returns the findings of the quick checks that are not `ok`. The service logs them when it starts. `processes` is the
 * number of processes that serve together.
 */
export async function startFindings(
  config: Config,
  store: Store,
  now: number,
  processes: number,
  onCheck: OnCheck,
): Promise<Finding[]> {
  const certificate = certificateFinding(config, now);
  const server =
    store.engine === 'postgres'
      ? await (await import('./doctor-server.ts')).serverFindings(store, config, Date.now, processes, onCheck)
      : [await diskFinding(realSqliteFile(store.url))];
  return [certificate, plainTextFinding(config), ...server].filter(({ level }) => level !== 'ok');
}

/** The findings for a database that could not be opened. */
function closedFindings(error: unknown): Finding[] {
  if (error instanceof Unfit) {
    const { part, found, fix } = error;
    return [finding(part, [phrased(found, fix)], '')];
  }
  const { message, code = '' } = error as Error & { code?: string };
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
    return [finding('file', [{ found: `it is damaged, or not a database: ${message}`, fix: 'restore a backup' }], '')];
  }
  // A pooler that loses prepared statements fails at the first connection.
  if (LOST_STATEMENT.test(code)) {
    return [finding('pooler', [phrased(LOSES_STATEMENTS, KEEP_STATEMENTS)], '')];
  }
  const pooler = /^The database cannot be reached: (the pooler rejects the setting \w+)\. (Add .*)$/.exec(message);
  if (pooler !== null) return [finding('pooler', [phrased(pooler[1]!, pooler[2]!)], '')];
  const remedy = remedyOf((error as Error).cause);
  const fix = remedy ?? 'correct DATABASE_URL, or the permissions of the user that runs this command';
  const found = remedy === undefined ? message : message.replace(` ${remedy}`, '');
  return [finding('database', [phrased(found, fix)], '', 'unknown')];
}

async function fitFindings(store: Store, config: Config): Promise<Finding[]> {
  const { serverFindings } = await import('./doctor-server.ts');
  return [
    fine('server', 'version and encoding are supported'),
    fine('pooler', 'the connection keeps prepared statements'),
    ...(await serverFindings(store, config, Date.now, 1)),
  ];
}

async function contentFindings(
  store: Store,
  now: number,
  onCheck: OnCheck,
  sealer: Sealer | undefined,
): Promise<Finding[]> {
  const looks: Look[] = [
    ...rulesOf(store, sealer),
    ['imports', async () => [await importsFinding(store, now)]],
    ['events to come', () => eventFindings(store, now)],
    ['webhooks', async () => [await webhooksFinding(store, now)]],
    ['backups', async () => [await backupsFinding(store, now)]],
  ];
  return lookAt(looks, onCheck);
}

/**
 * Returns the findings about this machine. Files and disk are checked only for an SQLite database, because a server has
 * its files elsewhere.
 */
async function machineFindings(config: Config, now: number): Promise<Finding[]> {
  const { databaseUrl } = config;
  const hasFile = !isPostgres(databaseUrl) && existsSync(sqliteFile(databaseUrl));
  const file = hasFile ? realSqliteFile(databaseUrl) : '';
  return [
    ...(hasFile ? [modesFinding(sqliteFile(databaseUrl), file), await diskFinding(file)] : []),
    certificateFinding(config, now),
    plainTextFinding(config),
    await tracesFinding(config),
  ];
}

/** Returns a finding whose errors share one fix. The default fix is to restore a backup. */
function faults(check: Check, errors: readonly string[], well: string, fix = 'restore a backup'): Finding {
  return finding(
    check,
    errors.map((found) => ({ found, fix })),
    well,
  );
}

async function schemaFinding(store: Store): Promise<Finding> {
  try {
    const version = await currentVersion(store);
    const { length } = await pendingMigrations(store);
    if (length > 0) return faults('schema', [`${length} migrations are missing`], '', 'run backroom migrate');
    const well = `the database is at migration ${version}, which this program needs, with all of its tables and indexes`;
    return faults('schema', await schemaFaults(store), well, 'stop the service and restore a backup, or ask for help');
  } catch (error) {
    return faults('schema', [(error as Error).message], '', 'see docs/how-to/upgrade.md');
  }
}

// Crosses tenants: the whole installation is examined (docs/decisions/190).
function rulesOf(store: Store, sealer?: Sealer): Look[] {
  return RULES.map((rule) => [
    rule.check,
    async () => [await store.read((db) => ruleFinding(rule, { db, dialect: store.dialect, sealer }))],
  ]);
}

/** Returns the finding of one rule. */
export async function ruleFinding(rule: Rule, looking: Looking): Promise<Finding> {
  const { check, fine: well, broken, fix = 'restore a backup or ask for help' } = rule;
  const found = (await namesOf(broken, looking)).map((what) => `${what} breaks this rule`);
  return faults(check, found, well, fix);
}

/**
 * Returns the sealer with the key of the database. Returns undefined if the key is missing or wrong; the check `secret`
 * reports this.
 */
async function sealerOf(config: Config, store: Store): Promise<Sealer | undefined> {
  if (config.secret === undefined && !existsSync(secretFile(config.databaseUrl))) return undefined;
  try {
    return createSealer(await openSecret(config, store, fitSecret), otherSecret(config));
  } catch {
    return undefined;
  }
}

/** The findings of the data rules alone. */
export async function ruleFindings(store: Store): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [, look] of rulesOf(store)) findings.push(...(await look()));
  return findings;
}

/**
 * Checks that the key of PINs and other secrets exists and is private. If the database is readable, also checks that
 * the key matches the database.
 */
async function secretFinding(config: Config, store: Store | undefined): Promise<Finding> {
  const file = secretFile(config.databaseUrl);
  const isSet = config.secret !== undefined;
  if (!isSet && !existsSync(file)) {
    return faults('secret', [`${file} is missing`], '', 'restore the file, or set BACKROOM_SECRET to its key');
  }
  const open = isSet ? [] : looseMode(file, 0o600);
  const wrong = store === undefined ? [] : await wrongKey(config, store);
  const well = isSet ? 'the key of PINs and other secrets comes from BACKROOM_SECRET' : `${file} is private`;
  return finding('secret', [...wrong, ...open], well);
}

async function wrongKey(config: Config, store: Store): Promise<Trouble[]> {
  try {
    await openSecret(config, store, fitSecret);
    return [];
  } catch (error) {
    return [{ found: (error as Error).message, fix: 'set BACKROOM_SECRET to the key that the database was used with' }];
  }
}
