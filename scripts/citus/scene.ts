/** What a scene of `scripts/citus.ts` is given, and what it answers. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type Campaign, lasting, randomOf, type Work } from '../../proof/campaign.ts';
import { SECRET } from '../../proof/support/process.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { examine } from '../../src/service/cli/doctor.ts';
import { ask, type Cluster } from './cluster.ts';

export interface Stage {
  cluster: Cluster;
  seed: number;
  /** How much a scene does, in units of its own. */
  count: number;
  /** A folder that is removed at the end. */
  folder: string;
  /** Counts a failure. */
  fail: (what: string) => void;
  say: (line: string) => void;
}

/** Plays on new databases of the cluster; answers in a few words what was done. */
export type Scene = (stage: Stage) => Promise<string>;

/** A campaign on one spread database, by whatever it is run; afterwards doctor looks at it. */
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
    // A campaign that did nothing has not passed.
    if (done === 0) fail('Nothing was done.');
    await wellSpread(stage, url);
    return `${done} ${unit}, ${await spreadRows(url)} orders and events on the shards`;
  };
}

/** Rows of orders and events, whose tables must lie on several shards. */
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

/** Doctor finds nothing, but that a server made for tests may lose what it says is written. */
export async function wellSpread({ fail }: Pick<Stage, 'fail'>, url: string): Promise<void> {
  const found = await examine(loadConfig({ DATABASE_URL: url, BACKROOM_SECRET: SECRET }), Date.now());
  for (const { ok, check, found: what } of found) if (!ok && check !== 'durability') fail(`doctor, ${check}: ${what}`);
}
