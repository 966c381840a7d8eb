/** The two spellings of one field: `modifyAssociateId` and `modifyAssociatedId` (docs/interface.md#accepted-spellings). */
import { type FieldError, fieldError, joined } from '../platform/message/field-errors.ts';
import { isRecord } from '../platform/message/record.ts';
import type { ValidationResult } from '../platform/message/validate.ts';

/**
 * Reads a message that takes either spelling: the value holds `modifyAssociateId`. Where both spellings stand and differ,
 * that is one error more of its form.
 */
export function readMessage<T>(raw: unknown, validate: (value: unknown) => ValidationResult): ValidationResult<T> {
  const { value, errors } = readAssociate(raw);
  const verdict = validate(value) as ValidationResult<T>;
  return errors.length === 0 ? verdict : { ...verdict, ...joined(errors, verdict) };
}

/** The message with `modifyAssociateId` filled in from its other spelling; an error where both stand and differ. */
function readAssociate(raw: unknown): { value: unknown; errors: FieldError[] } {
  if (!isRecord(raw)) return { value: raw, errors: [] };
  const { modifyAssociatedId: other, ...rest } = raw;
  const plain = rest.modifyAssociateId;
  if (isAbsent(other) || plain === other) return { value: raw, errors: [] };
  if (isAbsent(plain)) return { value: { ...rest, modifyAssociateId: other }, errors: [] };
  const message =
    'modifyAssociateId and modifyAssociatedId are one field and say different things; send one of them, or the same value in both';
  return { value: raw, errors: [fieldError('/modifyAssociatedId', 'spelling', message)] };
}

/** Whether a field was not sent: `null` is absence, in every spelling of it. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
