/** Findings about an X12 file: the problem, its place, and the fix (docs/edi.md). */
import { textOf } from './values.ts';

/** `ERROR` rejects the interchange, group or set of the finding; `NOTE` does not. */
export type Level = 'ERROR' | 'NOTE';

/** One finding. A finding without `set` is about a group. A finding without `group` is about the interchange. */
export interface Finding {
  level: Level;
  code: FindingCode;
  /** GS06: the control number of the group. */
  group?: string;
  /** ST02: the control number of the set. */
  set?: string;
  /** Place of the segment in its set; ST is 1. A missing segment has the place where it should be. */
  position?: number;
  segment?: string;
  /** Number of the element, from 1. */
  element?: number;
  /** Number of the component, from 1. */
  component?: number;
  /** Offset of the segment or element: bytes from the ISA of the interchange. */
  offset: number;
  /** The bytes at `offset`, as UTF-8 or Latin-1: at most 80 characters, control characters escaped. */
  raw: string;
  /** The problem, with the values. */
  message: string;
  /** The fix of the problem. */
  cure: string;
  /**
   * Pointer to a field of the message that is made from the set. Present only if the finding is about the meaning of
   * the set.
   */
  pointer?: string;
}

/** X12 codes that report a finding to the sender. */
interface Codes {
  /** TA105, if the finding is about the interchange. */
  ta1?: string;
  /** AK905, if the finding is about a group. */
  group?: string;
  /** AK502, if the finding is about a set. */
  set?: string;
  /** AK304, if the finding is about a segment. */
  segment?: string;
  /** AK403, if the finding is about an element. */
  element?: string;
  /** TED01 of an 824, if the finding is about the meaning of the set. */
  advice?: string;
}

interface CodeRow extends Codes {
  /** The fix: at most 80 characters. */
  cure: string;
}

/** Codes of a wrong check digit, HL segment or total: AK304 8 with AK403 7. */
const WRONG_VALUE = { segment: '8', element: '7' } as const;

/** All codes of findings, each with its fix. */
export const CODES = {
  NO_ENVELOPE: { cure: 'Begin the file with an ISA segment of 16 elements.' },
  ISA_WIDTH: { cure: 'Pad each ISA element to its fixed width.', ta1: '022' },
  DELIMITER: { cure: 'Use four different delimiters that are not letters, digits or spaces.', ta1: '022' },
  CUT: { cure: 'Send the whole file again, up to its trailer (SE, GE and IEA).', ta1: '023', group: '3', set: '2' },
  NUMBER_DIFFERS: {
    cure: 'Write the same control number into header and trailer.',
    ta1: '001',
    group: '4',
    set: '3',
  },
  COUNT_DIFFERS: {
    cure: 'Correct the count; if it is right, a part of the file was lost.',
    ta1: '021',
    group: '5',
    set: '4',
  },
  NUMBER_REPEATED: { cure: 'Use each control number once.', ta1: '025', group: '6', set: '23' },
  TRAILING_BYTES: { cure: 'End the file after the IEA segment.', ta1: '022' },
  UNKNOWN_SET: { cure: 'Send only the transaction sets that were agreed.', set: '1' },
  WRONG_GROUP: { cure: 'Put each set into a group of its kind: 856 SH, 850 PO, 860 PC.', group: '1', set: '6' },
  VERSION: { cure: 'Send one of the agreed versions in GS08.', group: '2' },
  UNKNOWN_SEGMENT: { cure: 'Leave out the segment; this set does not have it.', segment: '1' },
  UNEXPECTED_SEGMENT: {
    cure: 'Move the segment to its place, or add the header that it belongs to.',
    ta1: '022',
    group: '5',
    segment: '2',
  },
  MISSING_SEGMENT: { cure: 'Add the segment.', segment: '3' },
  TOO_MANY: { cure: 'Send the segment or element only as often as allowed.', ta1: '022', segment: '5', element: '3' },
  MISSING_ELEMENT: { cure: 'Fill in the element.', ta1: '024', group: '6', element: '1' },
  TOO_SHORT: { cure: 'Send at least the minimum length.', element: '4' },
  TOO_LONG: { cure: 'Send at most the maximum length.', element: '5' },
  CHARACTER: {
    cure: 'Send only allowed characters; in numbers digits and a decimal point.',
    ta1: '024',
    group: '6',
    element: '6',
  },
  CODE: { cure: 'Send one of the allowed codes.', ta1: '024', element: '7' },
  DATE: { cure: 'Send a valid date as CCYYMMDD.', ta1: '024', element: '8' },
  TIME: { cure: 'Send a time as HHMM or HHMMSS.', ta1: '024', element: '9' },
  HL_PARENT: { cure: 'Name in HL02 the HL01 of an earlier, higher level.', ...WRONG_VALUE },
  HL_LEVEL: { cure: 'Use the levels S, O, T, P and I.', ...WRONG_VALUE },
  HL_REPEATED: { cure: 'Number the HL segments 1, 2, 3 and so on.', ...WRONG_VALUE },
  HASH_TOTAL: { cure: 'Correct the total; if it is right, a part of the file was lost.', ...WRONG_VALUE },
  CHECK_DIGIT: { cure: 'Correct the number; its last digit is a check digit.', ...WRONG_VALUE },
  NO_PARTNER: { cure: 'Check the file with the profile of this sender, receiver and usage.' },
  NO_ITEM_ID: { cure: 'Send a product id with one of the agreed qualifiers.', advice: 'Q' },
  ITEM_NOT_FOUND: { cure: 'Correct the product id, or have the item put into the catalog.', advice: 'Q' },
  AMBIGUOUS_ITEM: { cure: 'Send an id that only one item of the catalog has.', advice: 'Q' },
  UNIT: { cure: 'Send pieces (EA), or a unit whose number of pieces is agreed.', advice: 'P' },
  FRACTION: { cure: 'Send a quantity that is a whole number of pieces.', advice: 'P' },
  QUANTITY: { cure: 'Send a quantity of 1 to 99,999 pieces.', advice: 'P' },
  PRICE_BASIS: { cure: 'Send the price of one piece, with the basis PE.' },
  STORE_NOT_FOUND: { cure: 'Ask the receiver to correct the store of this location.', advice: 'MA' },
  WAREHOUSE_NOT_FOUND: { cure: 'Ask the receiver to correct the warehouse of this location.', advice: 'MA' },
  NO_LOCATION: { cure: 'Send an N1 with the agreed code of the ship-to location.', advice: 'MA' },
  ORDER_NOT_FOUND: { cure: 'Correct the number, or send the order with purpose 00 in an 850.', advice: 'MB' },
  NUMBER_TAKEN: { cure: 'Use another number, or ask the receiver to void the first shipment.', advice: '006' },
  NO_COST: { cure: 'Send the price in the order, or agree on a cost with the receiver.', advice: '007' },
  NO_TRAILER: { cure: 'Send the trailer in TD303, or the bill of lading in REF BM.', advice: '007' },
  NO_DATE: { cure: 'Send the day of delivery in a DTM with an agreed qualifier.', advice: '007' },
  NO_CARTON: { cure: 'Send the number of the carton in MAN, and one pack for each item.', advice: '007' },
  NUMBER_LENGTH: { cure: 'Use a number of at most 15 characters.', advice: '008' },
  PURPOSE: { cure: 'Send the purpose that fits: 00 new, 05 replacement, 01 cancellation.', advice: '024' },
  BEGUN: { cure: 'Do not replace or cancel the shipment; goods were received against it.', advice: '024' },
  SUPERSEDED: { cure: 'Send the set again under a new control number if it is still right.', advice: '024' },
  TOO_MANY_LINES: { cure: 'Send at most 20,000 lines in one set.', advice: '024' },
  CARTON_ALREADY_ANNOUNCED: { cure: 'Give each carton its own number.', advice: '024' },
  INVALID_VALUE: { cure: 'Send a value that the receiver can store.', advice: '024' },
  NUMBER_KNOWN: { cure: 'Send each number once; nothing was changed.' },
  ACK_UNKNOWN: { cure: 'Acknowledge a set that was sent to you, with its control numbers.' },
} as const satisfies Record<string, CodeRow>;

export type FindingCode = keyof typeof CODES;

/** Returns the name of an element, for example `BSN02`. */
export function elementName({ id }: { id: string }, at: number): string {
  return `${id}${String(at).padStart(2, '0')}`;
}

/** Returns the X12 codes of a finding. */
export function codesOf(code: FindingCode): Codes {
  const row: CodeRow = CODES[code];
  return row;
}

/** Maximum number of findings that are kept of one set. */
const MOST_FINDINGS = 100;

/** Maximum number of characters of `raw`. */
const RAW_LENGTH = 80;

/** Place and text of a finding. Default of `level`: ERROR. Default of `cure`: the fix of the code. */
export interface FindingInput extends Omit<Finding, 'code' | 'level' | 'cure' | 'raw'> {
  level?: Level;
  cure?: string;
  /** The bytes (one character per byte), not yet shortened and escaped. */
  raw: string;
}

/** Makes a finding: shortens and escapes its bytes, adds level and fix. */
export function finding(code: FindingCode, input: FindingInput): Finding {
  const { level = 'ERROR', cure = CODES[code].cure, offset, raw, message, ...where } = input;
  const { group, set, position, segment, element, component, pointer } = where;
  return {
    level,
    code,
    ...(group !== undefined && { group }),
    ...(set !== undefined && { set }),
    ...(position !== undefined && { position }),
    ...(segment !== undefined && { segment }),
    ...(element !== undefined && { element }),
    ...(component !== undefined && { component }),
    offset,
    raw: shown(textOf(raw)),
    message,
    cure,
    ...(pointer !== undefined && { pointer }),
  };
}

/**
 * Returns the beginning of a text for users and JSON. Control characters become escapes such as `\n` or `\x1d`. The
 * result has at most `most` characters.
 */
export function shown(value: string, most = RAW_LENGTH): string {
  let text = '';
  for (const character of value.slice(0, most)) {
    const escaped = visible(character);
    if (text.length + escaped.length > most) break;
    text += escaped;
  }
  return text;
}

function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (code >= 0x20 && (code < 0x7f || code > 0x9f)) return character;
  const short = { 9: '\\t', 10: '\\n', 13: '\\r' }[code];
  return short ?? `\\x${code.toString(16).padStart(2, '0')}`;
}

/** Collects findings. It keeps at most 100: errors before notes, and earlier findings before later ones. */
export class Findings {
  readonly #errors: Finding[] = [];
  readonly #notes: Finding[] = [];
  #count = 0;

  add(found: Finding): void {
    this.#count += 1;
    const list = found.level === 'ERROR' ? this.#errors : this.#notes;
    if (list.length < MOST_FINDINGS) list.push(found);
  }

  /** Returns a copy; findings that are added to the copy do not change this object. */
  copy(): Findings {
    const copy = new Findings();
    copy.#errors.push(...this.#errors);
    copy.#notes.push(...this.#notes);
    copy.#count = this.#count;
    return copy;
  }

  /** Whether there is an ERROR. */
  get hasError(): boolean {
    return this.#errors.length > 0;
  }

  /** Number of findings, or `100+`. */
  get total(): FindingsTotal {
    return this.#count > MOST_FINDINGS ? `${MOST_FINDINGS}+` : this.#count;
  }

  /** The findings that are kept, in the order of the file. */
  get list(): Finding[] {
    const notes = this.#notes.slice(0, MOST_FINDINGS - this.#errors.length);
    return [...this.#errors, ...notes].sort((one, other) => one.offset - other.offset);
  }
}

/** Joins two lists of findings about the same set. */
export function joined(
  one: { findings: readonly Finding[]; findingsTotal: FindingsTotal },
  other: { findings: readonly Finding[]; findingsTotal: FindingsTotal },
): { findings: Finding[]; findingsTotal: FindingsTotal } {
  const all = new Findings();
  for (const found of [...one.findings, ...other.findings]) all.add(found);
  const isMore = typeof one.findingsTotal === 'string' || typeof other.findingsTotal === 'string';
  return { findings: all.list, findingsTotal: isMore ? `${MOST_FINDINGS}+` : all.total };
}

/** Number of findings; `100+` if there are more than 100. */
export type FindingsTotal = number | `${typeof MOST_FINDINGS}+`;
