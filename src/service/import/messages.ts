/** Turns rows into messages, and messages into the content that a sink writes, without the database. */
import { shortenedError } from '../../platform/csv.ts';
import { Decimal } from '../../platform/decimal.ts';
import type { FieldError } from '../../platform/message/field-errors.ts';
import { below } from '../../platform/message/pointer.ts';
import type { Mapping, MappingContext } from './mapping-api.ts';
import { REASONS } from './rejects.ts';
import type { RowReader, SourceRow } from './rows.ts';
import type { Message, Sink } from './sink.ts';

export interface MakerParts {
  sink: Pick<Sink, 'fromColumns' | 'fromRows'>;
  reader: Pick<RowReader, 'columns'>;
  context: MappingContext | undefined;
}

/** Groups rows into messages: consecutive rows with the same key are one message. */
export interface Grouping {
  /** Returns the key of a row. If the function throws an error, the row is rejected. */
  keyOf: (row: unknown) => string;
}

/**
 * Returns the grouping of a mapping, or of a kind whose CSV has several rows per message. Returns undefined if each row
 * is a message.
 */
export function groupingOf(mapping: Mapping<unknown> | undefined, parts: MakerParts): Grouping | undefined {
  if (mapping !== undefined) return mapping.group && { keyOf: mapping.group };
  return rowsOfMessage(parts);
}

function rowsOfMessage({
  sink,
  reader: { columns },
}: MakerParts): ReturnType<NonNullable<Sink['fromRows']>> | undefined {
  return columns === undefined ? undefined : sink.fromRows?.(columns.filter((name) => name !== REASONS));
}

/**
 * Returns a function that makes a message from rows. With neither a mapping nor a grouping, a message has one row. The
 * function throws the errors of the mapping.
 */
export function messageMaker(
  mapping: Mapping<unknown> | undefined,
  parts: MakerParts,
): (rows: readonly SourceRow[]) => Message {
  const { columns } = parts.reader;
  if (mapping !== undefined) {
    return (rows) => {
      const value = mapping.build(
        rows.map((row) => row.value),
        parts.context!,
      );
      return { value, errors: columns === undefined ? [] : shortenedIn(value) };
    };
  }
  if (columns === undefined) {
    return ([row]) => ({ value: withoutReasons(row!.value), errors: [] });
  }
  const together = rowsOfMessage(parts);
  if (together !== undefined) {
    return (rows) => together.messageOf(rows.map((row) => withoutReasons(row.value) as Record<string, string>));
  }
  const names = columns.filter((name) => name !== REASONS);
  const read = parts.sink.fromColumns(names);
  return ([row]) => read(withoutReasons(row!.value) as Record<string, string>);
}

/**
 * Returns errors for texts of a message that come from cells with shortened numbers. Cells that the mapping does not
 * use cause no error, for example cells of a foreign catalog.
 */
function shortenedIn(value: unknown, pointer = ''): FieldError[] {
  if (typeof value === 'string') return [shortenedError(pointer, value) ?? []].flat();
  if (typeof value !== 'object' || value === null || value instanceof Decimal) return [];
  return Object.entries(value).flatMap(([name, inner]) => shortenedIn(inner, below(pointer, name)));
}

/** Removes the reasons from a row of a reject file, so that the corrected file can be imported. */
export function withoutReasons(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !(REASONS in value)) return value;
  const { [REASONS]: _, ...rest } = value as Record<string, unknown>;
  return rest;
}

/** Sets `prepared` of each readable row: the part of the content that the sink prepares without the database. */
export async function prepareRows(
  rows: readonly SourceRow[],
  make: (rows: readonly SourceRow[]) => Message,
  sink: Pick<Sink, 'prepare'>,
): Promise<void> {
  for (const row of rows) {
    if (row.error !== undefined) continue;
    const prepared = sink.prepare(make([row]));
    // Only promises are awaited, because an `await` costs a tenth of the time to read an item.
    row.prepared = prepared instanceof Promise ? await prepared : prepared;
  }
}
