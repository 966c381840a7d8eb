/** Whether a year stays as it is once all that is kept for a time has been there once. */

/** What was seen at the end of a day. */
export interface Day {
  /** How long its work took. */
  ms: number;
  /** By table. */
  rows: Readonly<Record<string, number>>;
  bytes: number;
}

/** A table may have so many times the rows, and so many more; free pages are used again, but not at once. */
const ROWS = { times: 1.2, more: 60 };
const BYTES = { times: 1.25, more: 1024 * 1024 };
/** The machine does other work, too: what grows with the data would take many times as long. */
const SLOWER = 2;

/** Compares the last quarter of the days after `warm` with the first one. */
export function flatYear(days: readonly Day[], warm: number): { faults: string[]; figures: Record<string, number> } {
  const settled = days.slice(warm);
  const quarter = Math.floor(settled.length / 4);
  if (quarter === 0)
    return { faults: [`${days.length} days are too few: nothing is past its time for long`], figures: {} };
  const [first, last] = [settled.slice(0, quarter), settled.slice(-quarter)];
  const most = (some: readonly Day[], of: (day: Day) => number) => Math.max(...some.map(of));
  const faults: string[] = [];
  for (const table of Object.keys(last[0]!.rows)) {
    const [before, after] = [first, last].map((some) => most(some, ({ rows }) => rows[table]!)) as [number, number];
    if (after > before * ROWS.times + ROWS.more) faults.push(`${table} grows: ${before} rows, at the end ${after}`);
  }
  const [before, after] = [first, last].map((some) => most(some, ({ bytes }) => bytes)) as [number, number];
  if (after > before * BYTES.times + BYTES.more)
    faults.push(`the database grows: ${before} bytes, at the end ${after}`);
  const slower = median(last.map(({ ms }) => ms)) / median(first.map(({ ms }) => ms));
  if (slower > SLOWER) faults.push(`a day takes ${slower.toFixed(2)} times as long at the end`);
  const rows = (some: readonly Day[]) =>
    most(some, (day) => Object.values(day.rows).reduce((sum, one) => sum + one, 0));
  return {
    faults,
    figures: {
      rowsFirst: rows(first),
      rowsLast: rows(last),
      mebibytesFirst: before / 2 ** 20,
      mebibytesLast: after / 2 ** 20,
      dayMs: median(last.map(({ ms }) => ms)),
      lastToFirst: slower,
      lastToBeginning: median(last.map(({ ms }) => ms)) / median(days.slice(0, quarter).map(({ ms }) => ms)),
    },
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
