/** Texts for orders that cannot be packed. */

import { GOODS_TO_RETURN, nameOf } from '../kernel/refusals.ts';
import { type OrderState, State } from '../kernel/states.ts';
import { type Sentence, sequence } from '../platform/message/sentence.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { PACKED_TYPES } from './package-schema.ts';
import { say } from './sentences.ts';

/** Whether orders of this type are ever packed. */
export function isPacked(type: string): type is (typeof PACKED_TYPES)[number] {
  return (PACKED_TYPES as readonly string[]).includes(type);
}

/** Returns the sentence for an order of a type that is never packed. */
export function neverPacked(order: FulfillmentOrderRow): Sentence {
  return say('{order} is {fulfillmentType}; only {packedTypes} orders are packed.', {
    order: nameOf(order),
    fulfillmentType: order.fulfillment_type,
    packedTypes: sequence(PACKED_TYPES, say(' and ')),
  });
}

/** For each state, the reason why the order cannot be packed, or the step to take instead. */
export const INSTEAD_OF_PACK: Record<OrderState, Sentence> = {
  [State.HELD]: say('the order is held until the street date of an item; pick the order after that date'),
  [State.WAITING_FOR_PICK]: say('first generate and confirm the pick ticket of the order'),
  [State.PICKING]: say('confirm the pick ticket of the order first'),
  [State.WAITING_FOR_PACK]: say('the order can be packed'),
  [State.WAITING_FOR_CHECK_IN]: say('check in the order first'),
  [State.READY_FOR_PICKUP]: say('hand the order over'),
  [State.WAITING_FOR_DELIVERY]: say('all units are packed, and the packages cannot change any more; deliver the order'),
  [State.SHIPPED]: say('the packages are with the carrier and cannot change any more'),
  [State.PICKED_UP]: say('the units are with the customer'),
  [State.DELIVERED]: say('the packages are delivered and cannot change any more'),
  [State.GOODS_TO_RETURN]: say('{goodsToReturn}; the order has no units to pack', { goodsToReturn: GOODS_TO_RETURN }),
  [State.CANCELED]: say('the order has no units to pack'),
  [State.RETURNED_FOR_RESOURCING]: say('the order has no units to pack; another node can fulfill the units'),
  [State.RESOURCED]: say('the order has no units to pack; another node fulfills the units'),
};
