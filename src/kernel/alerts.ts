/**
 * An alert shows that the due time of an order's step is near or has passed. The scheduler opens the alert. An action
 * that ends the step closes the alert and records no separate event (docs/sla.md#what-happens).
 */

import { record } from '../events/record.ts';
import type { Ctx, ReadCtx } from '../platform/ctx.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { SLA_STEPS, type SlaStep } from '../shared/client-settings.ts';
import { findTicketIds } from './tickets/of-order.ts';

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
 * Opens the alert of the present step of a locked order, unless this alert is open, and closes the other alerts of the
 * order. If the order has returned to the step after a RESET, or has a new pickup deadline, the function reopens the
 * earlier alert of the step. Returns whether it opened or reopened an alert.
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
  return true;
}

/** Tolerance for clock differences between two machines and for the duration of a transaction. */
const CLOCKS_APART_MS = 60_000;

/**
 * Whether an order can have an open alert, according to its row. A `due_at` before `sla_at` is the time at which the
 * scheduler opens the first alert of the step, so the order has no open alert before that time.
 */
export function mayHaveAlert(order: Pick<FulfillmentOrderRow, 'sla_at' | 'due_at'>, now: number): boolean {
  const { sla_at: slaAt, due_at: dueAt } = order;
  if (slaAt === null) return false;
  return dueAt === null || dueAt >= slaAt || dueAt <= now + CLOCKS_APART_MS;
}

/** Closes the open alerts of orders that leave their step. */
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
