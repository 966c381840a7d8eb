import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { besideOthers } from '../../bench/support/others.ts';
import { plot } from '../../bench/support/plot.ts';
import { interleaved, median } from '../../bench/support/scenario.ts';

const RUN = fileURLToPath(new URL('../../bench/run.ts', import.meta.url));
const bench = (...args: string[]) => spawnSync(process.execPath, [RUN, ...args], { encoding: 'utf8' });

describe('the benches', () => {
  it('print one line of JSON with a result for each figure of a scenario', () => {
    const { stdout, status, stderr } = bench('--quick', '--json', '--only', 'item-read');
    expect(status, stderr).toBe(0);
    expect(stdout.trimEnd()).not.toContain('\n');
    const { results } = JSON.parse(stdout) as { results: { name: string }[] };
    const names = results.map(({ name }) => name);
    expect(names.slice(0, 2)).toEqual(['item read, Zipf 1.0', 'item read, uniform']);
    for (const result of results.slice(0, 2)) {
      expect(result).toEqual({
        name: expect.any(String),
        engine: 'sqlite',
        value: expect.any(Number),
        unit: 'req/s',
        counterpart: expect.any(Number),
        ratio: expect.any(Number),
        bar: expect.any(Number),
        met: expect.any(Boolean),
        note: expect.any(String),
      });
    }
  });

  it('put what other products do beside a figure that both have', () => {
    const read = { name: 'item read, uniform', engine: 'sqlite', unit: 'req/s', note: '' } as const;
    const lines = besideOthers([{ ...read, value: 17_550, counterpart: 40_000, ratio: 0.4, bar: 0.33, met: true }]);
    expect(lines[0]).toMatchObject({
      name: 'item read, uniform, beside Vendure 3.7',
      counterpart: 390,
      ratio: 45,
      bar: 45,
      met: true,
    });
    expect(lines.map(({ met }) => met)).toEqual([true, null, null]);
  });

  it('reject an unknown scenario and name the known ones', () => {
    const { status, stderr } = bench('--only', 'nothing');
    expect(status).toBe(2);
    expect(stderr).toContain('item-read');
  });

  it('take the median of the ratios of rounds, each side first in turn', async () => {
    const order: string[] = [];
    const side = (name: string, values: number[]) => async () => {
      order.push(name);
      return values.shift()!;
    };
    const { ratio } = await interleaved(3, side('ours', [10, 90, 30]), side('bare', [10, 30, 15]));
    expect(ratio).toBe(2);
    expect(order).toEqual(['ours', 'bare', 'bare', 'ours', 'ours', 'bare']);
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  it('draw a line for each series', () => {
    const points = [1_000, 1_000_000].flatMap((size) => [
      { series: 'a', size, cost: 50 },
      { series: 'b', size, cost: size / 100 },
    ]);
    const svg = plot(points)!;
    expect(svg.match(/<polyline/g)).toHaveLength(2);
    expect(svg).not.toContain('NaN');
    expect(plot([])).toBeUndefined();
  });
});
