/**
 * Due work of an order (`due_at`): the release of a held order, the alerts of its SLA step, and the reminder and expiry
 * of an uncollected order. After the order has ended: the anonymization of the customer's data.
 */

import { record } from '../../events/record.ts';
import { openAlert } from '../../kernel/alerts.ts';
import { queueMessages } from '../../kernel/messages.ts';
import { findSettings } from '../../kernel/settings.ts';
import { State } from '../../kernel/states.ts';
import { anonymizeOrder } from '../../orders/anonymize.ts';
import { expireOrder } from '../../orders/expire.ts';
import { releaseWhenDue } from '../../orders/release.ts';
import type { Ctx } from '../../platform/ctx.ts';
import type { Due } from '../../platform/due.ts';
import type { FulfillmentOrderRow } from '../../platform/storage/tables.ts';
import { DAY_MS, formatDateTime } from '../../platform/time.ts';
import type { SlaStep } from '../../shared/client-settings.ts';
import { statusOf } from '../../shared/status.ts';

/**
 * Does the due work of an order and returns true. The update locks the row of the order. Returns false if the due time
 * has changed: another process has done the work, or a request has changed the order. If the work anonymizes the order,
 * it calls `anonymized` after the commit.
 */
export async function followAgenda(ctx: Ctx, due: Due, anonymized: () => void): Promise<boolean> {
  const order = await ctx.db
    .updateTable('fulfillment_orders')
    .set((eb) => ({ revision: eb.ref('revision') }))
    .where('client_id', '=', due.clientId)
    .where('fulfillment_order_id', '=', due.id)
    .where('due_at', '=', due.at)
    .returningAll()
    .executeTakeFirst();
  if (order === undefined) return false;
  if (order.status === State.HELD) await releaseWhenDue(ctx, order);
  else if (order.sla_at !== null) await followStep(ctx, order, order.sla_at);
  else await followEnd(ctx, order, anonymized);
  return true;
}

/**
 * Opens the alert of a step: APPROACHING before its due time, EXPIRED after it. An uncollected order expires instead of
 * the second alert. After a downtime, the step can expire without an APPROACHING alert.
 */
async function followStep(ctx: Ctx, order: FulfillmentOrderRow, slaAt: number): Promise<void> {
  const isCustomers = (order.sla_type as SlaStep) === 'CUSTOMER_PICKUP';
  if (ctx.now < slaAt) {
    await setDue(ctx, order, slaAt);
    const isOpened = await openAlert(ctx, order, 'APPROACHING');
    // `openAlert` opens the alert of this step once for each deadline, so the customer gets one reminder for each
    // deadline.
    if (isCustomers && isOpened) await remind(ctx, order, slaAt);
    return;
  }
  await setDue(ctx, order, null);
  if (isCustomers && (await expireOrder(ctx, order))) return;
  await openAlert(ctx, order, 'EXPIRED');
}

/**
 * Records the reminder as an event, and queues the message to the customer. For a client that sends its own messages,
 * `queueMessages` queues none.
 */
async function remind(ctx: Ctx, order: FulfillmentOrderRow, slaAt: number): Promise<void> {
  const settings = await findSettings(ctx.db, order.client_id);
  await record(ctx, {
    clientId: order.client_id,
    type: 'order.pickupReminder',
    resource: 'order',
    resourceId: order.fulfillment_order_id,
    revision: order.revision,
    data: {
      ...statusOf(settings, order.status),
      storeId: order.store_id,
      nodeId: order.node_id,
      expiresAt: formatDateTime(slaAt),
    },
  });
  await queueMessages(ctx, settings, [{ order, kind: 'REMINDER' }]);
}

async function followEnd(ctx: Ctx, order: FulfillmentOrderRow, anonymized: () => void): Promise<void> {
  if (order.ended_at === null) return setDue(ctx, order, null);
  // An order that was anonymized before its end is due a day after its end (src/kernel/position.ts).
  if (order.blanked_at === null) {
    const { blankAfterDays } = await findSettings(ctx.db, order.client_id);
    const blankAt = order.ended_at + blankAfterDays * DAY_MS;
    if (ctx.now < blankAt) return setDue(ctx, order, blankAt);
  }
  await anonymizeOrder(ctx, order);
  ctx.onCommit(anonymized);
}

async function setDue(ctx: Ctx, order: FulfillmentOrderRow, dueAt: number | null): Promise<void> {
  await ctx.db
    .updateTable('fulfillment_orders')
    .set({ due_at: dueAt })
    .where('client_id', '=', order.client_id)
    .where('fulfillment_order_id', '=', order.fulfillment_order_id)
    .execute();
}
