/** PINs: what they may be, and the key that is hashed in, so that a stolen database alone cannot try all of them. */
import type { FieldError } from '../platform/message/field-errors.ts';
import { text } from '../platform/schema.ts';

/** How long a one-time PIN is good. */
export const ONE_TIME_MS = 24 * 3_600_000;
const ONE_TIME_DIGITS = 6;

export const pin = (description: string) =>
  text(4, 8, { pattern: '^[0-9]{4,8}$', 'x-secret': true, 'x-hint': 'send 4 to 8 digits', description });

/** Whether everybody would try it first: one digit, two in turn, or a run up or down. */
function isTrivial(digits: string): boolean {
  if (/^(\d)\1*$/.test(digits) || /^(\d\d)\1+\d?$/.test(digits)) return true;
  return ['01234567890123456789', '98765432109876543210'].some((run) => run.includes(digits));
}

/** The error of a PIN that somebody chooses. */
export function pinFaults(pointer: string, digits: string): FieldError[] {
  if (!isTrivial(digits)) return [];
  const message = 'the PIN is too easy to guess; take one that is no run and no repetition';
  return [{ pointer, rule: 'trivial', message }];
}

/** A one-time PIN. */
export function makePin(randomBytes: (size: number) => Buffer): string {
  for (;;) {
    const digits = String(randomBytes(6).readUIntBE(0, 6) % 10 ** ONE_TIME_DIGITS).padStart(ONE_TIME_DIGITS, '0');
    if (!isTrivial(digits)) return digits;
  }
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A text to be printed or typed: 16 characters without those that look alike, 80 random bits. */
export function makeCode(randomBytes: (size: number) => Buffer): string {
  return Array.from(randomBytes(16), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}
