/**
 * The content of a message: its texts as they are stored, its fingerprint, and what differs between two of them. Content is
 * the same when the canonical form is, whatever the spelling and the order of members and lines (decision 033).
 */
import { decimalText, numeric } from '../decimal.ts';
import { parseJson, stringifyJson } from '../http/json.ts';
import { sha256 } from '../secrets.ts';
import { shorten } from './faults.ts';
import type { Header, Line, ShipmentType } from './schema.ts';

export interface Content {
  header: string;
  lines: string[];
  hash: string;
}

/** The texts of a message for one seller, and the hash that tells whether it was sent before. */
export function contentOf(sellerId: string, header: Header, lines: readonly Line[]): Content {
  const headerText = stringifyJson(header);
  // Two tokens of one decimal value are one content.
  const lineTexts = lines.map((line) => stringifyJson({ ...line, itemCost: numeric(decimalText(line.itemCost)) }));
  const hash = sha256([JSON.stringify(sellerId), headerText, ...lineTexts.toSorted()].join('\n'));
  return { header: headerText, lines: lineTexts, hash };
}

/** The message of stored texts, in the form in which it can be transmitted again; digits are kept. */
export function messageOf(type: ShipmentType, header: string, lines: readonly string[]): unknown {
  const text = `{"${type === 'ASN' ? 'asnData' : 'poData'}":[{"header":${header},"details":{"detail":[${lines.join(',')}]}}]}`;
  return readStored(text);
}

const SHOWN = 10;

/** What differs, in words, the first ten differences. `stored` and `sent` are texts of one number. */
export function differences(stored: Omit<Content, 'hash'>, sent: Omit<Content, 'hash'>): string[] {
  const found = [...memberDifferences(stored.header, sent.header), ...lineDifferences(stored.lines, sent.lines)];
  return found.length <= SHOWN ? found : [...found.slice(0, SHOWN), `and ${found.length - SHOWN} more`];
}

/** Members of two objects that differ, for example `shipperName is "B", stored "A"`. */
function memberDifferences(before: string, after: string): string[] {
  const [a, b] = [readStored(before), readStored(after)] as [Record<string, unknown>, Record<string, unknown>];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names
    .filter((name) => show(a[name]) !== show(b[name]))
    .map((name) => `${name} is ${shorten(show(b[name]))}, stored ${shorten(show(a[name]))}`);
}

function lineDifferences(stored: readonly string[], sent: readonly string[]): string[] {
  const byKey = new Map<string, string[]>();
  for (const { text } of withoutCommon(stored, sent).reverse()) {
    const key = keyOf(text);
    const texts = byKey.get(key);
    if (texts === undefined) byKey.set(key, [text]);
    else texts.push(text);
  }
  const found: string[] = [];
  for (const { text, index } of withoutCommon(sent, stored)) {
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
