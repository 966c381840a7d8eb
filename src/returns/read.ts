import { readOperation, reply } from '../platform/http/operation.ts';
import { returnDetails } from './schema.ts';
import { showReturn } from './show.ts';
import { requireNumbered } from './store.ts';

/** Reads a return by its number. */
export const readReturn = readOperation({
  id: 'readReturn',
  since: '0.5.0',
  method: 'GET',
  path: '/operator/v1/stores/{storeId}/returns/{number}',
  summary: 'Read a return',
  description:
    'The response has the lines, receipts, refunds and exchanges of a return. For each line, `requested + over = sellable + damaged + held + givenBack + missing + open`.',
  access: {
    auth: 'operatorOrApiKey',
    group: ['intake', 'fulfillment', 'receiving'],
    permission: ['orders.change', 'fulfillment.read', 'receive'],
  },
  message: {
    replies: { 200: { description: 'The return', schema: returnDetails } },
    refusals: { 404: 'There is no such store or return.' },
    errors: 'problem',
  },
  run: {
    async handle(ctx, { store, params }) {
      return reply(200, await showReturn(ctx, await requireNumbered(ctx, store, params.number)));
    },
  },
  example: { after: ['createReturn'], path: '/operator/v1/stores/TOWN_US/returns/R-1001' },
});
