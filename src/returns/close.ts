import { writeReturn } from '../kernel/returns/write.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { CloseMessage, returnDetails } from './schema.ts';
import { ordersShown } from './show.ts';
import { isRepeated, mustLock, requireReturn, shownAfter } from './store.ts';

/** Closes a return: open units become missing, and the refund becomes due. */
export const closeReturn = writeOperation({
  id: 'closeReturn',
  since: '0.5.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/returns/{returnId}/close',
  summary: 'Close a return',
  description: `Ends the receiving of a return. Open units become missing: they cause no refund, and can be returned later with another return. The refund of the
received units becomes due.

- A user who booked a receipt of the return cannot close the return if its refunds exceed the setting returns.fourEyes (403 FOUR_EYES).
- The same \`closeId\` at the same node is a retry, also from another sender; at another node it gets 409. A second close under another id gets 409 NOT_OPEN.`,
  events: ['return.closed', 'refund.due', 'refund.canceled', 'refund.overpaid'],
  access: { auth: 'operatorOrApiKey', group: 'receiving', permission: 'receipts.close', forgottenWith: ordersShown },
  message: {
    body: CloseMessage,
    replies: { 200: { description: 'The return', schema: returnDetails } },
    refusals: {
      403: 'Another user must close the return (`FOUR_EYES`), the credentials are missing, not valid or not for this operation, or you have no access to the client or node of the path.',
      404: 'There is no such client, node or return.',
      409: 'NOT_OPEN: the return is not being received (`state`); CONFLICT: the id was used at another node.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async handle(ctx, { clientId, node, params, body }) {
      const { closeId, userId } = body;
      const locked = await mustLock(ctx, await requireReturn(ctx, clientId, params.returnId));
      const command = { id: closeId, nodeId: node.node_id, member: 'closeId', content: body };
      if (await isRepeated(ctx, locked.row, 'close', command)) {
        return reply(200, await shownAfter(ctx, locked, undefined));
      }
      const change = await writeReturn(ctx, locked, { type: 'close', closeId, userId });
      return reply(200, await shownAfter(ctx, locked, change));
    },
  },
  example: {
    after: ['disposeReturn'],
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/returns/{returns.requested}/close',
    body: { closeId: 'close-1', userId: 'leo' },
  },
});
