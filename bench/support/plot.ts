/** Plots the cost of a unit of work against the size of the data: one SVG with two logarithmic axes. */
import type { PlotPoint } from './scenario.ts';

const WIDTH = 720;
const HEIGHT = 400;
const LEFT = 80;
const RIGHT = 250;
const TOP = 40;
const BOTTOM = 60;
const COLORS = ['#0b6e99', '#c2571a', '#3a7d2c', '#7a3e9d'];

interface Axis {
  at: (value: number) => number;
  ticks: number[];
}

/** Returns an SVG document; undefined if there are no points. */
export function plot(points: readonly PlotPoint[]): string | undefined {
  if (points.length === 0) return undefined;
  const x = axis(
    points.map(({ size }) => size),
    LEFT,
    WIDTH - RIGHT,
  );
  const y = axis(
    points.map(({ cost }) => cost),
    HEIGHT - BOTTOM,
    TOP,
  );
  const names = [...new Set(points.map(({ series }) => series))];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img" aria-label="Cost of a unit of work by the size of the data">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>`,
    ...x.ticks.map((tick) => line(x.at(tick), TOP, x.at(tick), HEIGHT - BOTTOM)),
    ...x.ticks.map((tick) => text(x.at(tick), HEIGHT - BOTTOM + 18, tick.toLocaleString('en'), 'middle')),
    ...y.ticks.map((tick) => line(LEFT, y.at(tick), WIDTH - RIGHT, y.at(tick))),
    ...y.ticks.map((tick) => text(LEFT - 8, y.at(tick) + 4, tick.toLocaleString('en'), 'end')),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 16, 'rows in the table', 'middle'),
    text(LEFT, TOP - 16, 'microseconds', 'middle'),
    ...names.flatMap((name, index) => {
      const own = points.filter(({ series }) => series === name).sort((a, b) => a.size - b.size);
      const places = own.map(({ size, cost }) => `${x.at(size).toFixed(1)},${y.at(cost).toFixed(1)}`);
      const color = COLORS[index % COLORS.length]!;
      return [
        `<polyline points="${places.join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>`,
        ...places.map(
          (place) => `<circle cx="${place.split(',')[0]}" cy="${place.split(',')[1]}" r="4" fill="${color}"/>`,
        ),
        `<rect x="${WIDTH - RIGHT + 16}" y="${TOP + index * 22}" width="12" height="12" fill="${color}"/>`,
        text(WIDTH - RIGHT + 34, TOP + index * 22 + 10, name, 'start'),
      ];
    }),
    '</svg>\n',
  ].join('\n');
}

/** Returns an axis, from the power of ten below the smallest value to the power of ten above the largest. */
function axis(values: readonly number[], from: number, to: number): Axis {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  return {
    at: (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from),
    ticks: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)),
  };
}

function line(x1: number, y1: number, x2: number, y2: number): string {
  return `<line x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}" stroke="#ddd"/>`;
}

function text(x: number, y: number, words: string, anchor: 'start' | 'middle' | 'end'): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${words}</text>`;
}
