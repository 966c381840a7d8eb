/** Paging of searches (design 5, Paging; decision 24): its members, and which records a page holds. */
import { decimalText, type Numeric } from '../decimal.ts';
import { exact, identifier, integer, Type } from '../schema.ts';
import type { Sound } from './sound.ts';

export const PAGE_SIZE_DEFAULT = 50;
export const PAGE_SIZE_MAX = 500;
/** Default and maximum of `maxRecordsCount`. */
export const RECORDS_MAX = 10_000;
/** Any whole number a client may count pages with; pages past the last record are empty. */
const PAGE_MAX = 1_000_000_000;
const RECORD_ID_MAX = 40;

/** The paging members of a search; spread them into its body. */
export const pageMembers = {
  pageId: Type.Optional(integer(1, PAGE_MAX, { description: 'Number of the page, from 1; default 1' })),
  pageSize: Type.Optional(
    integer(1, PAGE_SIZE_MAX, {
      description: `Records of a page, at most ${PAGE_SIZE_MAX}; default ${PAGE_SIZE_DEFAULT}`,
    }),
  ),
  maxRecordsCount: Type.Optional(
    integer(1, RECORDS_MAX, {
      description: `Records that all pages together hold; default and maximum ${RECORDS_MAX}`,
    }),
  ),
  lastRecordId: Type.Optional(
    Type.Union([identifier(RECORD_ID_MAX), exact({ integer: RECORD_ID_MAX, fraction: 0, min: 0 })], {
      description:
        'Id of the last record read, as string or digits: the page goes on after it, and each record that stays comes exactly once',
    }),
  ),
};

/** The number of the page read before; a page does not depend on it. */
export const lastPageId = Type.Optional(
  integer(0, PAGE_MAX, { description: 'Number of the page read last; nothing depends on it' }),
);

/** What a reply says of its page. */
export const pageEcho = { pageId: integer(1, PAGE_MAX), pageSize: integer(1, PAGE_SIZE_MAX) };

export interface PageRequest {
  pageId?: number;
  pageSize?: number;
  maxRecordsCount?: number;
  lastRecordId?: string | Numeric;
}

export interface Page {
  pageId: number;
  pageSize: number;
  maxRecordsCount: number;
  /** Most records of this page: `min(pageSize, maxRecordsCount - (pageId - 1) x pageSize)`, never below 0. */
  limit: number;
  /** Records to pass over; 0 where `after` says where to begin. */
  offset: number;
  /** Id of the record after which the page begins. */
  after?: string;
}

/**
 * The page that is asked for. With `lastRecordId` the page begins after that record, and `pageId` only says how much of
 * `maxRecordsCount` the pages before have used.
 */
export function readPage(request: Sound<PageRequest>): Page {
  const { pageId = 1, pageSize = PAGE_SIZE_DEFAULT, maxRecordsCount = RECORDS_MAX, lastRecordId } = request;
  const before = (pageId - 1) * pageSize;
  const limit = Math.max(0, Math.min(pageSize, maxRecordsCount - before));
  const common = { pageId, pageSize, maxRecordsCount, limit };
  if (lastRecordId === undefined) return { ...common, offset: limit === 0 ? 0 : before };
  return { ...common, offset: 0, after: typeof lastRecordId === 'string' ? lastRecordId : decimalText(lastRecordId) };
}

/**
 * The header that names the record to go on after: the last of this page, or where an empty page began. An id that no
 * header can carry is left out; it stands in the body.
 */
export function lastRecordHeader(page: Page, ids: readonly string[]): Record<string, string> {
  const id = ids.at(-1) ?? page.after;
  return id !== undefined && /^[\x21-\x7e]+( +[\x21-\x7e]+)*$/.test(id) ? { 'x-last-record-id': id } : {};
}
