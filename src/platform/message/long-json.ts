/**
 * JSON of values with long lists, as bytes. The engine allocates separate memory pages for each string of more than 128
 * KiB, so one long string takes ten times as long as the same text in pieces.
 */
import { isRecord } from './record.ts';

/** Number of list elements in one piece. */
const PIECE = 100;
/**
 * Lists of up to this length are searched for long lists inside. In longer lists, the search would cost more than it
 * saves.
 */
const FEW = 8;
/** Number of levels that are searched for a long list. */
const DEEPEST = 6;

/**
 * Returns the JSON text of a value as UTF-8, if the value has a long list; otherwise undefined. Leaves out `undefined`
 * fields, as JSON.stringify does.
 */
export function longJson(value: object): Buffer | undefined {
  if (!hasLong(value)) return undefined;
  const pieces: string[] = [];
  add(value, pieces);
  const bytes = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0));
  let at = 0;
  for (const piece of pieces) at += bytes.write(piece, at);
  return bytes;
}

function hasLong(value: unknown, depth = 1): boolean {
  if (depth > DEEPEST) return false;
  if (Array.isArray(value)) {
    return value.length > PIECE || (value.length <= FEW && value.some((one) => hasLong(one, depth + 1)));
  }
  if (!isRecord(value)) return false;
  for (const name in value) if (hasLong(value[name], depth + 1)) return true;
  return false;
}

function add(value: unknown, pieces: string[]): void {
  if (!hasLong(value)) pieces.push(value === undefined ? 'null' : JSON.stringify(value));
  else if (Array.isArray(value)) addList(value, pieces);
  else addFields(value as Record<string, unknown>, pieces);
}

function addList(list: readonly unknown[], pieces: string[]): void {
  const isLong = list.length > PIECE;
  pieces.push('[');
  for (let first = 0; first < list.length; first += isLong ? PIECE : 1) {
    if (first > 0) pieces.push(',');
    if (isLong) pieces.push(JSON.stringify(list.slice(first, first + PIECE)).slice(1, -1));
    else add(list[first], pieces);
  }
  pieces.push(']');
}

function addFields(record: Readonly<Record<string, unknown>>, pieces: string[]): void {
  let before = '{';
  for (const [name, value] of Object.entries(record)) {
    if (value === undefined) continue;
    pieces.push(`${before}${JSON.stringify(name)}:`);
    add(value, pieces);
    before = ',';
  }
  pieces.push(before === '{' ? '{}' : '}');
}
