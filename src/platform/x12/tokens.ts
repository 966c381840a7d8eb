/**
 * Splits bytes into interchanges, groups, transaction sets and segments (docs/edi.md). The ISA defines the delimiters.
 * The result has the parts outside of this structure too (`strays`, `trailing`), so that the checks report them.
 */
import { Pace } from '../pace.ts';
import { type Finding, finding } from './findings.ts';
import { fixOfKind } from './kinds.ts';
import { textOf } from './values.ts';

/** The delimiters of an interchange, as text: the segment terminator can have several bytes. */
interface Delimiters {
  element: string;
  component: string;
  /** Separator of repetitions. Present only from version 00402 on. */
  repetition?: string;
  segment: string;
}

/** A segment. `elements[0]` is its id and `elements[2]` its second element; trailing blanks are removed. */
export interface Segment {
  id: string;
  elements: readonly string[];
  /** Offset of the segment: bytes from the ISA of the interchange. */
  begin: number;
  /** Offset of each element. Only findings need the offsets, so they are computed when they are read. */
  readonly offsets: readonly number[];
  /** Offset of the terminator. */
  end: number;
  /** Place in the set; ST is 1. 0 outside of a set. */
  position: number;
}

/** A transaction set. */
export interface TransactionSet {
  /** Place among the sets of the interchange, from 1. */
  position: number;
  /** ST01: the kind of the set, for example `856`. */
  setId: string;
  /** ST02: the control number of the set. */
  number: string;
  /** The segments from ST to SE, both included. */
  segments: readonly Segment[];
  /** The segment SE; missing if the set is cut. */
  trailer?: Segment;
}

/** A functional group. */
export interface Group {
  /** The segment GS. */
  header: Segment;
  /** The segment GE; missing if the group is cut. */
  trailer?: Segment;
  /** GS01: the kind of its sets, for example `SH`. */
  functionalId: string;
  /** GS06: the control number of the group. */
  number: string;
  /** GS08: the version, for example `004010VICS`. */
  version: string;
  sets: readonly TransactionSet[];
  /** Segments between the sets, where X12 permits none. */
  strays: readonly Segment[];
}

/** A sender or receiver: ISA05 and 06, or ISA07 and 08. */
export interface Identity {
  qualifier: string;
  id: string;
}

/** An interchange, from ISA to IEA. */
export interface Interchange {
  /** The bytes of the interchange, one character per byte (Latin-1). */
  content: string;
  /** Offset of the ISA in the body. */
  start: number;
  delimiters: Delimiters;
  /** The segment ISA. */
  header: Segment;
  /** The segment IEA; missing if the interchange is cut. */
  trailer?: Segment;
  sender: Identity;
  receiver: Identity;
  /** ISA13: the control number of the interchange, as sent. */
  controlNumber: string;
  /** ISA15: `P` for production, everything else is a test. */
  usage: string;
  groups: readonly Group[];
  /** TA1 segments before the first group. */
  acknowledgments: readonly Segment[];
  /** Segments outside of groups, where X12 permits none. */
  strays: readonly Segment[];
  /** Bytes between IEA and the next interchange, without the white space after IEA. */
  trailing: string;
}

/** Content of a body: its interchanges, or the finding NO_ENVELOPE. */
export type Body = { interchanges: readonly Interchange[] } | { noEnvelope: Finding };

/** Number of segments between two checks of the time. */
const SEGMENTS_PER_LOOK = 2000;
/** Number of bytes that NO_ENVELOPE shows. */
const START_LENGTH = 40;
const BYTE_ORDER_MARK = '\xef\xbb\xbf';
const LINE_BREAKS = /[\r\n]+/g;
/** The beginning of an ISA inside other bytes: five separators at the fixed widths. */
const ISA_START = /^ISA([^A-Za-z0-9\s])(?:(?!\1).){2}\1(?:(?!\1).){10}\1(?:(?!\1).){2}\1(?:(?!\1).){10}\1/s;
const ISA_START_LENGTH = 32;
/** A file has wrapped lines if its first line break is inside the ISA, at this byte or later. */
const NARROWEST_WRAP = 80;
/**
 * Maximum lengths in bytes: `LONGEST_ISA` for an ISA (regularly 106), `LONGEST_SEGMENT` for a segment. With limits,
 * hostile files are read in linear time.
 */
const LONGEST_ISA = 400;
const LONGEST_SEGMENT = 65_536;

/** Reads a body. Never throws. Pauses while it reads long bodies, so that the process can serve other requests. */
export async function readBody(bytes: Uint8Array): Promise<Body> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const first = notBlankFrom(text, text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0);
  if (isaAt(text, first) === undefined) return { noEnvelope: noEnvelope(text, first) };
  const interchanges: Interchange[] = [];
  const pace = new Pace();
  for (let at = first; at < text.length; ) {
    await pace.rest();
    const interchange = await readInterchange(text, at, pace);
    const end = at + interchange.content.length;
    at = nextIsa(text, end);
    interchanges.push({ ...interchange, trailing: text.slice(notBlankFrom(text, end), at) });
  }
  return { interchanges };
}

/** The bytes of a segment (without terminator), or of one of its elements. */
export function rawOf({ content, delimiters }: Interchange, segment: Segment, element?: number): string {
  if (element === undefined) return content.slice(segment.begin, segment.end);
  const { offsets } = segment;
  const from = offsets[element];
  if (from === undefined) return '';
  const next = offsets[element + 1];
  return content.slice(from, next === undefined ? segment.end : content.lastIndexOf(delimiters.element, next - 1));
}

/**
 * Returns the place of a finding about a segment or element. The place of a missing element is the end of its segment.
 */
export function placeOf(interchange: Interchange, segment: Segment, element?: number) {
  return {
    ...(segment.position > 0 && { position: segment.position }),
    segment: segment.id,
    ...(element !== undefined && { element }),
    offset: (element === undefined ? segment.begin : segment.offsets[element]) ?? segment.end,
    raw: rawOf(interchange, segment, element),
  };
}

function noEnvelope(text: string, first: number): Finding {
  const cure = text.startsWith('ISA', first) ? undefined : fixOfKind(text.slice(first));
  return finding('NO_ENVELOPE', {
    offset: first < text.length ? first : 0,
    raw: text.slice(first, first + START_LENGTH),
    message: whyNoEnvelope(text, first),
    ...(cure !== undefined && { cure }),
  });
}

/** Returns why an ISA cannot be read. */
function whyNoEnvelope(text: string, first: number): string {
  if (first >= text.length) return 'The file is empty';
  if (!text.startsWith('ISA', first)) return 'The file does not begin with an ISA segment';
  const near = text.slice(first, first + LONGEST_ISA);
  const element = near[3] ?? '';
  if (!/^[^A-Za-z0-9\s]/.test(element)) {
    return `ISA is followed by ${element === '' ? 'nothing' : JSON.stringify(element)} instead of an element separator, such as *`;
  }
  const group = near.indexOf(`GS${element}`);
  const count = near.slice(0, group === -1 ? undefined : group).split(element).length - 1;
  if (group !== -1 && count === 16) return 'ISA16 is not followed by a segment terminator, such as ~';
  const many = group === -1 ? 'does not have 16 elements' : `has ${count} elements instead of 16`;
  return `The ISA segment ${many}, so the delimiters are not known`;
}

/** Place of the first byte from `at` on that is not white space. */
function notBlankFrom(text: string, at: number): number {
  let place = at;
  while (isBlank(text.charCodeAt(place))) place += 1;
  return Math.min(place, text.length);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0d || code === 0x0a || code === 0x09;
}

/** Place of the next readable ISA behind an interchange, or the end of the text. */
function nextIsa(text: string, from: number): number {
  const at = notBlankFrom(text, from);
  return isaAt(text, at) === undefined ? isaInside(text, at) : at;
}

/** Returns the place of the next readable ISA among other bytes; `to` if there is no ISA. */
function isaInside(text: string, from: number, to = text.length): number {
  const part = text.slice(from, to);
  for (let at = part.indexOf('ISA'); at !== -1; at = part.indexOf('ISA', at + 1)) {
    const place = from + at;
    if (ISA_START.test(text.slice(place, place + ISA_START_LENGTH)) && isaAt(text, place) !== undefined) return place;
  }
  return to;
}

/** The ISA: its end, and the delimiters that it defines. */
interface Isa {
  /** Delimiters as bytes. */
  element: string;
  component: string;
  terminator: string;
  isWrapped: boolean;
  /** Place of the terminator, after the last element. */
  end: number;
}

/**
 * Reads the ISA at a place by counting 16 separators, because widths can be wrong. Returns undefined if there is no ISA
 * at the place, or if its delimiters are not clear.
 */
function isaAt(text: string, start: number): Isa | undefined {
  if (!/^ISA[^A-Za-z0-9\s]/.test(text.slice(start, start + 4))) return undefined;
  const element = text[start + 3]!;
  const near = text.slice(start, start + LONGEST_ISA);
  let at = 3;
  for (let count = 1; count < 16; count += 1) {
    at = near.indexOf(element, at + 1);
    if (at === -1) return undefined;
  }
  const last = start + at;
  const firstBreak = text.slice(start, last + 2).search(/[\r\n]/);
  const isWrapped = firstBreak >= NARROWEST_WRAP;
  const from = isWrapped ? afterBreaks(text, last + 1) : last + 1;
  const component = characterAt(text, from);
  const end = from + component.length;
  const terminator = characterAt(text, end);
  if (terminator === '' || /^[A-Za-z0-9 ]/.test(terminator) || terminator === element) return undefined;
  // If ISA16 is missing, its place has the terminator. This is certain if the same character also ends the next
  // segment, before a line break.
  if (/[\r\n]/.test(terminator) && segmentEndsWith(text, notBlankFrom(text, end), component)) {
    return { element, component: '', terminator: component, isWrapped, end: from };
  }
  return { element, component, terminator, isWrapped, end };
}

function segmentEndsWith(text: string, from: number, character: string): boolean {
  const at = text.indexOf(character, from);
  return at !== -1 && /^[\r\n]/.test(text[at + character.length] ?? '') && !/[\r\n]/.test(text.slice(from, at));
}

function afterBreaks(text: string, at: number): number {
  let place = at;
  while (text[place] === '\r' || text[place] === '\n') place += 1;
  return place;
}

/** The bytes of the character at a place: several if they are one character in UTF-8. */
function characterAt(text: string, at: number): string {
  return (
    /^(?:[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})/.exec(
      text.slice(at, at + 4),
    )?.[0] ?? text.slice(at, at + 1)
  );
}

/**
 * Reads the interchange whose ISA is at `start`, up to its IEA or, without an IEA, up to the next ISA or the end of the
 * text.
 */
async function readInterchange(text: string, start: number, pace: Pace): Promise<Omit<Interchange, 'trailing'>> {
  const isa = isaAt(text, start)!;
  const source = { ...isa, text, start };
  const header = new Piece(source, start, isa.end);
  const structure = new Structure();
  let at = isa.end + isa.terminator.length;
  let trailer: Segment | undefined;
  let end = text.length;
  for (let count = 1; trailer === undefined; count += 1) {
    if (count % SEGMENTS_PER_LOOK === 0) await pace.rest();
    const from = notBlankFrom(text, at);
    if (from >= text.length) break;
    const found = text.slice(from, from + LONGEST_SEGMENT).indexOf(isa.terminator);
    const to = found === -1 ? text.length : from + found;
    const next = isaWithin(text, from, to);
    if (next !== undefined) {
      if (next > from) structure.add(new Piece(source, from, next));
      end = next;
      break;
    }
    const segment = new Piece(source, from, to);
    at = found === -1 ? to : to + isa.terminator.length;
    if (segment.id !== 'IEA') structure.add(segment);
    else [trailer, end] = [segment, at];
  }
  const content = text.slice(start, end);
  const decoded = isBeyondAscii(content) ? decode : (segments: readonly Piece[]) => segments;
  const { groups, acknowledgments, strays } = structure.end();
  const elements = decoded([header])[0]!.elements;
  const usesRepetition = (elements[12] ?? '') >= '00402' && /^[^A-Za-z0-9\s]/.test(elements[11] ?? '');
  return {
    content,
    start,
    delimiters: {
      element: isa.element,
      component: textOf(isa.component),
      ...(usesRepetition && { repetition: elements[11]! }),
      segment: textOf(isa.terminator),
    },
    header: header.with(elements),
    ...(trailer !== undefined && { trailer }),
    sender: { qualifier: elements[5] ?? '', id: elements[6] ?? '' },
    receiver: { qualifier: elements[7] ?? '', id: elements[8] ?? '' },
    controlNumber: elements[13] ?? '',
    usage: elements[15] ?? '',
    groups: groups.map((group) => ({
      ...group,
      sets: group.sets.map((set) => ({ ...set, segments: decoded(set.segments) })),
    })),
    acknowledgments,
    strays,
  };
}

/**
 * Returns the place of another ISA within a segment, or undefined. The ISA is at the start of the segment or, if the
 * file was cut inside a segment, later.
 */
function isaWithin(text: string, from: number, to: number): number | undefined {
  if (text.startsWith('ISA', from) && isaAt(text, from) !== undefined) return from;
  const next = isaInside(text, from, to);
  return next < to ? next : undefined;
}

/** The text that contains an interchange, with the properties that its ISA defines. */
interface Source extends Pick<Isa, 'element' | 'isWrapped'> {
  text: string;
  start: number;
}

/** A segment of a text. A file has many segments, so each keeps only the fields that every reader needs. */
class Piece implements Segment {
  readonly id: string;
  readonly elements: readonly string[];
  readonly begin: number;
  readonly end: number;
  position = 0;
  readonly #source: Source;

  constructor(source: Source, from: number, to: number, elements = valuesOf(source, from, to)) {
    this.id = elements[0]!;
    this.elements = elements;
    this.begin = from - source.start;
    this.end = to - source.start;
    this.#source = source;
  }

  get offsets(): number[] {
    const { text, start, element, isWrapped } = this.#source;
    let at = start + this.begin;
    return text
      .slice(at, start + this.end)
      .split(element)
      .map((piece) => {
        const isLater = isWrapped && piece.replace(LINE_BREAKS, '') !== '';
        const offset = (isLater ? afterBreaks(text, at) : at) - start;
        at += piece.length + element.length;
        return offset;
      });
  }

  /** Returns the segment with its elements in another encoding. */
  with(elements: readonly string[]): Piece {
    const { start } = this.#source;
    const piece = new Piece(this.#source, start + this.begin, start + this.end, elements);
    piece.position = this.position;
    return piece;
  }
}

/** Returns the elements of a segment without trailing blanks, and without the line breaks of a wrapped file. */
function valuesOf({ text, element, isWrapped }: Source, from: number, to: number): readonly string[] {
  const values = text.slice(from, to).split(element);
  for (let at = 0; at < values.length; at += 1) {
    if (isWrapped) values[at] = values[at]!.replace(LINE_BREAKS, '');
    if (values[at]!.endsWith(' ')) values[at] = values[at]!.replace(/ +$/, '');
  }
  return values;
}

type OpenSet = Omit<TransactionSet, 'segments'> & { segments: Piece[] };
type OpenGroup = Omit<Group, 'sets' | 'strays'> & { sets: OpenSet[]; strays: Piece[] };

/** Puts segments into groups and sets. */
class Structure {
  readonly #groups: OpenGroup[] = [];
  readonly #acknowledgments: Piece[] = [];
  readonly #strays: Piece[] = [];
  #group: OpenGroup | undefined;
  #set: OpenSet | undefined;
  #sets = 0;

  add(segment: Piece): void {
    const { id, elements } = segment;
    if (id === 'GS') this.#openGroup(segment);
    else if (id === 'GE' && this.#group !== undefined) {
      this.#group.trailer = segment;
      this.#group = this.#set = undefined;
    } else if (id === 'ST' && this.#group !== undefined) {
      this.#sets += 1;
      const [setId = '', number = ''] = elements.slice(1);
      this.#set = { position: this.#sets, setId, number, segments: [segment] };
      segment.position = 1;
      this.#group.sets.push(this.#set);
    } else if (this.#set !== undefined) {
      segment.position = this.#set.segments.push(segment);
      if (id !== 'SE') return;
      this.#set.trailer = segment;
      this.#set = undefined;
    } else if (id === 'TA1' && this.#group === undefined) this.#acknowledgments.push(segment);
    else (this.#group?.strays ?? this.#strays).push(segment);
  }

  #openGroup(header: Piece): void {
    const { elements } = header;
    this.#group = {
      header,
      functionalId: elements[1] ?? '',
      number: elements[6] ?? '',
      version: elements[8] ?? '',
      sets: [],
      strays: [],
    };
    this.#set = undefined;
    this.#groups.push(this.#group);
  }

  end() {
    return { groups: this.#groups, acknowledgments: this.#acknowledgments, strays: this.#strays };
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes segments as UTF-8 if every element is valid UTF-8; otherwise returns them unchanged (Latin-1). */
function decode(segments: readonly Piece[]): readonly Piece[] {
  try {
    return segments.map((segment) =>
      segment.elements.some(isBeyondAscii)
        ? segment.with(segment.elements.map((value) => utf8.decode(Buffer.from(value, 'latin1'))))
        : segment,
    );
  } catch {
    return segments;
  }
}

function isBeyondAscii(value: string): boolean {
  return /[\x80-\xff]/.test(value);
}
