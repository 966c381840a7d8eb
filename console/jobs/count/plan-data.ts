/** Count plans of the node in the service, and the counts of a plan that this device keeps. */

import type { components } from '../../../contract/client.d.ts';
import { call, newId } from '../../api.ts';
import { useChoices } from '../../choices.ts';
import { place, session } from '../../session.ts';
import { allOf } from '../../ui/all-of.ts';
import { useLoad } from '../../ui/load.tsx';
import { loadWordsOf, nodePath } from '../receive/receiving.ts';
import type { StockPlace } from './stock-data.ts';

export type CountPlan = components['schemas']['CountPlan'];
export type PlanSummary = components['schemas']['CountPlanSummary'];
export type PlanLine = CountPlan['lines'][number];

/** Rules of a new plan, the most used first. */
export const PLAN_RULES = allOf<CountPlan['rule']['type']>()([
  'MOVED_MOST',
  'NEVER_COUNTED',
  'BELOW_ZERO',
  'BINS',
  'ITEMS',
]);
export const SECOND_COUNTS = allOf<CountPlan['secondCount']>()(['DIFFERENT', 'ALWAYS', 'NEVER']);

const plansPath = () => `${nodePath()}/countPlans`;
/** Returns the path of a plan in the service. */
export const planPath = (planId: string) => `${plansPath()}/${encodeURIComponent(planId)}`;

/** Returns the plans of the node, plans in progress first. @throws ApiError */
export async function readPlans(signal?: AbortSignal): Promise<PlanSummary[]> {
  const plans: PlanSummary[] = [];
  let after: string | undefined;
  do {
    const query = new URLSearchParams({ limit: '500', ...(after !== undefined && { after }) });
    const page = await call<{ plans: PlanSummary[]; next?: string }>(
      'GET',
      `${plansPath()}?${query}`,
      signal && { signal },
    );
    plans.push(...page.plans);
    after = page.next;
  } while (after !== undefined);
  const order = ['OPEN', 'COUNTED', 'DRAFT', 'APPROVED'];
  return plans.sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || (a.createdAt < b.createdAt ? 1 : -1));
}

/** Reads a plan. @throws ApiError */
export const readPlan = (planId: string, signal?: AbortSignal) =>
  call<CountPlan>('GET', planPath(planId), signal && { signal });

/** The input for a new plan. */
export interface PlanWish {
  name: string;
  rule: string;
  bins: readonly string[];
  maxItems: number;
  secondCount: string;
}

/** Creates a plan. @throws ApiError */
export function makePlan({ name, rule, bins, maxItems, secondCount }: PlanWish, planId: string): Promise<CountPlan> {
  const chosen = { type: rule, maxItems, ...(rule === 'BINS' && { bins }) };
  const body = { planId, ...(name !== '' && { name }), rule: chosen, secondCount };
  return call<CountPlan>('POST', plansPath(), { body });
}

/** Time limit of a change: the next scan waits for it. */
const CHANGE_MS = 30_000;

/** Adds lines to a draft, or removes lines. @throws ApiError */
export function changePlan(planId: string, change: { add?: LineKey[]; remove?: LineKey[] }): Promise<CountPlan> {
  return call<CountPlan>('POST', `${planPath(planId)}/lines`, { body: change, signal: AbortSignal.timeout(CHANGE_MS) });
}

/** Names a line of a plan. */
export interface LineKey {
  itemId: string;
  place?: StockPlace;
}

/** A line that was counted on this device. */
export interface DraftLine {
  itemId: string;
  place: StockPlace;
  counted: number;
  /**
   * Revision of the level when the count of this line began, or when its number was entered. Moves after it do not
   * change the result of the count.
   */
  revision: number;
}

export interface PlanDraft {
  countId: string;
  lines: readonly DraftLine[];
}

const draftKey = (planId: string) => `backroom.plan ${session.peek()!.user.userId} ${place.peek()!.nodeId} ${planId}`;

export function readPlanDraft(planId: string): PlanDraft {
  const text = localStorage.getItem(draftKey(planId));
  return text === null ? { countId: newId(), lines: [] } : (JSON.parse(text) as PlanDraft);
}

/** Keeps counted lines under a new count id, because a count with other content is another count. */
export function keepPlanDraft(planId: string, lines: readonly DraftLine[]): PlanDraft {
  const draft = { countId: newId(), lines };
  if (lines.length === 0) localStorage.removeItem(draftKey(planId));
  else localStorage.setItem(draftKey(planId), JSON.stringify(draft));
  return draft;
}

/**
 * Loads a plan, and loads it again every `everyMs`. If the network is available, also loads the names and codes of its
 * items.
 */
export function usePlan(planId: string, everyMs?: number) {
  const load = async (signal: AbortSignal) => {
    const plan = await readPlan(planId, signal);
    await loadWordsOf(plan.lines.map(({ itemId }) => itemId)).catch(() => undefined);
    return plan;
  };
  // The name of the plan needs the time zone of the node.
  useChoices();
  return useLoad(`plan ${planId}`, load, everyMs);
}
