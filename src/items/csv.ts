/**
 * Items as CSV (docs/interface.md#item-writes). A column has the name of its field; a nested field has its path
 * (`hierarchy.deptNumber`, `upcs.0.upc`). An empty cell is an absent field. Numbers keep their digits. `true` and
 * `false` can be in upper or lower case.
 */

import { shortenedError } from '../platform/csv.ts';
import { parseJson } from '../platform/message/json.ts';
import { nearest } from '../platform/message/nearest.ts';
import { FIELD_ERRORS_MAX, type FieldError, fieldError } from '../platform/message/validate.ts';
import { quoted } from '../platform/message/words.ts';
import type { TSchema } from '../platform/schema.ts';
import { elementOf, Item, membersOf, resolve } from './schema.ts';
import { say } from './sentences.ts';
import { LIST_MAX } from './sub-types.ts';

interface Column {
  /** Names of fields and indexes of lists, beginning at the item. */
  path: readonly (string | number)[];
  kind: 'text' | 'number' | 'boolean';
}

/**
 * Reads the cells of one record as an item with typed values, and returns errors of unknown columns and of shortened
 * numbers. `checkItem` checks the values.
 */
export type ItemReader = (cells: readonly string[]) => { item: Record<string, unknown>; errors: FieldError[] };

/** Returns the errors of a header, at most 101: unknown and repeated columns. */
export function headerErrors(names: readonly string[]): FieldError[] {
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const name of names) {
    if (errors.length > FIELD_ERRORS_MAX) break;
    if (findColumn(name) === undefined) errors.push(unknownColumn(name));
    else if (seen.has(name))
      errors.push(
        fieldError(
          pointerOf(name),
          'duplicate',
          say('column {name} is in the header twice; keep one', { name: quoted(name) }),
        ),
      );
    seen.add(name);
  }
  return errors;
}

/**
 * Returns the sign between the columns of a CSV text: the most frequent one of comma, semicolon and tab in the header.
 * Spreadsheets write semicolons where the comma is the decimal sign. No column of an item has such a sign in its name.
 */
export function separatorOf(text: string): string {
  const header = /[^\r\n]+/.exec(text)?.[0] ?? '';
  const count = (sign: string) => header.split(sign).length;
  return [',', ';', '\t'].reduce((most, sign) => (count(sign) > count(most) ? sign : most));
}

/**
 * Returns a reader of records with the columns `names`. A missing cell counts as empty. A nonempty cell of an unknown
 * column is an error.
 */
export function itemReader(names: readonly string[]): ItemReader {
  const columns = names.map(findColumn);
  return (cells) => {
    const item: Record<string, unknown> = {};
    const errors: FieldError[] = [];
    for (const [index, column] of columns.entries()) {
      const cell = cells[index] ?? '';
      if (column === undefined) {
        if (cell !== '') errors.push(unknownColumn(names[index]!));
        continue;
      }
      if (cell === '') continue;
      place(item, column.path, typed(column, cell));
      const shortened = column.kind === 'text' ? shortenedError(pointerOf(names[index]!), cell) : undefined;
      if (shortened !== undefined) errors.push(shortened);
    }
    return { item: withoutHoles(item) as Record<string, unknown>, errors };
  };
}

function findColumn(name: string): Column | undefined {
  if (name.length > 200) return undefined;
  const path: (string | number)[] = [];
  let schema: TSchema = Item;
  for (const step of name.split('.')) {
    const element = elementOf(schema);
    const members = membersOf(schema);
    if (element !== undefined) {
      if (!/^(?:0|[1-9]\d{0,2})$/.test(step) || Number(step) >= LIST_MAX) return undefined;
      path.push(Number(step));
      schema = resolve(element);
      continue;
    }
    if (members === undefined || !Object.hasOwn(members, step)) return undefined;
    path.push(step);
    schema = resolve(members[step]!);
  }
  const kind = kindOf(schema);
  return kind === undefined ? undefined : { path, kind };
}

function kindOf(schema: TSchema): Column['kind'] | undefined {
  const { type, anyOf, decimal } = schema as { type?: string; anyOf?: unknown[]; decimal?: unknown };
  if (decimal !== undefined) return 'number';
  if (anyOf !== undefined || type === 'string') return 'text';
  return type === 'boolean' ? 'boolean' : undefined;
}

/** Converts a cell to the type of its column. An invalid cell stays text, and the schema rejects it. */
function typed(column: Column, cell: string): unknown {
  if (column.kind === 'text') return cell;
  if (column.kind === 'boolean') return { true: true, false: false }[cell.toLowerCase()] ?? cell;
  try {
    return /^[-+.\dEe]+$/.test(cell) ? parseJson(cell) : cell;
  } catch {
    return cell;
  }
}

function unknownColumn(name: string): FieldError {
  const near = nearest(name, Object.keys(membersOf(Item)!));
  const hint =
    near === undefined
      ? say('remove it, or name it by its path, like upcs.0.upc')
      : say('did you mean {near}?', { near: quoted(near) });
  return fieldError(
    pointerOf(name.slice(0, 200)),
    'unknown',
    say('unknown column {name}; {hint}', { name: quoted(name.slice(0, 60)), hint }),
  );
}

function pointerOf(name: string): string {
  return `/${name.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('.', '/')}`;
}

type Container = Record<string | number, unknown>;

function place(item: Container, path: readonly (string | number)[], value: unknown): void {
  let target = item;
  for (const [index, step] of path.slice(0, -1).entries()) {
    target[step] ??= typeof path[index + 1] === 'number' ? [] : {};
    target = target[step] as Container;
  }
  target[path.at(-1)!] = value;
}

/** Removes the list elements whose cells are all empty. */
function withoutHoles(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((element) => element !== undefined).map(withoutHoles);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutHoles(member)]));
}
