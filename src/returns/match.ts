import { writeReturn } from '../kernel/returns/write.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { findNamed } from './rules.ts';
import { MatchMessage, returnDetails } from './schema.ts';
import { ordersShown } from './show.ts';
import { isRepeated, mustLock, requireReturn, shownAfter } from './store.ts';

/** Assigns units without papers to an order. */
export const matchReturn = writeOperation({
  id: 'matchReturn',
  since: '0.5.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/returns/{returnId}/match',
  summary: 'Assign units without papers to an order',
  description: `Assigns units of a line without an order to an order line of the same item: held units first, then sellable units, then damaged units.
The matched units become a line with a new position. Use this position in later requests. The stock does not change. If the return was closed, the refund becomes due immediately.

A user who booked a receipt of the return cannot make refunds due whose sum exceeds the setting returns.fourEyes (403 FOUR_EYES).

- Units that were not handed over with the order, or were returned already, get 409 NOT_RETURNABLE. The return window and excluded items are not checked, because the goods are already here.
- The same \`matchId\` at the same node with the same content is a retry, also from another sender; \`userId\` is not compared.`,
  events: ['return.matched', 'refund.due', 'refund.canceled', 'refund.overpaid'],
  access: { auth: 'operatorOrApiKey', group: 'supervise', permission: 'supervise', forgottenWith: ordersShown },
  message: {
    body: MatchMessage,
    replies: { 200: { description: 'The return', schema: returnDetails } },
    refusals: {
      400: 'BELOW_ZERO: the match has more units than the line.',
      404: 'There is no such client, node or return.',
      409: 'NOT_RETURNABLE: `lines` lists the lines that cannot be matched, with the rule; NOT_OPEN: nothing was received, because the return is REQUESTED, CANCELED or EXPIRED (`state` in the body is its state); CONFLICT: the id was used with other content or at another node.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async rules(ctx, { clientId, params, body: { lines = [] } }, errors) {
      const row = await ctx.db
        .selectFrom('returns')
        .select('store_id')
        .where('client_id', '=', clientId)
        .where('return_id', '=', params.returnId)
        .executeTakeFirst();
      // `handle` responds to a missing return with 404.
      return row && (await findNamed(ctx, { clientId, storeId: row.store_id }, lines, errors));
    },
    async handle(ctx, { clientId, node, params, body, found }) {
      const { matchId, userId } = body;
      const row = await requireReturn(ctx, clientId, params.returnId);
      const lines = body.lines.map(({ position, fulfillmentOrderId: orderId, quantity: units }, index) => {
        return { pointer: `/lines/${index}`, position, orderId, lineIndex: found![index]!.line!.line_index, units };
      });
      const orderIds = lines.map(({ orderId }) => orderId);
      const locked = await mustLock(ctx, row, orderIds);
      const command = { id: matchId, nodeId: node.node_id, member: 'matchId', content: body };
      if (await isRepeated(ctx, locked.row, 'match', command)) {
        return reply(200, await shownAfter(ctx, locked, undefined));
      }
      const action = { type: 'match' as const, matchId, userId, nodeId: node.node_id, lines };
      return reply(200, await shownAfter(ctx, locked, await writeReturn(ctx, locked, action)));
    },
  },
  example: {
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/returns/{returns.blind}/match',
    body: {
      matchId: 'match-1',
      userId: 'leo',
      lines: [{ position: 1, fulfillmentOrderId: '{orders.handedOver}', webLineId: '2', quantity: 1 }],
    },
  },
});
