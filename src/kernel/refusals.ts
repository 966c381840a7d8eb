/** Errors of operations on an order that does not exist, or whose state forbids the action. */
import type { ReadCtx } from '../platform/ctx.ts';
import { conflict, type Refusal } from '../platform/http/errors.ts';
import type { Sentence } from '../platform/message/sentence.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import type { Settings } from '../shared/client-settings.ts';
import { statusInWords } from '../shared/status.ts';
import { actionContextOf } from './action-context.ts';
import { orderActions } from './allowed.ts';
import { stateOf } from './position.ts';
import { say } from './sentences.ts';
import type { OrderState } from './states.ts';

/** Returns the sentence for an order that does not exist at this store and node. */
export function noSuchOrder(orderId: string, storeId: string, nodeId: string): Sentence {
  const [name, where, at] = [orderId.slice(0, 60), storeId, nodeId].map((one) => JSON.stringify(one));
  return say('There is no fulfillment order {name} of store {where} at node {at}.', { name, where, at });
}

/** Returns the name of an order for the start of a sentence. */
export function nameOf(order: FulfillmentOrderRow): Sentence {
  return say('Fulfillment order {fulfillmentOrderId}', {
    fulfillmentOrderId: JSON.stringify(order.fulfillment_order_id),
  });
}

/** Returns the sentence for an order whose state forbids an action. `next` has the step to take instead, by state. */
export function notNow(order: FulfillmentOrderRow, settings: Settings, next: Record<OrderState, Sentence>): Sentence {
  const state = stateOf(order);
  return say('{order} has status {status}; {next}.', {
    order: nameOf(order),
    status: statusInWords(settings, state),
    next: next[state],
  });
}

/** Text for an order in state 8000: its units are canceled and must be brought back. */
export const GOODS_TO_RETURN = say(
  'all remaining units are canceled; bring them back to the shelf with the reverse pick ticket',
);

/** Returns the 409 with the order's status and its allowed actions. */
export async function refusedInState(
  ctx: Pick<ReadCtx, 'db' | 'dialect' | 'now'>,
  order: FulfillmentOrderRow,
  settings: Settings,
  description: Sentence,
): Promise<Refusal> {
  const allowed = orderActions(await actionContextOf(ctx, order), settings).filter((action) => action.allowed);
  return conflict(description, {
    orderStatus: String(order.status),
    allowedActions: allowed.map(({ action }) => action),
  });
}
