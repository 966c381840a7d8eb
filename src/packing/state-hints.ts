/** What packing says of an order that cannot be packed. */

import { GOODS_TO_RETURN, nameOf } from '../kernel/refusals.ts';
import { type OrderState, State } from '../kernel/states.ts';
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
  [State.HELD]: 'it is held until the street date of an item; it is picked after that',
  [State.WAITING_FOR_PICK]: 'generate its pick ticket and confirm it first',
  [State.PICKING]: 'confirm its pick ticket first',
  [State.WAITING_FOR_PACK]: 'it can be packed',
  [State.WAITING_FOR_CHECK_IN]: 'check it in first',
  [State.READY_FOR_PICKUP]: 'hand it over',
  [State.WAITING_FOR_DELIVERY]: 'every unit of it is packed, and its packages cannot change any more; deliver it',
  [State.SHIPPED]: 'its packages are with the carrier and cannot change any more',
  [State.PICKED_UP]: 'its units are with the customer',
  [State.DELIVERED]: 'its packages are delivered and cannot change any more',
  [State.GOODS_TO_RETURN]: `${GOODS_TO_RETURN}; nothing of it is to pack`,
  [State.CANCELED]: 'there is nothing of it to pack',
  [State.RETURNED_FOR_RESOURCING]: 'there is nothing of it to pack; another node may serve it',
  [State.RESOURCED]: 'there is nothing of it to pack; another node serves it',
};
