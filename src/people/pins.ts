/** The rules for PINs. Makes one-time PINs and printable codes. */
import type { FieldError } from '../platform/message/field-errors.ts';
import { text } from '../platform/schema.ts';
import { say } from './sentences.ts';

/** Lifetime of a one-time PIN. */
export const ONE_TIME_MS = 24 * 3_600_000;
const ONE_TIME_DIGITS = 6;

export const pin = (description: string) =>
  text(4, 8, { pattern: '^[0-9]{4,8}$', 'x-secret': true, 'x-hint': say('send 4 to 8 digits'), description });

/**
 * Whether the PIN is easy to guess: one repeated digit, two alternating digits, or an ascending or descending sequence.
 */
function isTrivial(digits: string): boolean {
  if (/^(\d)\1*$/.test(digits) || /^(\d\d)\1+\d?$/.test(digits)) return true;
  return ['01234567890123456789', '98765432109876543210'].some((run) => run.includes(digits));
}

/** Returns the error of a PIN that is easy to guess. */
export function pinErrors(pointer: string, digits: string): FieldError[] {
  if (!isTrivial(digits)) return [];
  const message = say('the PIN is too easy to guess; choose digits without a sequence or repetition');
  return [{ pointer, rule: 'trivial', message }];
}

/** Makes a one-time PIN. */
export function makePin(randomBytes: (size: number) => Buffer): string {
  for (;;) {
    const digits = String(randomBytes(6).readUIntBE(0, 6) % 10 ** ONE_TIME_DIGITS).padStart(ONE_TIME_DIGITS, '0');
    if (!isTrivial(digits)) return digits;
  }
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Makes a code that people print or type: 16 characters with 80 random bits, without similar characters. */
export function makeCode(randomBytes: (size: number) => Buffer): string {
  return Array.from(randomBytes(16), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}
