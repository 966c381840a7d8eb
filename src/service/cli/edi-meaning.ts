/**
 * Checks the content of the sets of a file, without the items, stores and orders of the receiver
 * (docs/edi.md#check-a-file).
 */
import type { JudgedGroup, JudgedInterchange, JudgedSet } from '../../platform/x12/check.ts';
import { type FindingCode, joined } from '../../platform/x12/findings.ts';
import { subjectOf } from '../../platform/x12/subject.ts';
import type { Rejected } from '../edi/advice.ts';
import { judgeForm, prepareSet } from '../edi/book.ts';
import { completed, type EdiProfilePart } from '../edi/partner-schema.ts';
import { Meaning } from '../edi/places.ts';

/** The field of the profile on which a finding depends. If the profile lacks the field, the finding is left out. */
export const DECIDED_BY: Partial<Record<FindingCode, keyof EdiProfilePart>> = {
  NO_LOCATION: 'locations',
  NO_ITEM_ID: 'items',
  UNIT: 'units',
  NUMBER_LENGTH: 'number',
  NO_CARTON: 'noPack',
  NO_DATE: 'dates',
  NO_TRAILER: 'defaults',
  NO_COST: 'defaults',
  // This finding is about the message after the mapping, and the mapping needs the agreed item ids.
  INVALID_VALUE: 'items',
};

/** A checked interchange, and its sets that the rules reject, by position. */
export interface Meant {
  judged: JudgedInterchange;
  byRules: ReadonlyMap<number, Rejected>;
}

/** Adds the findings about the content of sets with accepted syntax. */
export async function judgeMeaning(judged: JudgedInterchange, profile: EdiProfilePart): Promise<Meant> {
  const byRules = new Map<number, Rejected>();
  const groups: JudgedGroup[] = [];
  for (const group of judged.groups) {
    const sets: JudgedSet[] = [];
    for (const one of group.sets) {
      const found = one.outcome === 'ACCEPTED' ? await meaningOf(judged, group, one, profile) : NOTHING;
      const set = { ...one, ...joined(one, found) };
      sets.push(set);
      if (!found.findings.some(({ level }) => level === 'ERROR')) continue;
      const { setId, number, position } = set.set;
      const about = { setId, set: number, group: group.group.number, number: subjectOf(set.set).number ?? '' };
      byRules.set(position, { ...about, findings: set.findings });
    }
    groups.push({ ...group, sets });
  }
  return { judged: { ...judged, groups }, byRules };
}

type Found = Pick<JudgedSet, 'findings' | 'findingsTotal'>;
const NOTHING: Found = { findings: [], findingsTotal: 0 };

async function meaningOf(
  { interchange }: JudgedInterchange,
  { group }: JudgedGroup,
  { set, tree }: JudgedSet,
  profile: EdiProfilePart,
): Promise<Found> {
  if (!['856', '850', '860'].includes(set.setId)) return NOTHING;
  const unnamed = { qualifier: 'ZZ', id: 'ZZ' };
  const prepared = await prepareSet({
    source: undefined,
    clientId: '',
    partnerId: 'PARTNER',
    profile: completed({ sellerId: '', usage: 'P', ours: unnamed, theirs: unnamed, ...profile }),
    meaning: new Meaning({ interchange, group, set, ...(tree !== undefined && { tree }) }),
  });
  const { list, total } = judgeForm(prepared).findings;
  const findings = list.filter(({ code }) => {
    const field = DECIDED_BY[code];
    return field === undefined || profile[field] !== undefined;
  });
  return { findings, findingsTotal: findings.length === list.length ? total : findings.length };
}
