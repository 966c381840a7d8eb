/** Numbers in input fields, in the user's language. */

/** Returns the sign before the decimals: a point or a comma. */
export function decimalSign(language: string): string {
  return (1.5).toLocaleString(language)[1]!;
}

/** Returns a number as a user of the language types it. */
export function asTyped(value: number | string, language: string): string {
  return String(value).replace('.', decimalSign(language));
}

/**
 * Reads a typed number with a decimal point or comma, at most 9 digits and 4 decimals. Returns undefined for other
 * text, and if the sign can separate thousands: 1,250 in English, 1.250 in German.
 */
export function typedNumber(text: string, language: string): number | undefined {
  const typed = text.trim();
  const wanted = typed.replace(',', '.');
  const isThousands = /^[1-9]\d{0,2}\.\d{3}$/.test(wanted) && !typed.includes(decimalSign(language));
  return !isThousands && /^\d{1,9}(\.\d{1,4})?$/.test(wanted) ? Number(wanted) : undefined;
}
