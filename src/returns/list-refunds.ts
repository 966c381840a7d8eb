import { sql } from 'kysely';
import { showRefund } from '../kernel/returns/events.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { identifier, object, oneOf, Type } from '../platform/schema.ts';
import { numberWithoutIndex, textWithoutIndex } from '../platform/storage/without-index.ts';
import { REFUND_STATES } from '../shared/return-states.ts';
import { listedRefund, PageQuery, pageOf } from './schema.ts';
import { findOrdersShown, limitOf, positionOf, readPosition } from './search.ts';
import { ordersNamed } from './show.ts';

/** Lists the refunds of a client. */
export const listRefunds = readOperation({
  id: 'listRefunds',
  since: '0.5.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/refunds',
  summary: 'List refunds',
  description:
    'Returns the refunds of a client, the oldest first, a page at a time: `next` is the `after` of the next page. A refund that is DUE or FAILED waits for you: pay it and report the outcome. `customerName` is present if you have permission to read the order. A credential that is limited to stores gets only the refunds of these stores.',
  access: {
    auth: 'operatorOrApiKey',
    group: ['intake', 'events'],
    permission: ['orders.change', 'client'],
    wholeClient: 'allNodes',
    reveals: ({ refunds }: { refunds: Parameters<typeof ordersNamed>[0] }) => ordersNamed(refunds),
  },
  message: {
    query: object({
      ...PageQuery.properties,
      status: Type.Optional(oneOf(REFUND_STATES, { description: 'Only refunds in this state' })),
      number: Type.Optional(identifier(40, { description: 'Only refunds of returns with this number' })),
    }),
    replies: { 200: { description: 'A page of refunds', schema: pageOf('refunds', listedRefund) } },
    refusals: { 404: 'There is no such client.' },
    errors: 'problem',
  },
  run: {
    async handle(ctx, { clientId, query: { status, number, after, limit: sent } }) {
      const { storeIds = null } = ctx.actor;
      const limit = limitOf(sent);
      let rows = ctx.db.selectFrom('refunds').selectAll().where('client_id', '=', clientId);
      if (storeIds !== null) rows = rows.where('store_id', 'in', [...storeIds]);
      // With `number`, SQLite must use the index of returns, which has fewer rows than the index of statuses.
      const ofStatus = number === undefined ? sql.ref<string>('status') : textWithoutIndex('status');
      if (status !== undefined) rows = rows.where(ofStatus, '=', status);
      if (number !== undefined) {
        rows = rows.where('return_id', 'in', (eb) =>
          eb
            .selectFrom('returns')
            .select('returns.return_id')
            .where('returns.client_id', '=', clientId)
            .where('returns.number', '=', number),
        );
      }
      // With `number`, only a few refunds are sorted. With the plain column, SQLite would read all refunds of the client in
      // their order.
      const dueAt = number === undefined ? sql.ref<number>('due_at') : numberWithoutIndex('due_at');
      if (after !== undefined) {
        const { at, id } = readPosition(after);
        rows = rows.where(sql<boolean>`(${dueAt}, refund_id) > (${at}, ${id})`);
      }
      const found = await rows
        .orderBy(dueAt)
        .orderBy('refund_id')
        .limit(limit + 1)
        .execute();
      const page = found.slice(0, limit);
      const last = page.at(-1);
      const ids = [...new Set(page.map((row) => row.fulfillment_order_id))];
      const orders = await findOrdersShown(ctx, clientId, ids);
      return reply(200, {
        refunds: page.map((row) => {
          const { customerName } = orders.get(row.fulfillment_order_id) ?? {};
          return { ...showRefund(row), ...(customerName !== undefined && { customerName }) };
        }),
        ...(found.length > limit && last !== undefined && { next: positionOf(last.due_at, last.refund_id) }),
      });
    },
  },
  example: { path: '/operator/v1/clients/TOWN/refunds?status=DUE' },
});
