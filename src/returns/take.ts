import { claimCommand } from '../kernel/commands.ts';
import { lockOrders } from '../kernel/orders.ts';
import type { Change } from '../kernel/returns/action.ts';
import { TAKE_SCOPE } from '../kernel/returns/scopes.ts';
import { findReturnSettings } from '../kernel/returns/subject.ts';
import { writeReturn } from '../kernel/returns/write.ts';
import type { Ctx } from '../platform/ctx.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { stringifyJson } from '../platform/message/json.ts';
import type { ReturnRow } from '../platform/storage/tables.ts';
import { DAY_MS } from '../platform/time.ts';
import { findExcluded, isLead, mustLead, wishesOf } from './rules.ts';
import { receiptReply, TakeMessage } from './schema.ts';
import { ordersShown, showReturn } from './show.ts';
import { claimClose, freeNumber, newRow } from './store.ts';
import { checkTaking, takenLines } from './taking.ts';

/** Takes goods back in a store: opens and receives a return in one step, and closes it unless it must stay open. */
export const takeReturn = writeOperation({
  id: 'takeReturn',
  since: '0.5.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/returns',
  summary: 'Take goods back in a store',
  description: `Opens, receives and closes a return of goods that a customer brings to this node.

- A line names an order line, or an order and an item. In the second case the units go to lines of the order with returnable units of the item, first to the line with the smallest amount left to refund. The condition determines the place of the units; \`disposition\` overrides it.
- A line without an order is for units without papers. Depending on the client's setting returns.blind, its units are held, booked by their condition, or rejected. They are
refunded only after a match with an order.
- The return is CLOSED immediately. With \`keepOpen\`, or if another user must close it (returns.fourEyes), it remains RECEIVING.
- The same \`takeId\` at the same node with the same content is a retry, also from another sender; \`userId\` is not compared. \`takeId\` is also the id of the receipt and of the close.
- A line that cannot be returned gets 409 NOT_RETURNABLE, and nothing is taken: \`lines\` lists every such line with its rule.`,
  events: [
    'return.received',
    'return.closed',
    'exchange.requested',
    'refund.due',
    'refund.canceled',
    'refund.overpaid',
    'stock.changed',
  ],
  access: {
    auth: 'operatorOrApiKey',
    group: 'fulfillment',
    permission: 'fulfillment.write',
    forgottenWith: ordersShown,
  },
  message: {
    ownAgreement: true,
    body: TakeMessage,
    replies: {
      200: { description: 'These goods were taken back earlier.', schema: receiptReply },
      201: { description: 'The receipt and the return.', schema: receiptReply },
    },
    refusals: {
      404: 'There is no such client or node.',
      409: 'NOT_RETURNABLE: `lines` lists the lines that cannot be returned, with the rule; WRONG_NODE: the goods belong to the nodes in `nodeIds`; CONFLICT: the takeId or the number is used with other content or at another node.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async rules(ctx, { clientId, body }, errors) {
      mustLead(ctx.actor, body.overrideReason);
      return await checkTaking(ctx, clientId, body, errors);
    },
    async handle(ctx, { clientId, node, body, found }) {
      const { takeId, userId, keepOpen = false } = body;
      const { userId: _user, ...content } = body;
      const key = { clientId, scope: TAKE_SCOPE, commandId: takeId, nodeId: node.node_id };
      if ((await claimCommand(ctx, key, content, 'takeId')) !== undefined) {
        return reply(200, await taken(ctx, await findTaken(ctx, clientId, takeId)));
      }
      const { store, named, dispositions } = found;
      const lines = takenLines(body.lines, named, dispositions);
      const orderIds = lines.flatMap(({ orderId }) => orderId ?? []);
      const orders = orderIds.length === 0 ? [] : await lockOrders(ctx, clientId, [...new Set(orderIds)]);
      const { settings, blankAfterDays } = await findReturnSettings(ctx.db, { clientId, storeId: store!.store_id });
      const number = body.number ?? (await freeNumber(ctx, store!));
      const exchanges = wishesOf(body.exchangeLines);
      const isBlind = orders.length === 0;
      const row = newRow(ctx, store!, {
        number,
        kind: isBlind ? 'BLIND' : 'IN_STORE',
        status: 'RECEIVING',
        take_id: takeId,
        blank_at: isBlind ? ctx.now + blankAfterDays * DAY_MS : null,
        exchanges: stringifyJson(exchanges),
      });
      const { customerRef, note, overrideReason } = body;
      const opening = { number, customerRef, note, overrideReason, exchanges };
      const at = { nodeId: node.node_id, userId, isSupervised: isLead(ctx.actor) };
      const excluded = await findExcluded(
        ctx,
        clientId,
        settings,
        lines.flatMap((line) => (line.orderId === undefined ? [] : line.itemId)),
      );
      const action = { type: 'take' as const, takeId, lines, keepsOpen: keepOpen, ...opening, ...at };
      const change = await writeReturn(
        ctx,
        { row, lines: [], orders, isNew: true, hasOwnNumber: body.number === undefined },
        action,
        { excluded },
      );
      if (change!.row.status === 'CLOSED') await claimClose(ctx, change!.row, takeId, node.node_id);
      return reply(201, await taken(ctx, change!.row, change));
    },
  },
  example: {
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/returns',
    body: {
      takeId: 'counter-1-0001',
      userId: 'leo',
      storeId: 'TOWN_US',
      lines: [
        {
          fulfillmentOrderId: '{orders.handedOver}',
          webLineId: '1',
          quantity: 1,
          condition: 'GOOD',
          reason: 'NOT_WANTED',
        },
      ],
    },
  },
});

async function findTaken({ db }: Ctx, clientId: string, takeId: string): Promise<ReturnRow> {
  return await db
    .selectFrom('returns')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('take_id', '=', takeId)
    .executeTakeFirstOrThrow();
}

async function taken(ctx: Ctx, row: ReturnRow, change?: Change) {
  const shown = await showReturn(ctx, row, change);
  return { receipt: shown.receipts[0], return: shown };
}
