/** What every action on units has in common: their new numbers are written, and the order goes where its units say. */
import type { Ctx } from '../ctx.ts';
import type { BoundText, Columns } from '../storage/dialect.ts';
import { change } from '../storage/statement.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../storage/tables.ts';
import type { Settings } from '../values.ts';
import {
  ENTRY_STATE,
  type FulfillmentType,
  ORDER_TRANSITIONS,
  type OrderAction,
  type OrderState,
  type Outcome,
  type Standing,
  standingIn,
  stateAfter,
} from './lifecycle.ts';
import { atNode, findRequested, type MoveColumns, moveOrder, moveOrders, standingOf, stateOf } from './store.ts';
import { type Requested, type Units, unitsOf } from './units.ts';

/** What is written of a line when its units move. */
type UnitColumns = Pick<
  OrderLineRow,
  | 'fulfillment_order_id'
  | 'line_index'
  | 'picked'
  | 'declined'
  | 'decline_reason'
  | 'canceled'
  | 'canceling'
  | 'cancel_reason'
  | 'returned'
  | 'missing'
>;

const UNIT_COLUMNS: Columns<UnitColumns> = {
  fulfillment_order_id: 'text',
  line_index: 'integer',
  picked: 'integer',
  declined: 'integer',
  decline_reason: 'text',
  canceled: 'integer',
  canceling: 'integer',
  cancel_reason: 'text',
  returned: 'integer',
  missing: 'integer',
};

/**
 * Writes the units of lines of locked orders as the rows say them. The rows are materialized: else SQLite reads all of them
 * again for each line of the table.
 */
export async function saveUnits(
  ctx: Pick<Ctx, 'db' | 'dialect'>,
  clientId: string,
  lines: readonly OrderLineRow[],
): Promise<void> {
  if (lines.length === 0) return;
  const rows: UnitColumns[] = lines.map((line) => ({
    fulfillment_order_id: line.fulfillment_order_id,
    line_index: line.line_index,
    picked: line.picked,
    declined: line.declined,
    decline_reason: line.decline_reason,
    canceled: line.canceled,
    canceling: line.canceling,
    cancel_reason: line.cancel_reason,
    returned: line.returned,
    missing: line.missing,
  }));
  await updateUnits(ctx.db, { clientId, rows: ctx.dialect.rowsText(rows, UNIT_COLUMNS) });
}

const updateUnits = change((db, { clientId, rows }: { clientId: string; rows: BoundText }, dialect) =>
  db
    .with(
      (cte) => cte('moved').materialized(),
      () => dialect.rowsOf<UnitColumns>(rows, UNIT_COLUMNS),
    )
    .updateTable('order_lines')
    .from('moved')
    .set((eb) => ({
      picked: eb.ref('moved.picked'),
      declined: eb.ref('moved.declined'),
      decline_reason: eb.ref('moved.decline_reason'),
      canceled: eb.ref('moved.canceled'),
      canceling: eb.ref('moved.canceling'),
      cancel_reason: eb.ref('moved.cancel_reason'),
      returned: eb.ref('moved.returned'),
      missing: eb.ref('moved.missing'),
    }))
    .where('order_lines.client_id', '=', clientId)
    .whereRef('order_lines.fulfillment_order_id', '=', 'moved.fulfillment_order_id')
    .whereRef('order_lines.line_index', '=', 'moved.line_index'),
);

/** Where an order stands after an action, and the revision that its event carries. */
export interface Settled {
  standing: Standing;
  units: Units;
  revision: number;
  /** The row as it is now. */
  order: FulfillmentOrderRow;
}

/**
 * Moves a locked order to where an action leads: `lines` are all of its lines as they are after it. Its queue place and SLA
 * stay where it stays on its queue. `requested` are the units of its re-source requests, where the caller knows them.
 */
export async function settleOrder(
  ctx: Pick<Ctx, 'db' | 'now'>,
  settings: Settings,
  order: FulfillmentOrderRow,
  action: OrderAction,
  lines: readonly OrderLineRow[],
  { columns = {}, requested }: { columns?: MoveColumns; requested?: Requested } = {},
): Promise<Settled> {
  const settled = await placeOf(ctx, settings, order, action, lines, requested);
  if (!(await moveOrder(ctx.db, order, settled.standing, ctx.now, columns))) throw new Error(MOVED);
  return { ...settled, order: { ...settled.order, ...columns } };
}

/** An order that an action leads on together with others. */
export interface Settling {
  order: FulfillmentOrderRow;
  lines: readonly OrderLineRow[];
  requested: Requested;
  holdLocation: string | null;
}

/** Moves several locked orders of a client to where an action leads them, with one statement; in their order. */
export async function settleOrders(
  ctx: Pick<Ctx, 'db' | 'dialect' | 'now'>,
  settings: Settings,
  action: OrderAction,
  clientId: string,
  settling: readonly Settling[],
): Promise<Settled[]> {
  const settled: Settled[] = [];
  for (const { order, lines, requested, holdLocation } of settling) {
    const one = await placeOf(ctx, settings, order, action, lines, requested);
    settled.push({ ...one, order: { ...one.order, hold_location: holdLocation } });
  }
  const moves = settling.map(({ order, holdLocation }, index) => ({
    order,
    standing: settled[index]!.standing,
    holdLocation,
  }));
  if (!(await moveOrders(ctx, clientId, moves))) throw new Error(MOVED);
  return settled;
}

const MOVED = 'a locked order moved';

function stateBy(
  outcome: Exclude<Outcome, 'refused'>,
  type: FulfillmentType,
  here: OrderState,
  units: Units,
): OrderState {
  if (outcome === 'stays') return here;
  if (outcome === 'entry') return ENTRY_STATE[type];
  return outcome === 'byUnits' ? stateAfter(type, here, units) : outcome;
}

/** Where an action leads an order, as it will be. */
async function placeOf(
  ctx: Pick<Ctx, 'db' | 'now'>,
  settings: Settings,
  order: FulfillmentOrderRow,
  action: OrderAction,
  lines: readonly OrderLineRow[],
  requested: Requested | undefined,
): Promise<Settled> {
  const here = stateOf(order);
  const type = order.fulfillment_type as FulfillmentType;
  const units = unitsOf(lines, requested ?? (await findRequested(ctx.db, order)));
  const outcome = ORDER_TRANSITIONS[here][action];
  if (outcome === 'refused') throw new Error(`${action} of an order in ${here}`);
  const status = stateBy(outcome, type, here, units);
  const next = standingIn(await atNode(ctx.db, settings, order), order, status, ctx.now);
  const standing = next.status === here && next.queue_id === order.queue_id ? standingOf(order) : next;
  const revision = order.revision + 1;
  return { standing, units, revision, order: { ...order, ...standing, revision, updated_at: ctx.now } };
}
