/** The position of a shipment in a list, for `next` and `after`. */
import { badValue } from '../platform/http/errors.ts';
import { INBOUND_TYPES, type InboundType } from './schema.ts';
import { say } from './sentences.ts';

/** Returns a position as text; it ends with type, number and seller. */
export function writePosition(...parts: readonly string[]): string {
  return parts.map(encodeURIComponent).join('/');
}

/**
 * Reads a position: its first value, if the list is ordered by a day, then type, number and seller.
 * @throws Refusal 400 for any other text
 */
export function readPosition(
  after: string,
  hasDay: boolean,
): [day: string, InboundType, number: string, seller: string] {
  try {
    const parts = after.split('/').map(decodeURIComponent);
    const [day, type, number, seller, ...more] = hasDay ? parts : ['', ...parts];
    if (INBOUND_TYPES.some((one) => one === type) && seller !== undefined && more.length === 0) {
      return [day!, type as InboundType, number!, seller];
    }
  } catch {
    // Malformed percent-encoding is rejected below.
  }
  throw badValue('query:after', 'format', say('`after` must be `next` of the previous page'));
}
