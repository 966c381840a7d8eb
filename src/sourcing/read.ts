import { findRequest } from '../kernel/request-rows.ts';
import { allows } from '../platform/http/auth.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { ResourceRequest } from './schema.ts';
import { noRequest, showRequests } from './show.ts';

export const readResourceRequest = readOperation({
  id: 'readResourceRequest',
  since: '0.1.0',
  method: 'GET',
  path: '/operator/v1/stores/{storeId}/resourceRequests/{requestId}',
  summary: 'Read a re-source request',
  description: 'Returns the declined units of a request, the nodes that had them before, and its outcome.',
  access: { auth: 'operatorOrApiKey', group: ['intake', 'supervise'], permission: ['reroute.read', 'decline'] },
  message: {
    replies: { 200: { description: 'The request', schema: ResourceRequest } },
    refusals: { 404: 'There is no such store or request.' },
    errors: 'problem',
  },
  run: {
    async handle(ctx, { params: { requestId }, clientId, store }) {
      const request = await findRequest(ctx.db, { clientId, storeId: store.store_id, requestId });
      if (request === undefined || !allows(ctx.actor.nodeIds, request.node_id))
        throw noRequest(requestId, store.store_id);
      const [shown] = await showRequests(ctx, [request]);
      return reply(200, shown);
    },
  },
  example: { path: '/operator/v1/stores/TOWN_US/resourceRequests/{requests.returned}' },
});
