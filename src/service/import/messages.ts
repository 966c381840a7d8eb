/** How rows become messages, and messages what a sink writes: nothing of it asks the database. */
import type { Mapping, MappingContext } from './mapping-api.ts';
import { REASONS } from './rejects.ts';
import type { RowReader, SourceRow } from './rows.ts';
import type { Message, Sink } from './sinks.ts';

export interface MakerParts {
  sink: Pick<Sink, 'fromColumns'>;
  reader: Pick<RowReader, 'columns'>;
  context: MappingContext | undefined;
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
export function prepareRows(
  rows: readonly SourceRow[],
  make: (rows: readonly SourceRow[]) => Message,
  sink: Pick<Sink, 'prepare'>,
): void {
  for (const row of rows) if (row.error === undefined) row.prepared = sink.prepare(make([row]));
}
