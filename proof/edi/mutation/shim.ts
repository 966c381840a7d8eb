/** The part of vitest that the tests of the X12 parser need, so that one process can run them for each mutant. */
import { isDeepStrictEqual } from 'node:util';

/** A test that a test file has registered. */
export interface ReadTest {
  name: string;
  run: () => unknown;
}

/** The registered tests, in the order of registration. */
export const tests: ReadTest[] = [];

export function describe(_name: string, body: () => void): void {
  body();
}

type Body = (...values: never[]) => unknown;

export function it(name: string, body: Body): void {
  tests.push({ name, run: () => body() });
}

it.each = (rows: readonly unknown[]) => (name: string, body: Body) => {
  for (const row of rows) {
    const values = Array.isArray(row) ? row : [row];
    tests.push({ name, run: () => body(...(values as never[])) });
  }
};

/** A matcher such as `expect.any(String)` inside an expected value. */
class Pattern {
  readonly fits: (value: unknown) => boolean;

  constructor(fits: (value: unknown) => boolean) {
    this.fits = fits;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Compares as `toEqual` of vitest does: an undefined field equals a missing field. With `isPart`, the value may have
 * more fields than expected.
 */
function equals(value: unknown, expected: unknown, isPart: boolean): boolean {
  if (expected instanceof Pattern) return expected.fits(value);
  if (Array.isArray(expected)) {
    return (
      Array.isArray(value) &&
      value.length === expected.length &&
      expected.every((one, at) => equals(value[at], one, isPart))
    );
  }
  if (isRecord(expected) && isRecord(value) && Object.getPrototypeOf(expected) === Object.prototype) {
    const names = Object.keys(isPart ? expected : { ...value, ...expected });
    return names.every((name) => equals(value[name], expected[name], isPart));
  }
  return isDeepStrictEqual(value, expected);
}

function contains(value: unknown, part: unknown): boolean {
  if (typeof value === 'string') return value.includes(part as string);
  return [...(value as Iterable<unknown>)].includes(part);
}

/** Returns the matchers for a value; `not` has the opposite matchers. */
export function expect(value: unknown) {
  return { ...matchersOf(value, true), not: matchersOf(value, false) };
}

function matchersOf(value: unknown, expects: boolean) {
  const check = (isRight: boolean, what: string) => {
    if (isRight !== expects) throw new Error(what);
  };
  const number = value as number;
  return {
    toBe: (expected: unknown) => check(Object.is(value, expected), 'toBe'),
    toEqual: (expected: unknown) => check(equals(value, expected, false), 'toEqual'),
    toStrictEqual: (expected: unknown) => check(isDeepStrictEqual(value, expected), 'toStrictEqual'),
    toMatchObject: (expected: unknown) => check(equals(value, expected, true), 'toMatchObject'),
    toBeUndefined: () => check(value === undefined, 'toBeUndefined'),
    toContain: (part: unknown) => check(contains(value, part), 'toContain'),
    toHaveLength: (length: number) => check((value as unknown[]).length === length, 'toHaveLength'),
    toMatch: (pattern: RegExp | string) => check(new RegExp(pattern).test(value as string), 'toMatch'),
    toBeGreaterThan: (other: number) => check(number > other, 'toBeGreaterThan'),
    toBeGreaterThanOrEqual: (other: number) => check(number >= other, 'toBeGreaterThanOrEqual'),
    toBeLessThan: (other: number) => check(number < other, 'toBeLessThan'),
    toBeLessThanOrEqual: (other: number) => check(number <= other, 'toBeLessThanOrEqual'),
  };
}

expect.any = (type: unknown) => new Pattern((value) => typeof value === (type as { name: string }).name.toLowerCase());
expect.arrayContaining = (all: readonly unknown[]) =>
  new Pattern((value) => Array.isArray(value) && all.every((one) => value.some((other) => equals(other, one, false))));
expect.stringContaining = (part: string) => new Pattern((value) => typeof value === 'string' && value.includes(part));
