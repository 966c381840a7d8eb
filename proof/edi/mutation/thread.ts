/** The thread in which tests run against mutants. `Bench` terminates it if a mutant hangs. */
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { ReadTest } from './shim.ts';

/** The data with which the thread starts. */
export interface ThreadData {
  /** URLs of the test files. */
  tests: readonly string[];
  /** URL of the folder whose modules are loaded again for each static mutant. */
  root: string;
  /** Mutated sources, by URL. */
  sources: Readonly<Record<string, string>>;
}

/** A request to the thread. Without `mutant`, the thread records the mutants that each test reaches. */
export interface Question {
  mutant?: { id: number; isStatic: boolean };
  /** Tests to run, by index; default: all. */
  tests?: readonly number[];
}

/**
 * The response of the thread: the test that failed, if any; the reached mutants and the milliseconds of each test; or
 * an error.
 */
export type Told = { killedBy: string | undefined } | { reached: { ids: number[]; ms: number }[] } | { broken: string };

const { tests: files, root, sources } = workerData as ThreadData;
const SHIM = new URL('./shim.ts', import.meta.url).href;

/**
 * Number of iterations of loops within one test after which the test counts as endless. All tests together need fewer
 * iterations.
 */
const TURNS = 3_000_000;

let active = 0;
let turns = 0;
let seen: Set<number> | undefined;
(globalThis as { $mutant?: (id: number) => boolean }).$mutant = (id) => {
  seen?.add(id);
  return id === active;
};

(globalThis as { $turn?: () => void }).$turn = () => {
  turns += 1;
  if (turns > TURNS) throw new Error('endless');
};

const stripped = new Map<string, string>();

registerHooks({
  resolve(specifier, context, next) {
    const version = /\?v=\d+$/.exec(context.parentURL ?? '')?.[0] ?? '';
    if (specifier === 'vitest') return { url: SHIM + version, shortCircuit: true };
    const found = next(specifier, context);
    const isOurs = found.url.startsWith(root) && !found.url.includes('/node_modules/') && !found.url.includes('?v=');
    return isOurs && version !== '' ? { ...found, url: found.url + version } : found;
  },
  load(url, context, next) {
    const plain = url.replace(/\?v=\d+$/, '');
    if (!plain.startsWith(root) || !plain.endsWith('.ts') || plain.includes('/node_modules/'))
      return next(url, context);
    const source = stripped.get(plain) ?? stripTypeScriptTypes(sources[plain] ?? readFileSync(new URL(plain), 'utf8'));
    stripped.set(plain, source);
    return { format: 'module', source, shortCircuit: true };
  },
});

let version = 0;
let loaded: Promise<readonly ReadTest[]> | undefined;

async function load(): Promise<readonly ReadTest[]> {
  version += 1;
  const query = `?v=${version}`;
  for (const file of files) await import(file + query);
  const { tests } = (await import(SHIM + query)) as { tests: ReadTest[] };
  return tests;
}

async function failing(tests: readonly ReadTest[]): Promise<string | undefined> {
  for (const { name, run } of tests) {
    try {
      turns = 0;
      await run();
    } catch {
      return name;
    }
  }
  return undefined;
}

async function tell({ mutant, tests: wanted }: Question): Promise<Told> {
  if (mutant === undefined) {
    const reached: { ids: number[]; ms: number }[] = [];
    loaded ??= load();
    for (const { name, run } of await loaded) {
      seen = new Set();
      turns = 0;
      const began = performance.now();
      try {
        await run();
      } catch (error) {
        return { broken: `${name}: ${error instanceof Error ? error.message : String(error)}` };
      }
      reached.push({ ids: [...seen], ms: performance.now() - began });
    }
    seen = undefined;
    return { reached };
  }
  if (!mutant.isStatic) {
    loaded ??= load();
    const all = await loaded;
    active = mutant.id;
    return { killedBy: await failing((wanted ?? all.keys().toArray()).map((at) => all[at]!)) };
  }
  active = mutant.id;
  let all: readonly ReadTest[];
  try {
    all = await load();
  } catch {
    return { killedBy: 'the program does not load' };
  }
  return { killedBy: await failing(all) };
}

parentPort!.on('message', (question: Question) => {
  tell(question).then(
    (told) => {
      active = 0;
      parentPort!.postMessage(told);
    },
    (error: unknown) => parentPort!.postMessage({ broken: String(error) }),
  );
});
