import { sql } from 'kysely';
import { ofRarest, wordsIn } from '../items/candidates.ts';
import { findItems, findItemsOfCode, idsOfCode } from '../items/find.ts';
import { hasWords, selectPending } from '../items/terms.ts';
import { findLevels } from '../kernel/stock.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { limitOf, nextOf } from '../platform/http/list-page.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { along } from '../platform/storage/along.ts';
import type { NodeRow, StockLevelRow } from '../platform/storage/tables.ts';
import { findIncoming } from './incoming.ts';
import { mustKnowItem } from './known-item.ts';
import { StockPage, StockQuery } from './schema.ts';
import { showLevel } from './show.ts';

/** Number of levels whose items one search by words compares. The next page continues after these levels. */
const WINDOW = 1_000;

export const listStock = readOperation({
  id: 'listStock',
  since: '0.3.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/stock',
  summary: 'Read the stock of a node',
  description:
    'Lists the levels of the items of which the node has or had units, sorted by itemId, with the expected units of announced shipments. Items must match every filter you send. ' +
    'The list of a node that keeps no stock is empty. `revision` increases with each change of the item. A count names the revision.\n\n' +
    'A page of a search by words can have fewer levels than `limit`, or none, although more follow, because each request examines a ' +
    'limited number of items. Continue while the response has `next`.',
  access: {
    auth: 'operatorOrApiKey',
    group: ['receiving', 'stock'],
    permission: 'stock.read',
    wholeClient: 'allStores',
  },
  message: {
    query: StockQuery,
    replies: { 200: { description: 'A page, which may be empty', schema: StockPage } },
    refusals: { 404: 'There is no such client or node.' },
    errors: 'problem',
  },
  run: {
    rules: ({ db, dialect }, { clientId, query: { itemId } }, errors) =>
      mustKnowItem({ db, dialect }, clientId, itemId, errors),
    async handle(ctx, { clientId, node, query }) {
      if (node.stock !== 'KEPT') return reply(200, { stock: [] });
      const { itemId, belowZero, q, after = '' } = query;
      const { ids: wanted, words = [] } = q === undefined ? {} : await searched(ctx, node, q, after);
      const limit = limitOf(query);
      const size = words.length > 0 ? WINDOW : limit;
      const levels =
        belowZero === 'true' ? along(ctx, 'stock_levels', 'stock_levels_below') : ctx.db.selectFrom('stock_levels');
      const rows = await levels
        .selectAll()
        .where('client_id', '=', clientId)
        .where('node_id', '=', node.node_id)
        .where('item_id', '>', after)
        .$if(itemId !== undefined, (select) => select.where('item_id', '=', itemId!))
        .$if(belowZero === 'true', (select) => select.where(sql<boolean>`shelf < reserved`))
        .$if(wanted !== undefined, (select) => select.where('item_id', 'in', ctx.dialect.listOf(wanted!, 'text')))
        .orderBy('item_id')
        .limit(size + 1)
        .execute();
      const compared = rows.slice(0, size);
      const found = words.length > 0 ? await withWords(ctx, clientId, compared, words) : compared;
      const page = found.slice(0, limit);
      const end = found.length > limit ? page.at(-1) : rows.length > size ? compared.at(-1) : undefined;
      const ids = page.map((row) => row.item_id);
      const incoming = await findIncoming(ctx, node, ids);
      const stock = page.map((row) => ({
        ...showLevel(row),
        ...(row.loose > 0 && { putAway: row.loose }),
        incoming: incoming.get(row.item_id) ?? [],
      }));
      return reply(200, { stock, ...(end !== undefined && nextOf(end.item_id)) });
    },
  },
  example: { after: ['approveCount'], path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/stock?itemId=21-MUG-WHT' },
});

interface Searched {
  /** The items that can match; undefined if these are all items of the node. */
  ids?: readonly string[] | undefined;
  /** Words that the items must have. */
  words?: readonly string[];
}

/**
 * Finds the items for the search text `q`: items with `q` as a code, also deleted items of which the node has levels.
 * Without such items, finds those with the rarest word of `q`, and items whose words are not yet written. If every word
 * is too frequent, the search goes through the items of the node.
 */
async function searched(ctx: ReadCtx, node: NodeRow, q: string, after: string): Promise<Searched> {
  const { client_id: clientId, node_id: nodeId } = node;
  const named = await idsOfCode(ctx.db, clientId, q.trim());
  const stocked = await findLevels(ctx, { clientId, nodeId }, named);
  const ids = [...(await findItemsOfCode(ctx, clientId, q.trim())), ...stocked.keys()];
  const words = wordsIn(q);
  if (ids.length > 0 || words.length === 0) return { ids };
  const found = await ofRarest(ctx.db, clientId, words, after);
  const pending = await selectPending(ctx.db, { clientId, after, limit: WINDOW });
  const isWhole = found !== undefined && pending.length < WINDOW;
  return { words, ...(isWhole && { ids: [...found, ...pending].map((row) => row.item_id) }) };
}

/** Returns the levels whose items have all of `words`. */
async function withWords(ctx: ReadCtx, clientId: string, levels: readonly StockLevelRow[], words: readonly string[]) {
  const ids = levels.map((level) => level.item_id);
  const items = await findItems(ctx, clientId, ids);
  return levels.filter(({ item_id: itemId }) => items.has(itemId) && hasWords(items.get(itemId)!, words));
}
