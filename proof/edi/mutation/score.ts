/** Runs the tests of the X12 parser against every mutant of its source, and counts the mutants that no test notices. */
import { globSync, readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { type Mutant, mutate } from './mutate.ts';
import type { Question, ThreadData, Told } from './thread.ts';

/** The files that are mutated. */
const ROOM = 'src/platform/x12/*.ts';
/** The functions of this file run while modules are loaded, and their results are kept. */
const STATIC = 'tables.ts';
/** Tests with examples. Tests with random or large files take too long for each mutant. */
const TESTS = 'test/x12/*.test.ts';
const NOT = /(properties|large)\.test\.ts$/;
const ROOT = new URL('../../../', import.meta.url);

/** A mutant counts as hanging after `PATIENCE_MS` plus `PATIENCE` times the usual time of its tests. */
const PATIENCE = 5;
const PATIENCE_MS = 3_000;
/** Time limit for loading the program on a busy machine. */
const BEGIN_MS = 300_000;
/**
 * Maximum number of loads of the program in one thread. Loaded modules stay in memory, so the thread ends after this
 * number.
 */
const LOADS_A_THREAD = 60;

export interface Outcome {
  mutant: Mutant;
  /** The failed test, or another sign of the mutant, such as a hang; undefined if it survived. */
  killedBy: string | undefined;
}

/** Returns all mutants of the files of `ROOM`, and the mutated sources by URL. */
export function mutantsOfRoom(): { mutants: Mutant[]; sources: Record<string, string> } {
  const mutants: Mutant[] = [];
  const sources: Record<string, string> = {};
  for (const file of globSync(ROOM, { cwd: ROOT }).toSorted()) {
    const url = new URL(file, ROOT);
    const mutated = mutate(file, readFileSync(url, 'utf8'), mutants.length + 1, file.endsWith(STATIC));
    mutants.push(...mutated.mutants);
    sources[url.href] = mutated.source;
  }
  return { mutants, sources };
}

/** A thread with the mutated program and its tests. */
export class Bench {
  readonly #data: ThreadData;
  #worker: Worker | undefined;
  #loads = 0;
  /** The mutants that each test reaches. */
  #reached: { ids: ReadonlySet<number>; ms: number }[] = [];

  /** `leave` matches the names of test files that are left out. */
  constructor(sources: Readonly<Record<string, string>>, leave?: RegExp) {
    const files = globSync(TESTS, { cwd: ROOT })
      .toSorted()
      .filter((file) => !NOT.test(file) && leave?.test(file) !== true);
    this.#data = { tests: files.map((file) => new URL(file, ROOT).href), root: ROOT.href, sources };
  }

  /** Runs all tests without a mutant. @throws Error if one fails. */
  async begin(): Promise<void> {
    const told = await this.#ask({}, BEGIN_MS);
    if (told === undefined || !('reached' in told)) throw new Error(`without a mutant: ${JSON.stringify(told)}`);
    this.#reached = told.reached.map(({ ids, ms }) => ({ ids: new Set(ids), ms }));
  }

  async try({ id, isStatic, ...mutant }: Mutant): Promise<Outcome> {
    const whole = { id, isStatic, ...mutant };
    const reaching = this.#reached.flatMap(({ ids, ms }, at) => (isStatic || ids.has(id) ? [{ at, ms }] : []));
    if (!isStatic && reaching.length === 0) return { mutant: whole, killedBy: undefined };
    const tests = reaching.toSorted((one, other) => one.ms - other.ms).map(({ at }) => at);
    const usual = reaching.reduce((sum, { ms }) => sum + ms, 0);
    const told = await this.#ask({ mutant: { id, isStatic }, tests }, PATIENCE_MS + PATIENCE * usual);
    if (told === undefined) return { mutant: whole, killedBy: 'it hangs or fills the memory' };
    if ('broken' in told) return { mutant: whole, killedBy: told.broken };
    if (!('killedBy' in told)) throw new Error('the thread sent an unexpected message');
    if (isStatic && ++this.#loads % LOADS_A_THREAD === 0) await this.end();
    return { mutant: whole, killedBy: told.killedBy };
  }

  async end(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = undefined;
  }

  /** Sends a question to the thread. Returns undefined if the thread does not respond in time. */
  async #ask(question: Question, withinMs: number): Promise<Told | undefined> {
    const isNew = this.#worker === undefined;
    this.#worker ??= new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: this.#data,
      resourceLimits: { maxOldGenerationSizeMb: 1_500 },
    });
    const worker = this.#worker;
    // A new thread first loads the program, which takes more time.
    const patience = isNew ? withinMs + BEGIN_MS : withinMs;
    const told = await new Promise<Told | undefined>((resolve) => {
      const settle = (value: Told | undefined) => {
        clearTimeout(timer);
        worker.off('message', settle);
        worker.off('error', broken);
        resolve(value);
      };
      const broken = () => settle(undefined);
      const timer = setTimeout(broken, patience);
      worker.on('message', settle);
      worker.on('error', broken);
      worker.postMessage(question);
    });
    if (told === undefined) await this.end();
    return told;
  }
}
