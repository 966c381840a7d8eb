/** The order of the arrivals on the screen: by group, then by day. */
import type { Arrival } from './receiving.ts';

export type Group = 'WORK' | 'LATE' | 'TODAY' | 'LATER' | 'COVERED' | 'CLOSED';
const GROUPS: readonly Group[] = ['WORK', 'LATE', 'TODAY', 'LATER', 'COVERED', 'CLOSED'];

type Due = Pick<Arrival, 'state' | 'late' | 'coveredByAsns' | 'expectedDate'>;

/** Returns the group of an arrival; `today` is the date at the node. */
export function groupOf({ state, late, coveredByAsns, expectedDate }: Due, today: string): Group {
  if (state === 'CLOSED') return 'CLOSED';
  if (state === 'RECEIVING') return 'WORK';
  if (late) return 'LATE';
  if (coveredByAsns) return 'COVERED';
  return expectedDate !== undefined && expectedDate > today ? 'LATER' : 'TODAY';
}

/** Returns the groups that have arrivals, in the order of the screen. Closed arrivals begin with the latest. */
export function inGroups<A extends Due>(arrivals: readonly A[], today: string): { group: Group; own: A[] }[] {
  const byDay = ({ expectedDate }: A) => expectedDate ?? '';
  return GROUPS.map((group) => ({
    group,
    own: arrivals
      .filter((one) => groupOf(one, today) === group)
      .toSorted((a, b) => (group === 'CLOSED' ? -1 : 1) * byDay(a).localeCompare(byDay(b))),
  })).filter(({ own }) => own.length > 0);
}
