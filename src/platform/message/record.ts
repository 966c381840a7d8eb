import { Decimal } from '../decimal.ts';

/** Whether a JSON value is an object: no list, no exact number. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Decimal);
}
