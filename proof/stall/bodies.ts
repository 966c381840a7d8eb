/**
 * The worst bodies of an operation: the largest bodies within its limits, and bodies that the service must read in
 * large part before it can reject them. They are made from the schema of the operation and from a valid message.
 */
import type { Described, Schema } from '../fuzz/document.ts';
import { resolved } from '../fuzz/document.ts';
import { at, type Names, type Path, placesOf, replaced } from '../fuzz/values.ts';

/** A body with a name. `make` returns a new body for each attempt, because the service may accept a body only once. */
export interface Candidate {
  name: string;
  make: (turn: string) => string | Buffer;
  headers?: Record<string, string>;
}

const KIB = 1024;
/** Lengths of lists. The campaign tries them in this order until the body is within the limit. */
const LENGTHS = [1_000_000, 200_000, 50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10, 5, 2, 1];
const NEAR_NAME = 'fulfillmentOrderIdOfTheCustomersOrderThatIsMeantHere';
const NESTED = 60;

/** Returns the bodies for an operation that takes JSON of at most `limit` bytes. */
export function candidates(operation: Described, goods: readonly unknown[], names: Names, limit: number): Candidate[] {
  const schema = operation.body!;
  const good = goods[0] ?? largest(schema, names, 'short', 1, '');
  const room = limit - 2 * KIB;
  const sized = (make: (length: number, turn: string) => unknown) => (turn: string) => fitting(make, turn, room);
  const all: Candidate[] = [
    { name: 'longest lists', make: sized((length, turn) => largest(schema, names, 'short', length, turn)) },
    { name: 'longest texts', make: sized((length, turn) => largest(schema, names, 'long', length, turn)) },
    { name: 'longest digits', make: sized((length, turn) => largest(schema, names, 'digits', length, turn)) },
    { name: 'null in every place', make: sized((length) => largest(schema, names, 'null', length, '')) },
    { name: 'a wrong type in every place', make: sized((length) => largest(schema, names, 'wrong', length, '')) },
    { name: 'unknown fields', make: () => JSON.stringify(withUnknown(good, 990)) },
    {
      name: 'unknown fields, ignored',
      make: () => JSON.stringify(withUnknown(good, 990)),
      headers: { prefer: 'handling=lenient' },
    },
    { name: 'fields without end', make: () => manyMembers(room) },
    { name: 'empty lists', make: () => `[${'[],'.repeat(room / 3 - 1)}[]]` },
    { name: 'empty objects', make: () => `[${'{},'.repeat(Math.min(room / 3, 90_000) - 1)}{}]` },
    {
      name: 'lists in lists',
      make: () => `[${`${'['.repeat(NESTED)}${']'.repeat(NESTED)},`.repeat(room / 121 - 1)}1]`,
    },
    { name: 'white space', make: () => `${'\n'.repeat(room)}x` },
    {
      name: 'bytes that are no UTF-8',
      make: () => Buffer.concat([Buffer.from('\ufffd'.repeat(room / 3)), Buffer.of(255)]),
    },
    { name: 'escapes', make: () => `{"x":"${'\\u00e9'.repeat(room / 6 - 10)}"}` },
    {
      name: 'a number past doubles',
      make: () => `[1234567890123456789.5${',1'.repeat(Math.min(90_000, room / 2 - 20))}]`,
    },
    { name: 'three quarters of a name', make: () => `{"${'\\n'.repeat(room / 2 - 10)}":1}` },
  ];
  for (const { path, schema: place } of placesOf(good, schema)) {
    const where = `/${path.join('/')}`;
    const value = at(good, path);
    if (Array.isArray(value)) {
      all.push(...listCandidates(good, path, place, where, room));
    } else if (typeof value === 'string') {
      all.push({
        name: `a long text in ${where}`,
        make: () => JSON.stringify(replaced(good, path, 'é '.repeat(room / 3 - KIB))),
      });
      const most = Number(place?.['maxLength'] ?? 400);
      all.push({ name: `many words in ${where}`, make: () => JSON.stringify(replaced(good, path, words(most))) });
    }
  }
  return all;
}

function listCandidates(
  good: unknown,
  path: Path,
  place: Schema | undefined,
  where: string,
  room: number,
): Candidate[] {
  const [element] = at(good, path) as unknown[];
  const text = JSON.stringify(element ?? {});
  const most = Math.min(Number(place?.['maxItems'] ?? 1_000), Math.floor((room - 64 * KIB) / (text.length + 8)));
  const repeated = (by: (index: number) => unknown, count = most) =>
    JSON.stringify(
      replaced(
        good,
        path,
        Array.from({ length: Math.max(1, count) }, (_, index) => by(index)),
      ),
    );
  return [
    { name: `the same over and over in ${where}`, make: () => repeated(() => element) },
    { name: `all different in ${where}`, make: (turn) => repeated((index) => numbered(element, `${turn}${index}`)) },
    {
      name: `99 errors at the end of ${where}`,
      make: (turn) => repeated((index) => (index < most - 99 ? numbered(element, `${turn}${index}`) : { surely: 1 })),
    },
    { name: `empty objects in ${where}`, make: () => repeated(() => ({}), Math.min(90_000, room / 4)) },
    { name: `empty lists in ${where}`, make: () => repeated(() => [], Math.min(90_000, room / 4)) },
    { name: `nulls in ${where}`, make: () => repeated(() => null, Math.min(90_000, room / 6)) },
  ];
}

/** Returns a copy of the element with `by` as its ids. A text becomes its first 8 characters and `by`. */
function numbered(element: unknown, by: string): unknown {
  if (typeof element === 'string') return `${element.slice(0, 8)}${by}`;
  if (typeof element !== 'object' || element === null) return element;
  return Object.fromEntries(
    Object.entries(element).map(([name, value]) => [name, /Id$/.test(name) && typeof value === 'string' ? by : value]),
  );
}

/**
 * Returns a text of one-letter words. A search for such a word is expensive, because many names begin with the letter.
 */
function words(most: number): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from({ length: Math.floor(most / 2) }, (_, index) => letters[index % letters.length]).join(' ');
}

function manyMembers(room: number): string {
  const members = Array.from({ length: Math.min(99_000, Math.floor(room / 14)) }, (_, index) => `"m${index}":1`);
  return `{${members.join(',')}}`;
}

/**
 * Adds unknown fields to each object of the message until the object has `count` fields. The names of these fields
 * resemble known names. Only the first three elements of each list remain.
 */
function withUnknown(value: unknown, count: number): unknown {
  if (Array.isArray(value)) return value.slice(0, 3).map((element) => withUnknown(element, count));
  if (typeof value !== 'object' || value === null) return value;
  const own = Object.entries(value).map(([name, member]) => [name, withUnknown(member, count)]);
  const more = Array.from({ length: count - own.length }, (_, index) => [
    `${NEAR_NAME.slice(index % 40)}${index}`,
    index,
  ]);
  return Object.fromEntries([...own, ...more]);
}

/** Returns the JSON of a value with the longest lists that fit into the body. */
function fitting(make: (length: number, turn: string) => unknown, turn: string, room: number): string {
  for (const length of LENGTHS) {
    const budget = new Budget(room);
    const value = budget.spend(() => make(length, turn));
    if (value === undefined) continue;
    const text = JSON.stringify(value);
    if (Buffer.byteLength(text) <= room) return text.replaceAll('"\\u0001', '').replaceAll('\\u0001"', '');
  }
  return JSON.stringify(make(1, turn));
}

/** Limits the size of a value. If the value will not fit, `take` throws, which ends the construction of the value. */
class Budget {
  static current: Budget | undefined;
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  spend<T>(make: () => T): T | undefined {
    Budget.current = this;
    try {
      return make();
    } catch (error) {
      if (error !== TOO_LONG) throw error;
      return undefined;
    } finally {
      Budget.current = undefined;
    }
  }

  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw TOO_LONG;
  }
}

const TOO_LONG = new Error('too long');

type Style = 'short' | 'long' | 'digits' | 'null' | 'wrong';

let counter = 0;

/**
 * Returns a value with every field, and lists of `length`. A number with many digits is a string between marks;
 * `fitting` removes the quotes and the marks.
 */
function largest(
  given: Schema,
  names: Names,
  style: Style,
  length: number,
  turn: string,
  name = '',
  depth = 0,
): unknown {
  const schema = resolved(given);
  const choices = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined;
  if (choices !== undefined) {
    const list = choices.find((one) => resolved(one)['type'] === 'array') ?? choices[0]!;
    return largest(list, names, style, length, turn, name, depth);
  }
  const [type] = [schema['type']].flat() as string[];
  if (type === 'array') {
    const most = Math.min(length, Number(schema['maxItems'] ?? 1_000));
    const items = (schema['items'] ?? {}) as Schema;
    return Array.from({ length: most }, () =>
      largest(items, names, style, length, turn, name.replace(/s$/, ''), depth + 1),
    );
  }
  if (type === 'object' || schema['properties'] !== undefined) {
    if (depth > 8) return {};
    const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
    return Object.fromEntries(
      Object.entries(properties).map(([member, one]) => {
        Budget.current?.take(member.length + 6);
        return [member, largest(one, names, style, length, turn, member, depth + 1)];
      }),
    );
  }
  const value = scalar(schema, names, style, turn, name, type);
  Budget.current?.take(typeof value === 'string' ? value.length : 4);
  return value;
}

function scalar(
  schema: Schema,
  names: Names,
  style: Style,
  turn: string,
  name: string,
  type: string | undefined,
): unknown {
  if (style === 'null') return null;
  if (style === 'wrong') return type === 'string' ? 7 : 'x';
  if (style === 'digits' && (type === 'number' || type === 'integer'))
    return `\u0001${'9'.repeat(45)}.${'9'.repeat(17)}\u0001`;
  const known = names[name];
  if (known !== undefined && !/^(?:webLineId|cartonId)$/.test(name)) return known[0];
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as unknown;
  if (type === 'boolean') return true;
  if (type === 'number' || type === 'integer') return Number(schema['minimum'] ?? 1) + 1;
  if (schema['x-format'] !== undefined || /Date|From|To$|^from$|^to$/.test(name)) return '2026-03-01T10:00:00+00:00';
  counter += 1;
  const unique = `${turn}${counter.toString(36)}`;
  const most = Number(schema['maxLength'] ?? 40);
  return style === 'long' ? unique.padEnd(most, 'é').slice(0, most) : unique.slice(0, most);
}
