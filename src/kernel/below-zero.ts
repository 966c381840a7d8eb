import { badRequest, Refusal } from '../platform/http/errors.ts';
import type { FieldError } from '../platform/message/field-errors.ts';

/** Returns the 400 BELOW_ZERO for a request that takes more units than are available. */
export function belowZeroRefusal(errors: readonly FieldError[]): Refusal {
  const { description, options } = badRequest(errors);
  return new Refusal(400, 'VALIDATION', 'BELOW_ZERO', description, options);
}
