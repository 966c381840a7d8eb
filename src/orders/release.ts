/** Releases orders held until a street date: on that date, or when no wanted unit has a street date any more. */

import { findItems } from '../items/find.ts';
import { snapshotOfLine } from '../kernel/handling.ts';
import { findLines } from '../kernel/orders.ts';
import type { Action } from '../kernel/plan.ts';
import { atNode, findSettings } from '../kernel/settings.ts';
import { type Held, heldBy } from '../kernel/street-date.ts';
import { openUnits } from '../kernel/units.ts';
import { advanceOrder } from '../kernel/write.ts';
import type { Ctx } from '../platform/ctx.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import type { Settings } from '../shared/client-settings.ts';
import type { Snapshot } from '../shared/snapshot.ts';
import { streetDatesOf } from './snapshot-of.ts';

/**
 * Releases a locked order on its street date: the order enters its first queue, and its SLA begins. If the date of an
 * item was moved in the meantime, the order is held until the new date.
 */
export async function releaseWhenDue(ctx: Ctx, order: FulfillmentOrderRow): Promise<void> {
  const settings = await findSettings(ctx.db, order.client_id);
  const lines = await findLines(ctx, order.client_id, [order.fulfillment_order_id]);
  const wanted = lines.filter((line) => openUnits(line) > line.canceling);
  const held = await stillHeld(ctx, settings, order, await presentDates(ctx, settings, order, wanted));
  await advanceOrder(ctx, settings, { order, action: held === undefined ? { type: 'release' } : hold(held) });
}

/**
 * Releases a locked order after a partial cancellation if none of the remaining units waits for a street date. If these
 * units wait for another date than before, the order is held until that date. `lines` are all current lines of the
 * order. An item can have one date from intake and another date now; the later date applies, because a later date can
 * have prolonged the hold.
 */
export async function releaseIfFree(
  ctx: Ctx,
  settings: Settings,
  order: FulfillmentOrderRow,
  lines: readonly OrderLineRow[],
): Promise<void> {
  const wanted = lines.filter((line) => openUnits(line) > line.canceling);
  const current = await presentDates(ctx, settings, order, wanted);
  const held = await stillHeld(ctx, settings, order, [...wanted.map(snapshotOfLine), ...current]);
  if (held === undefined) await advanceOrder(ctx, settings, { order, action: { type: 'release' } });
  else if (held.until !== order.due_at) await advanceOrder(ctx, settings, { order, action: hold(held) });
}

function hold({ itemId, until }: Held): Action {
  return { type: 'hold', itemId, until };
}

async function stillHeld(
  ctx: Ctx,
  settings: Settings,
  order: FulfillmentOrderRow,
  snapshots: readonly Pick<Snapshot, 'streetDates'>[],
): Promise<Held | undefined> {
  return heldBy(snapshots, (await atNode(ctx.db, settings, order)).calendar, ctx.now);
}

/**
 * Returns the street dates that the goods of the lines have now. A line keeps its components, so a change of its bundle
 * does not change its goods. A deleted item keeps its date from intake.
 */
async function presentDates(
  ctx: Ctx,
  settings: Settings,
  order: FulfillmentOrderRow,
  lines: readonly OrderLineRow[],
): Promise<Pick<Snapshot, 'streetDates'>[]> {
  const goods = lines.map((line) => {
    const { components = [], bundles = [], streetDates: dates = [] } = snapshotOfLine(line);
    const parts = components.map(({ itemDetails }) => itemDetails.itemId);
    return { dates, ids: new Set([line.item_id, ...parts, ...bundles, ...dates.map(({ itemId }) => itemId)]) };
  });
  const items = await findItems(
    ctx,
    order.client_id,
    goods.flatMap(({ ids }) => [...ids]),
  );
  return goods.map(({ dates, ids }) => ({
    streetDates: [...ids].flatMap((id) => {
      const item = items.get(id);
      return item === undefined ? dates.filter(({ itemId }) => itemId === id) : streetDatesOf(item, settings);
    }),
  }));
}
