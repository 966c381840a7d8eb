/** What a password must be: long, or not among those that everybody tries first. No rules of composition. */
import type { FieldError } from '../platform/message/field-errors.ts';
import { COMMON_PASSWORDS } from './common-passwords.ts';

/** From this length on it is not looked for among the common ones. */
const LONG = 12;

/** The error of a new password of at least 8 characters; none where it may be taken. */
export function passwordFaults(pointer: string, password: string): FieldError[] {
  if (Array.from(password).length >= LONG || !COMMON_PASSWORDS.has(password.toLowerCase())) return [];
  const message = `the password is among the most common ones; take another, or one of at least ${LONG} characters`;
  return [{ pointer, rule: 'common', message }];
}
