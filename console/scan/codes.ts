/** Compares what was scanned with the codes that items, places and cartons have. */
import { type CodeReading, readCode } from '../../src/shared/gs1.ts';

/** A code as it is read on this device today: years of two digits are near to now. */
export function readToday(text: string): CodeReading {
  return readCode(text, new Date().getUTCFullYear());
}

/** A code as it is compared: a GTIN of any length with 14 digits, other texts without case and blanks around them. */
function plainCode(text: string): string {
  return /^(\d{8}|\d{12,13})$/.test(text) ? text.padStart(14, '0') : text.trim().toUpperCase();
}

/** Every form in which a scanned code may be known, the best first: its GTIN or SSCC, then the text itself. */
export function formsOf(text: string): string[] {
  const forms = new Set<string>();
  for (const { kind, value } of readToday(text).reads) {
    if (kind === 'GTIN' || kind === 'SSCC' || kind === 'CONTENT') forms.add(value);
    if (kind === 'SSCC') forms.add(`00${value}`);
    if (kind === 'TEXT') forms.add(plainCode(value));
  }
  return [...forms];
}

/** Whether a scanned text is one of these codes, whatever the number of leading zeros and the form of the bar code. */
export function isOneOf(text: string, codes: Iterable<string>): boolean {
  const forms = new Set(formsOf(text));
  for (const code of codes) if (forms.has(plainCode(code))) return true;
  return false;
}
