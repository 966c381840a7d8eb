/** Checks of messages that refer to an order, its lines or a reason. */
import type { Ctx } from '../platform/ctx.ts';
import { allows } from '../platform/http/auth.ts';
import { notFound, type Refusal } from '../platform/http/errors.ts';
import type { FieldErrors } from '../platform/message/field-errors.ts';
import { didYouMean } from '../platform/message/nearest.ts';
import { listed, quote } from '../platform/message/words.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import { findReason, type Settings } from '../shared/client-settings.ts';
import { findLines, lockOrders } from './orders.ts';
import { say } from './sentences.ts';

const SHOWN = 20;

/** Locks and returns an order of the store with its lines, or undefined if the caller has no such order. */
export async function takeOrder(
  ctx: Ctx,
  key: { clientId: string; storeId: string; orderId: string },
): Promise<{ order: FulfillmentOrderRow; lines: OrderLineRow[] } | undefined> {
  const [order] = await lockOrders(ctx, key.clientId, [key.orderId]);
  if (order?.store_id !== key.storeId || !allows(ctx.actor.nodeIds, order.node_id)) return undefined;
  return { order, lines: await findLines(ctx, key.clientId, [key.orderId]) };
}

/** Returns the 404 of an order that does not exist or that the credential does not cover. */
export function noOrder(orderId: string, storeId: string): Refusal {
  const [order, store] = [orderId.slice(0, 60), storeId].map((one) => JSON.stringify(one));
  return notFound(say('There is no fulfillment order {order} of store {store}; check its id.', { order, store }));
}

/** Adds an error for a reason that the client does not have. */
export function checkReasonCode(
  errors: FieldErrors,
  pointer: string,
  code: string | undefined,
  settings: Settings,
): void {
  if (code === undefined || findReason(settings, code) !== undefined) return;
  const known = settings.cancelReasons.map((reason) => reason.code);
  const hint = didYouMean(code, known);
  errors.add(
    pointer,
    'reason',
    say('reasonCode {code} is not known; send one of {known}{hint}', {
      code: quote(code),
      known: listed(known, SHOWN),
      hint,
    }),
  );
}

/** Adds errors for unknown lines, repeated lines, and quantities above the ordered units. */
export function checkLines(
  errors: FieldErrors,
  sent: readonly ({ readonly webLineId?: string | undefined; readonly quantity?: number | undefined } | undefined)[],
  lines: readonly OrderLineRow[] | undefined,
): void {
  const known = new Map(lines?.map((line) => [line.web_line_id, line]));
  const seen = new Set<string>();
  for (const [index, one] of sent.entries()) {
    if (one?.webLineId === undefined) continue;
    const pointer = `/lines/${index}`;
    const name = JSON.stringify(one.webLineId);
    const line = known.get(one.webLineId);
    if (seen.has(one.webLineId)) {
      errors.add(
        `${pointer}/webLineId`,
        'duplicate',
        say('line {name} is in the message twice; send it once', { name }),
      );
    } else if (lines !== undefined && line === undefined) {
      const names = [...known.keys()].map((id) => JSON.stringify(id));
      errors.add(
        `${pointer}/webLineId`,
        'unknown',
        say('the order has no line {name}; send one of its lines: {names}', { name, names: listed(names, SHOWN) }),
      );
    } else if (line !== undefined && one.quantity !== undefined && one.quantity > line.ordered) {
      const message = say(
        'quantity {quantity} is more than the {ordered} {ordered|unit|units} that line {name} orders; send at most {ordered}',
        { quantity: one.quantity, ordered: line.ordered, name },
      );
      errors.add(`${pointer}/quantity`, 'maximum', message, line.ordered);
    }
    seen.add(one.webLineId);
  }
}
