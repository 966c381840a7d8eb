/** Paging of searches and lists: its fields, where a page begins, and the header that names its last record (docs/decisions/043). */
import { decimalText, type Numeric } from '../decimal.ts';
import type { FieldErrors } from '../message/field-errors.ts';
import type { ValidPart } from '../message/valid-part.ts';
import { exact, integer, Type, text } from '../schema.ts';

const PAGE_SIZE_DEFAULT = 50;
export const PAGE_SIZE_MAX = 500;
/** Records that pages by `pageId` reach; maximum of `maxRecordsCount`. */
export const RECORDS_MAX = 10_000;
/** Any whole number a client may count pages with. */
const PAGE_MAX = 1_000_000_000;
/** Longest id of a record, and the same with every character percent-encoded (4 bytes of 3 characters each). */
const RECORD_ID_MAX = 40;
const ENCODED_ID_MAX = RECORD_ID_MAX * 12;

/** A whole number of a query string, in digits without zeros before them: `limit`, `pageSize`, `wait`. */
export function wholeParam(what: string, range: { min: 0 | 1; max: number; default: number }) {
  const { min, max } = range;
  const shorter = `${max}`.length - 1;
  const short = shorter === 1 ? `[${min}-9]` : `${min === 0 ? '0|' : ''}[1-9]${digits(0, shorter - 1)}`;
  return Type.Optional(
    text(1, 20, {
      pattern: `^(?:${[short, ...asLongAs(max)].join('|')})$`,
      'x-hint': `send a whole number from ${min} to ${max}`,
      description: `${what}, ${min} to ${max}; default ${range.default}`,
    }),
  );
}

/** A position to go on behind, as the field `next` of the page before has it. */
export function positionParam(next: string, description: string) {
  return Type.Optional(
    text(1, 15, {
      pattern: '^(?:0|[1-9][0-9]{0,14})$',
      'x-hint': `send the ${next} of the page before, or 0`,
      description,
    }),
  );
}

/** A whole number from 0, or its digits as a string. */
const whole = (max: number, description: string) =>
  Type.Optional(
    Type.Union(
      [
        integer(0, max),
        text(1, 40, {
          pattern: `^0*(?:${[digits(1, `${max}`.length - 1), ...asLongAs(max)].join('|')})$`,
          'x-hint': `send a whole number from 0 to ${max}`,
        }),
      ],
      { description },
    ),
  );

/** Patterns of the numbers up to `max` that have as many digits: `[1-4][0-9]{2}` and `500`. `max` has two digits or more. */
function asLongAs(max: number): string[] {
  const all = `${max}`;
  return Array.from(all, (digit, place) => {
    const behind = all.length - place - 1;
    const from = place === 0 ? 1 : 0;
    const to = Number(digit) - (behind === 0 ? 0 : 1);
    if (to < from) return [];
    const span = to - from > 1 ? `[${from}-${to}]` : to > from ? `[${from}${to}]` : `${from}`;
    return [all.slice(0, place) + span + digits(behind, behind)];
  }).flat();
}

/** Pattern of `min` to `max` digits. */
function digits(min: number, max: number): string {
  if (max === 0) return '';
  if (min === max) return max === 1 ? '[0-9]' : `[0-9]{${max}}`;
  return max === 1 ? '[0-9]?' : `[0-9]{${min},${max}}`;
}

/** The paging fields of a search; spread them into its body. */
export const pageMembers = {
  pageId: whole(PAGE_MAX, 'Number of the page, from 1; 0 and default: the first'),
  pageSize: whole(PAGE_SIZE_MAX, `Records of a page, at most ${PAGE_SIZE_MAX}; 0 and default: ${PAGE_SIZE_DEFAULT}`),
  maxRecordsCount: whole(
    RECORDS_MAX,
    `Records that all pages together hold, at most ${RECORDS_MAX}; 0 and default: no bound of your own`,
  ),
  lastRecordId: Type.Optional(
    Type.Union(
      [
        text(1, ENCODED_ID_MAX, {
          pattern: '^\\S(?:[\\s\\S]*\\S)?$',
          'x-hint': 'remove the white space at its start or end',
        }),
        exact({ integer: RECORD_ID_MAX, fraction: 0, min: 0 }),
      ],
      {
        description:
          'Id of the last record read, as the record or the header X-Last-Record-Id has it: the page goes on after it, and each record that stays comes exactly once. 0: from the start',
      },
    ),
  ),
};

/** The number of the page read before; a page does not depend on it. */
export const lastPageId = whole(PAGE_MAX, 'Number of the page read last; nothing depends on it');

/** What a reply says of its page. */
export const pageEcho = { pageId: integer(1, PAGE_MAX), pageSize: integer(1, PAGE_SIZE_MAX) };

/** What a reply says of all records that its search finds. */
export const totalsEcho = {
  totalRecords: integer(0, RECORDS_MAX, {
    description: `Records found, counted up to maxRecordsCount, else ${RECORDS_MAX}`,
  }),
  totalRecordsCapped: Type.Optional(
    Type.Literal(true, {
      description: 'There are more records than totalRecords says; left out where it is the true total',
    }),
  ),
};

export interface PageRequest {
  pageId?: number | string;
  pageSize?: number | string;
  maxRecordsCount?: number | string;
  lastRecordId?: string | Numeric;
}

/** The sort key of a record. */
export interface Cursor {
  at: number;
  id: string;
}

export interface Page {
  pageId: number;
  pageSize: number;
  /** Most records of all pages together, where the caller says so. */
  bound?: number;
  /** Records of the pages before. */
  before: number;
  /** The record after which the page begins; without it `before` records are passed over. */
  cursor?: Cursor;
}

/** Records of a search: what one is called, its field for `lastRecordId`, and those that have one of these ids. */
export interface Records {
  record: string;
  id: string;
  find: (ids: readonly string[]) => Promise<readonly Cursor[]>;
}

/**
 * The page that is asked for. With `lastRecordId` it begins after that record, wherever that stands now. A record that is
 * not there, and a page that only `lastRecordId` leads to, are errors.
 */
export async function findPlace(request: ValidPart<PageRequest>, records: Records, errors: FieldErrors): Promise<Page> {
  const pageId = Number(request.pageId ?? 0) || 1;
  const pageSize = Number(request.pageSize ?? 0) || PAGE_SIZE_DEFAULT;
  const bound = Number(request.maxRecordsCount ?? 0);
  const before = (pageId - 1) * pageSize;
  const page = { pageId, pageSize, before, ...(bound > 0 && { bound }) };
  const { lastRecordId } = request;
  const cursor = lastRecordId === undefined ? undefined : await findLast(lastRecordId, records, errors);
  if (cursor !== undefined) return { ...page, cursor };
  const isReadable = !errors.isBad('/lastRecordId') && !errors.isBad('/pageSize');
  if (isReadable && before >= RECORDS_MAX)
    errors.add('/pageId', 'maximum', TOO_FAR, Math.floor(RECORDS_MAX / pageSize));
  return page;
}

const TOO_FAR = `'pageId' leads past the first ${RECORDS_MAX} records; go on with 'lastRecordId', the id of the last record read (header X-Last-Record-Id)`;

async function findLast(sent: string | Numeric, records: Records, errors: FieldErrors): Promise<Cursor | undefined> {
  const ids = meantBy(sent);
  const found = await records.find(ids);
  // A number has lost the zeros that its id may begin with, so it is the id as it stands first of all.
  const exact = typeof sent === 'string' ? undefined : found.find(({ id }) => id === ids[0]);
  if (exact !== undefined || found.length === 1) return exact ?? found[0];
  if (found.length > 1) {
    const message = `'lastRecordId' fits several ${records.record}s; send the ${records.id} as a string, with each % of it as %25`;
    errors.add('/lastRecordId', 'ambiguous', message);
  } else if (!/^0+$/.test(ids[0]!)) {
    const message = `'lastRecordId' names no ${records.record} of this store and node; send the ${records.id} of the last record read`;
    errors.add('/lastRecordId', 'exists', message);
  }
  return undefined;
}

/** The ids that a `lastRecordId` may mean: as sent, as the header encodes it, with the zeros that a number cannot have. */
function meantBy(sent: string | Numeric): readonly string[] {
  if (typeof sent === 'string') return [...new Set([sent, decoded(sent)])];
  const digits = decimalText(sent);
  return Array.from({ length: RECORD_ID_MAX - digits.length + 1 }, (_, zeros) => '0'.repeat(zeros) + digits);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The header that names the record to go on after: the last of this page, or where an empty page began. An id that no header
 * can carry as it is, or that looks encoded, is percent-encoded.
 */
export function lastRecordHeader({ cursor }: Page, ids: readonly string[]): Record<string, string> {
  const id = ids.at(-1) ?? cursor?.id;
  if (id === undefined) return {};
  const isPlain = /^[\x21-\x7e]+( +[\x21-\x7e]+)*$/.test(id) && !id.includes('%');
  return { 'x-last-record-id': isPlain ? id : encodeURIComponent(id) };
}
