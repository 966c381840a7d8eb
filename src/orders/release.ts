/** Orders that are held until the street date of an item: when it comes, or when nothing is left to wait for. */
import type { Ctx } from '../ctx.ts';
import { record } from '../events.ts';
import { findItems } from '../items/store.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../storage/tables.ts';
import { formatDateTime } from '../time.ts';
import type { Settings } from '../values.ts';
import { addBundled, bundleOf } from './components.ts';
import { settleOrder } from './settle.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';
import { statusOf } from './status.ts';
import { atNode, findLines, findSettings } from './store.ts';
import { type Held, heldBy } from './street-date.ts';
import { NOTHING_REQUESTED, openUnits } from './units.ts';

/**
 * The street date of a locked order has come: it enters its first queue, and its SLA begins. Where an item has moved its date
 * meanwhile, the order is held until then.
 */
export async function releaseWhenDue(ctx: Ctx, order: FulfillmentOrderRow): Promise<void> {
  const settings = await findSettings(ctx.db, order.client_id);
  const lines = await findLines(ctx, order.client_id, [order.fulfillment_order_id]);
  const wanted = lines.filter((line) => openUnits(line) > line.canceling);
  const held = await stillHeld(ctx, settings, order, await asTheyAre(ctx, settings, order, wanted));
  if (held === undefined) await release(ctx, settings, order, lines);
  else await holdOn(ctx, settings, order, held);
}

/**
 * Releases a locked order of which units were canceled, where none of those that are left waits for a street date. `lines` are
 * all of its lines as they are now.
 */
export async function releaseIfFree(
  ctx: Ctx,
  settings: Settings,
  order: FulfillmentOrderRow,
  lines: readonly OrderLineRow[],
): Promise<void> {
  const wanted = lines.filter((line) => openUnits(line) > line.canceling);
  const held = await stillHeld(ctx, settings, order, wanted.map(snapshotOfLine));
  if (held === undefined) await release(ctx, settings, order, lines);
  else if (held.until !== order.due_at) await holdOn(ctx, settings, order, held);
}

async function stillHeld(
  ctx: Ctx,
  settings: Settings,
  order: FulfillmentOrderRow,
  snapshots: readonly Snapshot[],
): Promise<Held | undefined> {
  return heldBy(snapshots, (await atNode(ctx.db, settings, order)).calendar, ctx.now);
}

function snapshotOfLine(line: OrderLineRow): Snapshot {
  return JSON.parse(line.snapshot) as Snapshot;
}

/** What lines would keep of their items if they came in now; of an item that is gone, what they kept. */
async function asTheyAre(
  ctx: Ctx,
  settings: Settings,
  order: FulfillmentOrderRow,
  lines: readonly OrderLineRow[],
): Promise<Snapshot[]> {
  const items = await findItems(
    ctx,
    order.client_id,
    lines.map((line) => line.item_id),
  );
  await addBundled(ctx, order.client_id, items);
  return lines.map((line) => {
    const item = items.get(line.item_id);
    const bundle = item && bundleOf(item, (itemId) => items.get(itemId));
    if (item === undefined || bundle === 'tooMany') return snapshotOfLine(line);
    return snapshotOf(item, settings, bundle);
  });
}

async function release(
  ctx: Ctx,
  settings: Settings,
  order: FulfillmentOrderRow,
  lines: readonly OrderLineRow[],
): Promise<void> {
  const { standing, revision } = await settleOrder(ctx, settings, order, 'release', lines, {
    requested: NOTHING_REQUESTED,
  });
  const { status, queue_id: queueId } = standing;
  await record(
    ctx,
    effectOf(order, 'order.released', revision, { ...statusOf(settings, status), queueId, nodeId: order.node_id }),
  );
}

async function holdOn(
  ctx: Ctx,
  settings: Settings,
  order: FulfillmentOrderRow,
  { itemId, until }: Held,
): Promise<void> {
  const revision = order.revision + 1;
  await ctx.db
    .updateTable('fulfillment_orders')
    .set({ due_at: until, revision, updated_at: ctx.now })
    .where('client_id', '=', order.client_id)
    .where('fulfillment_order_id', '=', order.fulfillment_order_id)
    .execute();
  const data = { ...statusOf(settings, order.status), itemId, heldUntil: formatDateTime(until) };
  await record(ctx, effectOf(order, 'order.held', revision, data));
}

function effectOf(order: FulfillmentOrderRow, type: string, revision: number, data: Record<string, unknown>) {
  return {
    clientId: order.client_id,
    type,
    resource: 'order' as const,
    resourceId: order.fulfillment_order_id,
    revision,
    data,
  };
}
