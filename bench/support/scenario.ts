/** Types and functions of a scenario and its results. */

export interface BenchOptions {
  /** Uses small data and short rounds. This tests that the scenario runs; its figures are useless. */
  quick: boolean;
  /** Includes the sizes that need tens of gigabytes of disk and several minutes. */
  full: boolean;
  /** Folder for databases; deleted after the run, unless the option --keep names it. */
  folder: string;
  say: (line: string) => void;
  /** Adds a point to the plot: the cost of one unit of work at a size of the data. */
  plot: (point: PlotPoint) => void;
}

export interface PlotPoint {
  series: string;
  /** Number of rows in the growing table. */
  size: number;
  /** Microseconds. */
  cost: number;
}

export interface Result {
  name: string;
  engine: 'sqlite' | 'postgres';
  value: number;
  unit: string;
  /** The figure of the bare counterpart; null if the bar is a plain limit. */
  counterpart: number | null;
  /** Median of value / counterpart over the rounds; null without a counterpart. */
  ratio: number | null;
  /** Limit of the ratio, or of the value if there is no ratio; null without a limit. */
  bar: number | null;
  met: boolean | null;
  /** Description of the counterpart, and other observations. */
  note: string;
}

export interface Scenario {
  name: string;
  run: (options: BenchOptions) => Promise<Result[]>;
}

type Measure = Pick<Result, 'name' | 'engine' | 'value' | 'unit' | 'note'>;

/** Returns a result whose ratio must reach the bar. */
export function atLeast(bar: number, measure: Measure & { counterpart: number; ratio: number }): Result {
  return { ...rounded(measure), bar, met: measure.ratio >= bar };
}

/** Returns a result whose ratio must not exceed the bar. */
export function atMost(bar: number, measure: Measure & { counterpart: number; ratio: number }): Result {
  return { ...rounded(measure), bar, met: measure.ratio <= bar };
}

/** Returns a result with a plain value that must be below the bar. */
export function below(bar: number, measure: Measure): Result {
  return { ...rounded({ ...measure, counterpart: null, ratio: null }), bar, met: measure.value < bar };
}

/** Returns a result without a bar. */
export function shown(measure: Measure & { counterpart?: number; ratio?: number }): Result {
  const { counterpart = null, ratio = null } = measure;
  return { ...rounded({ ...measure, counterpart, ratio }), bar: null, met: null };
}

function rounded(measure: Omit<Result, 'bar' | 'met'>): Omit<Result, 'bar' | 'met'> {
  const { name, engine, value, unit, counterpart, ratio, note } = measure;
  return { name, engine, value: digits(value), unit, counterpart: digits(counterpart), ratio: digits(ratio), note };
}

function digits<N extends number | null>(value: N): N {
  return (value === null ? null : Number(value.toPrecision(4))) as N;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * Returns the number of rounds. BENCH_ROUNDS overrides the number of the scenario, because a comparison of releases
 * runs the whole scenario several times.
 */
export function roundsOf(rounds: number): number {
  return Number(process.env['BENCH_ROUNDS'] ?? rounds);
}

/**
 * Runs rounds of two sides. The sides take turns in being first. Returns the median of each side, and the median of the
 * rounds' ratios.
 */
export async function interleaved(
  rounds: number,
  ours: () => Promise<number>,
  bare: () => Promise<number>,
): Promise<{ value: number; counterpart: number; ratio: number; ratios: number[] }> {
  const count = roundsOf(rounds);
  const values: number[] = [];
  const counterparts: number[] = [];
  for (let round = 0; round < count; round++) {
    if (round % 2 === 0) values.push(await ours());
    counterparts.push(await bare());
    if (round % 2 === 1) values.push(await ours());
  }
  const ratios = values.map((value, round) => value / counterparts[round]!);
  return { value: median(values), counterpart: median(counterparts), ratio: median(ratios), ratios };
}
