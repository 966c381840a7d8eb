/**
 * Paging of searches and lists: its fields, the start of a page, and the header with the last record
 * (docs/api.md#paging).
 */
import { decimalText, type Numeric } from '../decimal.ts';
import type { FieldErrors } from '../message/field-errors.ts';
import { inEnglish } from '../message/sentence.ts';
import type { ValidPart } from '../message/valid-part.ts';
import { exact, integer, TRIMMED, Type, text } from '../schema.ts';
import { say } from '../sentences.ts';

const PAGE_SIZE_DEFAULT = 50;
/** Maximum number of records of a page, except in lists with a limit of their own. */
export const PAGE_SIZE_MAX = 500;
/** Number of records within which a page must begin so that `pageId` reaches it; maximum of `maxRecordsCount`. */
export const RECORDS_MAX = 10_000;
/** Largest page number. */
const PAGE_MAX = 1_000_000_000;
/**
 * Maximum length of a record's id. Percent-encoded, it has at most `ENCODED_ID_MAX` characters: 12 for each character.
 */
const RECORD_ID_MAX = 40;
const ENCODED_ID_MAX = RECORD_ID_MAX * 12;

/** Returns the schema of a whole number in a query, in digits without leading zeros: `limit`, `pageSize`, `wait`. */
export function wholeParam(what: string, range: { min: 0 | 1; max: number; default: number }) {
  const { min, max } = range;
  const shorter = `${max}`.length - 1;
  const short = shorter === 1 ? `[${min}-9]` : `${min === 0 ? '0|' : ''}[1-9]${digits(0, shorter - 1)}`;
  return Type.Optional(
    text(1, 20, {
      pattern: `^(?:${[short, ...asLongAs(max)].join('|')})$`,
      'x-hint': say('send a whole number from {min} to {max}', { min, max }),
      'x-whole': { minimum: min, maximum: max },
      description: `${what}, ${min} to ${max}; default ${range.default}`,
    }),
  );
}

/**
 * Returns the schema of a parameter for the position after which a page begins. Callers send the field `next` of the
 * previous page.
 */
export function positionParam(next: string, description: string) {
  return Type.Optional(
    text(1, 15, {
      pattern: '^(?:0|[1-9][0-9]{0,14})$',
      'x-hint': say('send {next} of the previous page, or 0', { next }),
      'x-whole': { minimum: 0 },
      description,
    }),
  );
}

/** Fields of every response of a feed: the position to continue after, also under its old name. */
export const nextPosition = {
  next: integer(0, Number.MAX_SAFE_INTEGER, { description: 'Value of `after` for the next request' }),
  nextAfter: integer(0, Number.MAX_SAFE_INTEGER, { description: 'Old name of `next`', deprecated: true }),
};

/** Returns the schema of a whole number from 0, or of its digits as a string. */
const whole = (max: number, description: string) =>
  Type.Optional(
    Type.Union(
      [
        integer(0, max),
        text(1, 40, {
          pattern: `^0*(?:${[digits(1, `${max}`.length - 1), ...asLongAs(max)].join('|')})$`,
          'x-hint': say('send a whole number from 0 to {max}', { max }),
        }),
      ],
      { description },
    ),
  );

/**
 * Patterns of the numbers up to `max` that have as many digits as `max`: for 500, `[1-4][0-9]{2}` and `500`. `max` has
 * at least two digits.
 */
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
  pageId: whole(PAGE_MAX, 'Number of the page, from 1. 0 (default): the first page'),
  pageSize: whole(
    PAGE_SIZE_MAX,
    `Number of records of a page, at most ${PAGE_SIZE_MAX}. 0 (default): ${PAGE_SIZE_DEFAULT}`,
  ),
  maxRecordsCount: whole(
    RECORDS_MAX,
    `Maximum number of records on all pages together, 0 to ${RECORDS_MAX}. 0 (default): no limit, but a page that begins after the first ${RECORDS_MAX} records needs lastRecordId`,
  ),
  lastRecordId: Type.Optional(
    Type.Union([text(1, ENCODED_ID_MAX, TRIMMED), exact({ integer: RECORD_ID_MAX, fraction: 0, min: 0 })], {
      description:
        'Id of the last record that you have read. The page begins after this record. Send the value of the header X-Last-Record-Id, or the id in the record with %25 for %. A record that remains in the result is on exactly one page. With 0, the page begins with the first record',
    }),
  ),
};

/** The number of the page that the caller has read before; it has no effect. */
export const lastPageId = whole(PAGE_MAX, 'Number of the last page that you have read. The number has no effect');

/** The page in a response. */
export const pageEcho = { pageId: integer(1, PAGE_MAX), pageSize: integer(1, PAGE_SIZE_MAX) };

/** The totals of a search in its response. */
export const totalsEcho = {
  totalRecords: integer(0, RECORDS_MAX, {
    description: `Number of records found. The service counts up to maxRecordsCount, by default up to ${RECORDS_MAX}`,
  }),
  totalRecordsCapped: Type.Optional(
    Type.Literal(true, {
      description: 'true: there are more records than totalRecords. Absent if totalRecords is exact',
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
  /** Maximum number of records on all pages together, if the caller sends this limit. */
  bound?: number;
  /** Number of records on the previous pages. */
  before: number;
  /** The record after which the page begins; without it, `before` records are skipped. */
  cursor?: Cursor;
}

/** Records of a search: their name, the field with their id, and a look-up by ids. */
export interface Records {
  record: string;
  id: string;
  find: (ids: readonly string[]) => Promise<readonly Cursor[]>;
}

/**
 * Finds the page of a request. With `lastRecordId`, the page begins after the present place of that record. Adds an
 * error if no record or several records have this id, or if `pageId` is beyond the records that paging by number
 * reaches.
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
    errors.add('/pageId', 'maximum', inEnglish(TOO_FAR), Math.ceil(RECORDS_MAX / pageSize));
  return page;
}

const TOO_FAR = `'pageId' is beyond the first ${RECORDS_MAX} records; continue with 'lastRecordId', the id of the last record read (header X-Last-Record-Id)`;

async function findLast(sent: string | Numeric, records: Records, errors: FieldErrors): Promise<Cursor | undefined> {
  const ids = meantBy(sent);
  const found = await records.find(ids);
  // The first id has precedence: for a string the decoded text, for a number the id without added zeros. Every value of
  // `X-Last-Record-Id` then means exactly one record.
  const preferred = found.find(({ id }) => id === ids[0]);
  if (preferred !== undefined || found.length === 1) return preferred ?? found[0];
  if (found.length > 1) {
    const message = `'lastRecordId' matches several ${records.record}s; send the ${records.id} as a string`;
    errors.add('/lastRecordId', 'ambiguous', inEnglish(message));
  } else if (!/^0+$/.test(ids[0]!)) {
    const message = `this store and node have no ${records.record} with this 'lastRecordId'; send the ${records.id} of the last record read`;
    errors.add('/lastRecordId', 'exists', inEnglish(message));
  }
  return undefined;
}

/** Possible ids of a `lastRecordId`: percent-decoded and as sent; a number as sent and with leading zeros. */
function meantBy(sent: string | Numeric): readonly string[] {
  if (typeof sent === 'string') return [...new Set([decoded(sent), sent])];
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
 * Returns the header with the id to continue after: the id of the last record of the page. For an empty page, the
 * header has the id after which the page begins. An id is percent-encoded if a header does not permit its characters,
 * or if it looks percent-encoded.
 */
export function lastRecordHeader({ cursor }: Page, ids: readonly string[]): Record<string, string> {
  const id = ids.at(-1) ?? cursor?.id;
  if (id === undefined) return {};
  const isPlain = /^[\x21-\x7e]+( +[\x21-\x7e]+)*$/.test(id) && !id.includes('%');
  return { 'x-last-record-id': isPlain ? id : encodeURIComponent(id) };
}
