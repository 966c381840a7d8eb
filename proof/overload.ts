/**
 * `npm run proof:overload` sends three times the load that saturates the service. The service must still send at least
 * 80 % of the timely responses that it reaches at best, and reject the other requests immediately. Each round first
 * measures the best throughput without rejections, then the overload, on the same database. Before the rounds many
 * callers guess passwords, which must not block other callers.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { atRate, inTurn, type Outcome } from '../town/callers.ts';
import { freePort } from '../town/free-port.ts';
import { Requests } from '../town/order-requests.ts';
import { ServiceProcess, send } from '../town/service-process.ts';
import { makeTown } from '../town/small-town.ts';
import { type Campaign, main, type Work } from './campaign.ts';
import { crowd } from './overload/crowd.ts';

/** Milliseconds after which a caller no longer uses the response. */
const PATIENCE_MS = 1_000;
/**
 * Numbers of callers. The better of the two results is the peak, because too few callers do not fill a group of writes,
 * and too many callers wait for each other.
 */
const SATURATING_CALLERS = [16, 64];
const TIMES = 3;
const SHARE = 0.8;
/**
 * Minimum number of requests of each kind during the password guesses. `CROWD` is the name of the planted bug of this
 * part.
 */
const CROWD_TURNS = 40;
const CROWD = 'sign-ins';
/** Connection limit: enough for every caller that waits for its response, with a reserve. */
const CONNECTIONS = 6_000;

/** Limits so high that the service rejects no request. */
const NO_SHEDDING = { MAX_IN_FLIGHT: '100000', MAX_WAIT_MS: '600000' };

export const overload: Campaign = {
  name: 'overload',
  unit: 'rounds',
  count: 5,
  control: {
    planted: 'shedding is off; sign-ins share one line and are not limited',
    count: 1,
    bugs: ['shedding', CROWD],
  },
  run: async (work) => {
    if (work.bug !== 'shedding') await crowd(work, CROWD_TURNS, work.planted);
    if (work.bug === CROWD) {
      work.done();
      return;
    }
    const shares: number[] = [];
    for (let round = 1; round <= work.count; round += 1) {
      shares.push(await oneRound(work, round));
      work.done();
    }
    // The median decides, because other work of the machine may slow a single round down.
    const median = shares.sort((a, b) => a - b)[Math.floor(shares.length / 2)]!;
    work.say(`median ${percent(median)}`);
    if (median < SHARE) work.fail(`goodput fell to ${percent(median)}, the median of ${shares.length} rounds`);
  },
};

/** Returns the share of the best throughput that the service kept. */
async function oneRound(work: Work, round: number): Promise<number> {
  const databaseUrl = await work.database();
  const credential = await makeTown(databaseUrl);
  const requests = new Requests(credential, `r${round}`, work.random);
  const unclear = new Set<string>();
  const plan = {
    next: () => requests.next(),
    seconds: 8,
    warmUp: 3,
    patienceMs: PATIENCE_MS,
    unclear: (what: string) => unclear.add(what.split('\r\n', 1)[0]!),
  };
  const peak = await served(databaseUrl, NO_SHEDDING, async ({ port }) => {
    const outcomes: Outcome[] = [];
    for (const callers of SATURATING_CALLERS) outcomes.push(await inTurn({ ...plan, port }, callers));
    return outcomes.reduce((best, outcome) => (outcome.goodput > best.goodput ? outcome : best));
  });
  return served(databaseUrl, work.planted ? NO_SHEDDING : {}, async ({ port, service }) => {
    const probes = new Probes(service);
    const flooded = await atRate({ ...plan, port }, peak.goodput * TIMES, CONNECTIONS);
    const unwell = await probes.end();
    const share = flooded.goodput / peak.goodput;
    work.say(
      `round ${round}: ${inWords('alone', peak)}; ${inWords(`at ${TIMES} times that`, flooded)}: ${percent(share)}`,
    );
    for (const what of [...unclear, ...unwell]) work.fail(what);
    if (!work.planted) await mustRecover(work, service);
    return share;
  });
}

async function served<T>(
  databaseUrl: string,
  env: Record<string, string>,
  measure: (running: { port: number; service: ServiceProcess }) => Promise<T>,
): Promise<T> {
  const port = await freePort();
  const service = await ServiceProcess.start({ databaseUrl, port, env });
  try {
    return await measure({ port, service });
  } finally {
    await service.stop();
  }
}

function inWords(what: string, { goodput, p99, statuses, connections }: Outcome): string {
  const counts = [...statuses].map(([status, count]) => `${status === 0 ? 'none' : status}: ${count}`).join(', ');
  return `${what} ${Math.round(goodput)}/s in time, p99 ${Math.round(p99)} ms, ${connections} connections (${counts})`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** Requests `/livez` and `/readyz` continuously. */
class Probes {
  readonly #faults = new Set<string>();
  readonly #running: Promise<void>;
  #isOver = false;

  constructor(service: ServiceProcess) {
    this.#running = this.#run(service.base);
  }

  async #run(base: string): Promise<void> {
    while (!this.#isOver) {
      for (const path of ['/livez', '/readyz']) {
        const answer = await send(base, { method: 'GET', path, headers: {} }, { timeoutMs: 5_000 });
        if (answer?.status !== 200) this.#faults.add(`${path} returned ${answer?.status ?? 'nothing'} in the flood`);
      }
      await sleep(200);
    }
  }

  async end(): Promise<ReadonlySet<string>> {
    this.#isOver = true;
    await this.#running;
    return this.#faults;
  }
}

/** Checks that 20 requests succeed a second after the overload. */
async function mustRecover(work: Work, service: ServiceProcess): Promise<void> {
  await sleep(1_000);
  for (let count = 0; count < 20; count += 1) {
    const answer = await send(service.base, { method: 'GET', path: '/version', headers: {} }, { timeoutMs: 5_000 });
    if (answer?.status !== 200) work.fail(`a second after the flood: ${answer?.status ?? 'no response'}`);
  }
}

await main(overload, import.meta.url);
