/** Figures of two releases side by side, and whether one is slower. */
import { median, type Result } from './scenario.ts';

/** So much of the speed of before must be left. */
export const LEAST = 0.97;
/** Fewer rounds say nothing. */
export const FEWEST_ROUNDS = 7;

const LESS_IS_BETTER = /^(ms|us|MB|s)\b/;

/** What one run of a scenario gave: its figures, or why there are none. */
export type Run = { results: Result[] } | { missing: true } | { failed: string };

/** A scenario in one round. */
export interface Round {
  scenario: string;
  before: Run;
  now: Run;
}

/** A figure that both have. Its speed is now / before, turned so that more is better. */
export interface Pair {
  name: string;
  engine: string;
  unit: string;
  before: number;
  now: number;
  /** Median of the rounds' ratios, and their quartiles. */
  speed: number;
  quartiles: [number, number];
  rounds: number[];
  /** Undefined: too few rounds to say it. */
  isSlower: boolean | undefined;
}

export interface Comparison {
  pairs: Pair[];
  /** Figures and scenarios that the release before lacks. */
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
    for (const result of now.results) {
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

/** Between two values in proportion. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)]!;
  return low + (sorted[Math.ceil(at)]! - low) * (at - Math.floor(at));
}
