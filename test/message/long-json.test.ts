import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/platform/message/json.ts';
import { longJson } from '../../src/platform/message/long-json.ts';

const list = (length: number) => Array.from({ length }, (_, index) => ({ index, text: 'ä"\\', none: undefined }));

describe('JSON of a value with a long list', () => {
  it.each([101, 200, 250])('is the same text, with %i elements', (length) => {
    const value = { a: 1, none: undefined, one: { lists: [{ lines: list(length) }] }, lines: list(length), end: null };
    expect(longJson(value)!.toString()).toBe(JSON.stringify(value));
    expect(longJson(list(length))!.toString()).toBe(JSON.stringify(list(length)));
  });

  it('is not made of other values: strings of ordinary length are as fast', () => {
    expect(longJson({ lines: list(100) })).toBeUndefined();
    expect(longJson({ pages: list(9).map(() => list(101)) })).toBeUndefined();
    expect(longJson({})).toBeUndefined();
  });

  it('keeps the digits of numbers that no double holds', () => {
    const exact = parseJson('{"n":1234567890.123456789}') as { n: unknown };
    const value = { exact, lines: [...list(100), exact] };
    expect(longJson(value)!.toString()).toBe(JSON.stringify(value));
  });

  it('is the same text for any value beside the list', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (more) => {
        const value = { ...more, lines: list(101) };
        expect(longJson(value)!.toString()).toBe(JSON.stringify(value));
      }),
    );
  });
});
