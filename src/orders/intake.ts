import { findOrders } from '../kernel/orders.ts';
import { findSettings } from '../kernel/settings.ts';
import { heldUntil } from '../kernel/street-date.ts';
import type { Ctx } from '../platform/ctx.ts';
import { conflict } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { FieldErrors } from '../platform/message/field-errors.ts';
import type { StoreRow } from '../platform/storage/tables.ts';
import { statusOf } from '../shared/status.ts';
import { IntakeBody, IntakeReply, type OrderIntake } from './intake-schema.ts';
import { type CheckedOrder, checkOrders, insertOrders, type NewOrder, type StandingRow } from './intake-store.ts';

/** An order taken in by another transaction between check and insert is seen by the second check: orders are never deleted. */
const ATTEMPTS = 2;

export const createFulfillmentOrders = writeOperation({
  id: 'createFulfillmentOrders',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/fulfillmentOrders',
  auth: 'operatorOrApiKey',
  group: 'intake',
  permission: 'orders.intake',
  repeat: 'same',
  summary: 'Take in fulfillment orders',
  description: `One order or a list of 1 to 500, all or nothing. Each order needs: a node of the
client that works on its fulfillment type; items that exist and are eligible for it; webLineIds and destinationIds that
stand once; references to its own destinations; an orderDate not later than its fulfillmentOrderDate. SHIP_TO_HOME needs
carrier and service, whole destinations, and a countryOfOrigin on each item when it goes to another country than the
node's. Of each item the order has at least its minOrderableQuantity and at most its maxOrderableQuantity; an item whose
status the client refuses (default Discontinued) is an error. An item, or a component of a bundle, before its streetDate is
an error, or, where the client's setting streetDate is HOLD, holds the order until then (1000); it is not asked of sales
classes that are sold before it. SHIP_TO_STORE needs shipFromAddress and packages that sum to the lines, or inStore: true. Pointers of errors start
with the index of the order where a list was sent. An order that is there already with the same content is left as it is;
with other content the call is refused with 409, naming the fields that differ; where the client requires PINs at the hand-over
(setting pin.required) its pinNumber is not compared and stays as it was. Where the node keeps stock the units are reserved there; with
promise AVAILABLE an order that wants more than is available is refused, but for items of infiniteInventory (and, with the client's setting stock.promiseCheck ELIGIBLE, for those without
inventoryCheckEligible).`,
  ownAgreement: true,
  secretMember: 'pinNumber',
  body: IntakeBody,
  errors: 'problem',
  replies: {
    201: { description: 'At least one order was taken in', schema: IntakeReply },
    200: { description: 'All orders were there already with the same content', schema: IntakeReply },
  },
  refusals: {
    404: 'There is no such store',
    409: 'An order is there already with other content (`differs` names it), or its node promises only what is available and has less (code NOT_AVAILABLE; `items` names what is available).',
  },
  rules(ctx, { store, body }, errors) {
    if (!Array.isArray(body)) return checkOrders(ctx, store, [body], () => errors);
    const orders = body.map((order) => order ?? {});
    return checkOrders(ctx, store, orders, (index) => errors.under(`/${index}`));
  },
  async handle(ctx, { store, body, found }) {
    const orders = Array.isArray(body) ? body : [body];
    const standings = new Map<string, StandingRow>();
    let checked: readonly CheckedOrder[] = found;
    for (let attempt = 1; ; attempt += 1) {
      refuseDifferences(checked);
      const fresh = checked.filter((one): one is NewOrder => one.outcome === 'new');
      for (const [id, row] of await insertOrders(ctx, store, fresh)) standings.set(id, row);
      const missed = fresh.map(({ order }) => order).filter((order) => !standings.has(order.fulfillmentOrderId));
      if (missed.length === 0 || attempt === ATTEMPTS) break;
      // They are there by now, so the rules are not asked again.
      checked = await checkOrders(ctx, store, missed, () => new FieldErrors());
    }
    const created = standings.size > 0;
    const shown = await whereTheyStand(ctx, store, orders, standings);
    return reply(created ? 201 : 200, { fulfillmentOrders: shown });
  },
});

function refuseDifferences(checked: readonly CheckedOrder[]): void {
  const differs = checked.flatMap((one) =>
    one.outcome === 'differs' ? [{ fulfillmentOrderId: one.order.fulfillmentOrderId, members: one.members }] : [],
  );
  const [first] = differs;
  if (first === undefined) return;
  const others = differs.length === 1 ? '' : ` and ${differs.length - 1} more`;
  throw conflict(
    `Order ${JSON.stringify(first.fulfillmentOrderId)}${others} is there already with other content (${first.members.join(', ')}); ` +
      'nothing was taken in. Send the same content, or another fulfillmentOrderId.',
    { differs },
  );
}

async function whereTheyStand(
  ctx: Ctx,
  store: StoreRow,
  orders: readonly OrderIntake[],
  created: ReadonlyMap<string, StandingRow>,
) {
  const settings = await findSettings(ctx.db, store.client_id);
  const before = orders.map((order) => order.fulfillmentOrderId).filter((id) => !created.has(id));
  const rows = before.length === 0 ? [] : await findOrders(ctx, store.client_id, before);
  const standings = new Map<string, StandingRow>([
    ...created,
    ...rows.map((row) => [row.fulfillment_order_id, row] as const),
  ]);
  return orders.map(({ fulfillmentOrderId }) => {
    const standing = standings.get(fulfillmentOrderId)!;
    const { status, queue_id: queueId } = standing;
    return {
      fulfillmentOrderId,
      ...statusOf(settings, status),
      ...(queueId !== null && { queueId }),
      ...heldUntil(standing),
    };
  });
}
