import { beforeExport, EXPORT_RULES, exportReply, exportSchema } from '../events/export.ts';
import { badValue } from '../platform/http/errors.ts';
import { readOperation } from '../platform/http/operation.ts';
import { object, Type, text } from '../platform/schema.ts';
import { formatDateTime } from '../platform/time.ts';
import { say } from './sentences.ts';
import { showLevel } from './show.ts';

/** Maximum number of levels in one part. */
const PART = 500;

const example = { nodeId: 'TOWN-Store001', itemId: '21-MUG-WHT', shelf: 11, available: 9, revision: 4 };

/** Exports the levels of all nodes of a client (docs/api.md#exports). */
export const exportStock = readOperation({
  id: 'exportStock',
  since: '0.4.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/export/stock',
  summary: 'Export the stock of all nodes',
  description: `Returns the levels of every item at every node that keeps stock, sorted by node and item, with the fields of \`listAvailability\`.\n\n${EXPORT_RULES}\n- A credential that is limited to nodes gets only these nodes.`,
  access: { auth: 'operatorOrApiKey', group: 'stock', permission: 'stock.read', wholeClient: 'allStores' },
  message: {
    query: object({
      after: Type.Optional(text(1, 1_000, { description: 'Begin after this record: the last `next` that you have' })),
    }),
    replies: {
      200: {
        description: 'The levels, one item at one node per line.',
        schema: exportSchema('level', 'TOWN-Store001/21-MUG-WHT', example),
      },
    },
    refusals: { 404: 'There is no such client.', 429: 'Too many exports of the client are open.' },
    errors: 'problem',
    produces: 'lines',
  },
  run: {
    before: beforeExport,
    handle: (ctx, { clientId, query }) =>
      exportReply(ctx, {
        clientId,
        after: query.after,
        read: async ({ db, actor: { nodeIds = null } }, after) => {
          const { nodeId, itemId } = after === undefined ? { nodeId: '', itemId: '' } : placeOf(after);
          const rows = await db
            .selectFrom('stock_levels as level')
            .innerJoin('nodes as node', (join) =>
              join.onRef('node.client_id', '=', 'level.client_id').onRef('node.node_id', '=', 'level.node_id'),
            )
            .selectAll('level')
            .where('level.client_id', '=', clientId)
            .where('node.stock', '=', 'KEPT')
            .where((eb) => eb(eb.refTuple('level.node_id', 'level.item_id'), '>', eb.tuple(nodeId, itemId)))
            .$if(nodeIds !== null, (own) => own.where('level.node_id', 'in', [...nodeIds!]))
            .orderBy('level.node_id')
            .orderBy('level.item_id')
            .limit(PART)
            .execute();
          const records = rows.map((row) => ({
            next: [row.node_id, row.item_id].map(encodeURIComponent).join('/'),
            level: { nodeId: row.node_id, ...showLevel(row), updatedAt: formatDateTime(row.updated_at) },
          }));
          return { records, isLast: rows.length < PART };
        },
      }),
  },
  example: { path: '/operator/v1/clients/TOWN/export/stock' },
});

/**
 * Reads the node and the item of a cursor.
 * @throws Refusal 400 if it is not a cursor of this export
 */
function placeOf(after: string): { nodeId: string; itemId: string } {
  try {
    const [nodeId = '', itemId = '', ...rest] = after.split('/').map(decodeURIComponent);
    if (nodeId !== '' && itemId !== '' && rest.length === 0) return { nodeId, itemId };
  } catch {
    // Malformed percent-encoding is rejected below.
  }
  throw badValue('query:after', 'format', say('`after` must be the last `next` of a stock export'));
}
