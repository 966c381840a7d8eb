/**
 * The transaction sets that are read and written: their segments and elements. The tables have only facts: ids, types,
 * lengths, order. They have no text of X12, because the text of X12 is licensed.
 */

import { FUNCTIONAL_IDS, isBefore } from './write.ts';

/** `AN` text, `ID` code, `N` integer, `R` decimal, `DT` date, `TM` time, `C` several components. */
type ElementType = 'AN' | 'ID' | 'N' | 'R' | 'DT' | 'TM' | 'C';

export interface ElementRule {
  /** Number of the data element (AK402). */
  reference: string;
  type: ElementType;
  min: number;
  /** Maximum number of characters; `maxFrom5010` applies from version 005010 on. */
  max: number;
  maxFrom5010: number;
  isMandatory: boolean;
  /** Whether this element and the next element must be both present or both absent. */
  isPaired: boolean;
  /** Permitted codes; absent: any code. */
  codes?: readonly string[];
}

export interface SegmentRule {
  elements: readonly ElementRule[];
  /** Number of the last mandatory element; 0: no element is mandatory. */
  lastMandatory: number;
  /** Whether the segment has later elements without a rule here. */
  isOpen: boolean;
}

/** Returns the rules of `count` pairs of a qualifier and a product id. */
const ids = (count: number, first = '') => `235 ID 2/2 ${first || 'P'} | 234 AN 1/48>80 ${first} | `.repeat(count);
const item = (before: string, count: number) => `${before}${ids(count).slice(0, -3)}`;
const times = (text: string, count: number) => Array.from({ length: count }, () => text).join(' | ');

/**
 * Elements of each segment: number, type, `least/most` (`>most` from 005010 on), `M` mandatory, `P` paired with the
 * next, `=A,B` codes. `…` at the end: further elements have no rule.
 */
const SEGMENTS = {
  ST: '143 ID 3/3 M | 329 AN 4/9 M | 1705 AN 1/35',
  SE: '96 N 1/10 M | 329 AN 4/9 M',
  BSN: '353 ID 2/2 M | 396 AN 2/30 M | 373 DT M | 337 TM M | 1005 ID 4/4 | 640 ID 2/2 | 641 ID 3/3',
  HL: '628 AN 1/12 M | 734 AN 1/12 | 735 ID 1/2 M | 736 ID 1/1 =0,1',
  LIN: item(`350 AN 1/20 | ${ids(1, 'M')}`, 14),
  SN1: '350 AN 1/20 | 382 R 1/10 M | 355 ID 2/2 M | 646 R 1/15 | 330 R 1/15 | 355 ID 2/2 | 728 ID 2/2 | 668 ID 2/2',
  SLN: item(
    '350 AN 1/20 M | 350 AN 1/20 | 662 ID 1/1 M | 380 R 1/15 | C001 C | 212 R 1/17 | 639 ID 2/2 | 662 ID 1/1 | ',
    10,
  ),
  PRF: '324 AN 1/22 M | 328 AN 1/30 | 327 AN 1/8 | 373 DT | 350 AN 1/20 | 367 AN 1/30 | 92 ID 2/2',
  PO4: '356 N 1/6 | 357 R 1/8 | 355 ID 2/2 | 103 AN 3/5 | 187 ID 1/2 | 384 R 1/9 | 355 ID 2/2 | 385 R 1/9 | 355 ID 2/2 | 82 R 1/8 | 65 R 1/8 | 189 R 1/8 | 355 ID 2/2 | 810 N 1/6 | 752 ID 2/2 | 350 AN 1/20 | 350 AN 1/20 | 1470 N 1/9',
  PID: '349 ID 1/1 M | 750 ID 2/3 | 559 ID 2/2 | 751 AN 1/12 | 352 AN 1/80 | 752 ID 2/2 | 822 AN 1/15 | 1073 ID 1/1 | 819 ID 2/3',
  MEA: '737 ID 2/2 | 738 ID 1/3 | 739 R 1/20 | C001 C | 740 R 1/20 | 741 R 1/20 | …',
  PKG: '349 ID 1/1 | 753 ID 1/5 | 559 ID 2/2 | 754 AN 1/7 | 352 AN 1/80 | 400 ID 2/2',
  TD1: '103 AN 3/5 | 80 N 1/7 | 23 ID 1/1 | 22 AN 1/30 | 79 AN 1/50 | 187 ID 1/2 | 81 R 1/10 | 355 ID 2/2 | 183 R 1/8 | 355 ID 2/2',
  TD5: '133 ID 1/2 | 66 ID 1/2 P | 67 AN 2/80 | 91 ID 1/2 | 387 AN 1/35 | 368 ID 2/2 | 309 ID 1/2 | 310 AN 1/30 | …',
  // TD303 has at most 10 characters in X12, 15 in later versions. Longer trailer numbers are common and cause no harm
  // here.
  TD3: '40 ID 2/2 | 206 AN 1/4 | 207 AN 1/30 | 187 ID 1/2 | 81 R 1/10 | 355 ID 2/2 | 102 ID 1/1 | 407 ID 2/2 | 225 AN 2/15 | 24 ID 4/4',
  REF: '128 ID 2/3 M | 127 AN 1/30>50 | 352 AN 1/80 | C040 C',
  PER: '366 ID 2/2 M | 93 AN 1/60 | 365 ID 2/2 P | 364 AN 1/80>256 | 365 ID 2/2 P | 364 AN 1/80>256 | 365 ID 2/2 P | 364 AN 1/80>256 | 443 AN 1/20',
  FOB: '146 ID 2/2 M | 309 ID 1/2 | 352 AN 1/80 | 334 ID 2/2 | 335 ID 3/3 | 309 ID 1/2 | 352 AN 1/80 | 54 ID 2/2 | 352 AN 1/80',
  DTM: '374 ID 3/3 M | 373 DT | 337 TM | 623 ID 2/2 | 1250 ID 2/3 P | 1251 AN 1/35',
  MAN: '88 ID 1/2 M | 87 AN 1/48 M | 87 AN 1/48 | 88 ID 1/2 P | 87 AN 1/48 | 87 AN 1/48',
  N1: '98 ID 2/3 M | 93 AN 1/60 | 66 ID 1/2 P | 67 AN 2/80 | 706 ID 2/2 | 98 ID 2/3',
  N2: '93 AN 1/60 M | 93 AN 1/60',
  N3: '166 AN 1/55 M | 166 AN 1/55',
  N4: '19 AN 2/30 | 156 ID 2/2 | 116 ID 3/15 | 26 ID 2/3 | 309 ID 1/2 | 310 AN 1/30 | 1715 ID 1/3',
  CTT: '354 N 1/6 M | 347 R 1/10 | 81 R 1/10 | 355 ID 2/2 | 183 R 1/8 | 355 ID 2/2 | 352 AN 1/80',
  CLD: '622 N 1/5 M | 382 R 1/10 M | 103 AN 3/5 | 357 R 1/8 | 355 ID 2/2',
  SDQ: `355 ID 2/2 M | 66 ID 1/2 | 67 AN 2/80 M | 380 R 1/15 M | ${times('67 AN 2/80 P | 380 R 1/15', 9)} | 310 AN 1/30`,
  BEG: '353 ID 2/2 M | 92 ID 2/2 M | 324 AN 1/22 M | 328 AN 1/30 | 373 DT M | 367 AN 1/30 | …',
  CUR: '98 ID 2/3 M | 100 ID 3/3 M | …',
  PO1: item('350 AN 1/20 | 330 R 1/15 | 355 ID 2/2 | 212 R 1/17 | 639 ID 2/2 | ', 10),
  CTP: '687 ID 2/2 | 236 ID 3/3 | 212 R 1/17 | 380 R 1/15 | C001 C | …',
  N9: '128 ID 2/3 M | 127 AN 1/30>50 | 369 AN 1/45 | 373 DT | 337 TM | 623 ID 2/2 | C040 C',
  MSG: '933 AN 1/264 M | 934 ID 2/2 | 1470 N 1/9',
  NTE: '363 ID 3/3 | 352 AN 1/80 M',
  AMT: '522 ID 1/3 M | 782 R 1/18 M | 478 ID 1/1',
  SCH: '380 R 1/15 M | 355 ID 2/2 M | 98 ID 2/3 | 93 AN 1/60 | 374 ID 3/3 M | 373 DT M | …',
  BCH: '353 ID 2/2 M | 92 ID 2/2 M | 324 AN 1/22 M | 328 AN 1/30 | 327 AN 1/8 | 373 DT M | 326 AN 1/45 | 367 AN 1/30 | 127 AN 1/30>50 | 373 DT | 373 DT | …',
  POC: item('350 AN 1/20 | 670 ID 2/2 M | 330 R 1/15 | 671 R 1/9>15 | C001 C | 212 R 1/17 | 639 ID 2/2 | ', 10),
  AK1: '479 ID 2/2 M | 28 N 1/9 M | 480 AN 1/12',
  AK2: '143 ID 3/3 M | 329 AN 4/9 M | 1705 AN 1/35',
  AK3: '721 ID 2/3 M | 719 N 1/6>10 M | 447 AN 1/4>6 | 720 ID 1/3',
  AK4: 'C030 C M | 725 N 1/4 | 723 ID 1/3 M | 724 AN 1/99',
  AK5: `717 ID 1/1 M =A,E,M,R,W,X | ${times('718 ID 1/3', 5)}`,
  AK9: `715 ID 1/1 M =A,E,M,P,R,W,X | 97 N 1/6 M | 123 N 1/6 M | 2 N 1/6 M | ${times('716 ID 1/3', 5)}`,
  TA1: 'I12 N 9/9 M | I08 DT M | I09 TM M | I17 ID 1/1 M =A,E,R | I18 ID 3/3 M',
  BGN: '353 ID 2/2 M | 127 AN 1/30>50 M | 373 DT M | 337 TM | 623 ID 2/2 | 127 AN 1/30>50 | 640 ID 2/2 | 306 ID 1/2 | 786 ID 2/2',
  OTI: '110 ID 1/2 M | 128 ID 2/3 M | 127 AN 1/30>50 M | 142 AN 2/15 | 124 AN 2/15 | 373 DT | 337 TM | 28 N 1/9 | 329 AN 4/9 | 143 ID 3/3 | 480 AN 1/12 | …',
  TED: '647 ID 1/3 M | 3 AN 1/60 | 721 ID 2/3 | 719 N 1/6>10 | 722 N 1/2 | 725 N 1/4 | 724 AN 1/99 | 961 AN 1/99',
  BRA: '127 AN 1/30>50 M | 373 DT M | 353 ID 2/2 M | 962 ID 1/1 M | 337 TM | …',
  RCD: `350 AN 1/20 | 663 R 1/9>15 | C001 C | 664 R 1/9>15 | C001 C | ${times('667 R 1/9>15 | C001 C | 412 ID 2/2', 5)} | …`,
} as const satisfies Record<string, string>;

/** Segments that have other elements before version 004010: a DTM has the century in DTM05. */
const EARLY_SEGMENTS = {
  DTM: '374 ID 3/3 M | 373 DT | 337 TM | 623 ID 2/2 | 624 N 2/2 | 1250 ID 2/3 P | 1251 AN 1/35',
};

/**
 * The segments of an area. Marks after an id: `!` mandatory; `:` at most once in each loop of the area; `?` not in X12
 * at this place, but accepted with a NOTE.
 */
interface AreaRule {
  /**
   * The segment that begins the area. Each loop of the area begins with it, too. Absent for the first area of a set.
   */
  begin?: string;
  segments: string;
}

export interface SetRule {
  /** GS01 of the groups that have the set. */
  functionalId: string;
  areas: readonly AreaRule[];
  /** The segment that CTT01 counts, and the element that CTT02 sums up. */
  totals?: { count: string; quantity?: { segment: string; element: number } };
}

const PARTY = 'N1 N2 N3 N4 NX2 N9 REF PER SI FOB TD1 TD5 TD3 TD4 PKG MSG';

const SETS: Readonly<Record<string, SetRule>> = {
  '856': {
    functionalId: FUNCTIONAL_IDS['856'],
    areas: [
      { segments: 'ST BSN!: DTM N1? N2? N3? N4? REF? PER? TD1? TD5? TD3? FOB?' },
      {
        begin: 'HL',
        segments:
          'HL! LIN: SN1: SLN PRF: PO4 PID MEA PWK PKG TD1 TD5 TD3 TD4 TSD REF PER LH1 LH2 LH3 LFH LEP CLD MAN DTM FOB PAL N1 N2 N3 N4 SDQ ETD CUR SAC GF YNQ LM LQ V1 R4 AMT ITA ITD MSG N9 CTP CN1',
      },
      { begin: 'CTT', segments: 'CTT: SE' },
    ],
    totals: { count: 'HL', quantity: { segment: 'SN1', element: 2 } },
  },
  '850': {
    functionalId: FUNCTIONAL_IDS['850'],
    areas: [
      {
        segments: `ST BEG!: CUR REF PER TAX FOB CTP PAM CSH TC2 SAC ITD DIS INC DTM LDT LIN SI PID MEA PWK PKG MAN PCT CTB TXI AMT N9 MSG MTX G53 LM LQ SPI RED VAR EFI ADV CB1 ${PARTY}`,
      },
      {
        begin: 'PO1',
        segments: `PO1! LIN SI CUR CN1 PO3 CTP PAM MEA PID PWK PO4 REF PER SAC IT8 CSH ITD DIS INC TAX FOB SDQ IT3 DTM TC2 TD1 TD5 TD3 TD4 PCT MAN MSG SPI TXI CTB QTY SCH PKG LS LE LDT N9 SLN AMT LM LQ MTX G53 NTE ADV ${PARTY}`,
      },
      { begin: 'CTT', segments: 'CTT: AMT SE' },
    ],
    totals: { count: 'PO1', quantity: { segment: 'PO1', element: 2 } },
  },
  '860': {
    functionalId: FUNCTIONAL_IDS['860'],
    areas: [
      {
        segments: `ST BCH!: CUR REF PER TAX FOB CTP PAM CSH TC2 SAC ITD DIS INC DTM LDT LIN SI PID MEA PWK PKG MAN PCT CTB TXI AMT N9 MSG MTX G53 LM LQ SPI RED VAR EFI ADV CB1 ${PARTY}`,
      },
      {
        begin: 'POC',
        segments: `POC LIN SI CUR CN1 PO3 CTP PAM MEA PID PWK PO4 REF PER SAC IT8 CSH ITD DIS INC TAX FOB SDQ IT3 DTM TC2 TD1 TD5 TD3 TD4 PCT MAN MSG SPI TXI CTB QTY SCH PKG LS LE LDT N9 SLN AMT LM LQ MTX G53 NTE ADV ${PARTY}`,
      },
      { begin: 'CTT', segments: 'CTT: AMT SE' },
    ],
    totals: { count: 'POC', quantity: { segment: 'POC', element: 3 } },
  },
  '861': {
    functionalId: FUNCTIONAL_IDS['861'],
    areas: [
      { segments: `ST BRA!: CUR REF PER PRF DTM PWK TD1 TD5 TD3 TD4 NTE FOB TXI SAC ${PARTY}` },
      {
        begin: 'RCD',
        segments: `RCD! SN1 CUR LIN PID PO4 REF PER DTM PRF MEA PWK MAN QTY TD1 TD5 TD3 TD4 FOB SLN LM LQ TXI AMT NTE ${PARTY}`,
      },
      { begin: 'CTT', segments: 'CTT: SE' },
    ],
    totals: { count: 'RCD' },
  },
  '997': {
    functionalId: FUNCTIONAL_IDS['997'],
    areas: [
      { segments: 'ST AK1!:' },
      { begin: 'AK2', segments: 'AK2 AK3 AK4 AK5:' },
      { begin: 'AK9', segments: 'AK9!: SE' },
    ],
  },
  '824': {
    functionalId: FUNCTIONAL_IDS['824'],
    areas: [
      { segments: `ST BGN!: ${PARTY}` },
      { begin: 'OTI', segments: 'OTI! REF DTM CUR AMT PER QTY NM1 TED CTX NTE RED LM LQ SE' },
    ],
  },
};

/** The sets that have a table. */
export const SET_IDS: readonly string[] = Object.keys(SETS);

/** The parsed area of a set. */
export interface Area {
  begin: string | undefined;
  segments: ReadonlyMap<string, { isMandatory: boolean; isOnce: boolean; isTolerated: boolean }>;
}

const areasOf = new Map<string, readonly Area[]>();
const segmentRules = new Map<string, SegmentRule>();

/** Returns the rule of a set; undefined if the set has no table. */
export function setRule(setId: string): SetRule | undefined {
  return Object.hasOwn(SETS, setId) ? SETS[setId] : undefined;
}

/** The areas of a set, in their order. */
export function areas(setId: string): readonly Area[] {
  const made =
    areasOf.get(setId) ??
    setRule(setId)?.areas.map(({ begin, segments }) => ({
      begin,
      segments: new Map(segments.split(' ').map(segmentOf)),
    })) ??
    [];
  areasOf.set(setId, made);
  return made;
}

function segmentOf(text: string) {
  const [, id = '', marks = ''] = /^([A-Z0-9]+)([!?:]*)$/.exec(text) ?? [];
  return [
    id,
    { isMandatory: marks.includes('!'), isOnce: marks.includes(':'), isTolerated: marks.includes('?') },
  ] as const;
}

/** Returns the rule of a segment in a version (GS08); undefined if its elements have no rules. */
export function segmentRule(id: string, version = '004010'): SegmentRule | undefined {
  const isEarly = Object.hasOwn(EARLY_SEGMENTS, id) && isBefore(version, '004010');
  const key = isEarly ? `${id} before 004010` : id;
  const known = segmentRules.get(key);
  if (known !== undefined || !Object.hasOwn(SEGMENTS, id)) return known;
  const segments: Readonly<Record<string, string>> = isEarly ? EARLY_SEGMENTS : SEGMENTS;
  const parts = segments[id]!.split(' | ');
  const elements = parts.filter((part) => part !== '…').map(elementOf);
  const lastMandatory = elements.findLastIndex(({ isMandatory }) => isMandatory) + 1;
  const rule = { elements, lastMandatory, isOpen: parts.at(-1) === '…' };
  segmentRules.set(key, rule);
  return rule;
}

function elementOf(text: string): ElementRule {
  const [reference = '', type = '', ...rest] = text.trim().split(/ +/);
  const [, min = '1', max = '99', later = max] = /^(\d+)\/(\d+)(?:>(\d+))?$/.exec(rest[0] ?? '') ?? [];
  const codes = rest.find((part) => part.startsWith('='));
  return {
    reference,
    type: type as ElementType,
    min: Number(min),
    max: Number(max),
    maxFrom5010: Number(later),
    isMandatory: rest.includes('M'),
    isPaired: rest.includes('P'),
    ...(codes !== undefined && { codes: codes.slice(1).split(',') }),
  };
}
