/** Finds the known name that an unknown name probably means. */
import { say } from '../sentences.ts';
import type { Sentence } from './sentence.ts';

/** Returns the candidate of which `name` is most likely a misspelling; undefined if none is similar. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > 64) return undefined;
  const asked = fold(name);
  const allowed = Math.min(3, Math.floor(asked.length / 3));
  let best: string | undefined;
  let least = allowed + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) > 8) continue;
    const distance = editDistance(asked, fold(candidate));
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** The end of a sentence with the value that was probably meant; empty if no value is similar. */
export function didYouMean(written: unknown, known: Iterable<string>): Sentence | '' {
  const near = typeof written === 'string' ? nearest(written, known) : undefined;
  return near === undefined ? '' : say("; did you mean '{near}'?", { near });
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

/** Minimum number of insertions, deletions, replacements and swaps of adjacent characters that turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_unused, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, at(before, j - 2) + 1);
      row.push(cost);
    }
    [before, last] = [last, row];
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
