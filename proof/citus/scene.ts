/** The interface of the scenes of `proof/citus.ts`, and the checks that several scenes make. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/platform/config.ts';
import { examine } from '../../src/service/cli/doctor.ts';
import { ask, type Cluster } from '../../town/citus-cluster.ts';
import { randomOf } from '../../town/random.ts';
import { SECRET } from '../../town/service-process.ts';
import { type Campaign, lasting, type Work } from '../campaign.ts';

export interface Stage {
  cluster: Cluster;
  seed: number;
  /** Size of the scene: for example the number of sequences or contests. */
  count: number;
  /** A folder that is removed at the end of the run. */
  folder: string;
  /** Counts a failure. */
  fail: (what: string) => void;
  say: (line: string) => void;
}

/** Plays a scene on new databases of the cluster. Returns a short summary. */
export type Scene = (stage: Stage) => Promise<string>;

/** Makes a scene that runs a campaign on one distributed database, and then checks that database with doctor. */
export function campaignScene({ unit }: Campaign, run: (work: Work) => Promise<void>): Scene {
  return async (stage) => {
    const { seed, count, fail, folder } = stage;
    const url = await stage.cluster.database();
    let done = 0;
    await run({
      ...lasting({ engine: 'postgres', seed, database: () => Promise.resolve(url) }),
      count,
      planted: false,
      bug: undefined,
      random: randomOf(seed),
      folder: () => mkdtempSync(join(folder, 'room-')),
      done: (cases = 1) => {
        done += cases;
      },
      fail,
      figure: () => undefined,
      enough: () => false,
      say: stage.say,
    });
    // A campaign that ran no case has not passed.
    if (done === 0) fail('Nothing was done.');
    await wellSpread(stage, url);
    return `${done} ${unit}, ${await spreadRows(url)} orders and events on the shards`;
  };
}

/** Returns the number of orders and events. @throws Error if the table of orders has only one shard. */
export async function spreadRows(url: string): Promise<number> {
  const [shards] = await ask(
    url,
    `select count(*) as count from citus_shards where table_name = 'fulfillment_orders'::regclass`,
  );
  if (Number(shards!['count']) < 2) throw new Error('The table of orders is not spread.');
  const [rows] = await ask(
    url,
    'select (select count(*) from fulfillment_orders) + (select count(*) from events) as count',
  );
  return Number(rows!['count']);
}

/** Checks that doctor finds nothing except low durability, because test servers do not wait for their disk. */
export async function wellSpread({ fail }: Pick<Stage, 'fail'>, url: string): Promise<void> {
  const found = await examine(loadConfig({ DATABASE_URL: url, BACKROOM_SECRET: SECRET }), Date.now());
  for (const { ok, check, found: what } of found) if (!ok && check !== 'durability') fail(`doctor, ${check}: ${what}`);
}
