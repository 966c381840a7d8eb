/** Values of elements: their characters, dates, times, check digits. */

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns the text of bytes (one character per byte): UTF-8 if they are valid UTF-8, otherwise Latin-1. */
export function textOf(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes;
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return bytes;
  }
}

/** Whether a value is a date: CCYYMMDD, or YYMMDD where six digits are allowed. */
export function isDay(value: string, allowsSix: boolean): boolean {
  return dateOf(value, allowsSix) !== undefined;
}

/**
 * Returns a date as `2026-11-24`; undefined if the value is not a date. Six digits are permitted before version 004010
 * and in envelopes. Their years from 70 on are 19xx, earlier years 20xx.
 */
export function dateOf(value: string, allowsSix: boolean): string | undefined {
  const full = /^\d{6}$/.test(value) && allowsSix ? `${value < '70' ? '20' : '19'}${value}` : value;
  const [, year = '', month = '', day = ''] = /^(\d{4})(\d{2})(\d{2})$/.exec(full) ?? [];
  const text = `${year}-${month}-${day}`;
  const at = new Date(`${text}T00:00:00Z`);
  return year >= '0001' && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : undefined;
}

/** Whether a value is a time: HHMM, HHMMSS, or with one or two decimals of a second. */
export function isTime(value: string): boolean {
  return /^([01]\d|2[0-3])[0-5]\d([0-5]\d\d{0,2})?$/.test(value);
}

/** Whether the last of the digits is the check digit of a GTIN or SSCC. */
export function hasCheckDigit(digits: string): boolean {
  return /^\d{2,}$/.test(digits) && digits.endsWith(checkDigitFor(digits));
}

/** Returns the correct check digit of a GTIN or SSCC; its last digit is ignored. */
export function checkDigitFor(digits: string): string {
  let sum = 0;
  for (let at = 1; at < digits.length; at += 1) sum += Number(digits[digits.length - 1 - at]) * (at % 2 === 0 ? 1 : 3);
  return String((10 - (sum % 10)) % 10);
}
