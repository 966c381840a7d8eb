/** Texts for orders that cannot be handed over or delivered. */

import { GOODS_TO_RETURN } from '../kernel/refusals.ts';
import { type OrderState, State } from '../kernel/states.ts';
import type { Sentence } from '../platform/message/sentence.ts';
import { say } from './sentences.ts';

/** For each state, the reason why the order cannot be handed over, or the step to take instead. */
export const INSTEAD_OF_HAND_OVER: Record<OrderState, Sentence> = {
  [State.HELD]: say('the order is held until the street date of an item; wait for that date'),
  [State.WAITING_FOR_PICK]: say('first generate and confirm the pick ticket of the order'),
  [State.PICKING]: say('confirm the pick ticket of the order first'),
  [State.WAITING_FOR_PACK]: say('the order must be packed, and is not handed over in the store'),
  [State.WAITING_FOR_CHECK_IN]: say('check in the order first'),
  [State.READY_FOR_PICKUP]: say('the order can be handed over'),
  [State.WAITING_FOR_DELIVERY]: say('the order must be delivered, and is not handed over in the store'),
  [State.SHIPPED]: say('the units are with the carrier'),
  [State.PICKED_UP]: say('the order has no units left to hand over'),
  [State.DELIVERED]: say('the units were delivered'),
  [State.GOODS_TO_RETURN]: GOODS_TO_RETURN,
  [State.CANCELED]: say('the order has no units left to hand over'),
  [State.RETURNED_FOR_RESOURCING]: say('no unit of the order is in the store; another node can fulfill the order'),
  [State.RESOURCED]: say('no unit of the order is in the store; another node fulfills the order'),
};

/** For each state, the reason why the order cannot be delivered, or the step to take instead. */
export const INSTEAD_OF_DELIVERY: Record<OrderState, Sentence> = {
  [State.HELD]: say('the order is held until the street date of an item; wait for that date'),
  [State.WAITING_FOR_PICK]: say('first generate and confirm the pick ticket of the order'),
  [State.PICKING]: say('confirm the pick ticket of the order first'),
  [State.WAITING_FOR_PACK]: say('pack the order first'),
  [State.WAITING_FOR_CHECK_IN]: say('check in the order first'),
  [State.READY_FOR_PICKUP]: say('the order must be handed over in the store, and is not delivered'),
  [State.WAITING_FOR_DELIVERY]: say('the order can be delivered'),
  [State.SHIPPED]: say('the units are with the carrier'),
  [State.PICKED_UP]: say('the units are with the customer'),
  [State.DELIVERED]: say('the order has no units left to deliver'),
  [State.GOODS_TO_RETURN]: GOODS_TO_RETURN,
  [State.CANCELED]: say('the order has no units left to deliver'),
  [State.RETURNED_FOR_RESOURCING]: say('no unit of the order is in the store; another node can fulfill the order'),
  [State.RESOURCED]: say('no unit of the order is in the store; another node fulfills the order'),
};
