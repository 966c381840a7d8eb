/** The subject of a set: its purpose and its number. */
import type { TransactionSet } from './tokens.ts';

/** Elements with the purpose and the number of a set. */
const SUBJECTS: Readonly<Record<string, { segment: string; purpose?: number; number: number }>> = {
  '856': { segment: 'BSN', purpose: 1, number: 2 },
  '850': { segment: 'BEG', purpose: 1, number: 3 },
  '860': { segment: 'BCH', purpose: 1, number: 3 },
  '861': { segment: 'BRA', purpose: 3, number: 1 },
  '824': { segment: 'BGN', purpose: 1, number: 2 },
};

/** Returns the purpose and the number of a set, if it has them. */
export function subjectOf(set: TransactionSet): { purpose?: string; number?: string } {
  const subject = SUBJECTS[set.setId];
  const elements = set.segments.find(({ id }) => id === subject?.segment)?.elements;
  if (subject === undefined || elements === undefined) return {};
  const purpose = subject.purpose === undefined ? '' : (elements[subject.purpose] ?? '');
  const number = elements[subject.number] ?? '';
  return { ...(purpose !== '' && { purpose }), ...(number !== '' && { number }) };
}
