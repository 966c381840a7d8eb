import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import { conditionsOf, filterErrors } from '../kernel/filters.ts';
import { ordersOf } from '../kernel/returns/subject.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { badValue } from '../platform/http/errors.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import type { BoundText } from '../platform/storage/dialect.ts';
import { statement } from '../platform/storage/statement.ts';
import type { ReturnRow, StoreRow, Tables } from '../platform/storage/tables.ts';
import { numberWithoutIndex, textWithoutIndex } from '../platform/storage/without-index.ts';
import { SECOND_MS, wholeSecond } from '../platform/time.ts';
import type { ContactFilter } from '../shared/shapes.ts';
import { mustSearchOrders } from './rules.ts';
import { pageOf, type ReturnSummary, returnSummary, SearchMessage, SearchQuery } from './schema.ts';
import { say } from './sentences.ts';
import { customerOf, ordersNamed, showSummary } from './show.ts';

const LIMIT_DEFAULT = 50;

/** Searches the returns of a store. */
export const searchReturns = readOperation({
  id: 'searchReturns',
  since: '0.5.0',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/returns/search',
  summary: 'Search returns',
  description: `Finds returns of a store, the oldest first (with \`order=desc\` the newest first), a page at a time: \`next\` is the \`after\` of the next page. A return is found if it matches all fields that you
send. \`from\` and \`to\` are both included and compared by the second. \`customer\` finds the returns of orders of a customer, as the search of orders
does; it needs the group or permission of that search. The records have no receipts, refunds and exchanges; to get those, read the single return.`,
  access: {
    auth: 'operatorOrApiKey',
    group: ['intake', 'fulfillment', 'receiving'],
    permission: ['orders.change', 'fulfillment.read', 'receive'],
    reveals: ({ returns }: { returns: readonly Pick<ReturnSummary, 'orders'>[] }) =>
      returns.flatMap(({ orders }) => ordersNamed(orders)),
  },
  message: {
    query: SearchQuery,
    body: SearchMessage,
    replies: { 200: { description: 'A page of returns', schema: pageOf('returns', returnSummary) } },
    refusals: { 404: 'There is no such store.' },
    errors: 'problem',
  },
  run: {
    rules(_ctx, { body }, errors) {
      errors.addAll(filterErrors(body.customer === undefined ? {} : { customer: body.customer }));
    },
    async handle(ctx, { store, body, query }) {
      mustSearchOrders(ctx.actor, body.customer);
      const limit = limitOf(query.limit);
      const rows = await selectReturns(ctx, store, body, { ...query, limit: limit + 1 }).execute();
      const page = rows.slice(0, limit);
      const lines = await linesOf(ctx, store.client_id, page);
      const orders = await findOrdersShown(ctx, store.client_id, ordersOf([...lines.values()].flat()));
      const last = page.at(-1);
      return reply(200, {
        returns: page.map((row) => {
          const own = lines.get(row.return_id) ?? [];
          return { ...showSummary(row, own), orders: ordersOf(own).flatMap((id) => orders.get(id) ?? []) };
        }),
        ...(rows.length > limit && last !== undefined && { next: positionOf(last.created_at, last.return_id) }),
      });
    },
  },
  example: {
    after: ['createReturn'],
    path: '/operator/v1/stores/TOWN_US/returns/search',
    body: { states: ['REQUESTED'] },
  },
});

export function limitOf(limit: string | undefined): number {
  return limit === undefined ? LIMIT_DEFAULT : Number(limit);
}

/** Returns the position of a record in a list that is sorted by time and id. */
export function positionOf(at: number, id: string): string {
  return `${at}.${id}`;
}

/**
 * Reads a position.
 * @throws Refusal 400 if it does not have the form of a position
 */
export function readPosition(after: string): { at: number; id: string } {
  const [, at, id] = /^(\d{1,15})\.(.+)$/.exec(after) ?? [];
  if (at === undefined || id === undefined) {
    throw badValue('query:after', 'format', say('`after` must be `next` of the previous page'));
  }
  return { at: Number(at), id };
}

type SearchCtx = Pick<ReadCtx, 'db' | 'dialect' | 'sealer' | 'actor'>;

/**
 * Selects a page of returns. Fields that find a few returns have their own indexes. If the search has several states,
 * each state is read separately along the index by state. Otherwise SQLite would read all returns of the store, also
 * the ended ones.
 */
function selectReturns(
  ctx: SearchCtx,
  { client_id: clientId, store_id: storeId }: Pick<StoreRow, 'client_id' | 'store_id'>,
  sent: SearchMessage,
  { after, order = 'asc', limit }: { after?: string; order?: 'asc' | 'desc'; limit: number },
) {
  const { db } = ctx;
  const { trackingNumber, webOrderId, fulfillmentOrderId, held, number, customerRef } = sent;
  const isOfClient = held === true || [trackingNumber, webOrderId, fulfillmentOrderId].some((one) => one !== undefined);
  const isFew = isOfClient || number !== undefined || customerRef !== undefined;
  const storeOf = isOfClient ? textWithoutIndex('returns.store_id') : sql.ref<string>('returns.store_id');
  const createdAt = isFew ? numberWithoutIndex('returns.created_at') : sql.ref<number>('returns.created_at');
  let rows = db.selectFrom('returns').selectAll().where('client_id', '=', clientId).where(storeOf, '=', storeId);
  for (const condition of conditionsFor(ctx, clientId, sent)) rows = rows.where(condition);
  if (after !== undefined) {
    const { at, id } = readPosition(after);
    const follows = sql.raw(order === 'asc' ? '>' : '<');
    rows = rows.where(sql<boolean>`(${createdAt}, return_id) ${follows} (${at}, ${id})`);
  }
  rows = rows.orderBy(createdAt, order).orderBy('return_id', order).limit(limit);
  const states = sent.states && [...new Set(sent.states)];
  if (states === undefined) return rows;
  if (isFew || states.length === 1) return rows.where('status', 'in', states);
  const [first, ...others] = states.map((state) =>
    db.selectFrom(rows.where('status', '=', state).as('walk')).selectAll(),
  );
  const all = others.reduce((union, walk) => union.unionAll(walk), first!);
  return db
    .selectFrom(all.as('found'))
    .selectAll()
    .orderBy('created_at', order)
    .orderBy('return_id', order)
    .limit(limit);
}

/** Returns the conditions of the fields of a search, except its states. */
function conditionsFor(ctx: SearchCtx, clientId: string, sent: SearchMessage): Expression<SqlBool>[] {
  const { number, trackingNumber, webOrderId, fulfillmentOrderId, customerRef, nodeId } = sent;
  const { kind, held, from, to, customer } = sent;
  const { db } = ctx;
  const eb = expressionBuilder<Tables, 'returns'>();
  const all: Expression<SqlBool>[] = [];
  if (number !== undefined) all.push(eb('number', '=', number));
  if (trackingNumber !== undefined) all.push(eb('tracking_number', '=', trackingNumber));
  if (customerRef !== undefined) all.push(eb('customer_ref', '=', customerRef));
  if (kind !== undefined) all.push(eb('kind', '=', kind));
  if (from !== undefined) all.push(eb('created_at', '>=', wholeSecond(from)));
  if (to !== undefined) all.push(eb('created_at', '<', wholeSecond(to) + SECOND_MS));
  if (fulfillmentOrderId !== undefined || webOrderId !== undefined) {
    let orders = db.selectFrom('fulfillment_orders').select('fulfillment_order_id').where('client_id', '=', clientId);
    if (fulfillmentOrderId !== undefined) orders = orders.where('fulfillment_order_id', '=', fulfillmentOrderId);
    if (webOrderId !== undefined) orders = orders.where('web_order_id', '=', webOrderId);
    const lines = db
      .selectFrom('return_lines as line')
      .select('line.return_id')
      .where('line.client_id', '=', clientId)
      .where('line.fulfillment_order_id', 'in', orders);
    all.push(eb('return_id', 'in', lines));
  }
  if (customer !== undefined) all.push(eb.exists(selectNamed(ctx, clientId, customer, eb.ref('returns.return_id'))));
  if (nodeId !== undefined) {
    // With the plain column, SQLite would read all receipts of the node for each return. PostgreSQL needs the plain
    // column: it reads the receipts of the node once, by their index.
    const atNode =
      ctx.dialect.engine === 'sqlite' ? textWithoutIndex('receipt.node_id') : sql.ref<string>('receipt.node_id');
    const receipts = db
      .selectFrom('return_receipts as receipt')
      .select('receipt.receipt_id')
      .where('receipt.client_id', '=', clientId)
      .whereRef('receipt.return_id', '=', sql.ref('returns.return_id'))
      .where(atNode, '=', nodeId);
    all.push(eb.or([eb('expected_node_id', '=', nodeId), eb.exists(receipts)]));
  }
  if (held !== undefined) {
    const waiting = db.selectFrom('return_held').select('return_held.return_id').where('client_id', '=', clientId);
    all.push(eb('return_id', held ? 'in' : 'not in', waiting));
  }
  return all;
}

/**
 * Selects the lines of a return whose order has a matching customer. A caller finds only orders of nodes that the
 * caller has access to.
 */
function selectNamed(ctx: SearchCtx, clientId: string, customer: ContactFilter, returnId: Expression<string>) {
  const { nodeIds } = ctx.actor;
  return ctx.db
    .selectFrom('fulfillment_orders')
    .innerJoin('return_lines', (join) =>
      join
        .onRef('return_lines.client_id', '=', 'fulfillment_orders.client_id')
        .onRef('return_lines.fulfillment_order_id', '=', 'fulfillment_orders.fulfillment_order_id'),
    )
    .select('return_lines.position')
    .where('return_lines.client_id', '=', clientId)
    .where('return_lines.return_id', '=', returnId)
    .$if(nodeIds !== undefined && nodeIds !== null, (found) =>
      found.where('fulfillment_orders.node_id', 'in', ctx.dialect.listOf<string>(nodeIds!, 'text')),
    )
    .where((eb) =>
      eb.and(conditionsOf(eb as unknown as Parameters<typeof conditionsOf>[0], { customer }, { ...ctx, clientId })),
    );
}

type OrderShown = ReturnSummary['orders'][number];

/** Returns orders for a response, by id. */
export async function findOrdersShown(
  { db, dialect, actor }: ReadCtx,
  clientId: string,
  ids: readonly string[],
): Promise<Map<string, OrderShown>> {
  if (ids.length === 0) return new Map();
  const rows = await selectOrders(db, { clientId, ids: dialect.listText(ids) });
  return new Map(
    rows.map((row) => [
      row.fulfillment_order_id,
      { fulfillmentOrderId: row.fulfillment_order_id, webOrderId: row.web_order_id, ...customerOf(actor, row) },
    ]),
  );
}

interface ByIds {
  clientId: string;
  ids: BoundText;
}

const selectOrders = statement((db, { clientId, ids }: ByIds, dialect) =>
  db
    .selectFrom('fulfillment_orders')
    .select(['fulfillment_order_id', 'web_order_id', 'node_id', 'contacts', 'blanked_at'])
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', 'in', dialect.listOf<string>(ids, 'text')),
);

/** Returns the lines of returns, by the id of the return. */
export async function linesOf({ db, dialect }: ReadCtx, clientId: string, rows: readonly ReturnRow[]) {
  const ids = rows.map((row) => row.return_id);
  const lines = await selectLines(db, { clientId, ids: dialect.listText(ids) });
  return Map.groupBy(lines, (line) => line.return_id);
}

const selectLines = statement((db, { clientId, ids }: ByIds, dialect) =>
  db
    .selectFrom('return_lines')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('return_id', 'in', dialect.listOf<string>(ids, 'text'))
    .orderBy('return_id')
    .orderBy('position'),
);
