import type { Command } from 'commander';
import pg from 'pg';
import { type Config, loadConfig } from '../../platform/config.ts';
import type { Parts } from '../../platform/due-kind.ts';
import {
  missingMonths,
  monthStatements,
  nameOf,
  type Partitioning,
  partitioning,
  partsOf,
} from '../../platform/storage/partitions.ts';
import { withoutLimit } from '../../platform/storage/postgres-connection.ts';
import { isPostgres } from '../../platform/storage/url.ts';
import {
  clearLater,
  clearStatement,
  dropPart,
  GONE,
  isOf,
  LOCK_NOT_AVAILABLE,
  makeMonth,
  NOT_ALLOWED,
  type Step,
  stepsOf,
} from '../retention/months.ts';
import { type Installation, operatorCtx, withInstallation } from './installation.ts';
import { Failed, type Io, print, printJson, WrongUsage, wholeFrom } from './io.ts';

/** PostgreSQL's code for a row outside of its partition. */
const CHECK_VIOLATION = '23514';

export function add(program: Command, io: Io): void {
  program
    .command('partitions')
    .description(
      'Partition events by month on PostgreSQL, create the partitions of the next months, drop months past EVENT_DAYS. Prints the statements; --apply runs them.',
    )
    .option('--apply', 'run the statements, also while the service runs')
    .option('--check', 'change nothing; exit with 1 if there is something to do')
    .option(
      '--lock-timeout <seconds>',
      'longest wait of a statement for the table of events, 1 to 600',
      wholeFrom(1, 600),
      5,
    )
    .option('--json', 'print one JSON line')
    .addHelpText('after', '\nExample:\n  backroom partitions --apply')
    .action((options: Options) => run(io, options));
}

interface Options {
  apply?: true;
  check?: true;
  lockTimeout: number;
  json?: true;
}

async function run(io: Io, options: Options): Promise<void> {
  if (options.apply && options.check) throw new WrongUsage('Use either --check, which changes nothing, or --apply.');
  if (!isPostgres(loadConfig(io.env).databaseUrl)) {
    throw new Error(
      'Partitions need PostgreSQL; this database is SQLite, where EVENT_DAYS removes old events row by row.',
    );
  }
  try {
    await withInstallation(io, (installation) => work(io, installation, options));
  } catch (error) {
    throw inWords(error);
  }
}

async function work(io: Io, installation: Installation, options: Options): Promise<void> {
  const { store, config, ports } = installation;
  const now = ports.now();
  const write: Parts['write'] = (job) => store.write((tx) => job(operatorCtx(installation, tx)));
  const isMade = (await store.read(partsOf)).length > 0;
  const read = (): Promise<Step[]> =>
    store.read((db) => stepsOf(db, now, config.eventDays)).catch(ifGone<Promise<Step[]>>(() => read()));
  const steps = await read();
  const statements = isMade ? steps.flatMap(statementsOf) : allOf(now, store.dialect);
  const isApplied = options.apply === true && statements.length > 0;
  // A dropped month can release events of `events_later`, and these a month.
  if (isApplied && isMade)
    for (let due = steps; due.length > 0; due = await read()) await apply(write, due, config, options);
  if (isApplied && !isMade) await partition(config.databaseUrl, partitioning(now, store.dialect), options);
  const parts = await store.read((db) => partsOf(db));
  const names = parts.map(({ name }) => name);
  const made = steps.flatMap((step) => ('month' in step ? [nameOf(step.month)] : []));
  const missing = parts.length === 0 ? [] : missingMonths(parts, now).map(nameOf);
  const blocked = missing.filter((name) => !made.includes(name));
  if (options.json) printJson(io, { applied: isApplied, statements, partitions: names, blocked });
  else
    for (const line of [...linesOf(statements, isApplied, names), ...blocked.map((name) => sentenceOf(name, config))])
      print(io, line);
  if (options.check && statements.length > 0)
    throw new Failed('Partitions must be created or dropped: run backroom partitions --apply.');
}

function linesOf(statements: readonly string[], isApplied: boolean, names: readonly string[]): string[] {
  if (statements.length === 0) return [`There is nothing to do. Partitions: ${names.join(', ')}.`];
  return isApplied ? [`Done. Partitions: ${names.join(', ')}.`] : statements.map((text) => `${text};`);
}

function sentenceOf(name: string, { eventDays }: Config): string {
  const why = 'the clock of a machine was ahead, or the month had no partition in time';
  const until =
    eventDays === undefined
      ? 'Without EVENT_DAYS they remain, and events_later gets all events of this month'
      : 'It is created when EVENT_DAYS has removed them';
  return `${name} cannot be created: events_later has events of this month, because ${why}. ${until}.`;
}

/** Returns the statements that partition events, for psql. */
export function allOf(now: number, engine: { isSharded: boolean }): string[] {
  const { before, exchange } = partitioning(now, engine);
  return [...before, 'begin', ...exchange, 'commit'];
}

function statementsOf(step: Step): string[] {
  if ('clear' in step) return [clearStatement(step.clear)];
  return 'drop' in step ? [`drop table ${step.drop.name}`] : monthStatements(step.month);
}

async function partition(url: string, { before, exchange }: Partitioning, { lockTimeout }: Options): Promise<void> {
  // Building an index can take longer than the statement timeout of the service.
  await withoutLimit(url, async (client) => {
    await client.query('begin');
    await client.query(`set local lock_timeout = '${lockTimeout}s'`);
    // Removes the unfinished parts of an earlier run.
    await removeRemains(client, before);
    await client.query('commit');
    for (const text of before) await client.query(text);
    await client.query('begin');
    await client.query(`set local lock_timeout = '${lockTimeout}s'`);
    for (const text of exchange) await client.query(text);
    await client.query('commit');
  });
}

/** Drops what an interrupted run can leave: an invalid index, and the constraints that `before` adds. */
async function removeRemains(client: pg.Client, before: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = to_regclass('events') and not i.indisvalid`,
  );
  for (const { name } of rows) await client.query(`drop index ${pg.escapeIdentifier(name)}`);
  for (const text of before) {
    const constraint = /add constraint (\w+)/.exec(text)?.[1];
    if (constraint !== undefined) await client.query(`alter table events drop constraint if exists ${constraint}`);
  }
}

async function apply(
  write: Parts['write'],
  steps: readonly Step[],
  { eventDays }: Config,
  { lockTimeout }: Options,
): Promise<void> {
  for (const step of steps) {
    if ('clear' in step) {
      while (await clearLater(write, step.clear, lockTimeout * 1_000));
      continue;
    }
    if ('month' in step) {
      await makeMonth(write, step.month, lockTimeout * 1_000);
      continue;
    }
    const progress = new Map<string, number>();
    let outcome: Awaited<ReturnType<typeof dropPart>>;
    do outcome = await dropPart(write, step.drop, eventDays!, progress, lockTimeout * 1_000).catch(ifGone(() => 0));
    while (outcome === 'MORE');
    if (outcome === 'NEEDED') {
      throw new Error(
        `${step.drop.name} was not dropped, because a webhook or an EDI partner needs its events again, or younger events are before its last one. Run the command later.`,
      );
    }
  }
}

/** Returns a handler of errors that goes on if another process has dropped a month in the meantime. */
function ifGone<T>(goOn: () => T): (error: unknown) => T {
  return (error) => {
    if (!isOf(error, [GONE])) throw error;
    return goOn();
  };
}

/** Replaces known errors of PostgreSQL by errors with a fix. */
function inWords(error: unknown): unknown {
  if (isOf(error, [LOCK_NOT_AVAILABLE])) {
    return new Error(
      'Other transactions used the table of events all the time, so a statement did not run. Run the command again, or with a longer --lock-timeout.',
    );
  }
  if (isOf(error, [NOT_ALLOWED]))
    return new Error('Only the owner of the tables has this permission; run the command with the URL of the owner.');
  if (isOf(error, [CHECK_VIOLATION])) {
    return new Error(
      'Some events have a time in a later month because the clock of a machine was ahead; run the command again in that month.',
    );
  }
  return error;
}
