/** The town with settings of retention, and a look at what is left. */
import type { Tables } from '../../src/platform/storage/tables.ts';
import { ruleFindings } from '../../src/service/cli/doctor.ts';
import { countRows } from '../../src/service/cli/verify.ts';
import { webhookRunsDone } from '../../src/webhooks/due.ts';
import { type Flow, openFlow } from '../orders/flow.ts';
import { samplesOf } from '../support/metrics.ts';

const DAY_MS = 86_400_000;

export interface Aging extends Flow {
  /** Days pass, and everything that is due then is done. */
  days: (count: number) => Promise<void>;
  /** Everything that is due is done, runs of webhooks to their end: one that still ran would go on at a later time of the clock. */
  due: () => Promise<void>;
  count: (...tables: (keyof Tables)[]) => Promise<Record<string, number>>;
  /** What doctor finds wrong. */
  faults: () => Promise<string[]>;
  /** What was removed, as the metrics tell it. */
  removed: () => Promise<Record<string, number>>;
}

/** The catalog alone, without orders. */
export async function openAging(env: Record<string, string>): Promise<Aging> {
  const town = await openFlow({ upTo: 'catalog', env });
  const due = async () => {
    await town.server.runDue();
    await webhookRunsDone(town.store);
  };
  return {
    ...town,
    due,
    async days(count) {
      town.clock.now += count * DAY_MS;
      await due();
    },
    count: (...tables) => countRows(town.store, tables),
    faults: async () => (await ruleFindings(town.store)).filter(({ ok }) => !ok).map(({ found }) => found),
    async removed() {
      const all = Object.entries(await samplesOf(town.server.app, 'backroom_retention_removed_total'));
      return Object.fromEntries(
        all.flatMap(([labels, count]) => (count === 0 ? [] : [[/"(.+)"/.exec(labels)![1]!, count]])),
      );
    },
  };
}
