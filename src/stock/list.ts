import { sql } from 'kysely';
import { findItems, findItemsOfCode } from '../items/find.ts';
import { hasWords } from '../items/terms.ts';
import { nameWords } from '../kernel/keys.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { limitOf } from '../platform/http/list-page.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { along } from '../platform/storage/along.ts';
import { findIncoming } from './incoming.ts';
import { mustKnowItem } from './known-item.ts';
import { StockPage, StockQuery } from './schema.ts';
import { pageOf, showLevel } from './show.ts';

/** Maximum number of words in one search. Further words are ignored. */
const WORDS_MAX = 8;

export const listStock = readOperation({
  id: 'listStock',
  since: '0.3.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/stock',
  summary: 'Read the stock of a node',
  description:
    'Lists the levels of the items of which the node has or had units, sorted by itemId, with the expected units of announced shipments. Items must match every filter you send. ' +
    'The list of a node that keeps no stock is empty. `revision` increases with each change of the item. A count names the revision.',
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
      const wanted = q === undefined ? undefined : await searched(ctx, clientId, node.node_id, q);
      const levels =
        belowZero === 'true' ? along(ctx, 'stock_levels', 'stock_levels_below') : ctx.db.selectFrom('stock_levels');
      const rows = await levels
        .selectAll()
        .where('client_id', '=', clientId)
        .where('node_id', '=', node.node_id)
        .where('item_id', '>', after)
        .$if(itemId !== undefined, (select) => select.where('item_id', '=', itemId!))
        .$if(belowZero === 'true', (select) => select.where(sql<boolean>`shelf < reserved`))
        .$if(wanted !== undefined, (select) => select.where(wanted!))
        .orderBy('item_id')
        .limit(limitOf(query) + 1)
        .execute();
      const { page, next } = pageOf(rows, limitOf(query), (row) => row.item_id);
      const ids = page.map((row) => row.item_id);
      const incoming = await findIncoming(ctx, node, ids);
      const stock = page.map((row) => ({
        ...showLevel(row),
        ...(row.loose > 0 && { putAway: row.loose }),
        incoming: incoming.get(row.item_id) ?? [],
      }));
      return reply(200, { stock, ...next });
    },
  },
  example: { after: ['approveCount'], path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/stock?itemId=21-MUG-WHT' },
});

/**
 * Returns the condition on `item_id` for the search text `q`: items with `q` as a code, otherwise items with all words
 * of `q`.
 */
async function searched(ctx: ReadCtx, clientId: string, nodeId: string, q: string) {
  const ids = await findItemsOfCode(ctx, clientId, q.trim());
  const words = [...new Set(nameWords(q).flat())].slice(0, WORDS_MAX);
  const ofCode = sql<boolean>`item_id in (${ctx.dialect.listOf(ids, 'text')})`;
  if (ids.length > 0 || words.length === 0) return ofCode;
  const ofWords = words.map(
    (word) => sql<boolean>`item_id in (select item_id from item_terms where item_terms.client_id = ${clientId}
      and term >= ${`w${word}`} and term < ${`w${word}\u{10ffff}`})`,
  );
  const pending = await findPendingWith(ctx, clientId, nodeId, words);
  return sql<boolean>`((${sql.join(ofWords, sql` and `)}) or item_id in (${ctx.dialect.listOf(pending, 'text')}))`;
}

/** Maximum number of items without stored search words that one search compares with `q` directly. */
const PENDING_MAX = 1_000;

/** Searches the items of the node whose terms are not yet written. Returns the items that have all of `words`. */
async function findPendingWith(ctx: ReadCtx, clientId: string, nodeId: string, words: readonly string[]) {
  const rows = await ctx.db
    .selectFrom('items')
    .select('item_id')
    .where('client_id', '=', clientId)
    .where(sql<boolean>`term_form = 0`)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('stock_levels')
          .select('stock_levels.item_id')
          .where('stock_levels.client_id', '=', clientId)
          .where('stock_levels.node_id', '=', nodeId)
          .whereRef('stock_levels.item_id', '=', 'items.item_id'),
      ),
    )
    .limit(PENDING_MAX)
    .execute();
  const found = await findItems(
    ctx,
    clientId,
    rows.map((row) => row.item_id),
  );
  return [...found].filter(([, item]) => hasWords(item, words)).map(([itemId]) => itemId);
}
