/**
 * `npm run proof:town`: simulates an operator with many kinds of people who act at the same time. Responses are lost,
 * requests are sent again, the service is killed, stopped and paused, and its clock jumps ahead. The checks know no
 * rule of the service: they compare the data that the service returns with sums of the acknowledged writes. See
 * proof/README.md.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../town/free-port.ts';
import { randomOf } from '../town/random.ts';
import { ServiceProcess } from '../town/service-process.ts';
import { makeTown } from '../town/small-town.ts';
import { type Campaign, main, type Work } from './campaign.ts';
import { Books } from './town/books.ts';
import { People } from './town/people.ts';
import { LIES, Wire } from './town/wire.ts';

/** Number of acts between two disturbances. */
const SEASON = 150;
/**
 * A disturbance happens within this time after the last of `SEASON` acts. Other people are then still finishing their
 * last act.
 */
const AT_WORK_MS = 30;
/**
 * The clock jumps ahead by this time at each start. The time is short compared with the days after which an order
 * expires.
 */
const JUMP_MS = 40 * 60_000;
const PAUSED_MS = 300;
/** Pause of a person who has no work. */
const IDLE_MS = 5;

export const town: Campaign = {
  name: 'town',
  unit: 'acts',
  count: 3_000,
  control: { planted: 'a wire that lies', count: 120, bugs: LIES },
  run: live,
};

async function live(work: Work): Promise<void> {
  const url = work.engine === 'sqlite' ? `sqlite:${join(work.folder(), 'town.db')}` : await work.database();
  const credential = await makeTown(url);
  const port = await freePort();
  const start = (starts: number) =>
    ServiceProcess.start({ databaseUrl: url, port, planted: { aheadMs: starts * JUMP_MS } });
  let service = await start(0);
  const books = new Books();
  const wire = new Wire({
    credential,
    random: randomOf(work.seed * 7 + 1),
    lie: work.bug,
    base: () => service.base,
    fail: work.fail,
  });
  const people = new People({ wire, books, random: work.random, credential, name: `t${work.seed}` });
  try {
    await people.begin();
    let acts = 0;
    for (let season = 1; acts < work.count; season += 1) {
      const until = Math.min(work.count, acts + SEASON);
      const working = people.kinds.flatMap(([, count, act]) =>
        Array.from({ length: count }, async () => {
          while (acts < until) {
            if (await act()) acts += 1;
            else await sleep(IDLE_MS);
          }
        }),
      );
      const isOver = Promise.all(working);
      while (acts < until) await sleep(1);
      await sleep(work.random() * AT_WORK_MS);
      service = await disturbed(service, () => start(season), season);
      await isOver;
      for (const fault of await people.judge()) work.fail(`season ${season}: ${fault}`);
      if (work.enough()) return;
    }
    work.done(acts);
    for (const [name, value] of Object.entries(wire.counts)) if (!work.planted) work.figure(name, value);
  } finally {
    await service.kill();
  }
}

/**
 * Kills or stops the service while people act and starts it again with its clock ahead, or pauses the service for a
 * moment.
 */
async function disturbed(
  service: ServiceProcess,
  start: () => Promise<ServiceProcess>,
  season: number,
): Promise<ServiceProcess> {
  if (season % 3 === 0) {
    service.signal('SIGSTOP');
    await sleep(PAUSED_MS);
    service.signal('SIGCONT');
    return service;
  }
  if (season % 3 === 1) await service.kill();
  else await service.stop();
  return start();
}

await main(town, import.meta.url);
