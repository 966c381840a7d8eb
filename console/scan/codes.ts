/** Compares scanned texts with the codes of items, places and cartons. */
import { type CodeReading, readCode } from '../../src/shared/gs1.ts';

/** Reads a code with the present year, which resolves years of two digits. */
export function readToday(text: string): CodeReading {
  return readCode(text, new Date().getUTCFullYear());
}

/**
 * Returns the form of a code for comparisons: a GTIN is padded to 14 digits, another text is trimmed and in capital
 * letters.
 */
function plainCode(text: string): string {
  return /^(\d{8}|\d{12,13})$/.test(text) ? text.padStart(14, '0') : text.trim().toUpperCase();
}

/** Returns all forms of a scanned code for comparisons, the best first: its GTIN or SSCC, then the text itself. */
export function formsOf(text: string): string[] {
  const forms = new Set<string>();
  for (const { kind, value } of readToday(text).reads) {
    if (kind === 'GTIN' || kind === 'SSCC' || kind === 'CONTENT') forms.add(value);
    if (kind === 'SSCC') forms.add(`00${value}`);
    if (kind === 'TEXT') forms.add(plainCode(value));
  }
  return [...forms];
}

/** Returns whether a scanned text is one of these codes. Leading zeros and the symbology do not matter. */
export function isOneOf(text: string, codes: Iterable<string>): boolean {
  const forms = new Set(formsOf(text));
  for (const code of codes) if (forms.has(plainCode(code))) return true;
  return false;
}
