/** Writes segments as bytes (docs/edi.md). The output is ASCII and never contains a delimiter as data. */
import type { Identity } from './tokens.ts';

/** Format of the interchanges for a partner. */
export interface WriteFormat {
  element: string;
  component: string;
  repetition: string;
  segment: string;
  /** Whether a line feed follows each segment. */
  newline: boolean;
  /** GS08, for example `004010`. ISA12 is derived from GS08. */
  version: string;
}

/** The values of a segment, its id first: `['AK9', 'A', '1', '1', '1']`. Empty values at the end are left out. */
export type WrittenSegment = readonly string[];

/** A transaction set without ST and SE. */
export interface WrittenSet {
  /** ST01: the kind of the set, for example `997`. */
  setId: string;
  segments: readonly WrittenSegment[];
}

/** A group of sets. ST02 counts from 0001. */
interface WrittenGroup {
  /** GS01: the kind of the sets, for example `FA`. */
  functionalId: string;
  /** GS02 and GS03: sender and receiver of the group. */
  sender: string;
  receiver: string;
  /** GS06: the control number of the group. */
  number: number;
  sets: readonly WrittenSet[];
}

/** An interchange with groups, or with TA1 segments and no groups. */
export interface WrittenInterchange {
  sender: Identity;
  receiver: Identity;
  /** ISA13: the control number of the interchange. */
  controlNumber: number;
  /** ISA15: `P` for production, `T` for a test. */
  usage: 'P' | 'T';
  /** Time of ISA09, ISA10, GS04 and GS05, in UTC. */
  at: Date;
  acknowledgments?: readonly WrittenSegment[];
  groups?: readonly WrittenGroup[];
}

/** GS01 of the group of each transaction set, by ST01. */
export const FUNCTIONAL_IDS = { '850': 'PO', '856': 'SH', '860': 'PC', '861': 'RC', '824': 'AG', '997': 'FA' } as const;

/** Writes an interchange, from ISA to IEA. */
export function writeInterchange(interchange: WrittenInterchange, format: WriteFormat): string {
  const { sender, receiver, controlNumber, usage, at, acknowledgments = [], groups = [] } = interchange;
  const [day, time] = [dayOf(at), at.toISOString().slice(11, 16).replace(':', '')];
  const number = String(controlNumber).padStart(9, '0');
  const isa = [
    'ISA',
    '00',
    ''.padEnd(10),
    '00',
    ''.padEnd(10),
    sender.qualifier.padEnd(2),
    sender.id.padEnd(15),
    receiver.qualifier.padEnd(2),
    receiver.id.padEnd(15),
    day.slice(2),
    time,
    isBefore(format.version, '004020') ? 'U' : format.repetition,
    format.version.slice(0, 5),
    number,
    '0',
    usage,
  ];
  const body = groups.flatMap((group) => {
    const header = ['GS', group.functionalId, group.sender, group.receiver];
    const gs = [...header, dayIn(format.version, day), time];
    return [
      [...gs, String(group.number), 'X', format.version],
      ...group.sets.flatMap(withTrailer),
      ['GE', String(group.sets.length), String(group.number)],
    ];
  });
  // The elements of the ISA have fixed widths, so their blanks are kept. Its last element is a delimiter.
  const ending = `${format.segment}${format.newline ? '\n' : ''}`;
  const first = `${isa.map((value, at) => (at === 11 ? value : clean(value, format))).join(format.element)}${format.element}${format.component}`;
  return [
    first,
    ...[...acknowledgments, ...body, ['IEA', String(groups.length), number]].map((one) => line(one, format)),
  ]
    .map((text) => text + ending)
    .join('');
}

/** Formats a day for X12: CCYYMMDD, in UTC. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10).replaceAll('-', '');
}

/** Returns a day (CCYYMMDD) as a version has it: YYMMDD before version 004010. */
export function dayIn(version: string, day: string): string {
  return isBefore(version, '004010') ? day.slice(2) : day;
}

/** Returns whether a version (GS08) is earlier than another version. Only its first six characters count. */
export function isBefore(version: string, other: string): boolean {
  return version.slice(0, 6) < other;
}

/** Returns the segments of a set, with its ST and SE. */
function withTrailer({ setId, segments }: WrittenSet, at: number): WrittenSegment[] {
  const number = String(at + 1).padStart(4, '0');
  return [['ST', setId, number], ...segments, ['SE', String(segments.length + 2), number]];
}

function line(values: WrittenSegment, format: WriteFormat): string {
  const cleaned = values.map((value) => clean(value, format).trimEnd());
  const last = cleaned.findLastIndex((value) => value !== '');
  return cleaned.slice(0, last + 1).join(format.element);
}

/**
 * Replaces characters that the file cannot have. Delimiters and control characters become spaces; characters beyond
 * ASCII become `?`.
 */
function clean(value: string, format: WriteFormat): string {
  let text = '';
  for (const character of value) {
    if (isDelimiter(character, format) || character < ' ' || character === '\x7f') text += ' ';
    else text += character > '~' ? '?' : character;
  }
  return text;
}

function isDelimiter(character: string, { element, component, repetition, segment }: WriteFormat): boolean {
  return [element, component, repetition, segment].includes(character);
}
