/** The small town with the supplier Green Valley, and its files. */
import type { Answer } from '../support/backroom.ts';
import { type Caller, type OpenTown, type OpenTownOptions, openTown } from '../support/town.ts';

export const EDI = '/operator/v1/clients/TOWN/edi';

/** The profile of Green Valley; the other fields have their defaults. */
export const PROFILE = {
  sellerId: 'TOWNS',
  usage: 'P',
  ours: { qualifier: '12', id: '4085551234' },
  theirs: { qualifier: 'ZZ', id: 'GREENVALLEY' },
  locations: [{ entity: 'ST', qualifier: '92', code: '004', storeCode: '988', receivingWarehouseId: 'DC001' }],
  defaults: { itemCost: 3.75, trailerNumber: 'T-1' },
};

/** A ship notice of one carton with 24 mugs. */
export const NOTICE = [
  'BSN*00*SHIP1001*20261124*0930*0001',
  'HL*1**S',
  'TD3*TL**TRAILER7',
  'DTM*017*20261130',
  'N1*SF*Green Valley',
  'N1*ST*Main Street*92*004',
  'HL*2*1*O',
  'PRF*PO-7001',
  'HL*3*2*P',
  'MAN*GM*000123456789012343',
  'HL*4*3*I',
  'LIN*1*SK*MUG-WHT',
  'SN1**24*EA',
  'CTT*4*24',
];

export const ORDER = [
  'BEG*00*SA*PO-7001**20261120',
  'DTM*002*20261126',
  'N1*ST*Main Street*92*004',
  'PO1*1*24*EA*3.5**SK*MUG-WHT',
  'CTT*1*24',
];

const GROUPS: Readonly<Record<string, string>> = { '856': 'SH', '850': 'PO', '860': 'PC', '997': 'FA', '824': 'AG' };

export interface FileOptions {
  number?: string | number;
  usage?: string;
  version?: string;
  from?: string;
  /** ISA14. */
  asksTa1?: boolean;
}

/** A set: its id, and its segments without ST and SE. */
export type SetOf = readonly [setId: string, segments: readonly string[]];

/**
 * Returns an interchange with one group for each sequence of sets of the same kind; its counts and numbers are correct.
 */
export function file(sets: readonly SetOf[], options: FileOptions = {}): string {
  const { number = 905, usage = 'P', version = '004010', from = 'GREENVALLEY', asksTa1 = false } = options;
  const control = String(number).padStart(9, '0');
  const isa = `ISA*00*${' '.repeat(10)}*00*${' '.repeat(10)}*ZZ*${from.padEnd(15)}*12*${'4085551234'.padEnd(15)}*261124*0930*U*00401*${control}*${asksTa1 ? 1 : 0}*${usage}*>`;
  const lines = [isa];
  const groups: SetOf[][] = [];
  for (const set of sets) {
    const last = groups.at(-1);
    if (last !== undefined && last[0]![0] === set[0]) last.push(set);
    else groups.push([set]);
  }
  for (const [at, group] of groups.entries()) {
    const groupNumber = Number(number) * 10 + at;
    lines.push(`GS*${GROUPS[group[0]![0]]}*${from}*4085551234*20261124*0930*${groupNumber}*X*${version}`);
    for (const [index, [setId, segments]] of group.entries()) {
      const set = String(index + 1).padStart(4, '0');
      lines.push(`ST*${setId}*${set}`, ...segments, `SE*${segments.length + 2}*${set}`);
    }
    lines.push(`GE*${group.length}*${groupNumber}`);
  }
  lines.push(`IEA*${groups.length}*${control}`);
  return lines.map((line) => `${line}~\n`).join('');
}

/** Returns a file with one set 856. */
export function notice(segments: readonly string[] = NOTICE, options: FileOptions = {}): string {
  return file([['856', segments]], options);
}

/** Returns the segments with changes: a segment that begins with a key becomes its value; null removes the segment. */
export function changed(segments: readonly string[], changes: Readonly<Record<string, string | null>>): string[] {
  return segments.flatMap((segment) => {
    const key = Object.keys(changes).find((one) => segment.startsWith(one));
    if (key === undefined) return [segment];
    const value = changes[key] as string | null;
    return value === null ? [] : [value];
  });
}

export interface EdiTown extends OpenTown {
  /** Sends a file as the town's client. */
  send: (raw: string | Buffer, query?: string, headers?: Record<string, string>, as?: Caller) => Promise<Answer>;
  /** Stores a partner; `fields` replace fields of Green Valley's profile. */
  partner: (fields?: object, partnerId?: string) => Promise<Answer>;
  /** The message of a stored ASN or PO. */
  message: (type: 'ASN' | 'PO', number: string) => Promise<unknown>;
}

export async function openEdi(options: OpenTownOptions = {}): Promise<EdiTown> {
  const town = await openTown(options);
  const edi: EdiTown = {
    ...town,
    send: (raw, query = '', headers = {}, as = town.client) =>
      town.call({
        method: 'POST',
        path: `${EDI}/interchanges${query}`,
        raw,
        headers: { apikey: as.secrets.apiKey, 'content-type': 'application/edi-x12', ...headers },
      }),
    partner: (fields = {}, partnerId = 'GREENVALLEY') =>
      town.operator('PUT', `${EDI}/partners/${partnerId}`, { ...PROFILE, ...fields }),
    message: async (type, number) =>
      (await town.operator('GET', `/operator/v1/clients/TOWN/inbound/${type}/${number}`)).body.message,
  };
  await edi.partner();
  return edi;
}

/** The only interchange of a response. */
// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
export function only(answer: Answer): any {
  const { interchanges } = answer.body as { interchanges: unknown[] };
  if (interchanges.length !== 1) throw new Error(`${answer.status}: ${answer.text}`);
  return interchanges[0];
}

/** Returns the codes of the findings of the only set, with their levels. */
export function codes(answer: Answer): string[] {
  const [set] = only(answer).sets as { findings: { code: string; level: string }[] }[];
  return set!.findings.map(({ code, level }) => `${level} ${code}`);
}
