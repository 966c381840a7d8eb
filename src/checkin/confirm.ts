import type { Ctx } from '../ctx.ts';
import { record } from '../events.ts';
import { badRequest, conflictAs400, missing } from '../http/errors.ts';
import { type Reply, reply, writeOperation } from '../http/operation.ts';
import { FAULTS_MAX } from '../http/validate.ts';
import { readMessage } from '../orders/associate.ts';
import { afterUnitsFound, ORDER_TRANSITIONS, type Standing, standingIn } from '../orders/lifecycle.ts';
import { findSettings, lockOrder, type MoveColumns, moveOrder, stateOf } from '../orders/store.ts';
import type { FulfillmentOrderRow } from '../storage/tables.ts';
import type { Settings, SlaStep } from '../values.ts';
import { noSuchOrder, requireShipToStore } from './details.ts';
import { type Answer, type Assessment, assess, lineTotals, type Package } from './rules.ts';
import { CheckInConfirm } from './schema.ts';
import { closeLines, findPackages, saveAnswers } from './store.ts';

export const confirmCheckIn = writeOperation({
  id: 'confirmCheckIn',
  method: 'POST',
  path: '/stores/{storeId}/nodes/{nodeId}/fulfillmentOrders/{fulfillmentOrderId}/checkin',
  auth: 'apiKey',
  group: 'fulfillment',
  summary: 'Save or confirm what has arrived of a ship-to-store order',
  description:
    'UPDATE saves what has arrived so far; the quantities are absolute, so sending them again changes nothing. CONFIRM ends the ' +
    'check-in: for every line of every package `checkInQuantity` + `checkInCanceledQuantity` is its `quantity`, each canceled unit ' +
    'has a reason, and `holdLocation` says where the goods wait. A package or line that is not listed counts with what was saved ' +
    'last; one of which nothing is known is a fault. The order is then ready for customer pickup (1400), or canceled (9000) when ' +
    'nothing arrived in order. The same CONFIRM again is 204; an UPDATE or other content after CONFIRM is a 400 with code ' +
    'CONFLICT. What the details answered may be sent back. Source: interface, endpoint 10; decisions 3, 19, 30 and 31; ' +
    'docs/decisions/062.',
  body: CheckInConfirm,
  parse: (raw, validate) => readMessage<CheckInConfirm>(raw, validate),
  replies: { 204: { description: 'Saved, or confirmed' } },
  refusals: {
    400: 'The request is not valid, the node has no such order (code NOT_FOUND), or it is checked in or of another type (code CONFLICT).',
    500: 'Unexpected error; the log has it under the request id.',
  },
  async handle(ctx, { params, body, clientId, store, node }) {
    const message = body.fulfillmentOrder;
    const orderId = params.fulfillmentOrderId;
    const key = { clientId, storeId: store.store_id, nodeId: node.node_id, orderId };
    const order = await lockOrder(ctx.db, key);
    if (order === undefined) throw missing(noSuchOrder(orderId, store.store_id, node.node_id));
    requireShipToStore(order);
    const settings = await findSettings(ctx.db, clientId);
    const packages = await findPackages(ctx.db, order);
    const assessment = assess(
      message,
      packages,
      { omsOrderId: order.oms_order_id, webOrderId: order.web_order_id },
      settings.cancelReasons.map((reason) => reason.code),
    );
    if (assessment.total > 0) throw badRequest(assessment.faults.slice(0, FAULTS_MAX), assessment.total);
    if (message.action === 'UPDATE') return save(ctx, order, assessment.changes, body, settings);
    return confirm(ctx, order, packages, assessment, body, settings);
  },
});

async function save(
  ctx: Ctx,
  order: FulfillmentOrderRow,
  changes: readonly Answer[],
  body: CheckInConfirm,
  settings: Settings,
): Promise<Reply> {
  if (ORDER_TRANSITIONS[stateOf(order)].saveCheckIn === 'refused') throw checkedInAlready(order, settings);
  if (changes.length === 0) return reply(204);
  await saveAnswers(ctx, order, changes);
  await move(ctx, order, standingOf(order), {}, 'order.checkInSaved', body, changes);
  return reply(204);
}

async function confirm(
  ctx: Ctx,
  order: FulfillmentOrderRow,
  packages: readonly Package[],
  { answers, changes }: Assessment,
  body: CheckInConfirm,
  settings: Settings,
): Promise<Reply> {
  const holdLocation = body.fulfillmentOrder.holdLocation ?? null;
  if (ORDER_TRANSITIONS[stateOf(order)].confirmCheckIn === 'refused') {
    // An order of which nothing arrived keeps no hold location to compare with.
    const isSame = changes.length === 0 && (order.hold_location ?? holdLocation) === holdLocation;
    if (isSame) return reply(204);
    throw checkedInAlready(order, settings);
  }
  const totals = lineTotals(packages, answers);
  const arrived = totals.reduce((sum, total) => sum + total.checkedIn, 0);
  const standing = standingIn(settings, order, afterUnitsFound('SHIP_TO_STORE', arrived), ctx.now);
  await saveAnswers(ctx, order, changes);
  await closeLines(ctx, order, totals);
  const columns = { hold_location: arrived > 0 ? holdLocation : null };
  await move(ctx, order, standing, columns, 'order.checkedIn', body, totals);
  return reply(204);
}

async function move(
  ctx: Ctx,
  order: FulfillmentOrderRow,
  standing: Standing,
  columns: MoveColumns,
  type: string,
  body: CheckInConfirm,
  counted: readonly { checkedIn: number; canceled: number }[],
): Promise<void> {
  const moved = await moveOrder(ctx.db, order, standing, ctx.now, columns);
  if (!moved) throw new Error('a locked order moved');
  await record(ctx, {
    clientId: order.client_id,
    type,
    resource: 'order',
    resourceId: order.fulfillment_order_id,
    revision: order.revision + 1,
    data: {
      modifyAssociateId: body.modifyAssociateId,
      status: standing.status,
      lines: counted.length,
      checkedIn: counted.reduce((sum, one) => sum + one.checkedIn, 0),
      canceled: counted.reduce((sum, one) => sum + one.canceled, 0),
    },
  });
}

function standingOf(order: FulfillmentOrderRow): Standing {
  const { queue_id, queued_at, sla_at } = order;
  return { status: stateOf(order), queue_id, queued_at, sla_type: order.sla_type as SlaStep | null, sla_at };
}

function checkedInAlready(order: FulfillmentOrderRow, settings: Settings) {
  const state = `${order.status} ${settings.statusDescriptions[order.status] ?? ''}`.trim();
  return conflictAs400(
    `Fulfillment order ${JSON.stringify(order.fulfillment_order_id)} is checked in already (${state}) and its check-in can no ` +
      'longer change; read the check-in details to see what was confirmed.',
  );
}
