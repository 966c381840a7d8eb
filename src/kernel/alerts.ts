/**
 * Alerts: a step of an order is approaching or expired. They open when the scheduler finds it so and close with the move that
 * takes the order out of the step; the order's own event tells of it (docs/decisions/121).
 */

import { record } from '../events/record.ts';
import type { Ctx, ReadCtx } from '../platform/ctx.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { SLA_STEPS, type SlaStep } from '../shared/client-settings.ts';
import { findTicketIds } from './ticket-of-order.ts';

const ALERT_LEVELS = ['APPROACHING', 'EXPIRED'] as const;
export type AlertLevel = (typeof ALERT_LEVELS)[number];
export type AlertType = `${SlaStep}_${AlertLevel}`;

const STEP_NAMES: Record<SlaStep, string> = {
  START_PICK: 'Start of pick',
  COMPLETE_PICK: 'Completion of pick',
  PACK: 'Pack',
  CHECK_IN: 'Check-in',
  CUSTOMER_PICKUP: 'Customer pickup',
  DELIVERY: 'Delivery',
  REVERSE_PICK: 'Return to shelf',
};
const LEVEL_NAMES: Record<AlertLevel, string> = { APPROACHING: 'due soon', EXPIRED: 'overdue' };

/** Every type of alert with its description. */
export const ALERT_DESCRIPTIONS = Object.fromEntries(
  SLA_STEPS.flatMap((step) =>
    ALERT_LEVELS.map((level) => [`${step}_${level}`, `${STEP_NAMES[step]} ${LEVEL_NAMES[level]}`]),
  ),
) as Record<AlertType, string>;

export const ALERT_TYPES = Object.keys(ALERT_DESCRIPTIONS) as AlertType[];

/**
 * Opens the alert of a locked order's step, unless it is open; another one of the order closes. An order that is back in a
 * step (RESET) has the same alert again. Returns whether the alert is new.
 */
export async function openAlert(ctx: Ctx, order: FulfillmentOrderRow, level: AlertLevel): Promise<boolean> {
  const { client_id: clientId, fulfillment_order_id: orderId, queued_at } = order;
  const type: AlertType = `${order.sla_type as SlaStep}_${level}`;
  const pickTicketId = (await findTicketIds(ctx, [order])).get(orderId) ?? null;
  const its = { queue_id: order.queue_id!, pick_ticket_id: pickTicketId, sla_at: order.sla_at! };
  await ctx.db
    .updateTable('alerts')
    .set((eb) => ({ status: 'CLOSED', closed_at: ctx.now, revision: eb('revision', '+', 1) }))
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', '=', orderId)
    .where('status', '=', 'OPEN')
    .where((eb) => eb.or([eb('alert_type', '<>', type), eb('queued_at', '<>', queued_at)]))
    .execute();
  const opened = await ctx.db
    .insertInto('alerts')
    .values({
      client_id: clientId,
      alert_id: ctx.newId(),
      store_id: order.store_id,
      node_id: order.node_id,
      fulfillment_order_id: orderId,
      oms_order_id: order.oms_order_id,
      web_order_id: order.web_order_id,
      fulfillment_type: order.fulfillment_type,
      alert_type: type,
      status: 'OPEN',
      revision: 1,
      queued_at,
      sla_type: order.sla_type!,
      ...its,
      generated_at: ctx.now,
      closed_at: null,
    })
    .onConflict((on) =>
      on
        .columns(['client_id', 'fulfillment_order_id', 'alert_type', 'queued_at'])
        .doUpdateSet((eb) => ({ status: 'OPEN', closed_at: null, revision: eb('alerts.revision', '+', 1), ...its }))
        .where('alerts.status', '=', 'CLOSED'),
    )
    .returning(['alert_id', 'revision'])
    .executeTakeFirst();
  if (opened === undefined) return false;
  await record(ctx, {
    clientId,
    type: 'alert.opened',
    resource: 'alert',
    resourceId: opened.alert_id,
    revision: opened.revision,
    data: {
      alertType: type,
      fulfillmentOrderId: orderId,
      storeId: order.store_id,
      nodeId: order.node_id,
      fulfillmentType: order.fulfillment_type,
      queueId: its.queue_id,
      slaTypeId: order.sla_type!,
      slaDate: formatDateTime(order.sla_at!),
    },
  });
  return opened.revision === 1;
}

/** How far clocks of two machines, and the beginning and end of a transaction, may lie apart. */
const CLOCKS_APART_MS = 60_000;

/** Whether an alert of an order may be open, as its row was read: before its time on the agenda has come there is none. */
export function mayHaveAlert(order: Pick<FulfillmentOrderRow, 'sla_at' | 'due_at'>, now: number): boolean {
  const { sla_at: slaAt, due_at: dueAt } = order;
  if (slaAt === null) return false;
  return dueAt === null || dueAt >= slaAt || dueAt <= now + CLOCKS_APART_MS;
}

/** Closes what is open of orders that leave their step together. */
export async function closeAlerts(
  ctx: Pick<ReadCtx, 'dialect' | 'now'> & Pick<Ctx, 'db'>,
  clientId: string,
  orderIds: readonly string[],
): Promise<void> {
  if (orderIds.length === 0) return;
  await ctx.db
    .updateTable('alerts')
    .set((eb) => ({ status: 'CLOSED', closed_at: ctx.now, revision: eb('revision', '+', 1) }))
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', 'in', ctx.dialect.listOf(orderIds, 'text'))
    .where('status', '=', 'OPEN')
    .execute();
}
