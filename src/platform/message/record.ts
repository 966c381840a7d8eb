import { Decimal } from '../decimal.ts';
import { Sentence } from './sentence.ts';

/** Whether a JSON value is an object: not a list, an exact number or a sentence. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !(value instanceof Decimal || value instanceof Sentence);
}
