/** The name, the state and the path of a count plan. */
import { choices } from '../../choices.ts';
import { day, leadTexts, word } from '../../texts/index.ts';
import { State } from '../../ui/notice.tsx';
import { dayAt } from '../receive/receiving.ts';
import type { PlanSummary } from './plan-data.ts';

/** Returns the path of a plan in the console. */
export const planScreen = (planId: string) => `/stock/plans/${encodeURIComponent(planId)}`;

/**
 * Returns the name of a plan. If the plan has no name, returns its rule and the day of its creation in the time zone of
 * the node.
 */
export function planName({ name, rule, createdAt }: Pick<PlanSummary, 'name' | 'rule' | 'createdAt'>): string {
  const { plans } = leadTexts();
  return name ?? `${word(plans.rules, rule.type)} · ${day(dayAt(choices.value?.timeZone, createdAt))}`;
}

export function PlanState({ of }: { of: PlanSummary }) {
  const { plans } = leadTexts();
  const look = { DRAFT: 'info', OPEN: 'risk', COUNTED: 'risk', APPROVED: 'right' } as const;
  return <State look={look[of.state]}>{word(plans.states, of.state)}</State>;
}
