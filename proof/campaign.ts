/**
 * The common parts of all campaigns: command line, engine, seeded random numbers, counts of cases and failures, the
 * planted control, and the line of output. proof/README.md explains how to write a campaign.
 */
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { migrate } from '../src/service/migrate.ts';
import { PostgresServer } from '../town/postgres-server.ts';
import { randomOf } from '../town/random.ts';

export type Engine = 'sqlite' | 'postgres';

/** The context of a run. A campaign runs once without a bug, and once for each planted bug of its control. */
export interface Work {
  engine: Engine;
  seed: number;
  /** Number of cases. */
  count: number;
  /** True in a run of the control. The bug of the campaign is planted, and the run must find failures. */
  planted: boolean;
  /** The bug that this run plants; undefined in the run without a bug. */
  bug: string | undefined;
  /** Returns a random number in [0, 1). The same seed gives the same numbers. */
  random: () => number;
  /**
   * Returns the URL of a new, migrated database of the engine. With `like`, the new database is a copy of that
   * database, which must have no open connection. The database is removed at the end of the run.
   */
  database: (like?: string) => Promise<string>;
  /** Creates an empty folder, which is removed at the end of the run. */
  folder: () => string;
  /**
   * Returns data that all runs of the campaign share, such as a loaded town. The first call creates the data. Its
   * databases exist until the end of the campaign.
   */
  once: <T>(name: string, make: (work: Lasting) => Promise<T>) => Promise<T>;
  /** Adds `cases` to the number of cases done; the default is 1. */
  done: (cases?: number) => void;
  /** Counts a failure. `what` describes the failure and has the data to reproduce it. */
  fail: (what: string) => void;
  /** Adds a figure to the line of `--json`, such as the longest wait. `of` names the case that had this value. */
  figure: (name: string, value: number, of?: string) => void;
  /** True in a control that has found its bug, so that the run can stop. */
  enough: () => boolean;
  /** Prints a line of progress to stderr. */
  say: (line: string) => void;
}

/** The parts of `Work` that are the same in all runs of the campaign. */
export type Lasting = Pick<Work, 'engine' | 'seed' | 'database' | 'once'>;

export interface Campaign {
  /** `npm run proof:<name>`. */
  name: string;
  /** The unit of `count`, in the plural: 'contests'. */
  unit: string;
  /** Default of --count. */
  count: number;
  /**
   * The planted bug or weakened setting, and the number of cases in which its run must find a failure. With several
   * `bugs`, each bug has a separate run and must be found.
   */
  control: { planted: string; count: number; bugs?: readonly string[] };
  run: (work: Work) => Promise<void>;
}

/** The line that `--json` prints. */
export interface Result {
  campaign: string;
  engine: Engine;
  seed: number;
  /** Number of cases done. */
  count: number;
  failures: number;
  control: { planted: string; caught: boolean };
  /** Upper bound of the rate of failures at 95 % confidence. */
  bound95: number;
  /** The figures that the campaign added with `figure`. */
  figures?: Record<string, number | string>;
}

export interface Options {
  engine: Engine;
  seed: number;
  count: number;
  say?: (line: string) => void;
}

/** A result with the texts of its first `SHOWN` failures. */
export interface Report {
  result: Result;
  examples: readonly string[];
}

const SHOWN = 20;

/** Runs a campaign, then its control. The campaign passes if it has no failures and finds every planted bug. */
export async function runCampaign(campaign: Campaign, options: Options): Promise<Report> {
  const rooms = new Rooms(options.engine);
  try {
    const { engine, seed } = options;
    return await runAll(campaign, options, lasting({ engine, seed, database: (like) => rooms.database(like) }));
  } finally {
    await rooms.remove();
  }
}

async function runAll(campaign: Campaign, options: Options, whole: Lasting): Promise<Report> {
  const proper = await runOnce(campaign, options, whole);
  const { planted, count, bugs = [planted] } = campaign.control;
  let isCaught = true;
  for (const bug of bugs) {
    const control = await runOnce(campaign, { ...options, count }, whole, bug);
    options.say?.(`control ${bug}: ${control.examples[0] ?? 'NOT CAUGHT'}`);
    isCaught &&= control.failures > 0;
  }
  const result = {
    campaign: campaign.name,
    engine: options.engine,
    seed: options.seed,
    count: proper.done,
    failures: proper.failures,
    control: { planted, caught: isCaught },
    bound95: upperBound(proper.failures, proper.done),
    ...(Object.keys(proper.figures).length > 0 && { figures: proper.figures }),
  };
  return { result, examples: proper.examples };
}

export function hasPassed({ failures, count, control }: Result): boolean {
  return failures === 0 && count > 0 && control.caught;
}

/**
 * Adds the function `once`. It stores the result of the first call with a name, and returns this result to later calls
 * with the same name.
 */
export function lasting(given: Omit<Lasting, 'once'>): Lasting {
  const made = new Map<string, Promise<unknown>>();
  const work: Lasting = {
    ...given,
    once<T>(name: string, make: (work: Lasting) => Promise<T>) {
      const known = made.get(name) ?? make(work);
      made.set(name, known);
      return known as Promise<T>;
    },
  };
  return work;
}

async function runOnce(campaign: Campaign, options: Options, { once }: Lasting, bug?: string) {
  const planted = bug !== undefined;
  const tally = { done: 0, failures: 0, examples: [] as string[], figures: {} as Record<string, number | string> };
  const rooms = new Rooms(options.engine);
  const say = options.say ?? (() => undefined);
  const started = performance.now();
  let said = started;
  try {
    await campaign.run({
      ...options,
      planted,
      bug,
      random: randomOf(options.seed),
      database: (like) => rooms.database(like),
      folder: () => rooms.folder(),
      once,
      done: (cases = 1) => {
        tally.done += cases;
        if (performance.now() - said < 5_000) return;
        said = performance.now();
        const part = planted ? 'control, ' : '';
        const seconds = Math.round((said - started) / 1000);
        say(`${part}${tally.done} of ${options.count} ${campaign.unit}, ${tally.failures} failures, ${seconds} s`);
      },
      fail: (what) => {
        tally.failures += 1;
        if (tally.examples.length < SHOWN) tally.examples.push(what);
        if (!planted && tally.failures <= SHOWN) say(`failure: ${what}`);
      },
      figure: (name, value, of) => {
        tally.figures[name] = Number(value.toPrecision(3));
        if (of !== undefined) tally.figures[`${name}Of`] = of;
      },
      enough: () => planted && tally.failures > 0,
      say,
    });
  } finally {
    await rooms.remove();
  }
  return tally;
}

/** The databases and folders of a campaign. */
class Rooms {
  readonly #engine: Engine;
  readonly #folder = mkdtempSync(join(tmpdir(), 'backroom-proof-'));
  readonly #databases: string[] = [];
  #count = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  folder(): string {
    return mkdtempSync(join(this.#folder, 'room-'));
  }

  async database(like?: string): Promise<string> {
    const url = this.#engine === 'sqlite' ? this.#file(like) : await this.#database(like);
    if (like === undefined) await migrate(url, { now: () => 0 });
    return url;
  }

  #file(like: string | undefined): string {
    const file = join(this.#folder, `${++this.#count}.db`);
    if (like !== undefined) copyFileSync(like.slice('sqlite:'.length), file);
    return `sqlite:${file}`;
  }

  async #database(like: string | undefined): Promise<string> {
    const name = `backroom_proof_${randomBytes(6).toString('hex')}`;
    const template = like === undefined ? '' : ` template ${new URL(like).pathname.slice(1)}`;
    await administer(`create database ${name}${template}`);
    this.#databases.push(name);
    const url = new URL(await serverUrl());
    url.pathname = `/${name}`;
    return url.href;
  }

  async remove(): Promise<void> {
    for (const name of this.#databases) await administer(`drop database if exists ${name} with (force)`);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

let throwAway: Promise<PostgresServer> | undefined;

/**
 * Returns the URL of the PostgreSQL server for the databases of campaigns: the configured server, or a temporary one if
 * no server is configured.
 */
async function serverUrl(): Promise<string> {
  const named = process.env['PROOF_DATABASE_URL'] ?? process.env['TEST_DATABASE_URL'];
  if (named !== undefined && named !== '') return named;
  throwAway ??= PostgresServer.start();
  return (await throwAway).url;
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: await serverUrl() });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Returns the upper bound of the rate of failures at 95 % confidence, for `failures` in `count` cases. Without failures
 * it is 3/count. Otherwise it is the rate at which only one run in twenty has at most this many failures.
 */
export function upperBound(failures: number, count: number): number {
  if (count === 0 || failures >= count) return 1;
  if (failures === 0) return Number(Math.min(1, 3 / count).toPrecision(3));
  let low = failures / count;
  let high = 1;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (chanceOfAtMost(failures, count, middle) > 0.05) low = middle;
    else high = middle;
  }
  return Number(high.toPrecision(3));
}

function chanceOfAtMost(most: number, count: number, rate: number): number {
  let term = count * Math.log1p(-rate);
  let sum = Math.exp(term);
  for (let k = 1; k <= most; k += 1) {
    term += Math.log((count - k + 1) / k) + Math.log(rate) - Math.log1p(-rate);
    sum += Math.exp(term);
  }
  return sum;
}

/**
 * Runs the campaign if its file was started as the program: reads the command line, prints the result and sets the exit
 * code.
 */
export async function main(campaign: Campaign, moduleUrl: string): Promise<void> {
  if (process.argv[1] === undefined || pathToFileURL(process.argv[1]).href !== moduleUrl) return;
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      count: { type: 'string', default: String(campaign.count) },
      engine: { type: 'string', default: 'sqlite' },
      json: { type: 'boolean', default: false },
    },
  });
  const seed = wholeNumber('--seed', values.seed);
  const count = wholeNumber('--count', values.count);
  if (values.engine !== 'sqlite' && values.engine !== 'postgres')
    throw new Error('--engine must be sqlite or postgres.');
  const say = (line: string) => process.stderr.write(`${campaign.name}: ${line}\n`);
  try {
    const { result } = await runCampaign(campaign, { engine: values.engine, seed, count, say });
    process.stdout.write(`${values.json ? JSON.stringify(result) : inWords(campaign, result)}\n`);
    process.exitCode = hasPassed(result) ? 0 : 1;
  } finally {
    await (await throwAway)?.remove();
  }
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} must be a whole number of at most 9 digits.`);
  return Number(text);
}

function inWords(campaign: Campaign, { engine, seed, count, failures, control, bound95 }: Result): string {
  return [
    `${campaign.name} on ${engine}, seed ${seed}: ${count} ${campaign.unit}, ${failures} failures`,
    `at 95 % confidence at most ${bound95.toPrecision(2)} of ${campaign.unit} fail`,
    `control (${control.planted}): ${control.caught ? 'caught' : 'NOT CAUGHT'}`,
  ].join('\n');
}
