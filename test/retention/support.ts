/** The town with retention settings, and functions that read the remaining rows. */
import type { Tables } from '../../src/platform/storage/tables.ts';
import { DAY_MS } from '../../src/platform/time.ts';
import { countRows } from '../../src/service/backup/content.ts';
import { ruleFindings } from '../../src/service/cli/doctor.ts';
import { webhookRunsDone } from '../../src/webhooks/due.ts';
import { type Flow, openFlow } from '../orders/flow.ts';
import { samplesOf } from '../support/metrics.ts';

export interface Aging extends Flow {
  /** Moves the clock forward by days and runs all due tasks. */
  days: (count: number) => Promise<void>;
  /**
   * Runs all due tasks and waits until the webhooks finish; otherwise a running delivery would continue at a later time
   * of the clock.
   */
  due: () => Promise<void>;
  count: (...tables: (keyof Tables)[]) => Promise<Record<string, number>>;
  /** Returns the problems that doctor reports. */
  faults: () => Promise<string[]>;
  /** Returns the numbers of removed rows, from the metrics. */
  removed: () => Promise<Record<string, number>>;
}

/** Opens the town with its catalog and without orders. */
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
