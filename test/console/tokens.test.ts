/** The colors of the console: every used pair has the contrast that the store floor or the office requires. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync('console/ui/tokens.css', 'utf8');

type Color = [number, number, number];

/** Returns the colors of a theme: `light-dark()` lists the light color first. */
function tokens(theme: 'light' | 'dark'): Record<string, Color> {
  const color = String.raw`oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)`;
  const found = css.matchAll(new RegExp(`--([\\w-]+): light-dark\\(${color}, ${color}\\)`, 'g'));
  return Object.fromEntries(
    [...found].map(([, name, ...parts]) => {
      const [l, c, h] = theme === 'light' ? parts : parts.slice(3);
      return [name, [Number(l) / 100, Number(c), Number(h)]];
    }),
  );
}

/** Returns the relative luminance of an OKLCH color, as WCAG defines it. */
function luminance([l, c, h]: [number, number, number]): number {
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const cone = (x: number, y: number) => (l + x * a + y * b) ** 3;
  const [long, medium, short] = [
    cone(0.3963377774, 0.2158037573),
    cone(-0.1055613458, -0.0638541728),
    cone(-0.0894841775, -1.291485548),
  ];
  const linear = [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ].map((value) => Math.min(1, Math.max(0, value)));
  return 0.2126 * linear[0]! + 0.7152 * linear[1]! + 0.0722 * linear[2]!;
}

function contrast(one: [number, number, number], other: [number, number, number]): number {
  const [low, high] = [luminance(one), luminance(other)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Minimum contrast: text on the floor 7:1, other text 4.5:1, edges and focus 3:1. */
const PAIRS: readonly (readonly [front: string, back: string, least: number])[] = [
  ...['bg', 'surface', 'sunken'].flatMap(
    (back) =>
      [
        ['text', back, 7],
        ['text-2', back, 7],
        ['accent', back, 4.5],
      ] as const,
  ),
  ['accent', 'accent-surface', 4.5],
  ['text', 'accent-surface', 7],
  ['on-accent', 'accent-fill', 7],
  ['on-accent', 'accent-fill-hover', 7],
  ...['green', 'amber', 'red'].flatMap((state) => [
    [`${state}-text`, `${state}-surface`, 7] as const,
    [`${state}-text`, 'surface', 7] as const,
    [`${state}-text`, 'bg', 7] as const,
    [`${state}-line`, 'surface', 3] as const,
  ]),
  ['on-state', 'green-fill', 7],
  ['on-state', 'red-fill', 7],
  ['edge', 'surface', 3],
  ['edge', 'bg', 3],
  ['focus', 'surface', 3],
  ['focus', 'bg', 3],
  ['focus', 'sunken', 3],
];

describe('colors', () => {
  const light = tokens('light');
  const dark = tokens('dark');
  it.each([
    ['light', light],
    ['dark', dark],
  ] as const)('every pair of the %s theme that is used has its contrast', (_name, theme) => {
    const weak = PAIRS.map(([front, back, least]) => ({
      front,
      back,
      least,
      is: Math.round(contrast(theme[front]!, theme[back]!) * 100) / 100,
    })).filter(({ is, least }) => is < least);
    expect(weak).toEqual([]);
  });
  it('every color has both themes', () => {
    const all = [...css.matchAll(/--([\w-]+): [^;]*oklch\(/g)].map(([, name]) => name);
    expect(all.filter((name) => name !== 'shadow')).toEqual(Object.keys(light));
  });
});
