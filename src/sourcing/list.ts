import { pageBody, pageLimit } from '../platform/http/list-page.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { ResourceRequestPage, ResourceRequestQuery } from './schema.ts';
import { showRequests } from './show.ts';

export const listResourceRequests = readOperation({
  id: 'listResourceRequests',
  since: '0.1.0',
  method: 'GET',
  path: '/operator/v1/stores/{storeId}/resourceRequests',
  summary: 'List the re-source requests of a store',
  description:
    'Lists the re-source requests of a store, the oldest first: units of orders that their node declined and that another node can fulfill. Send `next` as `after` for the next page. A credential that is limited to nodes sees only the requests of its nodes.',
  access: { auth: 'operatorOrApiKey', group: ['intake', 'supervise'], permission: ['reroute.read', 'decline'] },
  message: {
    query: ResourceRequestQuery,
    replies: { 200: { description: 'A page.', schema: ResourceRequestPage } },
    refusals: { 404: 'There is no such store.' },
    errors: 'problem',
  },
  run: {
    async handle(ctx, { clientId, store, query }) {
      const { nodeIds } = ctx.actor;
      const { status, nodeId, fulfillmentOrderId } = query;
      const rows = await ctx.db
        .selectFrom('resource_requests')
        .selectAll()
        .where('client_id', '=', clientId)
        .where('store_id', '=', store.store_id)
        .where('request_id', '>', query.after ?? '')
        .$if(status !== undefined, (asked) => asked.where('status', '=', status!))
        .$if(nodeId !== undefined, (asked) => asked.where('node_id', '=', nodeId!))
        .$if(fulfillmentOrderId !== undefined, (asked) => asked.where('fulfillment_order_id', '=', fulfillmentOrderId!))
        .$if(nodeIds != null, (asked) => asked.where('node_id', 'in', ctx.dialect.listOf(nodeIds!, 'text')))
        .orderBy('request_id')
        .limit(pageLimit(query))
        .execute();
      const shown = await showRequests(ctx, rows);
      return reply(
        200,
        pageBody(
          'resourceRequests',
          query,
          shown,
          (one) => one,
          (one) => one.requestId,
        ),
      );
    },
  },
  example: { path: '/operator/v1/stores/TOWN_US/resourceRequests?status=OPEN' },
});
