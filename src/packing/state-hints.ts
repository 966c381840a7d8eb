/** What packing says of an order that cannot be packed. */

import { GOODS_TO_RETURN, nameOf } from '../kernel/refusals.ts';
import type { OrderState } from '../kernel/states.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { PACKED_TYPES } from './package-schema.ts';

/** Whether orders of this type are ever packed. */
export function isPacked(type: string): type is (typeof PACKED_TYPES)[number] {
  return (PACKED_TYPES as readonly string[]).includes(type);
}

/** Sentence for an order of a type that is never packed. */
export function neverPacked(order: FulfillmentOrderRow): string {
  return `${nameOf(order)} is ${order.fulfillment_type}; only ${PACKED_TYPES.join(' and ')} orders are packed.`;
}

/** What to do with an order that is not waiting for pack. */
export const INSTEAD_OF_PACK: Record<OrderState, string> = {
  1000: 'it is held until the street date of an item; it is picked after that',
  1100: 'generate its pick ticket and confirm it first',
  1150: 'confirm its pick ticket first',
  1200: 'it can be packed',
  1300: 'check it in first',
  1400: 'hand it over',
  1500: 'every unit of it is packed, and its packages cannot change any more; deliver it',
  3700: 'its packages are with the carrier and cannot change any more',
  3800: 'its units are with the customer',
  3900: 'its packages are delivered and cannot change any more',
  8000: `${GOODS_TO_RETURN}; nothing of it is to pack`,
  9000: 'there is nothing of it to pack',
  9100: 'there is nothing of it to pack; another node may serve it',
  9200: 'there is nothing of it to pack; another node serves it',
};
