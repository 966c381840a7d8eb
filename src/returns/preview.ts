import { findOrders } from '../kernel/orders.ts';
import type { Action, Change, Plan } from '../kernel/returns/action.ts';
import { showRefund } from '../kernel/returns/events.ts';
import { plannedFor } from '../kernel/returns/planned.ts';
import { findReturnLines, findReturnSettings, ordersOf } from '../kernel/returns/subject.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { EMPTY_LIST } from '../platform/json-column.ts';
import { findExcluded, isLead, mustLead } from './rules.ts';
import { PreviewMessage, previewReply } from './schema.ts';
import { say } from './sentences.ts';
import { newRow, requireReturn } from './store.ts';
import { checkTaking, takenLines } from './taking.ts';

/** Returns the refunds that a return would cause, without creating the return. */
export const previewReturn = readOperation({
  id: 'previewReturn',
  since: '0.5.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/returns/preview',
  summary: 'Preview the refunds of a return',
  description: `Computes the refunds that \`takeReturn\` with these lines, or the close of a return, would cause or cancel now. Nothing is changed.

- Send \`storeId\` and \`lines\` as for \`takeReturn\`, or \`returnId\` for a close.
- Goods that cannot be returned, and a close by a user who cannot close the return, get the same errors as the operation itself.
- The amounts are valid now. Another return of the order changes the amounts.`,
  access: {
    auth: 'operatorOrApiKey',
    group: ['fulfillment', 'receiving'],
    permission: ['fulfillment.write', 'receive'],
  },
  message: {
    body: PreviewMessage,
    replies: { 200: { description: 'The refunds', schema: previewReply } },
    refusals: {
      403: 'Another user must close the return (`FOUR_EYES`), the credentials are missing, not valid or not for this operation, or you have no access to the client or node of the path.',
      404: 'There is no such client, node or return.',
      409: 'NOT_RETURNABLE: `lines` lists the lines that cannot be returned, with the rule; WRONG_NODE: the goods belong to the nodes in `nodeIds`; NOT_OPEN: the return is not being received (`state`).',
    },
    errors: 'problem',
  },
  run: {
    async rules(ctx, { clientId, body }, errors) {
      const { returnId, storeId, lines, overrideReason } = body;
      if (returnId !== undefined && (storeId !== undefined || lines !== undefined)) {
        errors.add('', 'one', say('the message has returnId and goods; send returnId alone, or storeId and lines'));
      }
      if (returnId !== undefined || errors.isBad('/returnId')) return undefined;
      for (const name of ['storeId', 'lines'] as const) {
        if (body[name] !== undefined || errors.isBad(`/${name}`)) continue;
        errors.add(`/${name}`, 'required', say('{name} is missing; send storeId and lines, or returnId', { name }));
      }
      mustLead(ctx.actor, overrideReason);
      return await checkTaking(ctx, clientId, body, errors);
    },
    async handle(ctx, { clientId, node, body, found }) {
      const userId = body.userId ?? '';
      const change =
        body.returnId === undefined
          ? await planTaking(ctx, { clientId, nodeId: node.node_id, userId, body, found: found! })
          : await planClosing(ctx, clientId, body.returnId, userId);
      const canceledRefundIds = change.canceledRefunds.map((row) => row.refund_id);
      return reply(200, {
        state: change.row.status as 'RECEIVING' | 'CLOSED',
        refunds: change.newRefunds.map((row) => {
          const { fulfillmentOrderId, amount, currency, collectedAtDoor, shipping, fee, basis } = showRefund(row);
          return { fulfillmentOrderId, amount, currency, collectedAtDoor, shipping, fee, basis };
        }),
        ...(canceledRefundIds.length > 0 && { canceledRefundIds }),
      });
    },
  },
  example: {
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/returns/preview',
    body: {
      userId: 'leo',
      storeId: 'TOWN_US',
      lines: [{ fulfillmentOrderId: '{orders.handedOver}', webLineId: '1', quantity: 1, condition: 'GOOD' }],
    },
  },
});

interface Taking {
  clientId: string;
  nodeId: string;
  userId: string;
  body: PreviewMessage;
  found: Awaited<ReturnType<typeof checkTaking>>;
}

/**
 * Plans a return in a store.
 * @throws Refusal
 */
async function planTaking(ctx: ReadCtx, { clientId, nodeId, userId, body, found }: Taking): Promise<Change> {
  const { named, dispositions } = found;
  const store = found.store!;
  const lines = takenLines(body.lines!, named, dispositions);
  const ids = [...new Set(lines.flatMap(({ orderId }) => orderId ?? []))];
  const orders = ids.length === 0 ? [] : await findOrders(ctx, clientId, ids);
  const { settings } = await findReturnSettings(ctx.db, { clientId, storeId: store.store_id });
  const kind = orders.length === 0 ? 'BLIND' : 'IN_STORE';
  const row = newRow(ctx, store, { number: '', kind, status: 'RECEIVING', exchanges: EMPTY_LIST });
  const items = lines.flatMap(({ orderId, itemId }) => (orderId === undefined ? [] : itemId));
  const excluded = await findExcluded(ctx, clientId, settings, items);
  const { overrideReason, keepOpen: keepsOpen = false } = body;
  const opening = { number: '', exchanges: [], overrideReason };
  const action: Action = {
    type: 'take',
    takeId: '',
    lines,
    keepsOpen,
    nodeId,
    userId,
    isSupervised: isLead(ctx.actor),
    ...opening,
  };
  return changeOf(await plannedFor(ctx, { row, lines: [], orders, isNew: true }, action, { excluded }));
}

/** Plans the close of a return. @throws Refusal */
async function planClosing(ctx: ReadCtx, clientId: string, returnId: string, userId: string): Promise<Change> {
  const row = await requireReturn(ctx, clientId, returnId);
  const lines = await findReturnLines(ctx.db, row);
  const ids = ordersOf(lines);
  const orders = ids.length === 0 ? [] : await findOrders(ctx, clientId, ids);
  return changeOf(await plannedFor(ctx, { row, lines, orders }, { type: 'close', closeId: '', userId }));
}

/** @throws Refusal */
function changeOf(plan: Plan): Change {
  if (plan.outcome === 'done') return plan.change;
  if (plan.outcome === 'rejected') throw plan.rejection;
  throw new Error('a close is never the same as before');
}
