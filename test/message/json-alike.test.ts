import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonError, parseJson } from '../../src/platform/message/json.ts';

/**
 * White space that makes a text longer than `PLAIN_MAX`. The service reads such a text with its own parser, not with
 * `JSON.parse`.
 */
const PADDING = ' '.repeat(70_000);

/** Returns the value of a text, or the rule that the text violates. */
function outcome(text: string): unknown {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return error.rule;
  }
}

/** Parts of texts: valid JSON, almost valid JSON, and valid JSON that the service rejects. */
const part = fc.constantFrom(
  ...String.raw`{ } [ ] , : " \ null true x {"a": "b":`.split(' '),
  ...'1 -1 0 -0 -0.0 00 1.5 .5 1. 1e5 1E400 -1e-400 0.1 1.10 123456789012345 1234567890123456'.split(' '),
  ...'0.1234567890123456 9007199254740993 1e +1 NaN'.split(' '),
  ...String.raw`"a" "a":1 "\u0061":2 "__proto__" "__proto__":1 "\u005f_proto__":1 "constructor":1 "a:b":1`.split(' '),
  ...String.raw`"\"" "\u0000" "\ud83d" "\ud83d\ude00" "\udE00" "\n" "\x" "\u12" ":":1 "\":"`.split(' '),
  ...[' ', '\n', '\u0000', '\ufeff', '\ud83d', '"\ud83d"', '"\t"', '9'.repeat(65)],
);

/** Texts of objects and lists of such parts. */
const text = fc.letrec<{ value: string; object: string; list: string }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, part, tie('object'), tie('list')),
  object: fc
    .array(fc.tuple(fc.constantFrom('"a"', '"b"', '"\\u0061"', '"a:"', '"__proto__"', '"c" '), tie('value')), {
      maxLength: 4,
    })
    .map((members) => `{${members.map(([name, value]) => `${name}:${value}`).join(',')}}`),
  list: fc.array(tie('value'), { maxLength: 4 }).map((values) => `[${values.join(', ')}]`),
})).value;

/** Expects that `JSON.parse` and the scanner read a text in the same way. */
function alike(json: string): void {
  expect(outcome(json)).toEqual(outcome(json + PADDING));
}

describe('the two ways to read a JSON text', () => {
  const runs = { numRuns: 3_000 };

  it('agree on values that JSON can write', () => {
    fc.assert(fc.property(fc.json(), alike), runs);
  });

  it('agree on objects and lists of odd numbers, names and escapes', () => {
    fc.assert(fc.property(text, alike), runs);
  });

  it('agree on texts that are broken anywhere', () => {
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
        alike,
      ),
      runs,
    );
  });
});
