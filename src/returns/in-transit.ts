import { writeReturn } from '../kernel/returns/write.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { parseDateTime } from '../platform/time.ts';
import { reportedTimeErrors } from '../shared/reported-time.ts';
import { InTransitMessage, returnDetails } from './schema.ts';
import { ordersShown } from './show.ts';
import { mustLock, requireNumbered, shownAfter } from './store.ts';

/** Records that a carrier has the parcel of a return. */
export const markReturnInTransit = writeOperation({
  id: 'markReturnInTransit',
  since: '0.5.0',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/returns/{number}/inTransit',
  summary: 'Report a return in transit',
  description:
    'Records when a carrier got the parcel of a requested return, and its tracking number. The state does not change: the return remains REQUESTED. Sending the same request again changes nothing.',
  events: ['return.inTransit'],
  access: { auth: 'operatorOrApiKey', group: 'intake', permission: 'orders.change', forgottenWith: ordersShown },
  message: {
    body: InTransitMessage,
    replies: { 200: { description: 'The return', schema: returnDetails } },
    refusals: { 404: 'There is no such store or return.', 409: 'NOT_OPEN: the return is in another state (`state`).' },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    rules(ctx, { body: { at } }, errors) {
      errors.addAll(reportedTimeErrors('/at', at, ctx.now));
    },
    async handle(ctx, { store, params, body: { at, trackingNumber } }) {
      const locked = await mustLock(ctx, await requireNumbered(ctx, store, params.number));
      const action = {
        type: 'markInTransit' as const,
        at: at === undefined ? undefined : parseDateTime(at),
        trackingNumber,
      };
      const change = await writeReturn(ctx, locked, action);
      return reply(200, await shownAfter(ctx, locked, change));
    },
  },
  example: {
    after: ['createReturn'],
    path: '/operator/v1/stores/TOWN_US/returns/R-1001/inTransit',
    body: { trackingNumber: '1Z999AA10123456784' },
  },
});
