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
  [State.HELD]: say('it is held until the street date of an item; pick it after that date'),
  [State.WAITING_FOR_PICK]: say('generate its pick ticket and confirm it first'),
  [State.PICKING]: say('confirm its pick ticket first'),
  [State.WAITING_FOR_PACK]: say('it can be packed'),
  [State.WAITING_FOR_CHECK_IN]: say('check it in first'),
  [State.READY_FOR_PICKUP]: say('hand it over'),
  [State.WAITING_FOR_DELIVERY]: say('all of its units are packed, and its packages cannot change any more; deliver it'),
  [State.SHIPPED]: say('its packages are with the carrier and cannot change any more'),
  [State.PICKED_UP]: say('its units are with the customer'),
  [State.DELIVERED]: say('its packages are delivered and cannot change any more'),
  [State.GOODS_TO_RETURN]: say('{goodsToReturn}; it has no units to pack', { goodsToReturn: GOODS_TO_RETURN }),
  [State.CANCELED]: say('it has no units to pack'),
  [State.RETURNED_FOR_RESOURCING]: say('it has no units to pack; another node can fulfill it'),
  [State.RESOURCED]: say('it has no units to pack; another node fulfills it'),
};
