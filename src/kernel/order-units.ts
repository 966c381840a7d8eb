/** The response of operations that change the counts of an order's units. */
import type { ReadCtx } from '../platform/ctx.ts';
import { withEtag } from '../platform/http/if-match.ts';
import { type Reply, reply } from '../platform/http/operation.ts';
import { list, named, object, type Static, Type, text } from '../platform/schema.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import type { Settings } from '../shared/client-settings.ts';
import { LINES_MAX } from '../shared/limits.ts';
import { units } from '../shared/shapes.ts';
import { statusFields, statusOf } from '../shared/status.ts';
import { actionContextOf } from './action-context.ts';
import { allowedActions, orderActions } from './allowed.ts';
import { findLines, findOrder } from './orders.ts';
import { findRequests } from './request-rows.ts';
import { leftUnits, onHandUnits, openUnits } from './units.ts';

/** The counts of an order's units, by line. */
export const OrderUnits = named(
  'OrderUnits',
  object({
    fulfillmentOrderId: text(1, 40),
    ...statusFields,
    queueId: Type.Optional(text(1, 40, { description: 'Queue of the order' })),
    lines: list(
      object({
        webLineId: text(1, 40),
        itemId: text(1, 40),
        orderedQuantity: units(
          'Units ordered: `open + held + handed over + refused + returned + missing + declined + canceled`',
        ),
        openQuantity: units('Units that are neither picked, declined nor canceled yet'),
        heldQuantity: units('Picked units that are in the store'),
        cancelingQuantity: units('Open and held units that the customer canceled'),
        canceledQuantity: units('Units canceled before they were picked'),
        declinedQuantity: units('Units that the node declined'),
        handedOverQuantity: units('Units handed over to the customer or the carrier'),
        refusedQuantity: units('Units that the customer did not take'),
        returnedQuantity: units('Picked units that were brought back to the shelf'),
        missingQuantity: units('Picked units that could not be brought back because they were not found'),
        leftQuantity: units('Units that the customer can still get; the totals of the queue search count them'),
      }),
      { min: 1, max: LINES_MAX },
    ),
    resourceRequestIds: list(text(1, 40), { max: 10_000 }, { description: 'Open re-source requests of the order' }),
    allowedActions,
  }),
);
export type OrderUnits = Static<typeof OrderUnits>;

type Key = Pick<FulfillmentOrderRow, 'client_id' | 'store_id' | 'fulfillment_order_id'>;

/** Returns the response with the counts of an order's units, its allowed actions, and its revision as ETag. */
export async function replyUnits(ctx: ReadCtx, settings: Settings, key: Key): Promise<Reply> {
  const { body, revision } = await unitsNow(ctx, settings, key);
  return withEtag(reply(200, body), revision);
}

/** Returns the counts of an order's units with its allowed actions, and its revision. */
export async function unitsNow(
  ctx: ReadCtx,
  settings: Settings,
  key: Key,
): Promise<{ body: OrderUnits; revision: number }> {
  const order = (await findOrder(ctx.db, key.client_id, key.store_id, key.fulfillment_order_id))!;
  return { body: await unitsOf(ctx, settings, order), revision: order.revision };
}

async function unitsOf(ctx: ReadCtx, settings: Settings, order: FulfillmentOrderRow): Promise<OrderUnits> {
  const lines = await findLines(ctx, order.client_id, [order.fulfillment_order_id]);
  const requests = await findRequests(ctx.db, order);
  return {
    fulfillmentOrderId: order.fulfillment_order_id,
    ...statusOf(settings, order.status),
    ...(order.queue_id !== null && { queueId: order.queue_id }),
    lines: lines.map((line) => ({
      webLineId: line.web_line_id,
      itemId: line.item_id,
      orderedQuantity: line.ordered,
      openQuantity: openUnits(line),
      heldQuantity: onHandUnits(line),
      cancelingQuantity: line.canceling,
      canceledQuantity: line.canceled,
      declinedQuantity: line.declined,
      handedOverQuantity: line.handed_over,
      refusedQuantity: line.refused,
      returnedQuantity: line.returned,
      missingQuantity: line.missing,
      leftQuantity: leftUnits(line),
    })),
    resourceRequestIds: requests.filter(({ status }) => status === 'OPEN').map((request) => request.request_id),
    allowedActions: orderActions(await actionContextOf(ctx, order, lines), settings),
  };
}
