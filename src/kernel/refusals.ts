/** What operations on one order say when it is not there or its state forbids what is asked. */
import type { ReadCtx } from '../platform/ctx.ts';
import { badRequest, conflict, Refusal } from '../platform/http/errors.ts';
import type { FieldError } from '../platform/message/field-errors.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import type { Settings } from '../shared/client-settings.ts';
import { statusInWords } from '../shared/status.ts';
import { actionContextOf } from './action-context.ts';
import { orderActions } from './allowed.ts';
import { stateOf } from './position.ts';
import type { OrderState } from './states.ts';

/** Sentence for an order that is not there, or not of this store and node. */
export function noSuchOrder(orderId: string, storeId: string, nodeId: string): string {
  const [name, where, at] = [orderId.slice(0, 60), storeId, nodeId].map((one) => JSON.stringify(one));
  return `There is no fulfillment order ${name} of store ${where} at node ${at}.`;
}

/** An order at the start of a sentence. */
export function nameOf(order: FulfillmentOrderRow): string {
  return `Fulfillment order ${JSON.stringify(order.fulfillment_order_id)}`;
}

/** Sentence for an order whose state forbids something; `next` says for each state what to do instead. */
export function notNow(order: FulfillmentOrderRow, settings: Settings, next: Record<OrderState, string>): string {
  const state = stateOf(order);
  return `${nameOf(order)} has status ${statusInWords(settings, state)}; ${next[state]}.`;
}

/** What to do with an order at 8000: it can only go back. */
export const GOODS_TO_RETURN =
  'its customer canceled all that is left of it: bring it back to the shelf with its reverse pick ticket';

/** 400 BELOW_ZERO: more is taken than there is. */
export function belowZeroRefusal(errors: readonly FieldError[]): Refusal {
  const { message, options } = badRequest(errors);
  return new Refusal(400, 'VALIDATION', 'BELOW_ZERO', message, options);
}

/** 409 with the order's status and what may be done instead. */
export async function refusedInState(
  ctx: Pick<ReadCtx, 'db' | 'dialect' | 'now'>,
  order: FulfillmentOrderRow,
  settings: Settings,
  description: string,
): Promise<Refusal> {
  const allowed = orderActions(await actionContextOf(ctx, order), settings).filter((action) => action.allowed);
  return conflict(description, {
    orderStatus: String(order.status),
    allowedActions: allowed.map(({ action }) => action),
  });
}
