/**
 * The content of a message: its texts as they are stored, its fingerprint, and what differs between two of them. Content is
 * the same whatever the spelling and the order of fields and lines (docs/decisions/033).
 */

import { createHash } from 'node:crypto';
import { decimalText, isNumeric, numeric } from '../platform/decimal.ts';
import { parseJson, stringifyJson } from '../platform/message/json.ts';
import { shorten } from '../platform/message/words.ts';
import { Pace } from '../platform/pace.ts';
import { isDateTime, parseDateTime, plainForm } from '../platform/time.ts';
import { SHOWN_MAX } from './faults.ts';
import type { Header, Line, ShipmentType } from './schema.ts';

export interface Content {
  /** As it is kept: dates written out. */
  header: string;
  lines: string[];
  /** Of what counts in it. */
  hash: string;
}

/** The texts of a message, and the hash that tells whether it was sent before under its number. */
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
 * What counts in a header, a line or a part of them: no blank fields, for these are absence; two tokens of one decimal value
 * are one, and so are two spellings of an instant.
 */
function whatCounts(part: object): Record<string, unknown> {
  const counted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(part)) {
    const one = DATES.has(name) && typeof value === 'string' ? instantIn(value) : countedValue(value);
    if (one !== undefined) counted[name] = one;
  }
  return counted;
}

/** undefined is absence. */
function countedValue(value: unknown): unknown {
  if (value === '') return undefined;
  if (isNumeric(value)) return numeric(decimalText(value));
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((one) => countedValue(one) ?? null);
  const counted = whatCounts(value);
  return Object.keys(counted).length === 0 ? undefined : counted;
}

/** A day stays a day; an instant is written in UTC. */
function instantIn(text: string): string {
  return isDateTime(text) ? new Date(parseDateTime(text)).toISOString() : text;
}

/** The message of stored texts, in the form in which it can be transmitted again; digits are kept. */
export function messageOf(type: ShipmentType, header: string, lines: readonly string[]): Record<string, unknown> {
  return readStored(messageText(type, header, lines)) as Record<string, unknown>;
}

/** The same as JSON: of 20,000 lines, reading and writing it again takes a tenth of a second. */
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

/** What differs, in words, the first ten differences. `stored` and `sent` are texts of one number. */
export async function differences(stored: Omit<Content, 'hash'>, sent: Omit<Content, 'hash'>): Promise<string[]> {
  const [before, after] = [await countedContent(stored), await countedContent(sent)];
  const lines = await lineDifferences(before.lines, after.lines);
  const found = [...memberDifferences(before.header, after.header), ...lines];
  return found.length <= SHOWN ? found : [...found.slice(0, SHOWN), `and ${found.length - SHOWN} more`];
}

function countedText(text: string): string {
  return stringifyJson(whatCounts(readStored(text) as object));
}

/** Fields of two objects that differ, for example `shipperName is "B", stored "A"`. */
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
    // Differences beyond those that are shown are counted, not worded.
    if (found.length >= SHOWN) found.push('');
    else if (before === undefined) found.push(`line ${index + 1} (${key}) is not in the stored one`);
    else found.push(`line ${index + 1} (${key}): ${memberDifferences(before, text).join(', ')}`);
  }
  const missing = [...byKey].flatMap(([key, texts]) => texts.map(() => `the stored line (${key}) is missing`));
  return [...found, ...missing];
}

/** The texts of `these` that `those` lack, each as often as it is lacking. */
function withoutCommon(these: readonly string[], those: readonly string[]): { text: string; index: number }[] {
  const left = new Map<string, number>();
  for (const text of those) left.set(text, (left.get(text) ?? 0) + 1);
  return these.flatMap((text, index) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count > 0 ? [] : [{ text, index }];
  });
}

/** A text of our own; the canonical form may have a few more tokens than the message that was taken. */
function readStored(text: string): unknown {
  return parseJson(text, { maxTokens: Number.POSITIVE_INFINITY });
}

/** What tells a line from others: its carton and item. */
function keyOf(text: string): string {
  const { cartonId, clientItemId } = JSON.parse(text) as { cartonId?: string; clientItemId: string };
  return `${cartonId === undefined || cartonId === '' ? '' : `carton ${cartonId}, `}item ${clientItemId}`;
}

function show(value: unknown): string {
  return value === undefined ? 'absent' : stringifyJson(value);
}
