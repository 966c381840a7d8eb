import { beforeExport, EXPORT_RULES, exportReply, exportSchema } from '../events/export.ts';
import { findSettings } from '../kernel/settings.ts';
import { readOperation } from '../platform/http/operation.ts';
import { parseDateTime } from '../platform/time.ts';
import { changeOf, checkStatus, selectChanged, statesOf } from './of-web-order.ts';
import { type OrderDetails, OrderExportQuery } from './read-schema.ts';
import { showOrder } from './show-order.ts';

/** Maximum number of orders in one part. Reading an order takes about ten statements. */
const PART = 20;

interface Line {
  order?: Pick<OrderDetails, 'fulfillmentOrderId'>;
}

/** Exports the orders of a store (docs/api.md#exports). */
export const exportFulfillmentOrders = readOperation({
  id: 'exportFulfillmentOrders',
  since: '0.4.0',
  method: 'GET',
  path: '/operator/v1/stores/{storeId}/export/fulfillmentOrders',
  summary: 'Export the orders of a store',
  description: `Returns the orders of a store at all nodes, sorted by the last change, the oldest first. Each order has the form of a single read, but without \`allowedActions\` and \`allowedChanges\`.\n\n${EXPORT_RULES}
- To get the orders that have changed since a complete export, send \`changedSince\` with a time a minute before that export began. Do not use the last \`next\` for this: it can miss an order whose change began before the export ended and was stored later.
- An order that changes while you read moves to the end, so you may get it twice. The later line is the current one.
- \`status\` and \`changedSince\` select orders as in the list. A credential that is limited to nodes gets only the orders of these nodes.
- The access log records every order of the export. People need the permission \`orders.change\`.`,
  access: {
    auth: 'operatorOrApiKey',
    group: 'fulfillment',
    permission: 'orders.change',
    reveals: (lines: readonly Line[]) => lines.flatMap(({ order }) => order?.fulfillmentOrderId ?? []),
  },
  message: {
    query: OrderExportQuery,
    replies: {
      200: {
        description: 'The orders, one per line.',
        schema: exportSchema('order', '1772452800000.100000000901001', {
          fulfillmentOrderId: '100000000901001',
          storeId: 'TOWN_US',
          status: '1100',
          revision: 1,
        }),
      },
    },
    refusals: { 404: 'There is no such store.', 429: 'Too many exports of the client are open.' },
    errors: 'problem',
    produces: 'lines',
  },
  run: {
    before: beforeExport,
    rules: (_ctx, { query: { status } }, errors) => checkStatus(status, errors),
    handle: (ctx, { clientId, store, query: { after: begin, status, changedSince } }) =>
      exportReply(ctx, {
        clientId,
        after: begin,
        read: async (of, after) => {
          const settings = await findSettings(of.db, clientId);
          const wanted = {
            clientId,
            storeId: store.store_id,
            nodeIds: of.actor.nodeIds ?? null,
            states: statesOf(status),
            since: changedSince === undefined ? 0 : parseDateTime(changedSince),
          };
          const page = { limit: String(PART), ...(after !== undefined && { after }) };
          const rows = await selectChanged(of.db, wanted, page).execute();
          const records = [];
          for (const row of rows.slice(0, PART)) {
            const { allowedActions: _actions, allowedChanges: _changes, ...order } = await showOrder(of, row, settings);
            records.push({ next: changeOf(row), order });
          }
          return { records, isLast: rows.length <= PART };
        },
      }),
  },
  example: { path: '/operator/v1/stores/TOWN_US/export/fulfillmentOrders' },
});
