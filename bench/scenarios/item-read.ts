/**
 * Reads items over HTTP, with credentials, metrics and log as in production. The counterpart is a bare route that
 * returns the same string.
 */
import { filledWithItems, requestText, STORE } from '../support/data.ts';
import type { Keys } from '../support/keys.ts';
import { type Generator, type Service, startBackroom, startBare, startGenerator } from '../support/processes.ts';
import { atLeast, type BenchOptions, interleaved, median, type Result, type Scenario } from '../support/scenario.ts';

const CONNECTIONS = 32;

export const itemRead: Scenario = {
  name: 'item-read',
  async run(options) {
    const items = options.quick ? 1_000 : 100_000;
    const { url, credentials, doc } = await filledWithItems(options.folder, items);
    const ours = await startBackroom(url);
    const bare = await startBare({ BARE_TEXT: doc });
    const generator = startGenerator();
    try {
      const sides = { ours, bare, generator, credentials };
      const zipf = await measure(options, sides, { count: items, skew: 1, seed: 1 });
      const uniform = await measure(options, sides, { count: items, skew: 0, seed: 2 });
      const what = `against a bare Fastify route that returns the same ${doc.length} characters; ${items} items`;
      return [result('item read, Zipf 1.0', 0.5, zipf, what), result('item read, uniform', 0.33, uniform, what)];
    } finally {
      await Promise.all([generator.stop(), ours.stop(), bare.stop()]);
    }
  },
};

interface Sides {
  ours: Service;
  bare: Service;
  generator: Generator;
  credentials: Record<string, string>;
}

interface Measures {
  /** Responses per CPU second of the server process. */
  value: number;
  counterpart: number;
  ratio: number;
  /** Wall-clock figures for the report: requests per second, ratio, p99. */
  note: string;
}

function result(name: string, bar: number, measures: Measures, what: string): Result {
  const { value, counterpart, ratio, note } = measures;
  return atLeast(bar, {
    name,
    engine: 'sqlite',
    value,
    unit: 'req/s',
    counterpart,
    ratio,
    note: `${what}; ${note}`,
  });
}

/**
 * Sends requests before the measurement, until Node has compiled the code that runs often. After 20,000 requests, a
 * request costs a third of what it costs at the start.
 */
async function warmUp(
  options: BenchOptions,
  generator: Generator,
  services: readonly Service[],
  requests: readonly string[],
  keys: Keys,
): Promise<void> {
  const atLeast = options.quick ? 500 : 40_000;
  for (const { port } of services) {
    await generator.run({ port, connections: CONNECTIONS, seconds: 0.2, atLeast, requests, keys });
  }
}

/**
 * Measures both sides in rounds, with the same keys in the same order. The figures are responses per CPU second of the
 * server process. They therefore do not depend on other load of the machine or on the speed of the generator.
 */
export async function measure(options: BenchOptions, sides: Sides, keys: Keys): Promise<Measures> {
  const { ours, bare, generator, credentials } = sides;
  const path = `/item-service/stores/${STORE}/items/{key}`;
  const requests = [requestText('GET', path, credentials)];
  const seconds = options.quick ? 0.3 : 2;
  const byClock = { ours: [] as number[], bare: [] as number[] };
  const p99: number[] = [];
  const side = (name: 'ours' | 'bare', service: Service) => async () => {
    const before = service.cpu();
    const measured = await generator.run({ port: service.port, connections: CONNECTIONS, seconds, requests, keys });
    if (Object.keys(measured.others).length > 0) throw new Error(`responses were ${JSON.stringify(measured.others)}`);
    byClock[name].push(measured.answered / measured.seconds);
    if (name === 'ours') p99.push(measured.p99);
    return measured.answered / (service.cpu() - before);
  };
  await warmUp(options, generator, [ours, bare], requests, keys);
  const rounds = await interleaved(options.quick ? 1 : 7, side('ours', ours), side('bare', bare));
  const clockRatio = median(byClock.ours.map((answers, round) => answers / byClock.bare[round]!));
  const note = `by the clock ${Math.round(median(byClock.ours))} req/s and a ratio of ${clockRatio.toFixed(2)}, p99 ${median(p99)} us`;
  options.say(
    `  ${Math.round(rounds.value)} against ${Math.round(rounds.counterpart)} req/s of a core, ratios ${rounds.ratios.map((ratio) => ratio.toFixed(2)).join(' ')}; ${note}`,
  );
  return { ...rounds, note };
}
