/**
 * `npm run proof:town`: a whole operator at work. Many kinds of people act at once, responses are lost, requests are sent
 * again, the service is killed and stopped, and its clock jumps. The judge knows no rule of the service: it compares what
 * the service shows with sums of what it acknowledged. See proof/README.md.
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

/** Acts between two kills. */
const SEASON = 150;
/** A kill falls within this time after the last act of a season, while the others are at work. */
const AT_WORK_MS = 30;
/** The clock jumps ahead at each start; less than a day, so that no order expires. */
const JUMP_MS = 40 * 60_000;
const PAUSED_MS = 300;
/** Pause of people without work. */
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

/** Ends the service while people are at work, or stops it for a moment; afterwards its clock is ahead. */
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
