import { writeReturn } from '../kernel/returns/write.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { DisposeMessage, returnDetails } from './schema.ts';
import { ordersShown } from './show.ts';
import { isRepeated, mustLock, requireReturn, shownAfter } from './store.ts';

/** Decides on held units of a return. */
export const disposeReturn = writeOperation({
  id: 'disposeReturn',
  since: '0.5.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/returns/{returnId}/dispose',
  summary: 'Decide on held units of a return',
  description: `Decides on units of a return that are held at this node, as often as needed. The state of the return does not change.

- SHELF makes the units available for sale. DAMAGED keeps them as damaged. SUPPLIER returns them to the vendor and COUNT writes them off; both count as damaged.
- CUSTOMER gives the units back to the customer: they no longer count as returned, and unpaid refunds are corrected. If a line that lowered the refund, such as a coupon, goes back to the customer after the close, the rest of the refund becomes due. A user who booked a receipt of the return cannot make refunds due whose sum exceeds the setting returns.fourEyes (403 FOUR_EYES).
- A decision on more units than are held at this node gets 400 BELOW_ZERO.
- The same \`disposeId\` at the same node with the same content is a retry, also from another sender; \`userId\` is not compared.`,
  events: ['return.disposed', 'refund.due', 'refund.canceled', 'refund.overpaid', 'stock.changed'],
  access: { auth: 'operatorOrApiKey', group: 'stock', permission: 'stock.adjust', forgottenWith: ordersShown },
  message: {
    body: DisposeMessage,
    replies: { 200: { description: 'The return', schema: returnDetails } },
    refusals: {
      400: 'BELOW_ZERO: the decision has more units than are held at this node.',
      404: 'There is no such client, node or return.',
      409: 'NOT_OPEN: nothing was received, because the return is REQUESTED, CANCELED or EXPIRED; `state` in the body is its state. CONFLICT: the id was used with other content or at another node.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async handle(ctx, { clientId, node, params, body }) {
      const { disposeId, userId } = body;
      const locked = await mustLock(ctx, await requireReturn(ctx, clientId, params.returnId));
      const command = { id: disposeId, nodeId: node.node_id, member: 'disposeId', content: body };
      if (await isRepeated(ctx, locked.row, 'dispose', command)) {
        return reply(200, await shownAfter(ctx, locked, undefined));
      }
      const lines = body.lines.map(({ position, quantity: units, to, reason }, index) => {
        return { pointer: `/lines/${index}`, position, units, to, reason };
      });
      const action = { type: 'dispose' as const, disposeId, userId, nodeId: node.node_id, lines };
      return reply(200, await shownAfter(ctx, locked, await writeReturn(ctx, locked, action)));
    },
  },
  example: {
    after: ['receiveReturn'],
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/returns/{returns.requested}/dispose',
    body: { disposeId: 'decide-1', userId: 'leo', lines: [{ position: 1, quantity: 1, to: 'SHELF' }] },
  },
});
