/**
 * The frame of every campaign: command line, engine, seeded randomness, the tally and its bound, the planted control, and
 * the one line that is printed. See README.md for how to write one.
 */
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { PostgresServer } from '../scripts/postgres-server.ts';
import { migrate } from '../src/service/migrate.ts';

export type Engine = 'sqlite' | 'postgres';

/** What a campaign is given, once for the run proper and once, with `planted`, for its control. */
export interface Work {
  engine: Engine;
  seed: number;
  /** How many cases to do. */
  count: number;
  /** Do the same with the campaign's bug planted: the run must then find failures. */
  planted: boolean;
  /** Which of the campaign's bugs is planted, where it has several. */
  bug: string | undefined;
  /** Uniform in [0, 1), the same for the same seed. */
  random: () => number;
  /**
   * URL of a new, migrated database of the engine, or of a copy of another that nobody has open; it is removed when the run
   * has ended.
   */
  database: (like?: string) => Promise<string>;
  /** A new empty folder; it is removed when the run has ended. */
  folder: () => string;
  /** Makes what every run of the campaign needs, such as a loaded town, in the first that asks for it. Its databases last to the end. */
  once: <T>(name: string, make: (work: Lasting) => Promise<T>) => Promise<T>;
  /** Counts a case as done; the control stops when it has found its bug. */
  done: (cases?: number) => void;
  /** Counts a failure; `what` says what was seen, with what is needed to repeat it. */
  fail: (what: string) => void;
  /** A figure for the line that is printed, such as the longest wait; `of` says what it was seen of. */
  figure: (name: string, value: number, of?: string) => void;
  /** True when there is no need to go on: the control has been caught. */
  enough: () => boolean;
  /** A line of progress on stderr. */
  say: (line: string) => void;
}

/** Of a run, what also the campaign as a whole has. */
export type Lasting = Pick<Work, 'engine' | 'seed' | 'database' | 'once'>;

export interface Campaign {
  /** `npm run proof:<name>`. */
  name: string;
  /** What `count` counts, in the plural: 'contests'. */
  unit: string;
  /** Default of --count. */
  count: number;
  /**
   * The planted bug or weakened setting, and how many cases its run may take to be caught. Of several `bugs` each has a run
   * of its own, and each must be caught.
   */
  control: { planted: string; count: number; bugs?: readonly string[] };
  run: (work: Work) => Promise<void>;
}

/** The line that `--json` prints. */
export interface Result {
  campaign: string;
  engine: Engine;
  seed: number;
  /** Cases done. */
  count: number;
  failures: number;
  control: { planted: string; caught: boolean };
  /** Upper bound of the rate of failures at 95 % confidence. */
  bound95: number;
  /** What else was measured. */
  figures?: Record<string, number | string>;
}

export interface Options {
  engine: Engine;
  seed: number;
  count: number;
  say?: (line: string) => void;
}

/** A result with what the failures were, the first `SHOWN` of them. */
export interface Report {
  result: Result;
  examples: readonly string[];
}

const SHOWN = 20;

/** Runs a campaign, then its control. It has passed when it has no failures and the control was caught. */
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

/** Keeps what `once` makes. */
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

/** The databases and folders of one run. */
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

/** The PostgreSQL server that campaigns make their databases on: the one that is named, else one that is gone afterwards. */
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

/** Numbers in [0, 1) from a seed (a 32-bit mixer over a counter). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/**
 * Upper bound of a rate of which `failures` were seen in `count` cases: at 95 % confidence it is not higher. 3/count for
 * none, else the rate at which so few failures would be seen once in twenty times.
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

/** Runs the campaign when its file is the program: reads the command line, prints, sets the exit code. */
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
  if (values.engine !== 'sqlite' && values.engine !== 'postgres') throw new Error('--engine is sqlite or postgres.');
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
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} is a whole number of at most 9 digits.`);
  return Number(text);
}

function inWords(campaign: Campaign, { engine, seed, count, failures, control, bound95 }: Result): string {
  return [
    `${campaign.name} on ${engine}, seed ${seed}: ${count} ${campaign.unit}, ${failures} failures`,
    `at 95 % confidence at most ${bound95.toPrecision(2)} of ${campaign.unit} fail`,
    `control (${control.planted}): ${control.caught ? 'caught' : 'NOT CAUGHT'}`,
  ].join('\n');
}
