/** Prints the document with one field per line, so that its diff is readable. */
import { isRecord } from '../../../platform/message/record.ts';

const WIDTH = 120;
/** Maximum length of a line for an object or a list of plain values. */
const PLAIN_WIDTH = 240;

/** Returns JSON with an indentation of two spaces. An object or list that fits into a line is not split. */
export function printed(value: unknown): string {
  const plain: unknown = JSON.parse(JSON.stringify(value));
  return `${textOf(plain, '', 0)}\n`;
}

/**
 * Returns the JSON of a value. `before` is the number of other characters in its line without the indentation: the key
 * and a comma.
 */
function textOf(value: unknown, indent: string, before: number): string {
  const line = lineOf(value);
  if (typeof value !== 'object' || value === null) return line;
  const isPlain = Object.values(value).every((one) => (Array.isArray(one) ? one.every(isScalar) : isScalar(one)));
  if (indent.length + before + line.length <= (isPlain ? PLAIN_WIDTH : WIDTH)) return line;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((one) => inner + textOf(one, inner, 1))
    : Object.entries(value).map(([name, one]) => {
        const key = `${JSON.stringify(name)}: `;
        return inner + key + textOf(one, inner, key.length + 1);
      });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`;
}

function lineOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(lineOf).join(', ')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${lineOf(one)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
