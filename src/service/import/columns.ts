/**
 * Makes a message from CSV columns. A column has the path of its field as its name, such as `address.city` or
 * `lines.0.quantity`.
 */
import { shortenedError } from '../../platform/csv.ts';
import { parseJson } from '../../platform/message/json.ts';
import type { FieldError } from '../../platform/message/validate.ts';
import type { TSchema } from '../../platform/schema.ts';
import type { Message } from './sink.ts';

type Schema = TSchema & {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
};

interface Column {
  name: string;
  path: string[];
  type: string | undefined;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Returns a function from a row to its message. An empty cell is an absent field. If a cell of a number or boolean
 * field has another value, it remains text, and the schema reports the error. In a cell that remains text, a number
 * that a spreadsheet has shortened is an error.
 * @throws Error if a column contradicts another (`a` and `a.b`), or has `__proto__` in its path.
 */
export function messageFromColumns(
  names: readonly string[],
  schema: TSchema,
  named: readonly TSchema[],
): (row: Record<string, string>) => Message & { value: Record<string, unknown> } {
  const columns = names.map((name) => column(name, schema as Schema, named));
  const paths = new Set(names);
  for (const { name, path } of columns) {
    const parent = path.map((_, index) => path.slice(0, index).join('.')).find((above) => paths.has(above));
    if (parent !== undefined) throw new Error(`The columns ${parent} and ${name} contradict each other.`);
    if (path.includes('__proto__')) throw new Error(`The column ${name} is not a field.`);
  }
  return (row) => {
    const message: Record<string, unknown> = {};
    const errors: FieldError[] = [];
    for (const { name, path, type } of columns) {
      const cell = row[name]!;
      if (cell === '') continue;
      const value = readCell(cell, type);
      put(message, path, value);
      const error = typeof value === 'string' ? shortenedError(`/${path.join('/')}`, cell) : undefined;
      if (error !== undefined) errors.push(error);
    }
    return { value: closeGaps(message) as Record<string, unknown>, errors };
  };
}

function column(name: string, schema: Schema, named: readonly TSchema[]): Column {
  const path = name.split('.');
  let at: Schema | undefined = resolved(schema, named);
  for (const step of path) {
    at = resolved(at?.type === 'array' && /^\d+$/.test(step) ? at.items : at?.properties?.[step], named);
  }
  return { name, path, type: at?.type };
}

function resolved(schema: Schema | undefined, named: readonly TSchema[]): Schema | undefined {
  if (schema?.$ref === undefined) return schema;
  const id = schema.$ref.replace(/#$/, '');
  return named.find((one) => (one as { $id?: string }).$id === id);
}

function readCell(cell: string, type: string | undefined): unknown {
  if ((type === 'number' || type === 'integer') && NUMBER.test(cell.trim())) return parseJson(cell.trim());
  if (type === 'boolean' && /^(true|false)$/i.test(cell.trim())) return cell.trim().toLowerCase() === 'true';
  return cell;
}

/** Sets a field at its path. A list is an object with its indexes as names until all cells are read. */
function put(message: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at = message;
  for (const step of path.slice(0, -1)) {
    // A column `constructor.prototype.x` must not change the prototype of all objects.
    if (!Object.hasOwn(at, step)) at[step] = {};
    at = at[step] as Record<string, unknown>;
  }
  at[path.at(-1)!] = value;
}

function closeGaps(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const members = Object.entries(value).map(([name, member]) => [name, closeGaps(member)] as const);
  if (members.length > 0 && members.every(([name]) => /^\d+$/.test(name))) {
    return members.sort(([a], [b]) => Number(a) - Number(b)).map(([, member]) => member);
  }
  return Object.fromEntries(members);
}
