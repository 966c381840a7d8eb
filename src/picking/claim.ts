/**
 * Taking orders for a ticket and giving them back. Each is one guarded statement that counts rows, so of two tickets that
 * want an order one gets it (docs/decisions/191). Neither touches the queue and the time of entering it: an order keeps its place.
 */
import { closeAlerts, mayHaveAlert } from '../alerts/store.ts';
import type { Ctx } from '../ctx.ts';
import { type FulfillmentType, ORDER_TRANSITIONS, type OrderState, SLA_STEP, standingIn } from '../orders/lifecycle.ts';
import { atNode } from '../orders/store.ts';
import { type NodeSettings, slaOf } from '../sla/engine.ts';
import type { BoundText, Columns } from '../storage/dialect.ts';
import { change } from '../storage/statement.ts';
import type { FulfillmentOrderRow } from '../storage/tables.ts';
import type { Settings } from '../values.ts';

/** The state an order is taken from: the one in which `generate` is allowed. */
export const OPEN_STATE = 1100 satisfies OrderState;
/** The state of an order on an open ticket. */
export const HELD_STATE = ORDER_TRANSITIONS[OPEN_STATE].generate as OrderState;

/** When an order that is on a ticket must be picked. */
export function pickDueAt(
  settings: NodeSettings,
  order: Pick<FulfillmentOrderRow, 'fulfillment_type' | 'queued_at'>,
): number {
  return slaOf(settings, order.fulfillment_type as FulfillmentType, SLA_STEP[HELD_STATE]!, order.queued_at).expiredAt;
}

async function closeTheirAlerts(
  ctx: Pick<Ctx, 'db' | 'dialect' | 'now'>,
  orders: readonly FulfillmentOrderRow[],
): Promise<void> {
  const alerted = orders.filter((order) => mayHaveAlert(order, ctx.now)).map((order) => order.fulfillment_order_id);
  await closeAlerts(ctx, orders[0]!.client_id, alerted);
}

/** What a step of an order writes: the SLA of every order is its own. */
type Step = Pick<FulfillmentOrderRow, 'fulfillment_order_id' | 'sla_type' | 'sla_at' | 'due_at'>;

const STEP_COLUMNS: Columns<Step> = {
  fulfillment_order_id: 'text',
  sla_type: 'text',
  sla_at: 'integer',
  due_at: 'integer',
};

function stepsIn(
  ctx: Pick<Ctx, 'dialect' | 'now'>,
  settings: NodeSettings,
  status: OrderState,
  orders: readonly FulfillmentOrderRow[],
): BoundText {
  const rows = orders.map((order) => {
    const { sla_type, sla_at, due_at } = standingIn(settings, order, status, ctx.now);
    return { fulfillment_order_id: order.fulfillment_order_id, sla_type, sla_at, due_at };
  });
  return ctx.dialect.rowsText<Step>(rows, STEP_COLUMNS);
}

/**
 * Takes orders of one queue, as they were read and locked, for a ticket. Answers how many it got: fewer than asked for means
 * that somebody was quicker. The rows are materialized: else SQLite reads all of them again for each order.
 */
export async function claimOrders(
  ctx: Pick<Ctx, 'db' | 'dialect' | 'now'>,
  settings: NodeSettings,
  ticket: { clientId: string; queueId: string; pickTicketId: string },
  orders: readonly FulfillmentOrderRow[],
): Promise<number> {
  const { count } = await claim(ctx.db, { ...ticket, now: ctx.now, steps: stepsIn(ctx, settings, HELD_STATE, orders) });
  await closeTheirAlerts(ctx, orders);
  return count;
}

interface Claim {
  clientId: string;
  queueId: string;
  pickTicketId: string;
  now: number;
  steps: BoundText;
}

const claim = change((db, { clientId, queueId, pickTicketId, now, steps }: Claim, dialect) =>
  db
    .with(
      (cte) => cte('step').materialized(),
      () => dialect.rowsOf<Step>(steps, STEP_COLUMNS),
    )
    .updateTable('fulfillment_orders')
    .from('step')
    .set((eb) => ({
      status: HELD_STATE,
      sla_type: eb.ref('step.sla_type'),
      sla_at: eb.ref('step.sla_at'),
      due_at: eb.ref('step.due_at'),
      pick_ticket_id: pickTicketId,
      revision: eb('revision', '+', 1),
      updated_at: now,
    }))
    .where('client_id', '=', clientId)
    .where('status', '=', OPEN_STATE)
    .where('pick_ticket_id', 'is', null)
    .where('queue_id', '=', queueId)
    .whereRef('fulfillment_orders.fulfillment_order_id', '=', 'step.fulfillment_order_id'),
);

/**
 * Gives the orders of a ticket back: each is as it was before the ticket, but for revision and updated_at (docs/interface.md#reset): its
 * SLA follows from its place in the queue. Answers them, sorted by id.
 */
export async function releaseOrders(
  ctx: Pick<Ctx, 'db' | 'dialect' | 'now'>,
  settings: Settings,
  clientId: string,
  pickTicketId: string,
): Promise<Pick<FulfillmentOrderRow, 'fulfillment_order_id' | 'revision'>[]> {
  const held = await ctx.db
    .selectFrom('fulfillment_orders')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('pick_ticket_id', '=', pickTicketId)
    .where('status', '=', HELD_STATE)
    .execute();
  if (held.length === 0) return [];
  const nodeSettings = await atNode(ctx.db, settings, held[0]!);
  const released = await ctx.db
    .with(
      (cte) => cte('step').materialized(),
      () => ctx.dialect.rowsOf<Step>(stepsIn(ctx, nodeSettings, OPEN_STATE, held), STEP_COLUMNS),
    )
    .updateTable('fulfillment_orders')
    .from('step')
    .set((eb) => ({
      status: OPEN_STATE,
      sla_type: eb.ref('step.sla_type'),
      sla_at: eb.ref('step.sla_at'),
      due_at: eb.ref('step.due_at'),
      pick_ticket_id: null,
      revision: eb('revision', '+', 1),
      updated_at: ctx.now,
    }))
    .where('client_id', '=', clientId)
    .where('pick_ticket_id', '=', pickTicketId)
    .where('status', '=', HELD_STATE)
    .whereRef('fulfillment_orders.fulfillment_order_id', '=', 'step.fulfillment_order_id')
    .returning(['fulfillment_orders.fulfillment_order_id', 'revision'])
    .execute();
  await closeTheirAlerts(ctx, held);
  return released.sort((a, b) => (a.fulfillment_order_id < b.fulfillment_order_id ? -1 : 1));
}
