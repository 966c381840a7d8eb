/** Checks envelopes: ISA to IEA, GS to GE, ST to SE (docs/edi.md). */
import { elementName, type Finding, type FindingCode, finding, type Level } from './findings.ts';
import { SET_IDS, setRule } from './tables.ts';
import { type Group, type Interchange, placeOf, rawOf, type Segment, type TransactionSet } from './tokens.ts';
import { isDay, isTime } from './values.ts';

/** Levels of findings that an agreement with a partner can change. */
export interface Strict {
  /** Level of a wrong count in SE01, GE01 or IEA01. */
  segmentCount: Level;
  /**
   * Level of a control number (ISA13, GS06, ST02) that differs from the number in the trailer, and of a repeated GS06
   * or ST02.
   */
  controlNumbers: Level;
  isaWidths: Level;
  unknownSegments: Level;
  checkDigits: Level;
  hashTotal: Level;
}

/** Levels that apply unless the agreement with the partner changes them. */
export const STRICT: Strict = {
  segmentCount: 'ERROR',
  controlNumbers: 'ERROR',
  isaWidths: 'NOTE',
  unknownSegments: 'NOTE',
  checkDigits: 'NOTE',
  hashTotal: 'NOTE',
};

/** Widths of the elements of an ISA. */
const ISA_WIDTHS = [2, 10, 2, 10, 2, 15, 2, 15, 6, 4, 1, 5, 9, 1, 1, 1];

/** Number of elements of GS, and of GE and IEA. */
const GROUP_ELEMENTS = 8;
const TRAILER_ELEMENTS = 2;

/** A finding about a segment or element of the envelope. */
function envelopeFinding(
  interchange: Interchange,
  code: FindingCode,
  segment: Segment,
  element: number | undefined,
  more: { level?: Level; message: string; cure?: string; group?: string; set?: string },
): Finding {
  return finding(code, { ...placeOf(interchange, segment, element), ...more });
}

/** Returns the findings about the interchange itself, without the findings about its groups. */
export function checkInterchange(interchange: Interchange, strict: Strict): Finding[] {
  return [
    ...checkDelimiters(interchange),
    ...checkHeader(interchange, strict),
    ...strays(interchange, interchange.strays, {}),
    ...checkTrailer(interchange, strict),
  ];
}

function checkDelimiters(interchange: Interchange): Finding[] {
  const { header, delimiters } = interchange;
  const { element, component, repetition, segment } = delimiters;
  const findings: Finding[] = [];
  const add = (at: number, message: string, level: Level) =>
    findings.push(envelopeFinding(interchange, 'DELIMITER', header, at, { message, level }));
  if (component !== '') {
    if (/^[A-Za-z0-9\s]/.test(component)) add(16, `The component separator is ${JSON.stringify(component)}`, 'ERROR');
    else if (component === element || component === segment) {
      add(16, `The component separator ${component} is also another delimiter`, 'ERROR');
    }
  }
  if (/^\d{5}$/.test(header.elements[12] ?? '') && header.elements[12]! >= '00402' && repetition === undefined) {
    add(11, `From version 00402 on, ISA11 is the repetition separator, not ${quoted(header.elements[11])}`, 'NOTE');
  } else if (repetition !== undefined && [element, component, segment].includes(repetition)) {
    add(11, `The repetition separator ${repetition} is also another delimiter`, 'NOTE');
  }
  return findings;
}

function checkHeader(interchange: Interchange, { isaWidths }: Strict): Finding[] {
  const { header } = interchange;
  const findings: Finding[] = [];
  const add = (code: FindingCode, at: number, message: string, level: Level) =>
    findings.push(envelopeFinding(interchange, code, header, at, { message, level }));
  for (const [at, width] of ISA_WIDTHS.entries()) {
    const sent = withoutBreaks(rawOf(interchange, header, at + 1)).length;
    const name = elementName(header, at + 1);
    if (sent !== width) add('ISA_WIDTH', at + 1, `${name} has ${sent} bytes instead of ${width}`, isaWidths);
  }
  const value = (at: number) => header.elements[at] ?? '';
  // The delimiters in ISA11 and ISA16 can be control characters.
  const bad = header.elements.findIndex((text, at) => at !== 11 && at !== 16 && /\p{Cc}/u.test(text));
  if (bad !== -1) add('CHARACTER', bad, `${elementName(header, bad)} has a control character`, 'ERROR');
  if (!isDay(value(9), true)) add('DATE', 9, `ISA09 ${quoted(value(9))} is not a date (YYMMDD)`, 'NOTE');
  if (!isTime(value(10)) || value(10).length !== 4) {
    add('TIME', 10, `ISA10 ${quoted(value(10))} is not a time (HHMM)`, 'NOTE');
  }
  if (!/^\d{5}$/.test(value(12)))
    add('CHARACTER', 12, `ISA12 ${quoted(value(12))} is not a version of 5 digits`, 'NOTE');
  if (!/^\d+$/.test(value(13))) {
    const code = value(13) === '' ? 'MISSING_ELEMENT' : 'CHARACTER';
    add(code, 13, wrongNumber('ISA13', value(13), '9 digits'), 'ERROR');
  }
  if (!['0', '1'].includes(value(14))) add('CODE', 14, `ISA14 is ${quoted(value(14))} instead of 0 or 1`, 'NOTE');
  if (!['P', 'T', 'I'].includes(value(15))) {
    add('CODE', 15, `ISA15 is ${quoted(value(15))} instead of P or T; it is treated as a test`, 'NOTE');
  }
  return findings;
}

function checkTrailer(interchange: Interchange, strict: Strict): Finding[] {
  const { trailer, header, content, delimiters, groups, acknowledgments, controlNumber, trailing } = interchange;
  if (trailer === undefined) {
    const message = `Interchange ${controlNumber} ends${whereOf(groups)} without its IEA segment`;
    const cure = hasOtherTerminator(interchange)
      ? `End each segment with ${delimiters.segment}, as after the ISA; the file has it nowhere else.`
      : undefined;
    return [finding('CUT', { segment: 'IEA', offset: content.length, raw: '', message, ...(cure && { cure }) })];
  }
  const findings = [
    ...compare(interchange, header, 13, trailer, strict.controlNumbers, {}),
    ...checkRest(interchange, trailer, TRAILER_ELEMENTS, {}),
  ];
  const count = trailer.elements[1] ?? '';
  if (!isCount(count, groups.length)) {
    // Many senders count the TA1 segments in IEA01. In an interchange without groups, such a count is a NOTE.
    const level = groups.length === 0 && isCount(count, acknowledgments.length) ? 'NOTE' : strict.segmentCount;
    const message = `IEA01 counts ${quoted(count)} groups, the interchange has ${groups.length}`;
    findings.push(envelopeFinding(interchange, 'COUNT_DIFFERS', trailer, 1, { level, message }));
  }
  if (trailing !== '') {
    const message = `${trailing.length} more bytes follow the IEA segment; they are not read`;
    const offset = content.length;
    findings.push(finding('TRAILING_BYTES', { level: 'NOTE', offset, raw: trailing, message }));
  }
  return findings;
}

/** Whether several lines follow the ISA without its terminator. The file then probably has another terminator. */
function hasOtherTerminator({ content, header, delimiters: { segment } }: Interchange): boolean {
  const rest = content.slice(header.end + 1).trim();
  return /^[!-~]$/.test(segment) && /[\r\n]/.test(rest) && !rest.includes(segment);
}

function whereOf(groups: readonly Group[]): string {
  const group = groups.at(-1);
  const set = group?.sets.at(-1);
  if (group === undefined || group.trailer !== undefined) return '';
  if (set === undefined || set.trailer !== undefined) return ` inside group ${group.number},`;
  return ` inside set ${set.setId} ${set.number}, behind its segment ${set.segments.length},`;
}

/** Returns the findings about the group itself, without the findings about its sets. */
export function checkGroup(
  interchange: Interchange,
  group: Group,
  { strict, versions, earlier, isOpen }: GroupOptions,
): Finding[] {
  const { header, trailer, functionalId, number, version, sets } = group;
  const where = { group: number };
  const findings: Finding[] = [];
  const add = (code: FindingCode, segment: Segment, at: number, message: string, level: Level = 'ERROR') =>
    findings.push(envelopeFinding(interchange, code, segment, at, { ...where, message, level }));
  if (!groupsRead(isOpen).includes(functionalId)) {
    const read = groupsRead(isOpen).join(', ');
    add('WRONG_GROUP', header, 1, `GS01 ${quoted(functionalId)} is not one of the groups that are read: ${read}`);
  }
  if (!isDay(header.elements[4] ?? '', true))
    add('DATE', header, 4, `GS04 ${quoted(header.elements[4])} is not a date`, 'NOTE');
  if (!isTime(header.elements[5] ?? ''))
    add('TIME', header, 5, `GS05 ${quoted(header.elements[5])} is not a time`, 'NOTE');
  if (!/^\d{1,9}$/.test(number)) {
    const code = number === '' ? 'MISSING_ELEMENT' : 'CHARACTER';
    add(code, header, 6, wrongNumber('GS06', number, '1 to 9 digits'));
  } else if (earlier.has(withoutZeros(number))) {
    add(
      'NUMBER_REPEATED',
      header,
      6,
      `Another group of the interchange has the number ${number}`,
      strict.controlNumbers,
    );
  }
  if (version === '') add('VERSION', header, 8, 'GS08 is blank; it is the version of the sets');
  else if (versions?.some((one) => version.startsWith(one)) === false) {
    add('VERSION', header, 8, `Version ${quoted(version)} is not agreed: ${versions.join(', ')}`);
  } else if (versions === undefined && !/^\d{6}/.test(version)) {
    add('VERSION', header, 8, `GS08 ${quoted(version)} is not a version, such as 004010`, 'NOTE');
  }
  findings.push(...checkRest(interchange, header, GROUP_ELEMENTS, where), ...strays(interchange, group.strays, where));
  if (trailer === undefined) {
    const last = sets.at(-1)?.segments.at(-1) ?? group.strays.at(-1) ?? header;
    const message = `Group ${number} ends without its GE segment`;
    const cure = interchange.trailer && 'End the group with GE: the number of its sets, then GS06.';
    findings.push(
      finding('CUT', {
        ...where,
        segment: 'GE',
        offset: last.end,
        raw: '',
        message,
        ...(cure !== undefined && { cure }),
      }),
    );
    return findings;
  }
  findings.push(
    ...compare(interchange, header, 6, trailer, strict.controlNumbers, where),
    ...checkRest(interchange, trailer, TRAILER_ELEMENTS, where),
  );
  if (!isCount(trailer.elements[1] ?? '', sets.length)) {
    const message = `GE01 counts ${quoted(trailer.elements[1])} sets, the group has ${sets.length}`;
    add('COUNT_DIFFERS', trailer, 1, message, strict.segmentCount);
  }
  return findings;
}

export interface GroupOptions {
  strict: Strict;
  /** Prefixes of the accepted versions (GS08); undefined: every version. */
  versions?: readonly string[] | undefined;
  /** GS06 of the earlier groups of the interchange, without leading zeros. */
  earlier: ReadonlySet<string>;
  /** Whether every group with a table is accepted, even a group that the service only writes. */
  isOpen: boolean;
}

function groupsRead(isOpen: boolean): string[] {
  return ['SH', 'PO', 'PC', 'FA', 'AG', ...(isOpen ? ['RC'] : [])];
}

/** Returns the findings about the envelope of a set. `earlier` has the numbers of the sets before it in the group. */
export function checkSetEnvelope(
  interchange: Interchange,
  group: Group,
  set: TransactionSet,
  { strict, take, earlier }: { strict: Strict; take?: readonly string[] | undefined; earlier: ReadonlySet<string> },
): Finding[] {
  const { setId, number, segments, trailer } = set;
  const header = segments[0]!;
  const where = { group: group.number, set: number };
  const findings: Finding[] = [];
  const add = (code: FindingCode, segment: Segment, at: number, message: string, level: Level = 'ERROR') =>
    findings.push(envelopeFinding(interchange, code, segment, at, { ...where, message, level }));
  const rule = setRule(setId);
  if (rule === undefined || take?.includes(setId) === false) {
    const taken = (take ?? SET_IDS).toSorted().join(', ');
    const only = taken === '' ? '' : `, only ${taken}`;
    add('UNKNOWN_SET', header, 1, `Transaction set ${quoted(setId)} is not accepted${only}`);
  } else if (rule.functionalId !== group.functionalId) {
    const message = `A set ${setId} belongs into a group ${rule.functionalId}, not ${quoted(group.functionalId)}`;
    add('WRONG_GROUP', header, 1, message);
  }
  if (number !== '' && earlier.has(number)) {
    const message = `Another set of the group has the number ${number}`;
    add('NUMBER_REPEATED', header, 2, message, strict.controlNumbers);
  }
  if (trailer === undefined) {
    const { end } = segments.at(-1)!;
    const message = `Set ${setId} ${number} ends without its SE segment, after segment ${segments.length}`;
    const position = segments.length + 1;
    const cure = interchange.trailer && 'End the set with SE: the number of its segments with ST and SE, then ST02.';
    findings.push(
      finding('CUT', {
        ...where,
        segment: 'SE',
        position,
        offset: end,
        raw: '',
        message,
        ...(cure !== undefined && { cure }),
      }),
    );
    return findings;
  }
  findings.push(...compare(interchange, header, 2, trailer, strict.controlNumbers, where));
  const count = trailer.elements[1] ?? '';
  if (/^\d+$/.test(count) && !isCount(count, segments.length)) {
    const message = `SE01 counts ${count} segments, the set has ${segments.length}`;
    add('COUNT_DIFFERS', trailer, 1, message, strict.segmentCount);
  }
  return findings;
}

/**
 * Returns NUMBER_DIFFERS if the control number of a trailer (its second element) differs from the control number of the
 * header. If only leading zeros differ, the difference is a NOTE in sets and no finding in groups and interchanges.
 */
function compare(
  interchange: Interchange,
  header: Segment,
  element: number,
  trailer: Segment,
  level: Level,
  where: { group?: string; set?: string },
): Finding[] {
  const [sent, repeated] = [header.elements[element] ?? '', trailer.elements[2] ?? ''];
  const isEqual = isSameNumber(sent, repeated);
  if (sent === repeated || (isEqual && header.id !== 'ST')) return [];
  const message = `${elementName(header, element)} is ${quoted(sent)}, ${trailer.id}02 is ${quoted(repeated)}`;
  const found = { ...where, level: isEqual ? ('NOTE' as const) : level, message };
  return [envelopeFinding(interchange, 'NUMBER_DIFFERS', trailer, 2, found)];
}

/**
 * Returns notes about GS, GE and IEA: elements with control characters, and the first element after the last element
 * that X12 defines.
 */
function checkRest(interchange: Interchange, segment: Segment, most: number, where: { group?: string }): Finding[] {
  const findings: Finding[] = [];
  for (const [at, value] of segment.elements.slice(0, most + 1).entries()) {
    if (!/\p{Cc}/u.test(value)) continue;
    const message = `${elementName(segment, at)} has a control character: ${quoted(value)}`;
    findings.push(envelopeFinding(interchange, 'CHARACTER', segment, at, { ...where, level: 'NOTE', message }));
  }
  const more = segment.elements.findIndex((value, at) => at > most && value !== '');
  if (more !== -1) {
    const message = `${segment.id} has ${most} elements; this element is one too many: ${quoted(segment.elements[more])}`;
    const cure = endsWith(segment, most);
    findings.push(envelopeFinding(interchange, 'TOO_MANY', segment, more, { ...where, level: 'NOTE', message, cure }));
  }
  return findings;
}

/** Returns the fix for elements after the last element that X12 defines. */
export function endsWith(segment: Segment, most: number): string {
  return `End the segment with ${elementName(segment, most)}; leave out the elements after it.`;
}

/** Returns one finding for all segments that are outside of a group or set. */
function strays(interchange: Interchange, segments: readonly Segment[], where: { group?: string }): Finding[] {
  const first = segments[0];
  if (first === undefined) return [];
  const others = segments.length - 1;
  const which = others === 0 ? 'has' : `and ${others} more ${others === 1 ? 'segment' : 'segments'} have`;
  const [outside, header] = where.group === undefined ? ['group', 'GS'] : ['set', 'ST'];
  const message = `Segment ${quoted(first.id)} ${which} no place outside of a ${outside}; is a header (${header}) missing or wrong?`;
  // Without the separator of the ISA, the whole segment is read as its id.
  const cure = isSegmentId(first.id)
    ? undefined
    : /^[A-Za-z0-9]{2,3}$/.test(first.id)
      ? `Write the id in capital letters: ${first.id.toUpperCase()}`
      : `Write the elements of every segment with the separator of the ISA: ${interchange.delimiters.element}`;
  return [
    envelopeFinding(interchange, 'UNEXPECTED_SEGMENT', first, undefined, { ...where, message, ...(cure && { cure }) }),
  ];
}

function isCount(text: string, count: number): boolean {
  return /^\d{1,15}$/.test(text) && Number(text) === count;
}

/** Whether two control numbers are equal apart from leading zeros. */
function isSameNumber(one: string, other: string): boolean {
  const digits = /^\d+$/;
  return digits.test(one) && digits.test(other) && withoutZeros(one) === withoutZeros(other);
}

/** Whether a text can be the id of a segment. */
export function isSegmentId(text: string): boolean {
  return /^[A-Z][A-Z0-9]{1,2}$/.test(text);
}

function wrongNumber(name: string, value: string, form: string): string {
  return value === ''
    ? `${name} is blank; it is a control number of ${form}`
    : `${name} ${quoted(value)} is not a control number of ${form}`;
}

/** A control number without leading zeros. */
export function withoutZeros(number: string): string {
  return number.replace(/^0+(?=.)/, '');
}

function withoutBreaks(text: string): string {
  return text.replace(/[\r\n]/g, '');
}

/** Formats a value for a message: in quotation marks, at most 40 characters; `blank` for an empty value. */
export function quoted(value = ''): string {
  return value === '' ? 'blank' : JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
}
