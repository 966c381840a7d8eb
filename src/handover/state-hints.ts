/** What the hand-over says of an order that cannot be handed over. */

import { GOODS_TO_RETURN } from '../kernel/refusals.ts';
import { type OrderState, State } from '../kernel/states.ts';

/** What to do with an order that is not ready for its customer. */
export const INSTEAD_OF_HAND_OVER: Record<OrderState, string> = {
  [State.HELD]: 'it is held until the street date of an item',
  [State.WAITING_FOR_PICK]: 'generate its pick ticket and confirm it first',
  [State.PICKING]: 'confirm its pick ticket first',
  [State.WAITING_FOR_PACK]: 'it is packed, not handed over in the store',
  [State.WAITING_FOR_CHECK_IN]: 'check it in first',
  [State.READY_FOR_PICKUP]: 'it can be handed over',
  [State.WAITING_FOR_DELIVERY]: 'it is delivered, not handed over in the store',
  [State.SHIPPED]: 'its units are with the carrier',
  [State.PICKED_UP]: 'nothing of it is left to hand over',
  [State.DELIVERED]: 'its units are delivered',
  [State.GOODS_TO_RETURN]: GOODS_TO_RETURN,
  [State.CANCELED]: 'nothing of it is left to hand over',
  [State.RETURNED_FOR_RESOURCING]: 'nothing of it is in the store; another node may serve it',
  [State.RESOURCED]: 'nothing of it is in the store; another node serves it',
};

/** What to do with an order that is not waiting for delivery. */
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
  [State.DELIVERED]: 'nothing of it is left to deliver',
  [State.GOODS_TO_RETURN]: GOODS_TO_RETURN,
  [State.CANCELED]: 'nothing of it is left to deliver',
  [State.RETURNED_FOR_RESOURCING]: 'nothing of it is in the store; another node may serve it',
  [State.RESOURCED]: 'nothing of it is in the store; another node serves it',
};
