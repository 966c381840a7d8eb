/** Moves an order on by its packages: after each package message, and whenever the units to pack have become fewer. */
import type { Ctx } from '../ctx.ts';
import { type Effect, recordAll } from '../events.ts';
import { type Charged, chargeUnits, unitsToGo } from '../orders/charges.ts';
import { type FulfillmentType, standingIn } from '../orders/lifecycle.ts';
import { statusOf } from '../orders/status.ts';
import { atNode, findLines, moveOrder } from '../orders/store.ts';
import type { FulfillmentOrderRow } from '../storage/tables.ts';
import type { Settings } from '../values.ts';
import { packedOf, stateByPackages } from './lifecycle.ts';
import { type Box, shipUnits } from './store.ts';

/**
 * Moves a locked order at 1200 to the state that its packages say and records what happened. An order that is shipped hands
 * over every unit that is wanted of it. `effect` is what the caller did, recorded with the state and the counts.
 */
export async function settlePackages(
  ctx: Ctx,
  settings: Settings,
  order: FulfillmentOrderRow,
  boxes: readonly Box[],
  effect: { type: string; data: Record<string, unknown> },
): Promise<void> {
  const type = order.fulfillment_type as FulfillmentType;
  const lines = await findLines(ctx, order.client_id, [order.fulfillment_order_id]);
  const packed = packedOf(lines, boxes);
  const status = stateByPackages(type, packed);
  let charged: Charged | undefined;
  if (status === 3700) {
    charged = await chargeUnits(ctx, order, unitsToGo(lines), null);
    await shipUnits(ctx, order);
  }
  const standing = standingIn(await atNode(ctx.db, settings, order), order, status, ctx.now);
  if (!(await moveOrder(ctx.db, order, standing, ctx.now))) throw new Error('a locked order moved');
  const { packages, packed: packedQuantity, toPack: toPackQuantity } = packed;
  const common: Pick<Effect, 'clientId' | 'resource' | 'resourceId' | 'revision'> = {
    clientId: order.client_id,
    resource: 'order',
    resourceId: order.fulfillment_order_id,
    revision: order.revision + 1,
  };
  const state = statusOf(settings, status);
  const said = { ...effect.data, ...state, packages, packedQuantity, toPackQuantity };
  const effects: Effect[] = [{ ...common, type: effect.type, data: said }];
  if (status === 3700)
    effects.push({
      ...common,
      type: 'order.shipped',
      data: { ...state, ...shipment(order, boxes, packedQuantity, charged) },
    });
  await recordAll(ctx, effects);
}

function shipment(
  order: FulfillmentOrderRow,
  boxes: readonly Box[],
  shippedQuantity: number,
  charged: Charged | undefined,
) {
  const { carrier, service } = order;
  const trackingNumbers = boxes.flatMap((box) => (box.items.length > 0 ? (box.trackingNumber ?? []) : []));
  return {
    carrier,
    service,
    trackingNumbers,
    shippedQuantity,
    ...(charged && { orderTotal: charged.orderTotal }),
  };
}
