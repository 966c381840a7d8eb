/** Values made from schemas, and ways to break one rule of a value. */
import { resolved, type Schema } from './document.ts';

export interface Chance {
  random: () => number;
  whole: (below: number) => number;
  pick: <T>(list: readonly T[]) => T;
}

export function chanceOf(random: () => number): Chance {
  const whole = (below: number) => Math.floor(random() * below);
  return { random, whole, pick: (list) => list[whole(list.length)]! };
}

/** Existing values by the name of their field. */
export type Names = Readonly<Record<string, readonly unknown[]>>;

const DEEPEST = 6;

/**
 * Returns a value for the schema. Values for a pattern are found by trial, so a value may violate its pattern. A field
 * whose name is in `names` gets one of those values.
 */
export function valueFor(given: Schema, chance: Chance, names: Names, name = '', depth = 0): unknown {
  const schema = resolved(given);
  const known = names[name];
  if (known !== undefined && schema['type'] !== 'array' && chance.random() < 0.9) return chance.pick(known);
  const choices = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined;
  if (choices !== undefined) return valueFor(chance.pick(choices), chance, names, name, depth);
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return chance.pick(schema['enum']);
  // In a message null means a missing field, so it is chosen less often.
  const types = ([schema['type']].flat() as string[]).filter((type) => type !== 'null' || chance.random() > 0.9);
  switch (chance.pick(types)) {
    case 'object':
      return objectOf(schema, chance, names, depth);
    case 'array':
      return arrayOf(schema, chance, names, name, depth);
    case 'string':
      return textOf(schema, chance);
    case 'integer':
    case 'number':
      return numberOf(schema, chance);
    case 'boolean':
      return chance.random() < 0.5;
    default:
      return null;
  }
}

function objectOf(schema: Schema, chance: Chance, names: Names, depth: number): Record<string, unknown> {
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
  const required = new Set((schema['required'] ?? []) as string[]);
  const share = depth > 3 ? 0.1 : 0.35;
  const chosen = Object.entries(properties).filter(
    ([name]) => required.has(name) || (depth < DEEPEST && chance.random() < share),
  );
  return Object.fromEntries(chosen.map(([name, one]) => [name, valueFor(one, chance, names, name, depth + 1)]));
}

function arrayOf(schema: Schema, chance: Chance, names: Names, name: string, depth: number): unknown[] {
  const least = Number(schema['minItems'] ?? 0);
  const most = Math.min(Number(schema['maxItems'] ?? 3), least + 3);
  const length = depth >= DEEPEST ? least : least + chance.whole(most - least + 1);
  const items = (schema['items'] ?? {}) as Schema;
  const singular = name.replace(/s$/, '');
  return Array.from({ length }, () => valueFor(items, chance, names, singular, depth + 1));
}

const TEXTS = [
  'A1',
  'x',
  'Ada',
  '21',
  'US',
  'USD',
  'UTC',
  'MONDAY',
  '09:00',
  '21:00',
  '2026-03-01T10:00:00+00:00',
  '2026-03-01',
  '401 555 0101',
  'ada@mail.example',
  'é',
  '商品',
  '🙂',
  "O'Neil; drop table items--",
  '%_',
  '1',
  '',
];

function textOf(schema: Schema, chance: Chance): string {
  const examples = schema['examples'];
  if (Array.isArray(examples) && chance.random() < 0.5) return String(chance.pick(examples));
  if (schema['x-format'] !== undefined) return chance.pick(['2026-03-01', '2026-03-01T10:00:00Z', '2024-02-29']);
  const least = Number(schema['minLength'] ?? 0);
  const most = Number(schema['maxLength'] ?? 40);
  const pattern = typeof schema['pattern'] === 'string' ? new RegExp(schema['pattern'], 'u') : undefined;
  for (let tries = 0; tries < 12; tries += 1) {
    const text = chance.random() < 0.1 ? 'y'.repeat(Math.min(most, 5_000)) : chance.pick(TEXTS);
    if (lengthOf(text) >= least && lengthOf(text) <= most && pattern?.test(text) !== false) return text;
  }
  return 'z'.repeat(Math.max(1, least));
}

/** Returns the number of code points, which `minLength` and `maxLength` of a schema limit. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}

function numberOf(schema: Schema, chance: Chance): number {
  const least = Number(schema['minimum'] ?? 0);
  const most = Number(schema['maximum'] ?? 99_999);
  const decimal = schema['x-decimal'] as { fraction?: number } | undefined;
  const value = chance.pick([
    least,
    most,
    least + 1,
    Math.min(most, least + 2),
    Math.min(most, least + chance.whole(50)),
  ]);
  const tail = (decimal?.fraction ?? 0) > 0 && value < most ? chance.pick([0, 0.5, 0.25]) : 0;
  return value + tail;
}

export type Path = readonly (string | number)[];

/** Returns every place in a JSON value, with its schema if it has one. */
export function placesOf(
  value: unknown,
  schema: Schema | undefined,
  path: Path = [],
): { path: Path; schema: Schema | undefined }[] {
  const here = { path, schema };
  if (Array.isArray(value)) {
    const items = within(schema, (one) => one['items'] as Schema | undefined);
    return [here, ...value.flatMap((element, index) => placesOf(element, items, [...path, index]))];
  }
  if (typeof value !== 'object' || value === null) return [here];
  return [
    here,
    ...Object.entries(value).flatMap(([name, member]) =>
      placesOf(
        member,
        within(schema, (one) => (one['properties'] as Record<string, Schema> | undefined)?.[name]),
        [...path, name],
      ),
    ),
  ];
}

/** Applies `part` to the schema and its branches, and returns the first result. */
function within(schema: Schema | undefined, part: (schema: Schema) => Schema | undefined): Schema | undefined {
  if (schema === undefined) return undefined;
  const plain = resolved(schema);
  const found = part(plain);
  if (found !== undefined) return resolved(found);
  const branches = (plain['anyOf'] ?? plain['oneOf'] ?? plain['allOf'] ?? []) as Schema[];
  for (const branch of branches) {
    const inside = within(branch, part);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

export function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, step) => (inner as Record<string, unknown>)[step], value);
}

/** Returns a copy with another value at the path; `undefined` removes the value. */
export function replaced(value: unknown, path: Path, by: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return by;
  const inner = replaced((value as Record<string, unknown>)[step], rest, by);
  if (Array.isArray(value)) return value.toSpliced(Number(step), 1, ...(inner === undefined ? [] : [inner]));
  if (inner !== undefined) return { ...(value as object), [step]: inner };
  return Object.fromEntries(Object.entries(value as object).filter(([name]) => name !== step));
}

export interface Broken {
  /** Description of the change. */
  what: string;
  value: unknown;
  /** True if the value has a NUL or a lone surrogate. The document cannot express the rule that forbids them. */
  isBadText: boolean;
}

/**
 * Makes one change to the value, which breaks a rule if possible. The document decides whether the changed value is
 * valid.
 */
export function brokenOf(value: unknown, schema: Schema, chance: Chance): Broken {
  const place = chance.pick(placesOf(value, schema));
  const { what, by, isBadText = false } = chance.pick(breaksOf(at(value, place.path), place.schema ?? {}));
  return { what: `${what} at /${place.path.join('/')}`, value: replaced(value, place.path, by), isBadText };
}

function breaksOf(value: unknown, schema: Schema): { what: string; by: unknown; isBadText?: boolean }[] {
  const breaks: { what: string; by: unknown; isBadText?: boolean }[] = [
    { what: 'taken out', by: undefined },
    { what: 'null', by: null },
    { what: 'an object', by: { surely: 1 } },
    { what: 'a list in a list', by: [[value]] },
  ];
  const limit = (keyword: string) => (typeof schema[keyword] === 'number' ? schema[keyword] : undefined);
  if (typeof value === 'string') {
    const most = limit('maxLength');
    for (const edge of edgesOf(schema)) breaks.push({ what: `the edge ${shortly(edge)}`, by: edge });
    breaks.push(
      { what: 'NUL', by: `${value.slice(0, 2)}\0`, isBadText: true },
      { what: 'a lone surrogate', by: `${value.slice(0, 2)}\ud800`, isBadText: true },
      { what: 'white space at the end', by: `${value.slice(0, 3)} ` },
      { what: 'empty', by: '' },
      { what: 'a number', by: 7 },
      { what: '30 February', by: value.replace(/^\d{4}-\d\d-\d\d/, '2026-02-30') },
      { what: 'not on the list', by: 'surely-not-on-any-list' },
    );
    if (most !== undefined && most < 100_000) breaks.push({ what: 'one character too long', by: 'x'.repeat(most + 1) });
  } else if (typeof value === 'number') {
    breaks.push(
      { what: 'text', by: String(value) },
      { what: 'below its minimum', by: (limit('minimum') ?? 0) - 1 },
      { what: 'above its maximum', by: (limit('maximum') ?? 1e20) + 1 },
      { what: 'past 2^53', by: 2 ** 53 + 2 },
      { what: 'with a fraction', by: value + 0.123456 },
      { what: 'huge', by: 1e300 },
    );
  } else if (typeof value === 'boolean') {
    breaks.push({ what: 'text', by: String(value) });
  } else if (Array.isArray(value)) {
    const most = limit('maxItems');
    breaks.push(
      { what: 'empty list', by: [] },
      { what: 'an element of another kind', by: [...(value as unknown[]), 1.5] },
    );
    if (most !== undefined && most < 1_000) {
      breaks.push({ what: 'one too many', by: Array.from({ length: most + 1 }, () => (value as unknown[])[0] ?? 'x') });
    }
  } else if (typeof value === 'object' && value !== null) {
    breaks.push({ what: 'unknown field', by: { ...value, surelyNotAMember: 1 } }, { what: 'a scalar', by: 'x' });
  }
  return breaks;
}

/**
 * Returns edge values of a string schema: an empty text, a space, non-ASCII text, and texts of the minimum length and
 * one less. A maximum length below 100,000 adds texts of this length and one more.
 */
export function edgesOf(schema: Schema): string[] {
  const least = Number(schema['minLength'] ?? 0);
  const most = Number(schema['maxLength'] ?? 0);
  const lengths = [least - 1, least, ...(most > 0 && most < 100_000 ? [most, most + 1] : [])];
  const beyond = lengths.filter((length) => length > 0);
  return ['', ' ', 'é', ...beyond.flatMap((length) => ['x'.repeat(length), '🙂'.repeat(length)])];
}

function shortly(text: string): string {
  return text.length <= 4 ? JSON.stringify(text) : `of ${lengthOf(text)} characters`;
}

/** Returns random JSON of any shape. */
export function anyJson(chance: Chance, depth = 0): unknown {
  const kind = chance.whole(depth > 4 ? 5 : 7);
  if (kind === 0) return chance.pick([null, true, false]);
  if (kind === 1)
    return chance.pick([0, -1, 1, 0.1, 1e21, 5e-324, 2 ** 53, -(2 ** 53), 1.7976931348623157e308, chance.whole(1e6)]);
  if (kind < 5) return chance.pick([...TEXTS, '\0', '\ud800', '\udfff x', 'constructor', 'a'.repeat(300)]);
  const length = chance.whole(5);
  if (kind === 5) return Array.from({ length }, () => anyJson(chance, depth + 1));
  const keys = [
    'storeId',
    'nodeId',
    'id',
    'constructor',
    'toString',
    'lines',
    'asnData',
    'hasOwnProperty',
    '',
    'é',
    '\0',
  ];
  return Object.fromEntries(Array.from({ length }, () => [chance.pick(keys), anyJson(chance, depth + 1)]));
}
