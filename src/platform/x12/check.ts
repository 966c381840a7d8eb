/** Checks an interchange: the envelope, the groups and the sets, against the tables of X12 (docs/edi.md). */
import { Big } from 'big.js';
import { Pace } from '../pace.ts';
import {
  checkGroup,
  checkInterchange,
  checkSetEnvelope,
  endsWith,
  isSegmentId,
  quoted,
  STRICT,
  type Strict,
  withoutZeros,
} from './envelope.ts';
import {
  elementName,
  type Finding,
  type FindingCode,
  Findings,
  type FindingsTotal,
  finding,
  type Level,
  shown,
} from './findings.ts';
import { type Area, areas, type ElementRule, segmentRule, setRule } from './tables.ts';
import { type Group, type Interchange, placeOf, type Segment, type TransactionSet } from './tokens.ts';
import { type HlTree, treeOf } from './tree.ts';
import { checkDigitFor, hasCheckDigit, isDay, isTime } from './values.ts';
import { isBefore } from './write.ts';

export { STRICT, type Strict };

/** Agreement with the sender. */
export interface CheckOptions {
  strict?: Partial<Strict>;
  /** Accepted transaction sets; default: every set that has a table. */
  take?: readonly string[];
  /** Prefixes of the accepted versions (GS08); default: every version. */
  versions?: readonly string[];
  /** Whether the groups are checked although the envelope is rejected, for users who want all findings in one run. */
  judgesAll?: boolean;
}

/**
 * Outcome of the syntax check of a set. `IGNORED`: the agreement does not accept the set, or the set is an
 * acknowledgment (997, 824), which is read and never acknowledged.
 */
type SetOutcome = 'ACCEPTED' | 'REJECTED_SYNTAX' | 'IGNORED';

export interface JudgedSet {
  set: TransactionSet;
  outcome: SetOutcome;
  findings: Finding[];
  findingsTotal: FindingsTotal;
  /** The HL hierarchy of an 856 that the agreement accepts. */
  tree?: HlTree;
}

export interface JudgedGroup {
  group: Group;
  /** Whether the group was rejected. All its sets that are not IGNORED are then rejected too. */
  rejected: boolean;
  findings: Finding[];
  sets: JudgedSet[];
}

export interface JudgedInterchange {
  interchange: Interchange;
  /** Whether the envelope was rejected. `groups` is then empty, unless `judgesAll` is set. */
  rejected: boolean;
  /** Findings of the envelope and of its groups, without the findings of sets. */
  findings: Finding[];
  findingsTotal: FindingsTotal;
  groups: JudgedGroup[];
}

/** Number of segments between two checks of the time. */
const SEGMENTS_PER_LOOK = 2000;

/** Checks an interchange. A long check is split into turns of the event loop. */
export async function judge(interchange: Interchange, options: CheckOptions = {}): Promise<JudgedInterchange> {
  const strict = { ...STRICT, ...options.strict };
  const all = new Findings();
  for (const found of checkInterchange(interchange, strict)) all.add(found);
  const rejected = all.hasError;
  const groups: JudgedGroup[] = [];
  if (!rejected || options.judgesAll === true) {
    const pace = new Pace();
    const earlier = new Set<string>();
    for (const group of interchange.groups) {
      const judged = await judgeGroup({ interchange, group, strict }, earlier, options, pace);
      earlier.add(withoutZeros(group.number));
      for (const found of judged.findings) all.add(found);
      groups.push(judged);
    }
  }
  return { interchange, rejected, findings: all.list, findingsTotal: all.total, groups };
}

/** The interchange, the group and the levels that the checks of a set need. */
interface Surroundings {
  interchange: Interchange;
  group: Group;
  strict: Strict;
}

async function judgeGroup(
  surroundings: Surroundings,
  earlier: ReadonlySet<string>,
  { take, versions }: CheckOptions,
  pace: Pace,
): Promise<JudgedGroup> {
  const { interchange, group, strict } = surroundings;
  const findings = checkGroup(interchange, group, { strict, versions, earlier, isOpen: take === undefined });
  const rejected = findings.some(({ level }) => level === 'ERROR');
  const numbers = new Set<string>();
  const sets: JudgedSet[] = [];
  for (const set of group.sets) {
    const found = new Findings();
    for (const one of checkSetEnvelope(interchange, group, set, { strict, take, earlier: numbers })) found.add(one);
    numbers.add(set.number);
    const isTaken = setRule(set.setId) !== undefined && take?.includes(set.setId) !== false;
    const tree = isTaken ? await new SetCheck(surroundings, set, found).run(pace) : undefined;
    const isIgnored = !isTaken || set.setId === '997' || set.setId === '824';
    const isRejected = found.hasError || rejected;
    const outcome = isIgnored ? 'IGNORED' : isRejected ? 'REJECTED_SYNTAX' : 'ACCEPTED';
    sets.push({ set, outcome, findings: found.list, findingsTotal: found.total, ...(tree !== undefined && { tree }) });
    await pace.rest();
  }
  return { group, rejected, findings, sets };
}

/** Segments that each item loop of an 856 must have. */
const ITEM_NEEDS = ['LIN', 'SN1'];

/** Checks the segments of one set against its table. */
class SetCheck {
  readonly #interchange: Interchange;
  readonly #group: Group;
  readonly #set: TransactionSet;
  readonly #strict: Strict;
  readonly #findings: Findings;
  readonly #areas: readonly Area[];
  /** Whether the version is 005010 or later. */
  readonly #isLater: boolean;
  /** Index of the present area. */
  #area = 0;
  /** Ids that occurred in the present loop. */
  readonly #loop = new Set<string>();
  /** Ids that occurred in the set. */
  readonly #seen = new Set<string>();

  constructor({ interchange, group, strict }: Surroundings, set: TransactionSet, findings: Findings) {
    this.#interchange = interchange;
    this.#group = group;
    this.#set = set;
    this.#strict = strict;
    this.#findings = findings;
    this.#areas = areas(set.setId);
    this.#isLater = !isBefore(group.version, '005010');
  }

  /** Runs all checks and adds their findings. Returns the hierarchy of an 856; undefined for other sets. */
  async run(pace: Pace): Promise<HlTree | undefined> {
    for (const segment of this.#set.segments) {
      if (segment.position % SEGMENTS_PER_LOOK === 0) await pace.rest();
      this.#place(segment);
      this.#elements(segment);
      this.#checkDigits(segment);
    }
    // The end of a cut set is missing, so the checks of missing segments and totals would add false findings.
    if (this.#set.trailer !== undefined) {
      this.#missing();
      await pace.rest();
      this.#totals();
    }
    await pace.rest();
    return this.#set.setId === '856' ? await this.#hierarchy(pace) : undefined;
  }

  #add(
    code: FindingCode,
    segment: Segment,
    element: number | undefined,
    message: string,
    level: Level = 'ERROR',
    cure?: string,
  ): void {
    this.#findings.add(
      finding(code, {
        group: this.#group.number,
        set: this.#set.number,
        ...placeOf(this.#interchange, segment, element),
        level,
        message,
        ...(cure !== undefined && { cure }),
      }),
    );
  }

  /** Checks whether the segment is permitted at its place. */
  #place(segment: Segment): void {
    const { id } = segment;
    const { setId } = this.#set;
    this.#seen.add(id);
    const next = this.#areaFrom(id);
    // If a segment begins an area but can occur only once, a second such segment begins no new loop.
    if (next !== -1 && (next !== this.#area || this.#areas[next]!.segments.get(id)?.isOnce === false)) {
      this.#area = next;
      this.#loop.clear();
    }
    const here = this.#areas[this.#area]!.segments.get(id);
    if (here === undefined) {
      if (!this.#areas.some(({ segments }) => segments.has(id))) {
        this.#add(
          'UNKNOWN_SEGMENT',
          segment,
          undefined,
          `A set ${setId} has no segment ${quoted(id)}`,
          this.#strict.unknownSegments,
          isSegmentId(id)
            ? undefined
            : `Write ids of 2 or 3 capital letters and digits; is ${shown(this.#interchange.delimiters.segment)} part of the data before it?`,
        );
      } else if (id !== 'SE') {
        this.#add('UNEXPECTED_SEGMENT', segment, undefined, `${id} has no place ${this.#areaName()}`);
      }
    } else if (here.isTolerated) {
      this.#add('UNEXPECTED_SEGMENT', segment, undefined, `X12 has no ${id} ${this.#areaName()}; it is read`, 'NOTE');
    } else if (here.isOnce && this.#loop.has(id)) {
      this.#add('TOO_MANY', segment, undefined, `${id} may occur once here`);
    }
    this.#loop.add(id);
  }

  /** Returns the index of the next area that begins with this segment, from the present area on; -1 if no area does. */
  #areaFrom(id: string): number {
    for (let at = this.#area; at < this.#areas.length; at += 1) if (this.#areas[at]!.begin === id) return at;
    return -1;
  }

  #areaName(): string {
    const begin = this.#areas[this.#area]!.begin;
    const next = this.#areas[this.#area + 1]?.begin;
    return begin === undefined ? `before the first ${next}` : `behind ${begin}`;
  }

  /** Adds findings for missing mandatory segments. */
  #missing(): void {
    const { segments } = this.#set;
    for (const [at, { segments: rules }] of this.#areas.entries()) {
      for (const [id, { isMandatory }] of rules) {
        if (!isMandatory || this.#seen.has(id)) continue;
        const later = this.#areas.slice(at + 1).map(({ begin }) => begin);
        // A segment of the header belongs after ST, a segment of another area before the next area.
        const place =
          at === 0
            ? segments[1]
            : segments.find((segment) => segment.position > 1 && (later.includes(segment.id) || segment.id === 'SE'));
        this.#addMissing(id, place, `The set has no ${id} segment`);
      }
    }
  }

  /** Adds the finding of a missing segment, at the segment that is in its place. */
  #addMissing(id: string, place: Segment | undefined, message: string): void {
    const at = place ?? this.#set.segments.at(-1)!;
    this.#findings.add(
      finding('MISSING_SEGMENT', {
        group: this.#group.number,
        set: this.#set.number,
        ...placeOf(this.#interchange, at),
        segment: id,
        message,
      }),
    );
  }

  async #hierarchy(pace: Pace): Promise<HlTree> {
    const tree = await treeOf(this.#interchange, this.#group, this.#set);
    for (const found of tree.findings) this.#findings.add(found);
    if (this.#set.trailer === undefined) return tree;
    for (const { id, level, segments } of tree.nodes) {
      if (level !== 'I') continue;
      if (pace.isDue) await pace.rest();
      const [hl] = segments;
      for (const [at, needed] of ITEM_NEEDS.entries()) {
        if (segments.some((segment) => segment.id === needed)) continue;
        const before = segments.find((segment) => segment.id === ITEM_NEEDS[at - 1]) ?? hl!;
        this.#addMissing(needed, this.#set.segments[before.position], `Item ${id} has no ${needed} segment`);
      }
    }
    return tree;
  }

  #totals(): void {
    const { totals } = setRule(this.#set.setId)!;
    const ctt = this.#set.segments.findLast((segment) => segment.id === 'CTT');
    if (totals === undefined || ctt === undefined) return;
    const counted = this.#set.segments.filter((segment) => segment.id === totals.count).length;
    const [count = '', sum = ''] = ctt.elements.slice(1);
    if (/^\d+$/.test(count) && Number(count) !== counted) {
      this.#add('HASH_TOTAL', ctt, 1, `CTT01 counts ${count} segments ${totals.count}, the set has ${counted}`, 'NOTE');
    }
    if (totals.quantity === undefined || !isDecimal(sum)) return;
    const { segment: id, element } = totals.quantity;
    const quantities = this.#set.segments
      .filter((segment) => segment.id === id)
      .map(({ elements }) => elements[element] ?? '');
    // A quantity that is not a number has a separate finding.
    if (!quantities.every((quantity) => quantity === '' || isDecimal(quantity))) return;
    const total = sumOf(quantities);
    if (new Big(sum).eq(total)) return;
    const name = elementName({ id }, element);
    this.#add('HASH_TOTAL', ctt, 2, `CTT02 is ${sum}, the sum of ${name} is ${total}`, this.#strict.hashTotal);
  }

  #elements(segment: Segment): void {
    const rule = segmentRule(segment.id, this.#group.version);
    const { elements } = segment;
    // After the last element of the segment, only missing mandatory elements are errors.
    const last = Math.max(elements.length - 1, rule?.lastMandatory ?? 0);
    for (let at = 1; at <= last; at += 1) {
      const value = elements[at] ?? '';
      const one = rule?.elements[at - 1];
      if (one !== undefined) this.#element(segment, at, value, one);
      else if (value !== '' && rule !== undefined && !rule.isOpen) {
        const message = `${segment.id} has ${rule.elements.length} elements; this element is one too many: ${quoted(value)}`;
        this.#add('TOO_MANY', segment, at, message, 'ERROR', endsWith(segment, rule.elements.length));
      } else if (hasControl(value)) this.#badCharacter(segment, at, value);
    }
  }

  #element(segment: Segment, at: number, value: string, rule: ElementRule): void {
    const hasNext = rule.isPaired && (segment.elements[at + 1] ?? '') !== '';
    if (value === '') {
      if (rule.isMandatory) this.#add('MISSING_ELEMENT', segment, at, `${elementName(segment, at)} is missing`);
      else if (hasNext) {
        const message = `${elementName(segment, at)} is missing, but the value that it qualifies is there`;
        this.#add('MISSING_ELEMENT', segment, at, message, 'NOTE');
      }
      return;
    }
    if (rule.isPaired && !hasNext) {
      const message = `${elementName(segment, at + 1)} is missing, but its qualifier ${elementName(segment, at)} is there`;
      this.#add('MISSING_ELEMENT', segment, at + 1, message, 'NOTE');
    }
    if (hasControl(value)) this.#badCharacter(segment, at, value);
    else this.#value(segment, at, value, rule);
  }

  /** Checks a value by its type. */
  #value(segment: Segment, at: number, value: string, rule: ElementRule): void {
    const { type } = rule;
    if (type === 'DT') {
      const allowsSix = isBefore(this.#group.version, '004010') || segment.id === 'TA1';
      if (!isDay(value, allowsSix)) this.#addWrong('DATE', segment, at, 'date (CCYYMMDD)');
    } else if (type === 'TM') {
      if (!isTime(value)) this.#addWrong('TIME', segment, at, 'time (HHMM)');
    } else if (type === 'N' && !/^-?\d+$/.test(value)) this.#addWrong('CHARACTER', segment, at, 'whole number');
    else if (type === 'R' && !isDecimal(value)) this.#addWrong('CHARACTER', segment, at, 'number');
    else if (type !== 'C') this.#length(segment, at, value, rule);
  }

  #addWrong(code: FindingCode, segment: Segment, at: number, expected: string): void {
    this.#add(code, segment, at, `${elementName(segment, at)} ${quoted(segment.elements[at])} is not a ${expected}`);
  }

  #length(segment: Segment, at: number, value: string, rule: ElementRule): void {
    const { min, max, maxFrom5010, codes, reference } = rule;
    const length = lengthOf(value, rule);
    const most = this.#isLater ? maxFrom5010 : max;
    if (length < min) {
      // Short control numbers of sets are common and harmless.
      const level = reference === CONTROL_NUMBER ? 'NOTE' : 'ERROR';
      const message = `${elementName(segment, at)} ${quoted(value)} has ${length} characters, but at least ${min} are needed`;
      this.#add('TOO_SHORT', segment, at, message, level);
    } else if (length > most) {
      const message = `${elementName(segment, at)} ${quoted(value)} has ${length} characters, but at most ${most} are allowed`;
      this.#add('TOO_LONG', segment, at, message);
    } else if (codes?.includes(value) === false) {
      const message = `${elementName(segment, at)} is ${quoted(value)} instead of one of ${codes.join(', ')}`;
      this.#add('CODE', segment, at, message);
    }
  }

  #badCharacter(segment: Segment, at: number, value: string): void {
    const message = `${elementName(segment, at)} has a control character: ${quoted(value)}`;
    const { segment: terminator } = this.#interchange.delimiters;
    // If a line begins with the id of a segment, the line before it lacks a terminator.
    const cure = /[\r\n]\s*[A-Z][A-Z0-9]{1,2}$/.test(value)
      ? `End the segment with ${shown(terminator)}: the next segment begins on the following line.`
      : undefined;
    this.#add('CHARACTER', segment, at, message, 'ERROR', cure);
  }

  #checkDigits(segment: Segment): void {
    for (const [at, kind] of numbersOf(segment)) {
      const value = segment.elements[at]!;
      const { name, digits } = NUMBERS[kind]!;
      const isLong = digits.includes(value.length) && /^\d+$/.test(value);
      if (isLong && hasCheckDigit(value)) continue;
      const message = isLong
        ? `The check digit of the ${name} ${value} is ${value.slice(-1)} instead of ${checkDigitFor(value)}`
        : `${quoted(value)} is not a valid ${name} of ${digits.join(' or ')} digits`;
      this.#add('CHECK_DIGIT', segment, at, message, this.#strict.checkDigits);
    }
  }
}

/** Counts the characters of a value, without the sign and the decimal point of a number. */
function lengthOf(value: string, { type }: ElementRule): number {
  if (type === 'N' || type === 'R') return /^\d+$/.test(value) ? value.length : value.replace(/[-.]/g, '').length;
  // An ASCII text has one code point for each character, so it does not need the slow count of code points.
  return /^[ -~]*$/.test(value) ? value.length : Array.from(value).length;
}

/** Data element 329 is a control number: ST02, SE02, AK202. */
const CONTROL_NUMBER = '329';

/** Numbers with a check digit, by qualifier. An SSCC can begin with its application identifier 00. */
const NUMBERS: Readonly<Record<string, { name: string; digits: readonly number[] }>> = {
  UP: { name: 'UPC', digits: [12] },
  EN: { name: 'EAN', digits: [13] },
  UK: { name: 'GTIN', digits: [14] },
  GM: { name: 'SSCC', digits: [18, 20] },
};

/** Element with the first qualifier of product ids, by segment. */
const FIRST_QUALIFIER: Readonly<Record<string, number>> = { LIN: 2, PO1: 6, POC: 8 };

/** Returns the elements of a segment that have a check digit, with their qualifiers. */
function numbersOf({ id, elements }: Segment): readonly [element: number, qualifier: string][] {
  const first = FIRST_QUALIFIER[id];
  if (first === undefined && id !== 'MAN') return NONE;
  const found: [number, string][] = [];
  const add = (at: number, isKnown: boolean) => {
    const qualifier = elements[at] ?? '';
    if (isKnown && (elements[at + 1] ?? '') !== '') found.push([at + 1, qualifier]);
  };
  if (first === undefined) for (const at of [1, 4]) add(at, elements[at] === 'GM');
  else for (let at = first; at < elements.length; at += 2) add(at, ['UP', 'EN', 'UK'].includes(elements[at] ?? ''));
  return found;
}

/** One shared empty list, because most segments have no number with a check digit. */
const NONE: readonly [element: number, qualifier: string][] = [];

function hasControl(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
  return /[\x00-\x1f\x7f]/.test(value);
}

function isDecimal(value: string): boolean {
  return /^-?(\d+\.?\d*|\.\d+)$/.test(value);
}

function sumOf(values: readonly string[]): string {
  return values.reduce((sum, value) => (value === '' ? sum : sum.plus(value)), new Big(0)).toFixed();
}

/**
 * Returns the interchange as rejected, because of a finding about its envelope that the tables cannot show (a repeated
 * control number).
 */
export function reject(judged: JudgedInterchange, found: Finding): JudgedInterchange {
  const findings = [found, ...judged.findings.filter(({ group }) => group === undefined)];
  return { ...judged, rejected: true, findings, findingsTotal: findings.length, groups: [] };
}
