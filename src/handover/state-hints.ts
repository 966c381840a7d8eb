/** What the hand-over says of an order that cannot be handed over. */

import { GOODS_TO_RETURN } from '../kernel/refusals.ts';
import type { OrderState } from '../kernel/states.ts';

/** What to do with an order that is not ready for its customer. */
export const INSTEAD_OF_HAND_OVER: Record<OrderState, string> = {
  1000: 'it is held until the street date of an item',
  1100: 'generate its pick ticket and confirm it first',
  1150: 'confirm its pick ticket first',
  1200: 'it is packed, not handed over in the store',
  1300: 'check it in first',
  1400: 'it can be handed over',
  1500: 'it is delivered, not handed over in the store',
  3700: 'its units are with the carrier',
  3800: 'nothing of it is left to hand over',
  3900: 'its units are delivered',
  8000: GOODS_TO_RETURN,
  9000: 'nothing of it is left to hand over',
  9100: 'nothing of it is in the store; another node may serve it',
  9200: 'nothing of it is in the store; another node serves it',
};

/** What to do with an order that is not waiting for delivery. */
export const INSTEAD_OF_DELIVERY: Record<OrderState, string> = {
  ...INSTEAD_OF_HAND_OVER,
  1200: 'pack it first',
  1400: 'it is handed over in the store, not delivered',
  1500: 'it can be delivered',
  3800: 'its units are with the customer',
  3900: 'nothing of it is left to deliver',
  9000: 'nothing of it is left to deliver',
};
