/**
 * The content of a message: its stored texts, its fingerprint, and the differences between two contents. The spelling
 * and the order of fields and lines do not change the content (docs/interface.md#inbound-rules).
 */

import { createHash } from 'node:crypto';
import { decimalText, isNumeric, numeric } from '../platform/decimal.ts';
import { type Json, readJson } from '../platform/json-column.ts';
import { parseJson, stringifyJson } from '../platform/message/json.ts';
import { shorten } from '../platform/message/words.ts';
import { Pace } from '../platform/pace.ts';
import { isDateTime, parseDateTime, plainForm } from '../platform/time.ts';
import { SHOWN_MAX } from './faults.ts';
import type { Header, Line, ShipmentType } from './schema.ts';

export interface Content {
  /** The stored text of the header, with its dates in the stored form (`plainForm`). */
  header: string;
  lines: string[];
  /** SHA-256 of the compared fields. */
  hash: string;
}

/** Returns the stored texts of a message, and the hash by which a retry with the same number is recognized. */
export async function contentOf(header: Header, lines: readonly Line[]): Promise<Content> {
  const pace = new Pace();
  const kept: Record<string, unknown> = { ...header };
  for (const name of DATES) if (typeof kept[name] === 'string') kept[name] = plainForm(kept[name]);
  const keptLines: string[] = [];
  const counted: string[] = [];
  for (const line of lines) {
    await pace.rest();
    keptLines.push(stringifyJson({ ...line, itemCost: numeric(decimalText(line.itemCost)) }));
    counted.push(stringifyJson(whatCounts(line)));
  }
  const hash = createHash('sha256').update(stringifyJson(whatCounts(header)));
  for (const text of counted.toSorted()) {
    await pace.rest();
    hash.update(`\n${text}`);
  }
  return { header: stringifyJson(kept), lines: keptLines, hash: hash.digest('hex') };
}

const DATES: ReadonlySet<string> = new Set(['shipmentReceiptDate', 'orderDate']);

/**
 * Returns the compared fields of a header, of a line, or of an object inside a header or line. Blank fields count as
 * absent. Decimals of equal value are equal, and so are two spellings of an instant.
 */
function whatCounts(part: object): Record<string, unknown> {
  const counted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(part)) {
    const one = DATES.has(name) && typeof value === 'string' ? instantIn(value) : countedValue(value);
    if (one !== undefined) counted[name] = one;
  }
  return counted;
}

/** Returns the value to compare; undefined for a blank value, which counts as absent. */
function countedValue(value: unknown): unknown {
  if (value === '') return undefined;
  if (isNumeric(value)) return numeric(decimalText(value));
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((one) => countedValue(one) ?? null);
  const counted = whatCounts(value);
  return Object.keys(counted).length === 0 ? undefined : counted;
}

/** Converts a date-time to UTC. A date does not change. */
function instantIn(text: string): string {
  return isDateTime(text) ? new Date(parseDateTime(text)).toISOString() : text;
}

/** Builds the message from stored texts, in the form in which it can be transmitted again. Digits stay as sent. */
export function messageOf(type: ShipmentType, header: string, lines: readonly string[]): Record<string, unknown> {
  return readStored(messageText(type, header, lines)) as Record<string, unknown>;
}

/**
 * Builds the message of `messageOf` as JSON text. This avoids parsing and writing 20,000 lines again, which takes a
 * tenth of a second.
 */
export function messageText(type: ShipmentType, header: string, lines: readonly string[]): string {
  return `{"${type === 'ASN' ? 'asnData' : 'poData'}":[{"header":${header},"details":{"detail":[${lines.join(',')}]}}]}`;
}

const SHOWN = 10;

async function countedContent({ header, lines }: Omit<Content, 'hash'>): Promise<Omit<Content, 'hash'>> {
  const pace = new Pace();
  const counted: string[] = [];
  for (const line of lines) {
    await pace.rest();
    counted.push(countedText(line));
  }
  return { header: countedText(header), lines: counted };
}

/**
 * Returns the differences between two contents of an ASN or PO as texts: the first ten, and a text with the number of
 * further differences.
 */
export async function differences(stored: Omit<Content, 'hash'>, sent: Omit<Content, 'hash'>): Promise<string[]> {
  const [before, after] = [await countedContent(stored), await countedContent(sent)];
  const lines = await lineDifferences(before.lines, after.lines);
  const found = [...memberDifferences(before.header, after.header), ...lines];
  return found.length <= SHOWN ? found : [...found.slice(0, SHOWN), `and ${found.length - SHOWN} more`];
}

function countedText(text: string): string {
  return stringifyJson(whatCounts(readStored(text) as object));
}

/** Returns the fields that differ between two objects, for example `shipperName is "B", stored "A"`. */
function memberDifferences(before: string, after: string): string[] {
  const [a, b] = [readStored(before), readStored(after)] as [Record<string, unknown>, Record<string, unknown>];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names
    .filter((name) => show(a[name]) !== show(b[name]))
    .map((name) => `${name} is ${shorten(show(b[name]), SHOWN_MAX)}, stored ${shorten(show(a[name]), SHOWN_MAX)}`);
}

async function lineDifferences(stored: readonly string[], sent: readonly string[]): Promise<string[]> {
  const pace = new Pace();
  const byKey = new Map<string, string[]>();
  for (const { text } of withoutCommon(stored, sent).reverse()) {
    await pace.rest();
    const key = keyOf(text);
    const texts = byKey.get(key);
    if (texts === undefined) byKey.set(key, [text]);
    else texts.push(text);
  }
  const found: string[] = [];
  for (const { text, index } of withoutCommon(sent, stored)) {
    await pace.rest();
    const key = keyOf(text);
    const before = byKey.get(key)?.pop();
    // Counts a further difference. Its text is not shown.
    if (found.length >= SHOWN) found.push('');
    else if (before === undefined) found.push(`line ${index + 1} (${key}) is not in the stored one`);
    else found.push(`line ${index + 1} (${key}): ${memberDifferences(before, text).join(', ')}`);
  }
  const missing = [...byKey].flatMap(([key, texts]) => texts.map(() => `the stored line (${key}) is missing`));
  return [...found, ...missing];
}

/** Returns the texts of `these` that `those` lacks, each as often as it is missing. */
function withoutCommon(these: readonly string[], those: readonly string[]): { text: string; index: number }[] {
  const left = new Map<string, number>();
  for (const text of those) left.set(text, (left.get(text) ?? 0) + 1);
  return these.flatMap((text, index) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count > 0 ? [] : [{ text, index }];
  });
}

/**
 * Parses a stored text without a token limit, because its canonical form may have more tokens than the accepted
 * message.
 */
function readStored(text: string): unknown {
  return parseJson(text, { maxTokens: Number.POSITIVE_INFINITY });
}

/** Returns the carton and the item, which identify a line. */
function keyOf(text: string): string {
  const { cartonId, clientItemId } = readJson(text as Json<{ cartonId?: string; clientItemId: string }>);
  return `${cartonId === undefined || cartonId === '' ? '' : `carton ${cartonId}, `}item ${clientItemId}`;
}

function show(value: unknown): string {
  return value === undefined ? 'absent' : stringifyJson(value);
}
