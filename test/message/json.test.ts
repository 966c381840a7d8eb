import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { big, Decimal, decimalText, type Numeric } from '../../src/platform/decimal.ts';
import {
  JsonError,
  type JsonLimits,
  parseJson,
  parseJsonInTurns,
  stringifyJson,
} from '../../src/platform/message/json.ts';

function faultOf(text: Buffer | string, limits?: JsonLimits): JsonError {
  try {
    parseJson(text, limits);
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

/** Returns rule, line and column as one text. */
const where = (text: Buffer | string, limits?: JsonLimits) => {
  const { rule, line, column } = faultOf(text, limits);
  return `${rule} ${line}:${column}`;
};

const values = fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }).filter((value) => {
  const text = JSON.stringify(value);
  return !text.includes('__proto__') && !text.includes('\\u0000') && !/\\ud[89a-f]/.test(text);
});

describe('a JSON text', () => {
  it('round-trips for any JSON value, as text and as bytes, compact and indented', () => {
    fc.assert(
      fc.property(values, (value) => {
        const text = JSON.stringify(value);
        const plain: unknown = JSON.parse(text);
        expect(parseJson(text)).toEqual(plain);
        expect(parseJson(Buffer.from(JSON.stringify(value, null, '\t')))).toEqual(plain);
        expect(stringifyJson(parseJson(text))).toBe(text);
      }),
    );
  });

  it('is accepted only where JSON.parse accepts it, and never breaks the scan', () => {
    const pieces = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '"a"',
        '"b":',
        '\\',
        '\\n',
        '\\u0061',
        '1',
        '-',
        '0',
        '.',
        'e',
        '+',
        'true',
        'nul',
        ' ',
        '\n',
        "'",
        'é',
        '\t',
      ],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        let parsed: unknown;
        let grammatical = true;
        try {
          // Backroom reads -0 as 0, also inside of arrays and objects.
          parsed = JSON.parse(text, (_key, value: unknown) => (Object.is(value, -0) ? 0 : value));
        } catch {
          grammatical = false;
        }
        try {
          const value = parseJson(text);
          expect(grammatical).toBe(true);
          expect(value).toEqual(parsed);
        } catch (error) {
          if (!(error instanceof JsonError)) throw error;
          if (grammatical) expect(error.rule).not.toBe('syntax');
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('is judged alike whether it is short or so long that it is scanned before anything is built of it', () => {
    const space = fc.constantFrom('', '', '', ' ', '\n\t');
    const names = [
      '"a"',
      '"a"',
      '"b"',
      '"\\u0061"',
      '"__proto__"',
      '"_\\u005fproto__"',
      '"__\\u0070roto__"',
      '"\\"b"',
      '"b\\":"',
    ];
    const scalars = [
      ...[
        '0',
        '-0',
        '1.5',
        '123456789012345',
        '1234567890123456',
        '0.1234567890123456',
        '1e2',
        '1e400',
        '-1E5',
        '1e500',
      ],
      ...[
        'true',
        'null',
        '":"',
        '"a\\":"',
        '"\\u0000"',
        '"\\ud800"',
        '"\\ud83d\\ude00"',
        '"\\\\u0000"',
        '"\ud800"',
        '"__proto__"',
        '"é:"',
      ],
    ];
    const { value } = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom(...scalars),
        fc
          .array(fc.tuple(fc.constantFrom(...names), space, space, tie('value')), { maxLength: 3 })
          .map((members) => `{${members.map(([name, a, b, one]) => `${name}${a}:${b}${one}`).join(',')}}`),
        fc
          .array(fc.tuple(space, tie('value'), space), { maxLength: 3 })
          .map((all) => `[${all.map((one) => one.join('')).join(',')}]`),
      ),
    }));
    const outcome = (text: string) => {
      try {
        return stringifyJson(parseJson(text));
      } catch (error) {
        return error instanceof JsonError ? `${error.rule} ${error.line}:${error.column}` : error;
      }
    };
    const behind = ' '.repeat(70_000);
    const seen = new Set<unknown>();
    fc.assert(
      fc.property(value, (text) => {
        const short = outcome(text);
        seen.add(typeof short === 'string' ? /^\w+(?= \d)|/.exec(short)![0] : short);
        expect(short).toBe(outcome(text + behind));
      }),
      { numRuns: 1500, examples: [['['.repeat(64) + ']'.repeat(64)], ['['.repeat(65) + ']'.repeat(65)]] },
    );
    expect([...seen].sort()).toEqual(['', 'character', 'depth', 'duplicate', 'number', 'proto']);
  });

  it('keeps the value of every number token of up to 19 + 2 digits', () => {
    const token = fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.stringMatching(/^(0|[1-9][0-9]{0,18})$/),
        fc.stringMatching(/^(\.[0-9]{1,2})?$/),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(token, { minLength: 1 }), (list) => {
        const read = parseJson(`{"prices":[${list.join(',')}]}`) as { prices: Numeric[] };
        const written = parseJson(stringifyJson(read));
        list.forEach((text, i) => {
          expect(big(read.prices[i] ?? '-1').eq(text)).toBe(true);
          expect(decimalText(written.prices[i] ?? -1)).toBe(decimalText(read.prices[i] ?? -2));
        });
      }),
    );
  });

  it('makes a Decimal only of a number that no double holds', () => {
    expect(parseJson('[1.10, 1e2, 0.1, -0, 12345678901234567890, 1e400, "1e400"]')).toEqual([
      1.1,
      100,
      0.1,
      0,
      new Decimal('12345678901234567890'),
      new Decimal('1e400'),
      '1e400',
    ]);
  });

  it('may begin with a byte order mark', () => {
    expect(parseJson(Buffer.from('\ufeff{"a":1}'))).toEqual({ a: 1 });
  });

  it('is rejected if it is not JSON, with line, column and a way to fix it', () => {
    const cases: [text: string, where: string, words: RegExp][] = [
      ['', 'syntax 1:1', /empty; send/],
      [' \n', 'syntax 2:1', /empty; send/],
      ['{"a":1,}', 'syntax 1:8', /remove that comma/],
      ['[1,\n]', 'syntax 2:1', /remove that comma/],
      ['[1 2]', 'syntax 1:4', /',' or ']'/],
      ['{"a":1 "b":2}', 'syntax 1:8', /',' or '}'/],
      ["{'a':1}", 'syntax 1:2', /double quotes/],
      ['{a:1}', 'syntax 1:2', /double quotes/],
      ['{"a" 1}', 'syntax 1:6', /':' is needed/],
      ['{"a":1', 'syntax 1:7', /the text ends/],
      ['[1]]', 'syntax 1:4', /remove what follows/],
      ['[01]', 'syntax 1:2', /remove the zero/],
      ['[1.]', 'syntax 1:4', /digit/],
      ['[1e+]', 'syntax 1:5', /digit/],
      ['[-]', 'syntax 1:3', /digit/],
      ['[NaN]', 'syntax 1:2', /value is needed/],
      ['"abc', 'syntax 1:1', /close it/],
      ['"\\x"', 'syntax 1:2', /backslash/],
      ['"\\u12g4"', 'syntax 1:2', /four hexadecimal/],
      ['"a\nb"', 'syntax 1:3', /write it as an escape/],
    ];
    for (const [text, place, words] of cases) {
      expect(where(text), text).toBe(place);
      expect(faultOf(text).message, text).toMatch(words);
    }
  });

  it('never echoes more than a few characters of itself', () => {
    const secret = 'x'.repeat(200);
    for (const text of [secret, `"${secret}`, `{"${secret}":1,"${secret}":1}`, `[${'9'.repeat(300)}]`]) {
      expect(faultOf(text).message).not.toMatch(/x{41}|9{41}/);
    }
  });

  it('is rejected if its bytes are not UTF-8', () => {
    expect(where(Buffer.from([0x22, 0xff, 0x22]))).toBe('encoding 1:2');
    expect(where(Buffer.from([0x22, 0xe2, 0x82]))).toBe('encoding 1:2');
    const late = Buffer.concat([Buffer.from(`[\n"\ufffd${'é'.repeat(5000)}`), Buffer.from([0xc3]), Buffer.from('"]')]);
    expect(where(late)).toBe('encoding 2:5003');
    expect(parseJson(Buffer.from('"\ufffd"'))).toBe('\ufffd');
  });

  it('has at most 64 levels', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(stringifyJson(parseJson(nested(64)))).toBe(nested(64));
    expect(where(nested(65))).toBe('depth 1:65');
    expect(faultOf(nested(20_000)).rule).toBe('depth');
    expect(faultOf('{"a":'.repeat(20_000)).rule).toBe('depth');
  });

  it('has at most the tokens of its limits: values and field names', () => {
    expect(parseJson('{"a":[1,2]}', { maxTokens: 5 })).toEqual({ a: [1, 2] });
    expect(where('{"a":[1,2]}', { maxTokens: 4 })).toBe('tokens 1:9');
    const list = (count: number) => `[${'{},'.repeat(count - 1)}{}]`;
    expect(parseJson(list(199_999))).toHaveLength(199_999);
    expect(faultOf(list(200_000)).rule).toBe('tokens');
  });

  it('of 10 MB is read', () => {
    const text = JSON.stringify({ notes: Array.from({ length: 50 }, () => 'é'.repeat(100_000)) });
    expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
    expect(faultOf(`["${'x'.repeat(100_001)}"]`).rule).toBe('length');
  });

  it('has at most 1,000 fields in one object, however short it is', () => {
    const object = (count: number) => `{${Array.from({ length: count }, (_, index) => `"${index}":1`).join(',')}}`;
    expect(Object.keys(parseJson(object(1_000)) as object)).toHaveLength(1_000);
    expect(faultOf(object(1_001)).rule).toBe('members');
    expect(faultOf(`{"a":[${object(1_001)}]}`).rule).toBe('members');
  });

  it('is judged alike where it is read in turns', async () => {
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        const text = JSON.stringify(value);
        const long = Buffer.from(`[${text}${',[1234567890123456789.5,"\\u00e9"]'.repeat(3_000)}]`);
        expect(stringifyJson(await parseJsonInTurns(long))).toBe(stringifyJson(parseJson(long)));
      }),
      { numRuns: 20 },
    );
    const bad = Buffer.from(`[${'1,'.repeat(50_000)}]`);
    await expect(parseJsonInTurns(bad)).rejects.toMatchObject({ rule: 'syntax' });
  });

  it('has no field named __proto__, however it is written', () => {
    expect(where('{"__proto__":{}}')).toBe('proto 1:2');
    expect(where('[{"a":1,"\\u005f_proto__":1}]')).toBe('proto 1:9');
    expect(parseJson('{"constructor":1,"toString":2,"a":"__proto__"}')).toEqual(
      Object.fromEntries([
        ['constructor', 1],
        ['toString', 2],
        ['a', '__proto__'],
      ]),
    );
  });

  it('names a field of one object only once, however it is written', () => {
    expect(where('{"a":1,\n"a":2}')).toBe('duplicate 2:1');
    expect(where('{"a":1,"\\u0061":2}')).toBe('duplicate 1:8');
    expect(where('{"b":{},"a":{"c":1},"b":1}')).toBe('duplicate 1:21');
    expect(parseJson('[{"a":{"a":1}},{"a":2}]')).toEqual([{ a: { a: 1 } }, { a: 2 }]);
  });

  it('has no NUL and no half of a surrogate pair, raw or escaped, in names or values', () => {
    for (const text of [
      '"\0"',
      '\0',
      '"\\u0000"',
      '{"\\u0000":1}',
      '"\ud800"',
      '"\udc00a"',
      '"\\ud800"',
      '"\\ud800x"',
      '"\\ud800\\ud800"',
      '"\\udc00"',
      '{"\\udc00":1}',
    ]) {
      expect(faultOf(text).rule, JSON.stringify(text)).toBe('character');
    }
    expect(parseJson('"\\ud83d\\ude00 \ud83d\ude00 \\\\u0000"')).toBe('\u{1f600} \u{1f600} \\u0000');
  });

  it('has numbers of at most 64 characters and exponents of at most 400', () => {
    const text = '1'.repeat(64);
    expect(parseJson(text)).toEqual(new Decimal(text));
    expect(where(`[${text}1]`)).toBe('number 1:2');
    expect(parseJson('[1e400,1e-400]')).toEqual([new Decimal('1e400'), new Decimal('1e-400')]);
    for (const far of ['1e401', '1e-401', `1e${'9'.repeat(30)}`]) expect(faultOf(far).rule).toBe('number');
  });
});

describe('a JSON response', () => {
  it('keeps the digits of a Decimal unchanged', () => {
    expect(stringifyJson({ value: new Decimal('12345678901234567890.12') })).toBe('{"value":12345678901234567890.12}');
  });

  it('cannot be made of a value that JSON does not have', () => {
    expect(() => stringifyJson(undefined)).toThrow(TypeError);
  });
});
