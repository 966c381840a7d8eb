/** Makes 997 and TA1 from findings, and reads the 997 and TA1 of partners (docs/edi.md). */
import type { JudgedGroup, JudgedInterchange, JudgedSet } from './check.ts';
import { codesOf, type Finding } from './findings.ts';
import { segmentRule } from './tables.ts';
import type { Segment, TransactionSet } from './tokens.ts';
import { isBefore, type WrittenSegment, type WrittenSet } from './write.ts';

/** Groups that are never acknowledged, because acknowledgments of acknowledgments would never end. */
const NOT_ACKNOWLEDGED: readonly string[] = ['FA', 'AG'];
/** Findings with these codes get an AK3 even if their level is NOTE. */
const SHOWN_NOTES: readonly string[] = ['UNKNOWN_SEGMENT'];
/**
 * Maximum number of codes in an AK5 or AK9. `LONGEST_COPY` and `LONGEST_VERSION` limit the characters of AK404 and
 * AK103.
 */
const MOST_CODES = 5;
const LONGEST_COPY = 99;
const LONGEST_VERSION = 12;
/** Values of the mandatory elements AK101, AK102, AK201, AK202 and TA101 if the acknowledged file has blanks there. */
const BLANK = { group: '??', groupNumber: '0', set: '???', setNumber: '0000', interchangeNumber: '000000000' } as const;
/** TA105 for a wrong value in the ISA, by the number of its element. */
const ISA_VALUES: Readonly<Record<number, string>> = {
  1: '010',
  2: '011',
  3: '012',
  4: '013',
  5: '005',
  6: '006',
  7: '007',
  8: '008',
  9: '014',
  10: '015',
  12: '017',
  13: '018',
  14: '019',
  15: '020',
};
/** TA105 for a wrong value outside of the ISA. */
const CONTENT = '024';
const COMPONENT_SEPARATOR = { element: 16, ta1: '027' } as const;

/**
 * Returns the 997s of an interchange, one for each group. Groups of acknowledgments (FA, AG) get no 997, and neither
 * does a rejected envelope. All 997s of an interchange go into one group FA. `version` is the version (GS08) in which
 * they are written.
 */
export function functionalAcknowledgments({ rejected, groups }: JudgedInterchange, version: string): WrittenSet[] {
  if (rejected) return [];
  return groups
    .filter(({ group }) => !NOT_ACKNOWLEDGED.includes(group.functionalId))
    .map((group) => ({ setId: '997', segments: acknowledgmentOf(group, version) }));
}

/**
 * Returns the rejected groups without sets that get a 997. In such a group, the ST of a set is lost or mistyped, so no
 * set has the outcome of its content.
 */
export function rejectedWithoutSets({ groups }: Pick<JudgedInterchange, 'groups'>): JudgedGroup[] {
  return groups.filter(
    ({ group, rejected, sets }) => rejected && sets.length === 0 && !NOT_ACKNOWLEDGED.includes(group.functionalId),
  );
}

function acknowledgmentOf(judged: JudgedGroup, version: string): WrittenSegment[] {
  const { group, sets, rejected } = judged;
  const isLater = !isBefore(version, '005010');
  const codes = sets.map((set) => setCode(set, rejected));
  const rejects = codes.filter((code) => code === 'R').length;
  const isRejected = rejected || (rejects > 0 && rejects === codes.length);
  const code = isRejected ? 'R' : rejects > 0 ? 'P' : codes.includes('E') ? 'E' : 'A';
  const sent = group.trailer?.elements[1] ?? '';
  return [
    [
      'AK1',
      group.functionalId || BLANK.group,
      group.number || BLANK.groupNumber,
      ...(isLater ? [group.version.slice(0, LONGEST_VERSION)] : []),
    ],
    ...sets.flatMap((set, at) => setAcknowledgment(set, codes[at]!, { isLater, sent: group.version })),
    [
      'AK9',
      code,
      /^\d{1,6}$/.test(sent) ? sent : String(sets.length),
      String(sets.length),
      String(sets.length - rejects),
      ...groupCodes(judged, isLater),
    ],
  ];
}

/** AK905 to AK909: the codes of the errors of the group. */
function groupCodes({ findings }: JudgedGroup, isLater: boolean): string[] {
  const codes = findings
    .filter(({ level }) => level === 'ERROR')
    .map(({ code }) => (code === 'NUMBER_REPEATED' && isLater ? '19' : codesOf(code).group));
  return distinct(codes);
}

/** AK501: R if the group is rejected or the set not accepted, E if the set has a finding about syntax, otherwise A. */
function setCode({ outcome, findings }: JudgedSet, isGroupRejected: boolean): 'A' | 'E' | 'R' {
  if (isGroupRejected || outcome !== 'ACCEPTED') return 'R';
  return findings.some(isOfSyntax) ? 'E' : 'A';
}

function isOfSyntax({ code }: Finding): boolean {
  const { set, segment, element } = codesOf(code);
  return set !== undefined || segment !== undefined || element !== undefined;
}

/** Returns the segments about a set of version `sent`. `isLater`: the 997 has version 005010 or a later version. */
function setAcknowledgment(
  { set, findings }: JudgedSet,
  code: string,
  { isLater, sent }: { isLater: boolean; sent: string },
): WrittenSegment[] {
  const reference = isLater ? (set.segments[0]?.elements[3] ?? '') : '';
  const errors = segmentErrors(
    findings.filter(({ level, code }) => level === 'ERROR' || SHOWN_NOTES.includes(code)),
    sent,
  );
  const codes = findings.filter(isAboutSet).map(({ code }) => codesOf(code).set);
  const segmentsInError = code === 'R' && errors.length > 0 ? ['5'] : [];
  return [
    ['AK2', set.setId || BLANK.set, set.number || BLANK.setNumber, reference],
    ...errors,
    ['AK5', code, ...distinct([...codes, ...segmentsInError])],
  ];
}

/** Whether the finding is reported in AK502 to AK506 and not in an AK3. */
function isAboutSet({ code }: Finding): boolean {
  return codesOf(code).set !== undefined;
}

/** Returns the AK3 and AK4 of findings, in the order of the segments. */
function segmentErrors(findings: readonly Finding[], version: string): WrittenSegment[] {
  const written: WrittenSegment[] = [];
  let open = '';
  const inOrder = findings.filter((found) => !isAboutSet(found) && found.position !== undefined);
  for (const found of inOrder.sort((one, other) => one.position! - other.position!)) {
    const { segment, element } = codesOf(found.code);
    const name: WrittenSegment = ['AK3', segmentId(found), String(found.position), ''];
    if (found.element === undefined || element === undefined) {
      if (segment !== undefined) written.push([...name, segment]);
      open = '';
      continue;
    }
    const key = `${found.segment} ${found.position}`;
    if (open !== key) written.push([...name, '8']);
    open = key;
    const reference = segmentRule(found.segment ?? '', version)?.elements[found.element - 1]?.reference ?? '';
    const number = /^\d+$/.test(reference) ? reference : '';
    written.push(['AK4', String(found.element), number, element, found.raw.slice(0, LONGEST_COPY)]);
  }
  return written;
}

/** AK301: the id of the segment, cut or filled to two or three characters. */
function segmentId({ segment = '' }: Finding): string {
  return segment.slice(0, 3).padEnd(2, '?');
}

function distinct(codes: readonly (string | undefined)[]): string[] {
  return [...new Set(codes.filter((code) => code !== undefined))].slice(0, MOST_CODES);
}

/** Rule for sending a TA1. `ON_ERROR`: only if ISA14 requests it or the envelope is rejected. */
export type Ta1Policy = 'ON_ERROR' | 'ALWAYS' | 'NEVER';

/** Returns the TA1 for an interchange; undefined if no TA1 is due. The TA1 is sent in a separate interchange. */
export function interchangeAcknowledgment(
  { interchange, rejected, findings }: JudgedInterchange,
  policy: Ta1Policy,
): WrittenSegment | undefined {
  const { header, groups, acknowledgments } = interchange;
  // A file with only TA1 gets no TA1, because acknowledgments of acknowledgments would never end.
  if (groups.length === 0 && acknowledgments.length > 0) return undefined;
  const isAsked = header.elements[14] === '1';
  if (policy === 'NEVER' || (policy === 'ON_ERROR' && !isAsked && !rejected)) return undefined;
  const own = findings.filter(({ group, code }) => group === undefined && codesOf(code).ta1 !== undefined);
  const first = own.find(({ level }) => level === 'ERROR') ?? own[0];
  const code = rejected ? 'R' : first === undefined ? 'A' : 'E';
  // An ISA that was read has 16 elements.
  const [day, time, number] = [header.elements[9]!, header.elements[10]!, header.elements[13]!];
  const about = first === undefined ? '000' : noteCode(first);
  return ['TA1', number || BLANK.interchangeNumber, day, time, code, about];
}

/** Returns TA105. Most elements of the ISA have a separate code for a wrong value. */
function noteCode({ code, segment, element }: Finding): string {
  const general = codesOf(code).ta1 ?? CONTENT;
  if (segment !== 'ISA' || element === undefined) return general;
  if (code === 'DELIMITER') return element === COMPONENT_SEPARATOR.element ? COMPONENT_SEPARATOR.ta1 : general;
  return general === CONTENT ? (ISA_VALUES[element] ?? general) : general;
}

/** How a partner acknowledged a group (997) or interchange (TA1) that was sent to the partner. */
type AckStatus = 'ACKNOWLEDGED' | 'REFUSED';

/** A received 997. */
export interface GroupAcknowledgment {
  /** AK101: GS01 of the group. */
  functionalId: string;
  /** AK102: GS06 of the group. */
  groupNumber: string;
  status: AckStatus;
  /** AK901: the outcome of the group. */
  code: string;
  /** The acknowledged sets, one for each AK2. */
  sets: { setId: string; number: string; code: string; segments: SegmentError[] }[];
}

/** The errors of one segment: an AK3 with its AK4. */
interface SegmentError {
  segment: string;
  position: number;
  code: string;
  elements: { element: number; code: string; value?: string }[];
}

/**
 * Reads a 997. The codes A and E mean ACKNOWLEDGED, all other codes REFUSED. Returns undefined if AK1 or AK9 is
 * missing.
 */
export function readFunctionalAcknowledgment({ segments }: TransactionSet): GroupAcknowledgment | undefined {
  const [ak1, ak9] = ['AK1', 'AK9'].map((id) => segments.find((segment) => segment.id === id)?.elements);
  if (ak1 === undefined || ak9 === undefined) return undefined;
  const sets: GroupAcknowledgment['sets'] = [];
  for (const { id, elements } of segments) {
    const set = sets.at(-1);
    const value = (at: number) => elements[at] ?? '';
    if (id === 'AK2') sets.push({ setId: value(1), number: value(2), code: '', segments: [] });
    else if (id === 'AK3')
      set?.segments.push({ segment: value(1), position: Number(value(2)), code: value(4), elements: [] });
    else if (id === 'AK4') {
      // AK401 may have components: element, component, repetition.
      const element = Number.parseInt(value(1), 10);
      const copy = value(4);
      set?.segments.at(-1)?.elements.push({ element, code: value(3), ...(copy !== '' && { value: copy }) });
    } else if (id === 'AK5' && set !== undefined) set.code = value(1);
  }
  const code = ak9[1] ?? '';
  return {
    functionalId: ak1[1] ?? '',
    groupNumber: ak1[2] ?? '',
    status: code === 'A' || code === 'E' ? 'ACKNOWLEDGED' : 'REFUSED',
    code,
    sets,
  };
}

/** A received TA1. */
export interface InterchangeAcknowledgment {
  /** TA101: ISA13 of the interchange. */
  controlNumber: string;
  status: AckStatus;
  /** TA104: the outcome of the interchange. */
  code: string;
  /** TA105: the reason of the outcome. */
  note: string;
}

/** Reads a TA1. Only the code R means REFUSED. */
export function readInterchangeAcknowledgment({ elements }: Segment): InterchangeAcknowledgment {
  const [controlNumber = '', code = '', note = ''] = [elements[1], elements[4], elements[5]];
  return { controlNumber, status: code === 'R' ? 'REFUSED' : 'ACKNOWLEDGED', code, note };
}
