/**
 * Taking orders for a ticket and giving them back. Each is one guarded statement that counts rows, so of two tickets that
 * want an order one gets it (design 4). Neither touches the queue and the time of entering it: an order keeps its place.
 */
import type { Ctx } from '../ctx.ts';
import { dueAt, ORDER_TRANSITIONS, type OrderState, SLA_STEP } from '../orders/lifecycle.ts';
import type { FulfillmentOrderRow } from '../storage/tables.ts';
import type { Settings, SlaStep } from '../values.ts';

/** The state an order is taken from: the one in which `generate` is allowed. */
export const OPEN_STATE = 1100 satisfies OrderState;
/** The state of an order on an open ticket. */
export const HELD_STATE = ORDER_TRANSITIONS[OPEN_STATE].generate as OrderState;

const OPEN_STEP = SLA_STEP[OPEN_STATE]!;
const HELD_STEP = SLA_STEP[HELD_STATE]!;

/** When an order that is on a ticket must be picked. */
export function pickDueAt(settings: Settings, order: Pick<FulfillmentOrderRow, 'queued_at'>): number {
  return dueAt(settings, HELD_STEP, order.queued_at);
}

/** Takes orders of one queue for a ticket. Answers how many it got: fewer than asked for means that somebody was quicker. */
export async function claimOrders(
  ctx: Pick<Ctx, 'db' | 'dialect' | 'now'>,
  settings: Settings,
  ticket: { clientId: string; queueId: string; pickTicketId: string },
  orderIds: readonly string[],
): Promise<number> {
  const result = await ctx.db
    .updateTable('fulfillment_orders')
    .set((eb) => ({
      ...stepColumns(HELD_STATE, HELD_STEP, eb('queued_at', '+', minutesOf(settings, HELD_STEP))),
      pick_ticket_id: ticket.pickTicketId,
      revision: eb('revision', '+', 1),
      updated_at: ctx.now,
    }))
    .where('client_id', '=', ticket.clientId)
    .where('status', '=', OPEN_STATE)
    .where('pick_ticket_id', 'is', null)
    .where('queue_id', '=', ticket.queueId)
    .where('fulfillment_order_id', 'in', (eb) =>
      eb
        .selectFrom('fulfillment_orders as wanted')
        .select('wanted.fulfillment_order_id')
        .where('wanted.client_id', '=', ticket.clientId)
        .where('wanted.status', '=', OPEN_STATE)
        .where('wanted.fulfillment_order_id', 'in', ctx.dialect.listOf(orderIds, 'text'))
        .orderBy('wanted.fulfillment_order_id')
        .modifyEnd(ctx.dialect.forUpdate),
    )
    .executeTakeFirstOrThrow();
  return Number(result.numUpdatedRows);
}

/**
 * Gives the orders of a ticket back: each is as it was before the ticket, but for revision and updated_at (decision 29).
 * Answers them, sorted by id.
 */
export async function releaseOrders(
  ctx: Pick<Ctx, 'db' | 'now'>,
  settings: Settings,
  clientId: string,
  pickTicketId: string,
): Promise<Pick<FulfillmentOrderRow, 'fulfillment_order_id' | 'revision'>[]> {
  const released = await ctx.db
    .updateTable('fulfillment_orders')
    .set((eb) => ({
      ...stepColumns(OPEN_STATE, OPEN_STEP, eb('queued_at', '+', minutesOf(settings, OPEN_STEP))),
      pick_ticket_id: null,
      revision: eb('revision', '+', 1),
      updated_at: ctx.now,
    }))
    .where('client_id', '=', clientId)
    .where('pick_ticket_id', '=', pickTicketId)
    .where('status', '=', HELD_STATE)
    .returning(['fulfillment_order_id', 'revision'])
    .execute();
  return released.sort((a, b) => (a.fulfillment_order_id < b.fulfillment_order_id ? -1 : 1));
}

function stepColumns<E>(status: OrderState, step: SlaStep, slaAt: E) {
  return { status, sla_type: step, sla_at: slaAt };
}

function minutesOf(settings: Settings, step: SlaStep): number {
  return dueAt(settings, step, 0);
}
