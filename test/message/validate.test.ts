import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../src/platform/decimal.ts';
import { explain } from '../../src/platform/message/explain.ts';
import { parseJson } from '../../src/platform/message/json.ts';
import { nearest } from '../../src/platform/message/nearest.ts';
import { compile, FIELD_ERRORS_MAX } from '../../src/platform/message/validate.ts';
import {
  dateTime,
  exact,
  flag,
  identifier,
  ignored,
  integer,
  isoDate,
  list,
  named,
  object,
  oneOf,
  ref,
  type TSchema,
  Type,
  text,
} from '../../src/platform/schema.ts';

const opt = Type.Optional;

/** Returns pointer and rule of each error as one text. */
function broken(schema: TSchema, value: unknown, names: TSchema[] = []): string[] {
  return compile(schema, names)(value).errors.map((fault) => `${fault.pointer} ${fault.rule}`);
}

function messages(schema: TSchema, value: unknown): string[] {
  return compile(schema)(value).errors.map((fault) => String(fault.message));
}

/** A schema, the values it accepts, and the values it rejects with the rule they violate. */
const limits: [name: string, schema: TSchema, good: unknown[], bad: [value: unknown, ...rules: string[]][]][] = [
  [
    'a text counts code points',
    text(1, 3),
    ['a', 'abc', '\u{1f600}\u{1f600}\u{1f600}', ' '],
    [
      ['', 'minLength'],
      ['abcd', 'maxLength'],
      ['\u{1f600}\u{1f600}\u{1f600}a', 'maxLength'],
      [1, 'type'],
      [null, 'type'],
    ],
  ],
  ['a text may be empty where its minimum is 0', text(0, 1), ['', 'a'], [['ab', 'maxLength']]],
  [
    'a text of two or more counts code points',
    text(2, 3),
    ['ab', '\u{1f600}a'],
    [
      ['\u{1f600}', 'minLength'],
      ['a', 'minLength'],
    ],
  ],
  [
    'an identifier has no white space at its ends and no invisible character, and is no step of a path',
    identifier(5),
    ['a', 'a b', 'abcde', 'a.', '...'],
    [
      ['a\nb', 'format'],
      ['a\u202eb', 'format'],
      ['..', 'format'],
      [' a', 'pattern'],
      ['a ', 'pattern'],
      ['a\u00a0', 'pattern'],
      ['\n', 'pattern', 'format'],
      ['', 'minLength'],
      ['abcdef', 'maxLength'],
      ['abcde ', 'maxLength', 'pattern'],
    ],
  ],
  [
    'an exact number counts its digits',
    exact({ integer: 3, fraction: 2 }),
    [0, 0.5, 999.99, -999.99, 100, 1e2, -0],
    [
      [1000, 'integerDigits'],
      [0.001, 'fractionDigits'],
      [1e-7, 'fractionDigits'],
      [1000.123, 'integerDigits', 'fractionDigits'],
      [new Decimal('1.12345678901234567'), 'fractionDigits'],
      ['1', 'type'],
      [null, 'type'],
      [{}, 'type'],
    ],
  ],
  [
    'an exact number of 19 + 2 digits is taken to the last digit',
    exact({ integer: 19, fraction: 2, min: 0, max: 9e18 }),
    [new Decimal('1234567890123456789.12'), new Decimal('8999999999999999999.99'), 0, 9e18],
    [
      [new Decimal('9000000000000000000.01'), 'maximum'],
      [new Decimal('-0.0000000000000000001'), 'fractionDigits', 'minimum'],
      [new Decimal('12345678901234567890'), 'integerDigits', 'maximum'],
      [-0.01, 'minimum'],
    ],
  ],
  [
    'an integer is a number whose value is whole',
    integer(-1, 9),
    [-1, 0, 9, 5.0],
    [
      [-2, 'minimum'],
      [10, 'maximum'],
      [1.5, 'type'],
      ['1', 'type'],
      [true, 'type'],
      [new Decimal('9007199254740993'), 'maximum'],
      [new Decimal('1e400'), 'maximum'],
      [new Decimal('-1e400'), 'minimum'],
      [new Decimal('1.00000000000000000001'), 'type'],
      [1e300, 'maximum'],
    ],
  ],
  [
    'a flag is true or false',
    flag(),
    [true, false],
    [
      ['true', 'type'],
      [0, 'type'],
      [null, 'type'],
    ],
  ],
  [
    'one of several strings is compared exactly',
    oneOf(['A', 'B']),
    ['A', 'B'],
    [
      ['a', 'enum'],
      ['', 'enum'],
      [1, 'type'],
    ],
  ],
  [
    'an ISO date exists',
    isoDate(),
    ['2026-01-31', '2024-02-29', '2026-01-31T08:30:00Z'],
    [
      ['2026-02-30', 'format'],
      ['2026-01-31T08:30:00', 'format'],
      ['', 'format'],
      [20260131, 'type'],
    ],
  ],
  [
    'a date-time has an offset',
    dateTime(),
    ['2026-01-31T08:30:00Z', '2026-01-31T08:30:00-05:00'],
    [
      ['2026-01-31', 'format'],
      ['2026-01-31T08:30:00', 'format'],
    ],
  ],
  [
    'a list is bounded',
    list(flag(), { min: 1, max: 2 }),
    [[true], [true, false]],
    [
      [[], 'minItems'],
      [[true, true, true], 'maxItems'],
      [{}, 'type'],
    ],
  ],
  [
    'an object is no list, null or number',
    object({}),
    [{}],
    [
      [[], 'type'],
      [null, 'type'],
      [new Decimal('1e400'), 'type'],
      ['', 'type'],
    ],
  ],
  [
    'an object without closed fields is no number either',
    Type.Object({}),
    [{}, { a: 1 }],
    [[new Decimal('1e400'), 'type']],
  ],
  [
    'a plain number takes no more digits than a double',
    Type.Number(),
    [1.5],
    [
      [new Decimal('1e400'), 'type'],
      ['1', 'type'],
    ],
  ],
  ['an ignored field is anything', ignored(), [null, 1, 'a', {}, [[]], new Decimal('1e400')], []],
];

describe('a value of a schema', () => {
  for (const [name, schema, good, bad] of limits) {
    it(name, () => {
      const validate = compile(schema);
      for (const value of good) expect(validate(value).errors, JSON.stringify(value)).toEqual([]);
      for (const [value, ...rules] of bad) {
        expect(
          validate(value).errors.map((fault) => fault.rule),
          JSON.stringify(value),
        ).toEqual(rules);
      }
    });
  }

  it('is rejected with the error, its limit and how to fix it', () => {
    expect(compile(object({ quantity: integer(1, 9) }))({ quantity: 0 })).toEqual({
      errors: [{ pointer: '/quantity', rule: 'minimum', limit: 1, message: "'quantity' must be at least 1 (got 0)" }],
      total: 1,
      ignored: [],
      ignoredTotal: 0,
      value: { quantity: 0 },
      validPart: {},
    });
    expect(messages(object({ id: identifier(5) }), { id: 'a ' })).toEqual([
      '\'id\' is not accepted; remove the white space at the start or end (got "a ")',
    ]);
    expect(messages(object({ action: oneOf(['CONFIRM', 'RESET']) }), { action: 'CONFRIM' })).toEqual([
      "'action' must be one of CONFIRM, RESET; did you mean 'CONFIRM'? (got \"CONFRIM\")",
    ]);
  });
});

describe('the fields of an object', () => {
  const line = object({ itemId: identifier(5), quantity: opt(integer(1, 9)), tags: opt(list(text(1, 2), { max: 3 })) });
  const order = object({
    id: text(1, 3),
    lines: list(line, { max: 5 }),
    ship: opt(object({ city: text(1, 3) })),
    on: opt(isoDate()),
  });

  it('are all told: missing, wrong and unknown ones first, then the elements of lists in turn', () => {
    const value = {
      lines: [{ itemId: 'a', tags: ['', 'ok', 'long'] }, { quantity: 0 }, 5],
      ship: { town: 'x', city: '' },
      on: '2026-02-30',
      comment: 1,
    };
    expect(broken(order, value)).toEqual([
      '/id required',
      '/ship/city minLength',
      '/ship/town unknown',
      '/on format',
      '/comment unknown',
      '/lines/0/tags/0 minLength',
      '/lines/0/tags/2 maxLength',
      '/lines/1/itemId required',
      '/lines/1/quantity minimum',
      '/lines/2 type',
    ]);
  });

  it('that are unknown are told with the nearest known name', () => {
    expect(messages(order, { id: 'a', lines: [{ itemId: 'a', quanity: 1 }] })).toEqual([
      "unknown field 'quanity' in element 0 of 'lines'; did you mean 'quantity'?",
    ]);
    expect(messages(order, { id: 'a', lines: [], wholly: 1 })).toEqual(["unknown field 'wholly'; remove it"]);
  });

  it('are its own: names of the language itself are names like any other', () => {
    const plain = object({ id: opt(text(1, 3)), toString: opt(text(1, 3)) });
    const wanted = object({ constructor: text(1, 3), valueOf: flag() });
    expect(broken(plain, { constructor: 1, hasOwnProperty: 2 })).toEqual([
      '/constructor unknown',
      '/hasOwnProperty unknown',
    ]);
    expect(broken(plain, {})).toEqual([]);
    expect(broken(plain, { toString: 5 })).toEqual(['/toString type']);
    expect(broken(wanted, {})).toEqual(['/constructor required', '/valueOf required']);
    expect(broken(wanted, { constructor: 'a', valueOf: true })).toEqual([]);
    expect(broken(plain, JSON.parse('{"__proto__":{"id":"a"}}'))).toEqual(['/__proto__ unknown']);
  });

  it('are named by an RFC 6901 pointer, except names beyond 200 characters', () => {
    const long = 'y'.repeat(201);
    expect(broken(object({}), { 'a/b~c': 1, '': 2, [long]: 3 })).toEqual(['/a~1b~0c unknown', '/ unknown', ' unknown']);
    expect(messages(object({}), { [long]: 3 })[0]).not.toContain('y'.repeat(61));
  });

  it('of a record are judged by their pattern', () => {
    const record = object({
      counts: Type.Record(Type.String({ pattern: '^[a-z]+$' }), integer(0, 1), { additionalProperties: false }),
    });
    expect(broken(record, { counts: { a: 1, b: 2, C: 1 } })).toEqual(['/counts/b maximum', '/counts/C unknown']);
  });
});

describe('a named schema', () => {
  interface Part {
    id: string;
    parts?: Part[];
  }
  const part = named('Part', object({ id: text(1, 2), parts: opt(list(ref<Part>('Part'), { max: 3 })) }));

  it('may contain itself', () => {
    const value = {
      id: 'a',
      parts: [
        { id: 'b', parts: [{ id: 'long' }, {}] },
        { name: 'c', id: 'd' },
      ],
    };
    expect(broken(part, value, [part])).toEqual([
      '/parts/0/parts/0/id maxLength',
      '/parts/0/parts/1/id required',
      '/parts/1/name unknown',
    ]);
    expect(broken(object({ part }), { part: { id: 'a' } }, [part])).toEqual([]);
  });

  it('that is missing is told when the validator is made', () => {
    expect(() => compile(ref('Nothing'))).toThrow(/Nothing/);
    expect(() => compile(Type.String({ format: 'email' }))).toThrow(/email/);
  });
});

describe('a choice', () => {
  const oneOrMany = Type.Union([object({ id: text(1, 2) }), list(object({ id: text(1, 2) }), { max: 2 })]);
  const kinds = Type.Union([
    object({ kind: Type.Literal('a'), count: integer(1, 2) }),
    object({ kind: Type.Literal('b'), name: text(1, 2) }),
  ]);

  it('is explained by the branch of its type', () => {
    expect(broken(oneOrMany, { id: 'a' })).toEqual([]);
    expect(broken(oneOrMany, [{ id: 'abc' }, {}])).toEqual(['/0/id maxLength', '/1/id required']);
    expect(broken(oneOrMany, { id: '' })).toEqual(['/id minLength']);
    expect(messages(oneOrMany, 5)).toEqual(['the message must be an object or a list (got 5)']);
  });

  it('is explained by the branch whose literals it has', () => {
    expect(broken(kinds, { kind: 'b', count: 1 })).toEqual(['/name required', '/count unknown']);
    expect(broken(kinds, { kind: 'a', count: 3 })).toEqual(['/count maximum']);
  });

  it('of literals is explained by their list', () => {
    const literals = Type.Union([Type.Literal('yes'), Type.Literal('no'), Type.Literal(1)]);
    expect(messages(literals, 'maybe')).toEqual(['the message must be one of yes, no, 1 (got "maybe")']);
    expect(broken(Type.Union([text(1, 2), Type.Null()]), null)).toEqual([]);
  });

  it('nested to the deepest level of a message is explained at its end', () => {
    const schema = named('Tree', Type.Union([object({ next: ref('Tree') }), object({ end: flag() })]));
    let value: unknown = { end: 1 };
    for (let i = 0; i < 62; i += 1) value = { next: value };
    expect(broken(schema, value, [schema])).toEqual([`${'/next'.repeat(62)}/end type`]);
  });
});

describe('the echo of a value', () => {
  it('has at most 60 characters and no half of a character', () => {
    const [message = ''] = messages(object({ a: text(1, 2) }), { a: '\u{1f600}'.repeat(500) });
    expect(message.slice(message.indexOf('(got ') + 5, -1).length).toBeLessThanOrEqual(60);
    expect(message.isWellFormed()).toBe(true);
    expect(messages(object({ a: flag() }), { a: new Decimal('1'.repeat(64)) })[0]).not.toContain('1'.repeat(61));
  });

  it('is left out of secret values and of all within them', () => {
    const schema = object({
      pin: text(4, 4, { 'x-secret': true }),
      contact: object(
        { email: text(1, 3), kind: oneOf(['NIGHT']), more: list(integer(0, 1), { max: 9 }) },
        { 'x-secret': true },
      ),
    });
    const said = messages(schema, { pin: 'secret1', contact: { email: 'secret2', kind: 'NIGHTX', more: [4711] } }).join(
      '\n',
    );
    expect(said.split('\n')).toHaveLength(4);
    expect(said).not.toMatch(/secret|NIGHTX|4711/);
  });
});

describe('many errors', () => {
  const schema = object({ id: text(1, 2), lines: list(object({ id: text(1, 2) }), { max: 1_000_000 }) });
  const lines = (count: number) => Array.from({ length: count }, () => ({}));

  it('are held up to 100, and counted as long as they are held', () => {
    const verdict = (count: number) => compile(schema)({ id: 'a', lines: lines(count) });
    expect(verdict(FIELD_ERRORS_MAX).total).toBe(100);
    expect(verdict(FIELD_ERRORS_MAX + 1).total).toBe('100+');
    expect(verdict(FIELD_ERRORS_MAX + 1).errors).toHaveLength(100);
    const two = compile(schema)({ lines: lines(2_000_000) });
    expect(two.total).toBe('100+');
    expect(two.errors.slice(0, 3).map((fault) => fault.pointer)).toEqual(['/id', '/lines', '/lines/0/id']);
  });

  it('are held up to 100 for unknown fields too', () => {
    const many = Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`m${i}`, i]));
    const verdict = compile(object({}))(many);
    expect([verdict.errors.length, verdict.total]).toEqual([100, '100+']);
    const lenient = compile(object({}))(many, { lenient: true });
    expect([lenient.total, lenient.ignored.length, lenient.ignoredTotal, lenient.value]).toEqual([0, 100, '100+', {}]);
  });
});

describe('leniency', () => {
  const schema = object({
    id: text(1, 3),
    lines: opt(list(Type.Union([object({ a: flag() }), object({ b: flag(), c: opt(flag()) })]), { max: 3 })),
    extra: ignored(),
  });

  it('drops unknown fields from a copy and names them', () => {
    const value = { id: 'a', 'x/y': 1, lines: [{ a: true }, { b: true, z: {} }], extra: { kept: [1] } };
    const before = structuredClone(value);
    const verdict = compile(schema)(value, { lenient: true });
    expect(verdict.errors).toEqual([]);
    expect(verdict.ignored.toSorted()).toEqual(['/lines/1/z', '/x~1y']);
    expect(verdict.value).toEqual({ id: 'a', lines: [{ a: true }, { b: true }], extra: { kept: [1] } });
    expect(value).toEqual(before);
  });

  it('returns the same object if no field is dropped, and rejects all other errors as before', () => {
    const value = { id: 'a', extra: 1 };
    expect(compile(schema)(value, { lenient: true }).value).toBe(value);
    expect(compile(schema)({ id: 5, y: 1 }, { lenient: true }).errors.map((fault) => fault.pointer)).toEqual(['/id']);
    expect(compile(schema)({ id: 'a', y: 1 }).errors.map((fault) => fault.pointer)).toEqual(['/y']);
  });
});

describe('null', () => {
  const schema = object({
    id: text(1, 3),
    note: opt(text(0, 3)),
    at: opt(object({ from: integer(0, 9), to: opt(integer(0, 9)) })),
    lines: opt(list(Type.Union([object({ a: flag() }), object({ b: flag(), c: opt(flag()) })]), { max: 3 })),
    either: opt(Type.Union([text(1, 3), Type.Null()])),
    extra: ignored(),
  });
  const validate = compile(schema);

  it('is absence at any depth, and the value handed in stays as it is', () => {
    const value = { id: 'a', note: null, at: { from: 1, to: null }, lines: [{ b: true, c: null }], extra: null };
    const before = structuredClone(value);
    const verdict = validate(value);
    expect(verdict.errors).toEqual([]);
    expect(verdict.value).toEqual({ id: 'a', at: { from: 1 }, lines: [{ b: true }] });
    expect(value).toEqual(before);
  });

  it('of a required field is that the field is missing', () => {
    expect(validate({ id: null, at: { from: null, to: 1 } }).errors).toMatchObject([
      { pointer: '/id', rule: 'required' },
      { pointer: '/at/from', rule: 'required' },
    ]);
  });

  it('is an error as an element of a list, as the message itself and in an unknown field', () => {
    const faults = (value: unknown) => validate(value).errors.map(({ pointer, rule }) => `${pointer} ${rule}`);
    expect(faults({ id: 'a', note: null, lines: [null] })).toEqual(['/lines/0 type']);
    expect(faults(null)).toEqual([' type']);
    expect(faults({ id: 'a', note: null, nott: null })).toEqual(['/nott unknown']);
  });

  it('stays where the schema takes it', () => {
    expect(validate({ id: 'a', note: null, either: null }).value).toEqual({ id: 'a', either: null });
  });

  it('is dropped beside what leniency drops, and only the latter is told', () => {
    const verdict = validate({ id: 'a', note: null, nott: null, at: { from: 1, to: null, x: 1 } }, { lenient: true });
    expect([verdict.errors, verdict.value]).toEqual([[], { id: 'a', at: { from: 1 } }]);
    expect(verdict.ignored.toSorted()).toEqual(['/at/x', '/nott']);
  });

  it('anywhere says nothing else: with and without the nulls the verdict is one', () => {
    const members = fc.record(
      {
        id: fc.constantFrom('a', '', null, 5),
        note: fc.constantFrom('b', 'long one', null),
        at: fc.option(fc.record({ from: fc.constantFrom(1, 99, null), to: fc.constantFrom(2, null, 'x') })),
        lines: fc.option(fc.array(fc.record({ b: fc.constantFrom(true, null), c: fc.constantFrom(false, null, 1) }))),
      },
      { requiredKeys: [] },
    );
    const bare = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(bare);
      if (typeof value !== 'object' || value === null) return value;
      const kept = Object.entries(value).filter(([, member]) => member !== null);
      return Object.fromEntries(kept.map(([name, member]) => [name, bare(member)]));
    };
    fc.assert(
      fc.property(members, (value) => {
        const [verdict, plain] = [validate(value), validate(bare(value))];
        expect([verdict.errors, verdict.total]).toEqual([plain.errors, plain.total]);
        if (plain.total === 0) expect(verdict.value).toEqual(bare(value));
      }),
    );
  });
});

describe('a keyword that the walk does not know', () => {
  it('is told in the words of the judge', () => {
    const schema = object({ list: Type.Array(flag(), { uniqueItems: true }) });
    expect(broken(schema, { list: [true, true] })).toEqual(['/list uniqueItems']);
    expect(messages(schema, { list: [true, true] })[0]).toMatch(/^'list' must NOT have duplicate items.*; send/);
  });
});

describe('the nearest name', () => {
  it('is the one of fewest edits, without case and separators, and none where all are far', () => {
    const names = ['quantity', 'itemId', 'fulfillmentOrderId', 'id'];
    expect(nearest('quanity', names)).toBe('quantity');
    expect(nearest('Quantity', names)).toBe('quantity');
    expect(nearest('item_id', names)).toBe('itemId');
    expect(nearest('fulfilmentOrderID', names)).toBe('fulfillmentOrderId');
    expect(nearest('ietmId', names)).toBe('itemId');
    expect(nearest('colour', names)).toBeUndefined();
    expect(nearest('ix', names)).toBeUndefined();
    expect(nearest('q'.repeat(100_000), names)).toBeUndefined();
  });
});

describe('an exact number', () => {
  const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{0,${most}}$`));

  it('is good where its digits and its value are within the limits, however many digits it has', () => {
    const limits = fc.record({
      integer: fc.constantFrom(1, 4, 14, 15, 19),
      fraction: fc.constantFrom(0, 2, 4),
      min: fc.constantFrom(0, -5),
    });
    const parts = fc.tuple(
      fc.constantFrom('', '', '-'),
      fc.oneof(digits(3), digits(20)),
      fc.oneof(digits(3), digits(18)),
    );
    const tally = { good: 0, bad: 0 };
    fc.assert(
      fc.property(limits, parts, ({ integer, fraction, min }, [sign, before, after]) => {
        const whole = before.replace(/^0+/, '');
        const part = after.replace(/0+$/, '');
        const isNegative = sign === '-' && whole + part !== '';
        const isGood =
          whole.length <= integer &&
          part.length <= fraction &&
          (!isNegative || (min < 0 && whole.length <= 1 && Number(`${whole}.${part}`) <= -min));
        const value = parseJson(`${sign}${whole || '0'}.${after || '0'}`);
        expect(compile(exact({ integer, fraction, min }))(value).total === 0).toBe(isGood);
        tally[isGood ? 'good' : 'bad'] += 1;
      }),
      { numRuns: 3000 },
    );
    expect(Math.min(tally.good, tally.bad)).toBeGreaterThan(300);
  });
});

describe('the judge and the walk', () => {
  const node = named(
    'Node',
    object({
      id: identifier(3),
      kids: opt(list(ref('Node'), { max: 2 })),
      n: opt(exact({ integer: 1, fraction: 1, min: -1 })),
    }),
  );
  const schemas: TSchema[] = [
    node,
    object({ id: text(1, 2), n: opt(integer(0, 5)), on: opt(isoDate()), b: opt(flag()), x: ignored() }),
    object({ kids: list(Type.Union([text(0, 1), Type.Null(), integer(0, 1), ref('Node')]), { min: 1, max: 3 }) }),
    Type.Union([
      object({ id: Type.Literal('a'), n: flag() }),
      object({ id: Type.Literal('b'), n: Type.Number() }),
      list(ref('Node'), { max: 2 }),
    ]),
    Type.Record(Type.String({ pattern: '^[a-m]' }), Type.Union([text(1, 2), ref('Node')])),
    Type.Object({ id: Type.Unknown(), n: opt(Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1.5 })) }),
    Type.Object({ id: opt(oneOf(['a', 'b'])) }, { additionalProperties: integer(0, 5), maxProperties: 2 }),
    Type.Enum(['a', 1]),
    Type.Intersect([Type.Object({ id: text(1, 1) }), Type.Object({ n: integer(0, 1) })]),
  ];
  const leaf = fc.constantFrom<unknown>(
    ...[
      'a',
      'b',
      '',
      ' a',
      'abcd',
      '\u{1f600}\u{1f600}',
      '2026-01-31',
      '2026-02-30',
      0,
      1,
      1.5,
      -2,
      0.25,
      12,
      true,
      null,
    ],
    new Decimal('1.00000000000000000001'),
  );
  const names = fc.constantFrom('id', 'id', 'kids', 'n', 'on', 'b', 'x', 'y', 'constructor');
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.array(fc.tuple(names, tie('value')), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
      fc.array(tie('value'), { maxLength: 3 }),
    ),
  }));

  it('agree on any value', () => {
    const validators = schemas.map((schema) => compile(schema, [node]));
    const named = new Map<string, object>([[node.$id, node]]);
    const tally = { good: 0, bad: 0 };
    fc.assert(
      fc.property(value, (any) => {
        validators.forEach((validate, i) => {
          const { total, value: judged } = validate(any);
          const good = total === 0;
          tally[good ? 'good' : 'bad'] += 1;
          expect(explain(schemas[i] ?? {}, judged, named).errors.length === 0).toBe(good);
        });
      }),
      { numRuns: 5000 },
    );
    expect(Math.min(tally.good, tally.bad)).toBeGreaterThan(300);
  });

  it('never throw, whatever JSON comes', () => {
    const validators = schemas.map((schema) => compile(schema, [node]));
    fc.assert(
      fc.property(fc.jsonValue(), (any) => {
        for (const validate of validators) {
          for (const lenient of [true, false]) {
            const verdict = validate(any, { lenient });
            expect(verdict.total === 0).toBe(verdict.errors.length === 0);
          }
        }
      }),
    );
    const deep = parseJson(`${'{"kids":['.repeat(32)}${']}'.repeat(32)}`);
    for (const validate of validators) expect(validate(deep).total).toBeGreaterThan(0);
  });
});
