/** Compares scanned texts with the codes of items, places and cartons. */
import { type CodeReading, readCode } from '../../src/shared/gs1.ts';

/** Reads a code with the present year, which resolves years of two digits. */
export function readToday(text: string): CodeReading {
  return readCode(text, new Date().getUTCFullYear());
}

/**
 * Returns the form of a code for comparisons. A number of 6 to 13 digits is padded to 14 digits, because a catalog that
 * was saved as a spreadsheet has GTINs without leading zeros. Shorter numbers are labels of places, so their zeros
 * count. Other text is trimmed and in capital letters.
 */
function plainCode(text: string): string {
  const plain = text.trim().toUpperCase();
  return /^\d{6,13}$/.test(plain) ? plain.padStart(14, '0') : plain;
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

/**
 * Returns the text of a scanned code to store or send, without the symbology identifier of cameras and some scanners,
 * and without separators. A code with an SSCC becomes `00` and the SSCC.
 */
export function contentOf(text: string): string {
  const { reads } = readToday(text);
  const content = reads.at(-1)?.value.replaceAll('\x1d', '') ?? '';
  const sscc = reads.find(({ kind }) => kind === 'SSCC')?.value;
  // A number of 18 digits alone may also be a number of a carrier, so it remains as it is.
  return sscc === undefined || sscc === content ? content : `00${sscc}`;
}

/** Returns whether a scanned text is one of these codes. Leading zeros and the symbology do not matter. */
export function isOneOf(text: string, codes: Iterable<string>): boolean {
  const forms = new Set(formsOf(text));
  for (const code of codes) if (forms.has(plainCode(code))) return true;
  return false;
}
