/**
 * Writes the 861 of a statement: the units that arrived for an ASN or PO (docs/edi-partners.md#receiving-advice-861).
 */
import type { Statement } from '../../kernel/arrivals/action.ts';
import { dayIn, isBefore, type WrittenSegment, type WrittenSet } from '../../platform/x12/write.ts';
import type { Profile } from './partner-schema.ts';

/** Unit of all quantities: EA (each). */
const UNIT = 'EA';
/** BRA03: `00` for the first statement, `05` for a statement that replaces an earlier statement. */
const ORIGINAL = '00';
const REPLACE = '05';

/** A statement, with type and number of its shipment. */
export interface Received {
  type: 'ASN' | 'PO';
  number: string;
  /** Day of the close at the node, YYYY-MM-DD. */
  closedOn: string;
  statement: Pick<Statement, 'version' | 'lines'>;
}

type Line = Received['statement']['lines'][number];
type Units = Pick<Line, 'good' | 'damaged' | 'refused' | 'held' | 'short' | 'over'>;
const UNITS = ['good', 'damaged', 'refused', 'held', 'short', 'over'] as const;

/** Codes of conditions (element 412), in the order that they have in an RCD segment. */
const CONDITIONS: readonly (readonly [code: string, units: keyof Units])[] = [
  ['01', 'damaged'],
  ['02', 'short'],
  ['03', 'over'],
  ['09', 'held'],
];

/** Writes the 861 of a statement. */
export function receivingAdvice({ type, number, closedOn, statement }: Received, profile: Profile): WrittenSet {
  const { answer, items, write } = profile;
  const day = dayIn(write.version, closedOn.replaceAll('-', ''));
  // Before version 004010, DTM05 has the century.
  const century = isBefore(write.version, '004010') ? ['', '', closedOn.slice(0, 2)] : [];
  const qualifier = items.find(({ is }) => is === 'CLIENT_ITEM_ID')?.qualifier ?? 'SK';
  // The 861s of the ASNs report the units that came with these ASNs, so the 861 of the PO does not report them as
  // short.
  const own = statement.lines.map((line) => ({ ...line, short: line.short - (line.broughtByAsns ?? 0) }));
  const lines = answer.byCarton ? own : byItem(own);
  return {
    setId: '861',
    segments: [
      ['BRA', number, day, statement.version === 1 ? ORIGINAL : REPLACE, write.braType],
      ['REF', type === 'ASN' ? 'SI' : 'PO', number],
      ['DTM', '050', day, ...century],
      ...lines.flatMap((line, at) => lineSegments(line, at + 1, qualifier, answer.byCarton)),
      ['CTT', String(lines.length)],
    ],
  };
}

function lineSegments(line: Line, at: number, qualifier: string, byCarton: boolean): WrittenSegment[] {
  const received = line.good + line.damaged + line.held;
  const returned = line.refused > 0 ? [String(line.refused), UNIT] : ['', ''];
  const conditions = CONDITIONS.flatMap(([code, units]) => (line[units] > 0 ? [String(line[units]), UNIT, code] : []));
  const segments: WrittenSegment[] = [
    ['RCD', String(at), String(received), UNIT, ...returned, ...conditions],
    ['LIN', '', qualifier, line.clientItemId],
  ];
  if (byCarton && line.cartonId !== undefined) segments.push(['MAN', 'GM', line.cartonId]);
  return segments;
}

/** Returns one line for each item, with the sums of its lines. The items have the order of their first lines. */
function byItem(lines: readonly Line[]): Line[] {
  const items = new Map<string, Line & { -readonly [Name in keyof Units]: number }>();
  for (const line of lines) {
    const sums = items.get(line.itemId);
    if (sums === undefined) items.set(line.itemId, { ...line });
    else for (const name of UNITS) sums[name] += line[name];
  }
  return [...items.values()];
}
