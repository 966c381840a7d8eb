/** Texts for orders that cannot be handed over or delivered. */

import { GOODS_TO_RETURN } from '../kernel/refusals.ts';
import { type OrderState, State } from '../kernel/states.ts';

/** For each state, the reason why the order cannot be handed over, or the step to take instead. */
export const INSTEAD_OF_HAND_OVER: Record<OrderState, string> = {
  [State.HELD]: 'it is held until the street date of an item',
  [State.WAITING_FOR_PICK]: 'generate its pick ticket and confirm it first',
  [State.PICKING]: 'confirm its pick ticket first',
  [State.WAITING_FOR_PACK]: 'it is packed, not handed over in the store',
  [State.WAITING_FOR_CHECK_IN]: 'check it in first',
  [State.READY_FOR_PICKUP]: 'it can be handed over',
  [State.WAITING_FOR_DELIVERY]: 'it is delivered, not handed over in the store',
  [State.SHIPPED]: 'its units are with the carrier',
  [State.PICKED_UP]: 'it has no units left to hand over',
  [State.DELIVERED]: 'its units are delivered',
  [State.GOODS_TO_RETURN]: GOODS_TO_RETURN,
  [State.CANCELED]: 'it has no units left to hand over',
  [State.RETURNED_FOR_RESOURCING]: 'none of its units is in the store; another node may serve it',
  [State.RESOURCED]: 'none of its units is in the store; another node serves it',
};

/** For each state, the reason why the order cannot be delivered, or the step to take instead. */
export const INSTEAD_OF_DELIVERY: Record<OrderState, string> = {
  [State.HELD]: 'it is held until the street date of an item',
  [State.WAITING_FOR_PICK]: 'generate its pick ticket and confirm it first',
  [State.PICKING]: 'confirm its pick ticket first',
  [State.WAITING_FOR_PACK]: 'pack it first',
  [State.WAITING_FOR_CHECK_IN]: 'check it in first',
  [State.READY_FOR_PICKUP]: 'it is handed over in the store, not delivered',
  [State.WAITING_FOR_DELIVERY]: 'it can be delivered',
  [State.SHIPPED]: 'its units are with the carrier',
  [State.PICKED_UP]: 'its units are with the customer',
  [State.DELIVERED]: 'it has no units left to deliver',
  [State.GOODS_TO_RETURN]: GOODS_TO_RETURN,
  [State.CANCELED]: 'it has no units left to deliver',
  [State.RETURNED_FOR_RESOURCING]: 'none of its units is in the store; another node may serve it',
  [State.RESOURCED]: 'none of its units is in the store; another node serves it',
};
