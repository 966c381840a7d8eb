/** Texts for orders that cannot be packed. */

import { GOODS_TO_RETURN, nameOf } from '../kernel/refusals.ts';
import { type OrderState, State } from '../kernel/states.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { PACKED_TYPES } from './package-schema.ts';

/** Whether orders of this type are ever packed. */
export function isPacked(type: string): type is (typeof PACKED_TYPES)[number] {
  return (PACKED_TYPES as readonly string[]).includes(type);
}

/** Returns the sentence for an order of a type that is never packed. */
export function neverPacked(order: FulfillmentOrderRow): string {
  return `${nameOf(order)} is ${order.fulfillment_type}; only ${PACKED_TYPES.join(' and ')} orders are packed.`;
}

/** For each state, the reason why the order cannot be packed, or the step to take instead. */
export const INSTEAD_OF_PACK: Record<OrderState, string> = {
  [State.HELD]: 'it is held until the street date of an item and picked after that',
  [State.WAITING_FOR_PICK]: 'generate its pick ticket and confirm it first',
  [State.PICKING]: 'confirm its pick ticket first',
  [State.WAITING_FOR_PACK]: 'it can be packed',
  [State.WAITING_FOR_CHECK_IN]: 'check it in first',
  [State.READY_FOR_PICKUP]: 'hand it over',
  [State.WAITING_FOR_DELIVERY]: 'every unit of it is packed, and its packages cannot change any more; deliver it',
  [State.SHIPPED]: 'its packages are with the carrier and cannot change any more',
  [State.PICKED_UP]: 'its units are with the customer',
  [State.DELIVERED]: 'its packages are delivered and cannot change any more',
  [State.GOODS_TO_RETURN]: `${GOODS_TO_RETURN}; it has no units to pack`,
  [State.CANCELED]: 'it has no units to pack',
  [State.RETURNED_FOR_RESOURCING]: 'it has no units to pack; another node may serve it',
  [State.RESOURCED]: 'it has no units to pack; another node serves it',
};
