/**
 * Taking orders for a ticket and giving them back. Each is one guarded statement that counts rows, so of two tickets that
 * want an order one gets it (design 4). Neither touches the queue and the time of entering it: an order keeps its place.
 */
import { closeAlerts, mayHaveAlert } from '../alerts/store.ts';
import type { Ctx } from '../ctx.ts';
import { type FulfillmentType, ORDER_TRANSITIONS, type OrderState, SLA_STEP, standingIn } from '../orders/lifecycle.ts';
import { atNode } from '../orders/store.ts';
import { type NodeSettings, slaOf } from '../sla/engine.ts';
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
const STEP_COLUMNS = { fulfillment_order_id: 'text', sla_type: 'text', sla_at: 'integer', due_at: 'integer' } as const;

function stepsIn(
  ctx: Pick<Ctx, 'dialect' | 'now'>,
  settings: NodeSettings,
  status: OrderState,
  orders: readonly FulfillmentOrderRow[],
) {
  const rows = orders.map((order) => {
    const { sla_type, sla_at, due_at } = standingIn(settings, order, status, ctx.now);
    return { fulfillment_order_id: order.fulfillment_order_id, sla_type, sla_at, due_at };
  });
  return ctx.dialect.rowsOf(rows, STEP_COLUMNS);
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
  const result = await ctx.db
    .with(
      (cte) => cte('step').materialized(),
      () => stepsIn(ctx, settings, HELD_STATE, orders),
    )
    .updateTable('fulfillment_orders')
    .from('step')
    .set((eb) => ({
      status: HELD_STATE,
      sla_type: eb.ref('step.sla_type'),
      sla_at: eb.ref('step.sla_at'),
      due_at: eb.ref('step.due_at'),
      pick_ticket_id: ticket.pickTicketId,
      revision: eb('revision', '+', 1),
      updated_at: ctx.now,
    }))
    .where('client_id', '=', ticket.clientId)
    .where('status', '=', OPEN_STATE)
    .where('pick_ticket_id', 'is', null)
    .where('queue_id', '=', ticket.queueId)
    .whereRef('fulfillment_orders.fulfillment_order_id', '=', 'step.fulfillment_order_id')
    .executeTakeFirstOrThrow();
  await closeTheirAlerts(ctx, orders);
  return Number(result.numUpdatedRows);
}

/**
 * Gives the orders of a ticket back: each is as it was before the ticket, but for revision and updated_at (decision 29): its
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
      () => stepsIn(ctx, nodeSettings, OPEN_STATE, held),
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
