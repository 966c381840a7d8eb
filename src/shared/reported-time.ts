/** Times that other systems report, for example a carrier or a gateway. */
import { type FieldError, fieldError } from '../platform/message/field-errors.ts';
import { DAY_MS, parseDateTime } from '../platform/time.ts';
import { say } from './sentences.ts';

/** Returns the error of a reported time that is more than a day in the future. `pointer` ends with the field's name. */
export function reportedTimeErrors(pointer: string, sent: string | undefined, now: number): FieldError[] {
  if (sent === undefined || parseDateTime(sent) <= now + DAY_MS) return [];
  const field = pointer.slice(pointer.lastIndexOf('/') + 1);
  const message = say("'{field}' is more than a day in the future; send the time at which it happened", { field });
  return [fieldError(pointer, 'maximum', message)];
}
