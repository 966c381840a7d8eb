import { sql } from 'kysely';
import { SHIPMENT_STATES } from '../kernel/arrivals/states.ts';
import { PageQuery, pageBody, pageLimit, pageSchema } from '../platform/http/list-page.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { identifier, object, oneOf, Type, text } from '../platform/schema.ts';
import { along } from '../platform/storage/along.ts';
import { readPosition, writePosition } from './position.ts';
import { INBOUND_TYPES, inboundSummary } from './schema.ts';
import { toSummary } from './store.ts';

/** Percent-encoding can turn one character of a number or seller into 12 characters. */
const POSITION_MAX = 1_000;

/** Lists inbound shipments of a client. */
export const listInbound = readOperation({
  id: 'listInbound',
  since: '0.1.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/inbound',
  summary: 'List inbound shipments',
  description:
    'Responds with the inbound shipments of a client (ASNs, goods without papers as BLIND, and POs), ordered by type, number and seller, a page at a time; `next` is the `after` of the next page.',
  access: { auth: 'operatorOrApiKey', group: 'inbound', permission: 'receive' },
  message: {
    query: object({
      ...PageQuery.properties,
      after: Type.Optional(
        text(1, POSITION_MAX, { description: 'Begins after this shipment. Send `next` of the previous page' }),
      ),
      type: Type.Optional(oneOf(INBOUND_TYPES, { description: 'Only ASNs, only POs, or only goods without papers' })),
      status: Type.Optional(oneOf(SHIPMENT_STATES, { description: 'Only shipments in this status' })),
      sellerId: Type.Optional(identifier(40, { description: 'Only shipments of this seller' })),
    }),
    replies: { 200: { description: 'A page.', schema: pageSchema('inbound', inboundSummary, POSITION_MAX) } },
    refusals: { 404: 'There is no such client.' },
    errors: 'problem',
  },
  run: {
    stale: true,
    async handle(ctx, { clientId, query }) {
      const { nodeIds = null, storeIds = null } = ctx.actor;
      const { type: only, status, sellerId, after } = query;
      // Most shipments are closed, so open ones have an index in the order of the list.
      const isOpen = status !== undefined && status !== 'CLOSED';
      const shipments = isOpen
        ? along(ctx, 'inbound_shipments', 'inbound_shipments_open_by_number').where(sql<boolean>`status <> 'CLOSED'`)
        : ctx.db.selectFrom('inbound_shipments');
      let rows = shipments.selectAll().where('client_id', '=', clientId);
      if (nodeIds !== null) rows = rows.where('node_id', 'in', [...nodeIds]);
      if (storeIds !== null) rows = rows.where('store_id', 'in', [...storeIds]);
      if (only !== undefined) rows = rows.where('type', '=', only);
      if (status !== undefined) rows = rows.where('status', '=', status);
      if (sellerId !== undefined) rows = rows.where('seller_id', '=', sellerId);
      if (after !== undefined) {
        const [, type, number, seller] = readPosition(after, false);
        rows = rows.where((eb) => eb(eb.refTuple('type', 'number', 'seller_id'), '>', eb.tuple(type, number, seller)));
      }
      const page = await rows.orderBy('type').orderBy('number').orderBy('seller_id').limit(pageLimit(query)).execute();
      return reply(
        200,
        pageBody('inbound', query, page, toSummary, ({ type, number, seller_id }) =>
          writePosition(type, number, seller_id),
        ),
      );
    },
  },
  example: { path: '/operator/v1/clients/TOWN/inbound' },
});
