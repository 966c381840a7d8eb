/** Compares the figures of two releases, and reports figures that are slower. */
import { median, type Result } from './scenario.ts';

/** The minimum speed relative to the earlier release. */
export const LEAST = 0.97;
/** The minimum number of rounds for a comparison. */
export const FEWEST_ROUNDS = 7;

/** Matches the names of results that compare a figure with another product. The figure itself has a separate result. */
const OF_OTHERS = /, beside /;

const LESS_IS_BETTER = /^(ms|us|MB|s)\b/;

/** Result of one run of a scenario: its figures, or the reason why it has no figures. */
export type Run = { results: Result[] } | { missing: true } | { failed: string };

/** The runs of a scenario in one round, in both releases. */
export interface Round {
  scenario: string;
  before: Run;
  now: Run;
}

/**
 * A figure that both releases have. Its `speed` is now / before for rates, and before / now for costs, so that more is
 * always better.
 */
export interface Pair {
  name: string;
  engine: string;
  unit: string;
  before: number;
  now: number;
  /** `speed` is the median of the rounds' ratios; `quartiles` are their quartiles. */
  speed: number;
  quartiles: [number, number];
  rounds: number[];
  /** Whether the figure is slower in this checkout; undefined if there are too few rounds. */
  isSlower: boolean | undefined;
}

export interface Comparison {
  pairs: Pair[];
  /** Figures and scenarios that the earlier release lacks. */
  notBefore: string[];
  failed: { scenario: string; side: 'before' | 'now'; why: string }[];
}

export function compared(rounds: readonly Round[]): Comparison {
  const figures = new Map<string, { result: Result; before: number[]; now: number[] }>();
  const notBefore = new Set<string>();
  const failed = new Map<string, Comparison['failed'][number]>();
  for (const { scenario, before, now } of rounds) {
    for (const [side, run] of Object.entries({ before, now }) as ['before' | 'now', Run][]) {
      if ('failed' in run) failed.set(`${scenario} ${side}`, { scenario, side, why: run.failed });
    }
    if ('missing' in before) notBefore.add(scenario);
    if (!('results' in before && 'results' in now)) continue;
    for (const result of now.results.filter(({ name }) => !OF_OTHERS.test(name))) {
      const old = before.results.find(({ name, engine }) => name === result.name && engine === result.engine);
      const label = `${result.name} (${result.engine})`;
      if (old === undefined) {
        notBefore.add(label);
        continue;
      }
      const figure = figures.get(label) ?? { result, before: [], now: [] };
      figure.before.push(old.value);
      figure.now.push(result.value);
      figures.set(label, figure);
    }
  }
  return { pairs: [...figures.values()].map(pairOf), notBefore: [...notBefore], failed: [...failed.values()] };
}

function pairOf({ result, before, now }: { result: Result; before: number[]; now: number[] }): Pair {
  const { name, engine, unit } = result;
  const isLess = LESS_IS_BETTER.test(unit);
  const rounds = now.map((value, index) => (isLess ? before[index]! / value : value / before[index]!));
  const speed = median(rounds);
  const quartiles: [number, number] = [quantile(rounds, 0.25), quantile(rounds, 0.75)];
  const isSlower = rounds.length < FEWEST_ROUNDS ? undefined : speed < LEAST && quartiles[1] < 1;
  return { name, engine, unit, before: median(before), now: median(now), speed, quartiles, rounds, isSlower };
}

/** Returns a quantile, interpolated between the two nearest values. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)]!;
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at));
}

/** Returns the line that reports a figure. */
export function lineOf({ name, engine, unit, before, now, speed, quartiles, rounds, isSlower }: Pair): string {
  const range = `quartiles ${quartiles.map((value) => value.toFixed(2)).join(' to ')} of ${rounds.length} rounds`;
  const verdict = isSlower === undefined ? `, ${FEWEST_ROUNDS} are needed to judge` : isSlower ? ', SLOWER' : '';
  return `${name} (${engine}): ${before} -> ${now} ${unit}, speed ${speed.toFixed(2)}, ${range}${verdict}`;
}
