/** The two spellings of one member: `modifyAssociateId` and `modifyAssociatedId` (docs/interface.md#accepted-spellings). */
import { type FieldError, fieldError, joined } from '../message/field-errors.ts';
import type { ValidationResult } from '../message/validate.ts';

/**
 * Reads a message that takes either spelling: the value holds `modifyAssociateId`. Where both spellings stand and differ,
 * that is one fault more of its form.
 */
export function readMessage<T>(raw: unknown, validate: (value: unknown) => ValidationResult): ValidationResult<T> {
  const { value, faults } = readAssociate(raw);
  const verdict = validate(value) as ValidationResult<T>;
  return faults.length === 0 ? verdict : { ...verdict, ...joined(faults, verdict) };
}

/** The message with `modifyAssociateId` filled in from its other spelling; a fault where both stand and differ. */
function readAssociate(raw: unknown): { value: unknown; faults: FieldError[] } {
  if (!isRecord(raw)) return { value: raw, faults: [] };
  const { modifyAssociatedId: other, ...rest } = raw;
  const plain = rest.modifyAssociateId;
  if (isAbsent(other) || plain === other) return { value: raw, faults: [] };
  if (isAbsent(plain)) return { value: { ...rest, modifyAssociateId: other }, faults: [] };
  const message =
    'modifyAssociateId and modifyAssociatedId are one member and say different things; send one of them, or the same value in both';
  return { value: raw, faults: [fieldError('/modifyAssociatedId', 'spelling', message)] };
}

/** Whether a member was not sent: `null` is absence, in every spelling of it. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Whether a value is an object with members. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
