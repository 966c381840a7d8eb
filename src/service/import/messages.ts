/** How rows become messages, and messages what a sink writes: nothing of it asks the database. */
import type { Mapping, MappingContext } from './mapping-api.ts';
import { REASONS } from './rejects.ts';
import type { RowReader, SourceRow } from './rows.ts';
import type { Message, Sink } from './sink.ts';

export interface MakerParts {
  sink: Pick<Sink, 'fromColumns' | 'fromRows'>;
  reader: Pick<RowReader, 'columns'>;
  context: MappingContext | undefined;
}

/** How rows are put together to messages: those that follow each other with the same key are one. */
export interface Grouping {
  /** May throw what refuses the row. */
  keyOf: (row: unknown) => string;
}

/** The grouping of a mapping, or that of a kind whose CSV has several rows for a message; undefined: each row is one. */
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

/** A function from the rows of a message to the message; without a mapping each row is one. It throws what a mapping throws. */
export function messageMaker(
  mapping: Mapping<unknown> | undefined,
  parts: MakerParts,
): (rows: readonly SourceRow[]) => Message {
  if (mapping !== undefined) {
    return (rows) => ({
      value: mapping.build(
        rows.map((row) => row.value),
        parts.context!,
      ),
      errors: [],
    });
  }
  const { columns } = parts.reader;
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

/** Rows of a reject file can be imported once they are fixed. */
function withoutReasons(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !(REASONS in value)) return value;
  const { [REASONS]: _, ...rest } = value as Record<string, unknown>;
  return rest;
}

/** Adds to rows that can be read what the sink makes of each by itself. */
export async function prepareRows(
  rows: readonly SourceRow[],
  make: (rows: readonly SourceRow[]) => Message,
  sink: Pick<Sink, 'prepare'>,
): Promise<void> {
  for (const row of rows) {
    if (row.error !== undefined) continue;
    const prepared = sink.prepare(make([row]));
    // To await what is there already would cost a tenth of reading an item.
    row.prepared = prepared instanceof Promise ? await prepared : prepared;
  }
}
