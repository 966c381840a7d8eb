/** Checks whether the data of a year stays flat after every retention time has passed once. */

/** Measurements at the end of a day. */
export interface Day {
  /** Milliseconds for the work of the day. */
  ms: number;
  /** Number of rows by table. */
  rows: Readonly<Record<string, number>>;
  bytes: number;
}

/** Limits of growth: a factor and an additional amount. The database uses free pages again, but not immediately. */
const ROWS = { times: 1.2, more: 60 };
const BYTES = { times: 1.25, more: 1024 * 1024 };
/**
 * Growth limit for the processing time of a day. The limit is high, because other work of the machine slows days down.
 * A time that grows with the data would become several times as long.
 */
const SLOWER = 2;

/** Compares the last quarter of the days after `warm` with the first quarter of these days. */
export function flatYear(days: readonly Day[], warm: number): { faults: string[]; figures: Record<string, number> } {
  const settled = days.slice(warm);
  const quarter = Math.floor(settled.length / 4);
  if (quarter === 0)
    return { faults: [`${days.length} days are too few: retention has deleted too little`], figures: {} };
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
