/** How soon the service answers, and what it holds when it does nothing and under reads. */
import { join } from 'node:path';
import { filledWithItems, requestText, STORE, setUp } from '../support/data.ts';
import { startBackroom, startGenerator } from '../support/processes.ts';
import { productionInstall } from '../support/production.ts';
import { type BenchOptions, below, median, type Scenario } from '../support/scenario.ts';

const START_BAR_MS = 500;
const MEMORY_BAR_MB = 150;

export const start: Scenario = {
  name: 'start',
  async run(options) {
    const url = `sqlite:${join(options.folder, 'start.db')}`;
    await setUp(url);
    const { main } = productionInstall(options.folder);
    const starts: number[] = [];
    const cpu: number[] = [];
    const idle: number[] = [];
    for (let round = 0; round < (options.quick ? 1 : 9); round++) {
      const service = await startBackroom(url, main);
      starts.push(service.readyMs);
      cpu.push(service.cpu() * 1000);
      idle.push(service.memory().now);
      await service.stop();
    }
    options.say(`  ready after ${starts.map((ms) => Math.round(ms)).join(' ')} ms`);
    const loaded = await memoryUnderReads(options, main);
    const engine = 'sqlite';
    return [
      below(START_BAR_MS, {
        name: 'cold start',
        engine,
        value: median(starts),
        unit: 'ms',
        note: `from the start of the process to its first answer, database there; fastest ${Math.round(Math.min(...starts))} ms; ${Math.round(median(cpu))} ms of CPU`,
      }),
      below(MEMORY_BAR_MB, {
        name: 'memory, started',
        engine,
        value: median(idle),
        unit: 'MB',
        note: 'resident, after the first answer; production install',
      }),
      below(MEMORY_BAR_MB, {
        name: 'memory, under reads',
        engine,
        value: loaded,
        unit: 'MB',
        note: 'resident, after reads of random items by 32 connections',
      }),
    ];
  },
};

async function memoryUnderReads(options: BenchOptions, main: string): Promise<number> {
  const count = options.quick ? 1_000 : 100_000;
  const { url, credentials } = await filledWithItems(options.folder, count);
  const service = await startBackroom(url, main);
  const generator = startGenerator();
  try {
    const requests = [requestText('GET', `/item-service/stores/${STORE}/items/{key}`, credentials)];
    const keys = { count, skew: 0, seed: 3 };
    await generator.run({ port: service.port, connections: 32, seconds: options.quick ? 0.3 : 5, requests, keys });
    return service.memory().now;
  } finally {
    await Promise.all([generator.stop(), service.stop()]);
  }
}
