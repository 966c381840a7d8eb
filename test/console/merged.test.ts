import { expect, it } from 'vitest';
import { mergedPage } from '../../console/office/merged.ts';

/** Reads sources `s0`, `s1`, … that have `rowsOf(n)` rows each, and keeps the number of reads and the limits. */
function sourcesOf(count: number, rowsOf: (n: number) => number) {
  const sources = Array.from({ length: count }, (_, n) => `s${n}`);
  const limits: number[] = [];
  const read = async (source: string, after: string | undefined, limit: number) => {
    limits.push(limit);
    const [from, all] = [Number(after ?? 0), rowsOf(Number(source.slice(1)))];
    const to = Math.min(all, from + limit);
    const rows = Array.from({ length: to - from }, (_, n) => `${source} ${from + n}`);
    return { rows, next: to < all ? String(to) : undefined };
  };
  return {
    limits,
    page: (after?: string) => mergedPage(sources, after, read, (one, other) => one.localeCompare(other)),
  };
}

it('a page reads at most 36 sources and has at most 600 rows, and the pages have each row once', async () => {
  const { limits, page } = sourcesOf(200, (n) => (n === 3 || n > 190 ? 250 : 12));
  const rows: string[] = [];
  let next: string | undefined;
  do {
    const before = limits.length;
    const read = await page(next);
    expect(limits.length - before).toBeLessThanOrEqual(36);
    expect(read.rows.length).toBeLessThanOrEqual(600);
    rows.push(...read.rows);
    next = read.next;
  } while (next !== undefined);
  expect([rows.length, new Set(rows).size]).toEqual([10 * 250 + 190 * 12, 10 * 250 + 190 * 12]);
});

it('a page of one source has 100 rows', async () => {
  expect((await sourcesOf(1, () => 250).page()).rows).toHaveLength(100);
});

it('a page without rows reads on until a source has a row, and at most 3 times', async () => {
  const late = sourcesOf(100, (n) => (n === 99 ? 1 : 0));
  expect(await late.page()).toEqual({ rows: ['s99 0'], next: undefined });
  const none = sourcesOf(110, () => 0);
  const { rows, next } = await none.page();
  expect([rows, none.limits.length]).toEqual([[], 3 * 36]);
  expect(await none.page(next)).toEqual({ rows: [], next: undefined });
});
