import { describe, expect, it } from 'vitest';
import { hasPassed, runCampaign } from '../../proof/campaign.ts';
import { type Day, flatYear } from '../../proof/year/flat.ts';
import { year } from '../../proof/year.ts';

describe('the campaign year, small', () => {
  it('stays flat over 12 days of which two are kept, and catches a service that keeps everything', async () => {
    const { result, examples } = await runCampaign(year, { engine: 'sqlite', seed: 1, count: 12 });
    // In such a short run, the duration of a day depends on the machine.
    const faults = examples.filter((example) => !example.startsWith('a day takes'));
    expect(faults).toEqual([]);
    expect(hasPassed({ ...result, failures: faults.length })).toBe(true);
  });
});

describe('a flat year', () => {
  const seen = (of: (day: number) => Partial<Day>) =>
    flatYear(
      Array.from({ length: 100 }, (_none, day) => ({ ms: 10, rows: { events: 1_000 }, bytes: 2 ** 30, ...of(day) })),
      20,
    ).faults;

  it('has the same rows, size and pace each day, except for the random differences of a day', () => {
    expect(seen(() => ({}))).toEqual([]);
    expect(seen((day) => ({ ms: 10 + (day % 7), rows: { events: 1_000 + (day % 5) * 40 } }))).toEqual([]);
  });

  it('is not flat when a table, the database or the duration of a day grows', () => {
    expect(seen((day) => ({ rows: { events: 1_000, alerts: day * 10 } }))).toEqual([
      expect.stringContaining('alerts grows'),
    ]);
    expect(seen((day) => ({ bytes: (1 + day / 50) * 2 ** 30 }))).toEqual([
      expect.stringContaining('the database grows'),
    ]);
    expect(seen((day) => ({ ms: day * day }))).toEqual([expect.stringContaining('times as long')]);
  });
});
