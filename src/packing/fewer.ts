/** What becomes of packages, and of the order, when fewer of its units are wanted than before (docs/decisions/114). */
import type { Ctx } from '../ctx.ts';
import { record } from '../events.ts';
import type { OrderAction } from '../orders/lifecycle.ts';
import { settleOrder } from '../orders/settle.ts';
import { statusOf } from '../orders/status.ts';
import { leftUnits } from '../orders/units.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../storage/tables.ts';
import type { Settings } from '../values.ts';
import { settlePackages } from './settle.ts';
import { type Box, findBoxes, saveBoxes } from './store.ts';

/**
 * Moves a locked order of which units were canceled or declined after the pick: `lines` are all of its lines as they are now.
 * Its packages hold no unit that is not wanted, and where all that is wanted is packed already the order goes on. `effect` is
 * what happened; its state is added.
 */
export async function settleFewer(
  ctx: Ctx,
  settings: Settings,
  order: FulfillmentOrderRow,
  action: OrderAction,
  lines: readonly OrderLineRow[],
  effect: { type: string; data: Record<string, unknown> },
): Promise<void> {
  const boxes = order.status === 1200 || order.status === 1500 ? await unpack(ctx, order, lines) : [];
  const isWanted = lines.some((line) => leftUnits(line) > 0);
  if (order.status === 1200 && isWanted && boxes.some((box) => box.items.length > 0)) {
    return settlePackages(ctx, settings, order, boxes, effect);
  }
  const settled = await settleOrder(ctx, settings, order, action, lines);
  await record(ctx, {
    clientId: order.client_id,
    type: effect.type,
    resource: 'order',
    resourceId: order.fulfillment_order_id,
    revision: settled.revision,
    data: { ...effect.data, ...statusOf(settings, settled.standing.status) },
  });
}

/** Takes units that are not wanted any more out of the packages; answers the packages as they are then. */
async function unpack(ctx: Ctx, order: FulfillmentOrderRow, lines: readonly OrderLineRow[]): Promise<Box[]> {
  const boxes = await findBoxes(ctx, order);
  const after = order.status === 1200 ? voided(boxes, lines) : lightened(boxes, lines);
  const changed = after.filter((box, index) => box !== boxes[index]);
  if (changed.length > 0) await saveBoxes(ctx, order, changed);
  return after;
}

const emptied = (box: Box): Box => ({ ...box, trackingNumber: null, items: [] });

/** While an order is packed a package that holds too much is voided, the last one first: its other units are packed anew. */
function voided(boxes: readonly Box[], lines: readonly OrderLineRow[]): Box[] {
  const after = [...boxes];
  for (const line of lines) {
    for (let index = after.length - 1; index >= 0 && excess(after, line) > 0; index -= 1) {
      const box = after[index]!;
      if (box.items.some((item) => item.lineIndex === line.line_index)) after[index] = emptied(box);
    }
  }
  return after;
}

/** A packed order that waits for its delivery cannot be packed anew: the units leave their packages, the last one first. */
function lightened(boxes: readonly Box[], lines: readonly OrderLineRow[]): Box[] {
  const after = [...boxes];
  for (const line of lines) {
    for (let index = after.length - 1; index >= 0; index -= 1) {
      const over = excess(after, line);
      const box = after[index]!;
      if (over <= 0 || !box.items.some((item) => item.lineIndex === line.line_index)) continue;
      const items = box.items
        .map((item) =>
          item.lineIndex === line.line_index
            ? { ...item, quantity: item.quantity - Math.min(over, item.quantity) }
            : item,
        )
        .filter((item) => item.quantity > 0);
      after[index] = items.length === 0 ? emptied(box) : { ...box, items };
    }
  }
  return after;
}

/** Units of a line that are packed and not wanted. */
function excess(boxes: readonly Box[], line: OrderLineRow): number {
  const packed = boxes.flatMap((box) => box.items).filter((item) => item.lineIndex === line.line_index);
  return packed.reduce((sum, item) => sum + item.quantity, 0) - leftUnits(line);
}
