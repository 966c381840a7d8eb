/** Texts for orders that cannot be handed over or delivered. */

import { GOODS_TO_RETURN } from '../kernel/refusals.ts';
import { type OrderState, State } from '../kernel/states.ts';
import type { Sentence } from '../platform/message/sentence.ts';
import { say } from './sentences.ts';

/** For each state, the reason why the order cannot be handed over, or the step to take instead. */
export const INSTEAD_OF_HAND_OVER: Record<OrderState, Sentence> = {
  [State.HELD]: say('it is held until the street date of an item'),
  [State.WAITING_FOR_PICK]: say('generate its pick ticket and confirm it first'),
  [State.PICKING]: say('confirm its pick ticket first'),
  [State.WAITING_FOR_PACK]: say('it must be packed, and is not handed over in the store'),
  [State.WAITING_FOR_CHECK_IN]: say('check it in first'),
  [State.READY_FOR_PICKUP]: say('it can be handed over'),
  [State.WAITING_FOR_DELIVERY]: say('it must be delivered, and is not handed over in the store'),
  [State.SHIPPED]: say('its units are with the carrier'),
  [State.PICKED_UP]: say('it has no units left to hand over'),
  [State.DELIVERED]: say('its units were delivered'),
  [State.GOODS_TO_RETURN]: GOODS_TO_RETURN,
  [State.CANCELED]: say('it has no units left to hand over'),
  [State.RETURNED_FOR_RESOURCING]: say('none of its units is in the store; another node can fulfill it'),
  [State.RESOURCED]: say('none of its units is in the store; another node fulfills it'),
};

/** For each state, the reason why the order cannot be delivered, or the step to take instead. */
export const INSTEAD_OF_DELIVERY: Record<OrderState, Sentence> = {
  [State.HELD]: say('it is held until the street date of an item'),
  [State.WAITING_FOR_PICK]: say('generate its pick ticket and confirm it first'),
  [State.PICKING]: say('confirm its pick ticket first'),
  [State.WAITING_FOR_PACK]: say('pack it first'),
  [State.WAITING_FOR_CHECK_IN]: say('check it in first'),
  [State.READY_FOR_PICKUP]: say('it must be handed over in the store, and is not delivered'),
  [State.WAITING_FOR_DELIVERY]: say('it can be delivered'),
  [State.SHIPPED]: say('its units are with the carrier'),
  [State.PICKED_UP]: say('its units are with the customer'),
  [State.DELIVERED]: say('it has no units left to deliver'),
  [State.GOODS_TO_RETURN]: GOODS_TO_RETURN,
  [State.CANCELED]: say('it has no units left to deliver'),
  [State.RETURNED_FOR_RESOURCING]: say('none of its units is in the store; another node can fulfill it'),
  [State.RESOURCED]: say('none of its units is in the store; another node fulfills it'),
};
