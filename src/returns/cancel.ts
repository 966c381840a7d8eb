import { writeReturn } from '../kernel/returns/write.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { CancelMessage, returnDetails } from './schema.ts';
import { ordersShown } from './show.ts';
import { mustLock, requireNumbered, shownAfter } from './store.ts';

/** Cancels a requested return. */
export const cancelReturn = writeOperation({
  id: 'cancelReturn',
  since: '0.5.0',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/returns/{number}/cancel',
  summary: 'Cancel a requested return',
  description:
    'Cancels a return without received goods: its units can then be returned with another return. If the goods arrive anyway, a receipt reopens the return. Canceling it again changes nothing.',
  events: ['return.canceled'],
  access: { auth: 'operatorOrApiKey', group: 'intake', permission: 'orders.change', forgottenWith: ordersShown },
  message: {
    body: CancelMessage,
    replies: { 200: { description: 'The return', schema: returnDetails } },
    refusals: { 404: 'There is no such store or return.', 409: 'NOT_OPEN: the return is in another state (`state`).' },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async handle(ctx, { store, params, body: { reason } }) {
      const locked = await mustLock(ctx, await requireNumbered(ctx, store, params.number));
      const change = await writeReturn(ctx, locked, { type: 'cancel', reason });
      return reply(200, await shownAfter(ctx, locked, change));
    },
  },
  example: {
    before: [
      {
        operationId: 'createReturn',
        path: '/operator/v1/stores/TOWN_US/returns',
        body: {
          number: 'R-1002',
          lines: [{ fulfillmentOrderId: '{orders.handedOver}', webLineId: '1', quantity: 1 }],
        },
      },
    ],
    path: '/operator/v1/stores/TOWN_US/returns/R-1002/cancel',
    body: { reason: 'The customer keeps it' },
  },
});
