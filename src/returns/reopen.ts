import { writeReturn } from '../kernel/returns/write.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { ReopenMessage, returnDetails } from './schema.ts';
import { ordersShown } from './show.ts';
import { mustLock, requireReturn, shownAfter } from './store.ts';

/** Reopens a closed return. */
export const reopenReturn = writeOperation({
  id: 'reopenReturn',
  since: '0.5.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/returns/{returnId}/reopen',
  summary: 'Reopen a closed return',
  description:
    'Reopens a closed return for receipts and corrections. Missing units that can still be returned are open again. Refunds do not change.',
  events: ['return.reopened'],
  access: { auth: 'operatorOrApiKey', group: 'supervise', permission: 'supervise', forgottenWith: ordersShown },
  message: {
    body: ReopenMessage,
    replies: { 200: { description: 'The return', schema: returnDetails } },
    refusals: {
      404: 'There is no such client, node or return.',
      409: 'NOT_OPEN: the return is not closed (`state`).',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'rejected',
    async handle(ctx, { clientId, params, body: { userId, reason } }) {
      const locked = await mustLock(ctx, await requireReturn(ctx, clientId, params.returnId));
      const change = await writeReturn(ctx, locked, { type: 'reopen', userId, reason });
      return reply(200, await shownAfter(ctx, locked, change));
    },
  },
  example: {
    after: ['closeReturn'],
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/returns/{returns.requested}/reopen',
    body: { userId: 'leo', reason: 'One more unit arrived' },
  },
});
