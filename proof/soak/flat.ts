/**
 * Decides whether memory, open files and the log of a process stay flat. The slope of the second half decides, so
 * single peaks do not matter.
 */

/** `memory`: MiB of private memory of the process. `files`: number of open files. `log`: MiB of SQLite's log. */
export interface Sample {
  memory: number;
  files: number;
  log?: number;
}

export interface Flatness {
  name: string;
  isFlat: boolean;
  /** The measured values as a sentence. */
  sentence: string;
}

/**
 * Growth over the second half that still counts as flat. Memory varies with garbage collection. The caches of SQLite
 * (16 MiB a connection) grow while the database is small. In a run of less than five minutes, the process is still
 * warming up.
 */
const ALLOWED = { memory: 24, files: 4, log: 16 } as const;
const WARMING_UP = { samples: 300, memory: 64 };
const UNITS = { memory: 'MiB of memory', files: 'open files', log: 'MiB of log' } as const;

/** Checks the growth of each series over the second half: its Theil-Sen slope times its length. */
export function flatness(samples: readonly Sample[]): Flatness[] {
  const half = samples.slice(Math.floor(samples.length / 2));
  return (Object.keys(ALLOWED) as (keyof typeof ALLOWED)[]).flatMap((name) => {
    const values = half.map((sample) => sample[name]).filter((value) => value !== undefined);
    if (values.length < 3) return [];
    const growth = slope(values) * (values.length - 1);
    const [first, last] = [median(values.slice(0, 5)), median(values.slice(-5))];
    const sentence = `${first.toFixed(1)} to ${last.toFixed(1)} ${UNITS[name]} over ${values.length} s, growing by ${growth.toFixed(1)}`;
    const isWarmingUp = name === 'memory' && samples.length < WARMING_UP.samples;
    return [{ name, isFlat: growth <= (isWarmingUp ? WARMING_UP.memory : ALLOWED[name]), sentence }];
  });
}

/**
 * Returns the median of the slopes between all pairs of values. A long series is reduced to a few hundred evenly spaced
 * values.
 */
export function slope(values: readonly number[]): number {
  const step = Math.max(1, Math.floor(values.length / 200));
  const slopes: number[] = [];
  for (let i = 0; i < values.length; i += step) {
    for (let j = i + step; j < values.length; j += step) slopes.push((values[j]! - values[i]!) / (j - i));
  }
  return median(slopes);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
