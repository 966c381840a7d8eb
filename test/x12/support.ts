/** Files of the small town's suppliers, as X12. */
import { type CheckOptions, type JudgedInterchange, judge } from '../../src/platform/x12/check.ts';
import type { Finding } from '../../src/platform/x12/findings.ts';
import { type Interchange, readBody } from '../../src/platform/x12/tokens.ts';
import type { WriteFormat } from '../../src/platform/x12/write.ts';

export const FORMAT: WriteFormat = {
  element: '*',
  component: '>',
  repetition: '^',
  segment: '~',
  newline: true,
  version: '004010',
};

/** The elements of the ISA of the supplier Green Valley, each padded to its width. */
export const ISA = [
  '00',
  ' '.repeat(10),
  '00',
  ' '.repeat(10),
  'ZZ',
  'GREENVALLEY'.padEnd(15),
  '12',
  '4085551234'.padEnd(15),
  '261124',
  '0930',
  'U',
  '00401',
  '000000905',
  '0',
  'P',
  '>',
];

/** A ship notice with cartons and no pallets: shipment, order, carton, item. */
export const SHIP_NOTICE = [
  'BSN*00*SHIP1001*20261124*0930*0001',
  'HL*1**S',
  'TD5**2*UPSN',
  'TD3*TL**TRAILER7',
  'REF*BM*BOL77',
  'DTM*017*20261126',
  'N1*ST*Main Street*92*004',
  'HL*2*1*O',
  'PRF*PO-7001',
  'HL*3*2*P',
  'MAN*GM*000123456789012343',
  'HL*4*3*I',
  'LIN*1*UP*012345678905*SK*A-1',
  'SN1**5*EA',
  'CTT*4*5',
];

export const ORDER = [
  'BEG*00*SA*PO-7001**20261120',
  'DTM*002*20261126',
  'N1*ST*Main Street*92*004',
  'PO1*1*5*EA*3.5**SK*A-1',
  'PO1*2*2*EA*10**UP*012345678905',
  'CTT*2*7',
];

export const CHANGE = ['BCH*05*SA*PO-7001***20261121', 'POC*1*CA*4*4*EA*3.5**SK*A-1', 'CTT*1*4'];

export const ACKNOWLEDGMENT = ['AK1*AG*12', 'AK2*824*0001', 'AK5*A', 'AK9*A*1*1*1'];

export const ADVICE = [
  'BGN*11*000000044*20261124***7',
  'OTI*TR*SI*SHIP1001*****905*0001*856',
  'TED*Q*Item is not known*LIN*13*3**012345678905',
  'NTE**Use an item of the catalog',
];

export const RECEIVING_ADVICE = [
  'BRA*SHIP1001*20261127*00*2',
  'DTM*050*20261127',
  'RCD*1*5*EA*1*EA*1*EA*02',
  'LIN**SK*A-1',
  'MAN*GM*000123456789012343',
  'CTT*1',
];

const GROUPS: Readonly<Record<string, string>> = {
  '850': 'PO',
  '856': 'SH',
  '860': 'PC',
  '861': 'RC',
  '824': 'AG',
  '997': 'FA',
};

export interface SetInput {
  id?: string;
  number?: string;
  body?: readonly string[];
  /** Wrong values of SE01 and SE02. */
  count?: string;
  trailer?: string;
  /** Leaves out SE. */
  isCut?: boolean;
}

/** Returns the segments of a set from ST to SE; without SE if `isCut` is true. */
function setOf({ id = '856', number = '0001', body = SHIP_NOTICE, count, trailer, isCut }: SetInput = {}): string[] {
  const se = isCut ? [] : [`SE*${count ?? body.length + 2}*${trailer ?? number}`];
  return [`ST*${id}*${number}`, ...body, ...se];
}

export interface FileInput {
  isa?: readonly string[];
  sets?: readonly SetInput[];
  version?: string;
  functionalId?: string;
  /** A segment instead of GS, GE or IEA. `undefined` leaves out GE or IEA. */
  gs?: string;
  ge?: string | undefined;
  iea?: string | undefined;
}

/** Returns the segments of an interchange, from ISA to IEA. */
export function segmentsOf(input: FileInput = {}): string[] {
  const { isa = ISA, sets = [{}], version = '004010VICS' } = input;
  const functionalId = input.functionalId ?? GROUPS[sets[0]?.id ?? '856']!;
  const gs = input.gs ?? `GS*${functionalId}*GREENVALLEY*4085551234*20261124*0930*905*X*${version}`;
  const ge = 'ge' in input ? input.ge : `GE*${sets.length}*905`;
  const iea = 'iea' in input ? input.iea : `IEA*1*${isa[12]}`;
  return [`ISA*${isa.join('*')}`, gs, ...sets.flatMap(setOf), ge, iea].filter((one) => one !== undefined);
}

/** Returns an interchange as a file: `~` and a line feed end each segment. */
export function fileOf(input: FileInput = {}): string {
  return segmentsOf(input)
    .map((segment) => `${segment}~\n`)
    .join('');
}

/** Returns the elements of an ISA with some of them changed, by number. */
export function isaWith(changed: Readonly<Record<number, string>>): string[] {
  return ISA.map((value, at) => changed[at + 1] ?? value);
}

/** Reads a file that has an ISA. */
export async function read(file: string | Uint8Array): Promise<readonly Interchange[]> {
  const body = await readBody(typeof file === 'string' ? Buffer.from(file, 'latin1') : file);
  if ('noEnvelope' in body) throw new Error(body.noEnvelope.message);
  return body.interchanges;
}

/** Reads and judges a file with one interchange. */
export async function judgeFile(file: string | Uint8Array, options: CheckOptions = {}): Promise<JudgedInterchange> {
  const [interchange, ...others] = await read(file);
  if (interchange === undefined || others.length > 0) throw new Error('The file must have one interchange.');
  return judge(interchange, options);
}

/** Returns all findings, in the order of the file. */
export function findingsOf({ findings, groups }: JudgedInterchange): Finding[] {
  const ofSets = groups.flatMap(({ sets }) => sets.flatMap((set) => set.findings));
  return [...findings, ...ofSets].sort((one, other) => one.offset - other.offset);
}

/** Returns level, code and place of each finding: `ERROR TOO_LONG 3 BSN02`. */
export function brief(found: readonly Finding[]): string[] {
  return found.map(({ level, code, position, segment, element }) =>
    [level, code, position, `${segment ?? ''}${element === undefined ? '' : String(element).padStart(2, '0')}`]
      .filter((part) => part !== undefined && part !== '')
      .join(' '),
  );
}

/**
 * Returns the ship notice with segments replaced; undefined removes a segment. A key is the id of a segment, or its
 * place if the id occurs several times.
 */
export function noticeWith(changed: Readonly<Record<string, string | undefined>>): string[] {
  return SHIP_NOTICE.flatMap((segment, at) => {
    const id = segment.split('*', 1)[0]!;
    const key = Object.hasOwn(changed, id) ? id : String(at);
    if (!Object.hasOwn(changed, key)) return [segment];
    return changed[key] === undefined ? [] : changed[key].split('~');
  });
}
