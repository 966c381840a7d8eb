/**
 * The two spellings of one field: `modifyAssociateId` and `modifyAssociatedId` (docs/interface.md#accepted-spellings).
 */
import { type FieldError, fieldError, joined } from '../platform/message/field-errors.ts';
import { isRecord } from '../platform/message/record.ts';
import type { ValidationResult } from '../platform/message/validate.ts';
import { say } from './sentences.ts';

/**
 * Validates a message that has either spelling. The returned value has `modifyAssociateId`. Two different values under
 * the two spellings are an error.
 */
export function readMessage<T>(raw: unknown, validate: (value: unknown) => ValidationResult): ValidationResult<T> {
  const { value, errors } = readAssociate(raw);
  const result = validate(value) as ValidationResult<T>;
  return errors.length === 0 ? result : { ...result, ...joined(errors, result) };
}

/** Moves the value of the other spelling to `modifyAssociateId`; returns an error if both are sent and differ. */
function readAssociate(raw: unknown): { value: unknown; errors: FieldError[] } {
  if (!isRecord(raw)) return { value: raw, errors: [] };
  const { modifyAssociatedId: other, ...rest } = raw;
  const plain = rest.modifyAssociateId;
  if (isAbsent(other) || plain === other) return { value: raw, errors: [] };
  if (isAbsent(plain)) return { value: { ...rest, modifyAssociateId: other }, errors: [] };
  const message = say(
    'modifyAssociateId and modifyAssociatedId are two names of one field, but have different values; send only one of them',
  );
  return { value: raw, errors: [fieldError('/modifyAssociatedId', 'spelling', message)] };
}

/** Whether a field was not sent. `null` counts as absent. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
