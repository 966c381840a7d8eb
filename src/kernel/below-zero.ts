import { badRequest, Refusal } from '../platform/http/errors.ts';
import type { FieldError } from '../platform/message/field-errors.ts';

/** 400 BELOW_ZERO: the request takes more units than are available. */
export function belowZeroRefusal(errors: readonly FieldError[]): Refusal {
  const { description, options } = badRequest(errors);
  return new Refusal(400, 'VALIDATION', 'BELOW_ZERO', description, options);
}
