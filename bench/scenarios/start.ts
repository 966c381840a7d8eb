/** Measures the time from the start of the service to its first response, and its memory when idle and under reads. */
import { join } from 'node:path';
import { filledWithItems, requestText, STORE, setUp } from '../support/data.ts';
import { MAIN, startBackroom, startGenerator } from '../support/processes.ts';
import { productionInstall } from '../support/production.ts';
import { type BenchOptions, below, median, type Scenario, shown } from '../support/scenario.ts';

const START_BAR_MS = 500;
const MEMORY_BAR_MB = 150;

export const start: Scenario = {
  name: 'start',
  async run(options) {
    const url = `sqlite:${join(options.folder, 'start.db')}`;
    await setUp(url);
    const { main } = productionInstall(options.folder);
    const installed: Start[] = [];
    const first: Start[] = [];
    const sources: Start[] = [];
    const cache = (name: string | number) => ({ XDG_CACHE_HOME: join(options.folder, `cache-${name}`) });
    await startOnce(url, main, cache('kept'));
    await startOnce(url, MAIN, cache('kept'));
    for (let round = 0; round < (options.quick ? 1 : 9); round++) {
      installed.push(await startOnce(url, main, cache('kept')));
      first.push(await startOnce(url, main, { NODE_DISABLE_COMPILE_CACHE: '1' }));
      sources.push(await startOnce(url, MAIN, cache('kept')));
    }
    options.say(`  ready after ${installed.map(({ readyMs }) => Math.round(readyMs)).join(' ')} ms`);
    const startNote = (starts: readonly Start[], what: string) =>
      `${what}: from the start of the process to its first response, existing database; fastest ${Math.round(Math.min(...starts.map(({ readyMs }) => readyMs)))} ms; ${Math.round(median(starts.map(({ cpuMs }) => cpuMs)))} ms of CPU`;
    const loaded = await memoryUnderReads(options, main);
    const engine = 'sqlite';
    return [
      below(START_BAR_MS, {
        name: 'cold start',
        engine,
        value: median(installed.map(({ readyMs }) => readyMs)),
        unit: 'ms',
        note: startNote(installed, 'production install'),
      }),
      below(START_BAR_MS, {
        name: 'cold start, nothing kept',
        engine,
        value: median(first.map(({ readyMs }) => readyMs)),
        unit: 'ms',
        note: startNote(first, 'production install, no compiled code of an earlier start'),
      }),
      shown({
        name: 'cold start, sources',
        engine,
        value: median(sources.map(({ readyMs }) => readyMs)),
        unit: 'ms',
        note: startNote(sources, 'a checkout, `npm start`'),
      }),
      below(MEMORY_BAR_MB, {
        name: 'memory, started',
        engine,
        value: median(installed.map(({ idleMb }) => idleMb)),
        unit: 'MB',
        note: 'resident, after the first response; production install',
      }),
      below(MEMORY_BAR_MB, {
        name: 'memory, under reads',
        engine,
        value: loaded.now,
        unit: 'MB',
        note: `resident, after reads of random items by 32 connections; highest ${Math.round(loaded.peak)} MB`,
      }),
    ];
  },
};

interface Start {
  readyMs: number;
  cpuMs: number;
  idleMb: number;
}

async function startOnce(url: string, main: string, env: Record<string, string>): Promise<Start> {
  const service = await startBackroom(url, main, env);
  const start = { readyMs: service.readyMs, cpuMs: service.cpu() * 1000, idleMb: service.memory().now };
  await service.stop();
  return start;
}

async function memoryUnderReads(options: BenchOptions, main: string): Promise<{ now: number; peak: number }> {
  const count = options.quick ? 1_000 : 100_000;
  const { url, credentials } = await filledWithItems(options.folder, count);
  const service = await startBackroom(url, main);
  const generator = startGenerator();
  try {
    const requests = [requestText('GET', `/item-service/stores/${STORE}/items/{key}`, credentials)];
    const keys = { count, skew: 0, seed: 3 };
    await generator.run({ port: service.port, connections: 32, seconds: options.quick ? 0.3 : 5, requests, keys });
    return service.memory();
  } finally {
    await Promise.all([generator.stop(), service.stop()]);
  }
}
