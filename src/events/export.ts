/**
 * Format of every bulk export (docs/api.md#exports). The first line of a new export has the position of the event feed.
 * Each further line has a record and its cursor. The last line marks the end.
 */
import type { ReadCtx } from '../platform/ctx.ts';
import { LINES_TYPE, type LinePart } from '../platform/http/lines.ts';
import type { BeforeRead, Reply } from '../platform/http/operation.ts';
import { stringifyJson } from '../platform/message/json.ts';
import { Type } from '../platform/schema.ts';
import { headOf, placeEvents } from './place.ts';

/** The records of one part, in order. */
interface Records {
  records: readonly { next: string }[];
  isLast: boolean;
}

/** The input of an export: the client, the caller's cursor, and the function that reads the records. */
interface Export {
  clientId: string;
  /** The cursor of the caller; undefined: from the start. */
  after: string | undefined;
  /** Reads the records after a cursor. */
  read: (ctx: ReadCtx, after: string | undefined) => Promise<Records>;
}

/**
 * Gives positions to all committed events before the export reads `head`, so that the feed continues where the export
 * begins.
 */
export async function beforeExport({ store }: BeforeRead, { clientId }: { clientId: string }): Promise<void> {
  await placeEvents(store, clientId);
}

/**
 * Returns the response of an export. `head` and the first records are read from one snapshot, so every later change has
 * an event after `head`.
 */
export async function exportReply(ctx: ReadCtx, { clientId, after, read }: Export): Promise<Reply> {
  const begin = after === undefined ? [{ head: await headOf(ctx.db, clientId) }] : [];
  const partAfter = async (of: ReadCtx, cursor: string | undefined, lines: readonly object[]): Promise<LinePart> => {
    const { records, isLast } = await read(of, cursor);
    const last = records.at(-1)?.next ?? cursor;
    if (!isLast) return { records: [...lines, ...records], next: (later) => partAfter(later, last, []) };
    return { records: [...lines, ...records, { end: true, ...(last !== undefined && { next: last }) }] };
  };
  return { status: 200, lines: await partAfter(ctx, after, begin) };
}

/** Returns the schema of the response. `name` is the field with the record; `next` and `record` are example values. */
export function exportSchema(name: string, next: string, record: object) {
  const lines = [{ head: 4711 }, { next, [name]: record }, { end: true, next }];
  return Type.String({
    description: `Lines of JSON. The first line has \`head\`. One line for each record has \`${name}\` and \`next\`. The last line has \`end\``,
    contentMediaType: LINES_TYPE,
    examples: [lines.map((line) => `${stringifyJson(line)}\n`).join('')],
  });
}

/** Rules for readers of an export, for the descriptions of the export operations. */
export const EXPORT_RULES =
  '- The response is a stream of lines (`application/x-ndjson`), without a limit of records. The first line has `head`, the position of the event feed at the start of the export.\n' +
  '- Each line has `next`. If the connection ends before the line with `end`, send the last `next` as `after`; that response has no `head`.\n' +
  '- The service reads the records in parts, so later records can include changes made during the export. To get all changes, follow the feed from `head`.\n' +
  '- A client can have at most 4 exports at the same time; more get 429. A caller that reads nothing for 60 s is disconnected.';
