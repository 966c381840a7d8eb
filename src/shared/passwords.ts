/**
 * Rule for passwords: a short password must not be one of the most common. Passwords need no particular kinds of
 * characters.
 */
import type { FieldError } from '../platform/message/field-errors.ts';
import { COMMON_PASSWORDS } from './common-passwords.ts';
import { say } from './sentences.ts';

/** Passwords with at least this number of characters are not compared with common passwords. */
const LONG = 12;

/** Returns the error of a common password. The schema has checked the minimum of 8 characters. */
export function passwordErrors(pointer: string, password: string): FieldError[] {
  if (Array.from(password).length >= LONG || !COMMON_PASSWORDS.has(password.toLowerCase())) return [];
  const message = say(
    'the password is too common; choose another password, or one of at least {long} {long|character|characters}',
    { long: LONG },
  );
  return [{ pointer, rule: 'common', message }];
}
