/** The town with settings of retention, and a look at what is left. */
import type { Tables } from '../../src/platform/storage/tables.ts';
import { ruleFindings } from '../../src/service/cli/doctor.ts';
import { countRows } from '../../src/service/cli/verify.ts';
import { type Flow, openFlow } from '../orders/flow.ts';
import { samplesOf } from '../support/metrics.ts';

const DAY_MS = 86_400_000;

export interface Aging extends Flow {
  /** Days pass, and what is due then is done. */
  days: (count: number) => Promise<void>;
  count: (...tables: (keyof Tables)[]) => Promise<Record<string, number>>;
  /** What doctor finds wrong. */
  faults: () => Promise<string[]>;
  /** What was removed, as the metrics tell it. */
  removed: () => Promise<Record<string, number>>;
}

/** The catalog alone, without orders. */
export async function openAging(env: Record<string, string>): Promise<Aging> {
  const town = await openFlow({ upTo: 'catalog', env });
  return {
    ...town,
    async days(count) {
      town.clock.now += count * DAY_MS;
      await town.server.runDue();
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
