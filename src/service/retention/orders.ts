/**
 * Deletes orders with all their rows at the end of their retention, and pick tickets with their last order
 * (docs/decisions/298). Also makes the sweeps that delete the ids of commands on a node.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { removeSequences } from '../../events/sequences.ts';
import { scopesOf } from '../../kernel/commands.ts';
import { removeReturnsOf } from '../../kernel/returns/forget.ts';
import { ON_HAND_UNITS } from '../../kernel/units.ts';
import type { Ctx } from '../../platform/ctx.ts';
import { literals } from '../../platform/storage/literals.ts';
import type { Tables } from '../../platform/storage/tables.ts';
import { OPEN_RETURNS, UNPAID_REFUNDS } from '../../shared/return-states.ts';
import { along, type Mark, type Removed, type Sweep } from './sweep.ts';

/** Tables with rows of an order. A table is listed before the tables that its rows refer to. */
const OF_AN_ORDER = [
  'alerts',
  'checkin_package_items',
  'checkin_packages',
  'hand_overs',
  'order_charges',
  'package_items',
  'packages',
  'customer_messages',
  'order_notes',
  'pack_slips',
  'order_lines',
] as const satisfies readonly (keyof Tables)[];

export const orders: Sweep<Mark> = {
  name: 'orders past their time',
  days: ({ orderDays }) => orderDays,
  batch: 50,
  isPersonal: true,
  find: along('fulfillment_orders', { at: 'ended_at', clientId: 'client_id', id: 'fulfillment_order_id' }),
  remove: async (ctx, rows, upTo) => {
    const sums = { orders: 0, tickets: 0, returns: 0 };
    for (const [clientId, own] of Map.groupBy(rows, (row) => row.clientId)) {
      const ids = await findFinished(
        ctx,
        clientId,
        own.map(({ id }) => id),
        upTo,
      );
      if (ids.length === 0) continue;
      sums.tickets += await removeTickets(ctx, clientId, ids);
      sums.orders += await removeOrders(ctx, clientId, ids);
      const returnIds = await removeReturnsOf(ctx, clientId, ids);
      sums.returns += returnIds.length;
    }
    return sums;
  },
};

/**
 * Locks the orders, the orders that were re-sourced from them, and the orders from which they were re-sourced. Returns
 * the ids that can be deleted. Linked orders are deleted together or not at all, because their units refer to each
 * other and their charges are one sum.
 */
async function findFinished(ctx: Ctx, clientId: string, ids: readonly string[], upTo: number): Promise<string[]> {
  const from = new Map<string, string | null>();
  for (let wanted = [...ids]; wanted.length > 0; ) {
    const list = () => ctx.dialect.listOf(wanted, 'text');
    const own = ctx.db
      .selectFrom('fulfillment_orders')
      .select(['fulfillment_order_id as id', 'resourced_from as source'])
      .where('client_id', '=', clientId);
    const found = [
      ...(await own.where('fulfillment_order_id', 'in', list()).execute()),
      ...(await own.where('resourced_from', 'in', list()).execute()),
    ];
    const fresh = found.filter(({ id }) => !from.has(id));
    for (const { id, source } of found) from.set(id, source);
    const sources = found.flatMap(({ source }) => (source === null || from.has(source) ? [] : [source]));
    wanted = [...new Set([...sources, ...fresh.map(({ id }) => id).filter((id) => !wanted.includes(id))])];
    // The source of an order can be missing, if an earlier release deleted it.
    if (fresh.length === 0) break;
  }
  const locked = await ctx.db
    .selectFrom('fulfillment_orders')
    .select('fulfillment_order_id as id')
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', 'in', ctx.dialect.listOf([...from.keys()], 'text'))
    .orderBy('fulfillment_order_id')
    .modifyEnd(ctx.dialect.forUpdate)
    .execute();
  const staying = await findStaying(
    ctx,
    clientId,
    locked.map(({ id }) => id),
    upTo,
  );
  // If an order cannot be deleted, its source and the orders that were re-sourced from it also remain.
  for (let isSpreading = staying.size > 0; isSpreading; ) {
    isSpreading = false;
    for (const [id, source] of from) {
      if (source === null || !from.has(source) || staying.has(id) === staying.has(source)) continue;
      staying.add(id).add(source);
      isSpreading = true;
    }
  }
  return locked.map(({ id }) => id).filter((id) => !staying.has(id));
}

/**
 * Returns the orders that cannot be deleted, for one of these reasons. Their retention has not ended. They have an open
 * alert, re-source request, ticket or return, or an unpaid refund. They have units in the store, or units whose work is
 * not finished.
 */
async function findStaying(ctx: Ctx, clientId: string, ids: readonly string[], upTo: number): Promise<Set<string>> {
  // `l.quantity > 0` is always true. The primary key has no quantity, so SQLite uses the index by order.
  const { rows } = await sql<{ id: string }>`
    select o.fulfillment_order_id as id from fulfillment_orders as o
    where o.client_id = ${clientId} and o.fulfillment_order_id in ${ctx.dialect.listOf(ids, 'text')} and (
      o.ended_at is null or o.ended_at > ${upTo}
      or exists (select 1 from alerts as a where a.client_id = o.client_id
        and a.fulfillment_order_id = o.fulfillment_order_id and a.status = 'OPEN')
      or exists (select 1 from resource_requests as r where r.client_id = o.client_id
        and r.fulfillment_order_id = o.fulfillment_order_id and r.status = 'OPEN')
      or exists (select 1 from pick_ticket_lines as l
        join pick_tickets as t on t.client_id = l.client_id and t.pick_ticket_id = l.pick_ticket_id
        where l.client_id = o.client_id and l.fulfillment_order_id = o.fulfillment_order_id and l.quantity > 0 and t.status <> 'CLOSED')
      or exists (select 1 from refunds as refund where refund.client_id = o.client_id
        and refund.fulfillment_order_id = o.fulfillment_order_id and refund.status in (${literals(...UNPAID_REFUNDS)}))
      or exists (select 1 from return_lines as l
        join returns as r on r.client_id = l.client_id and r.return_id = l.return_id
        where l.client_id = o.client_id and l.fulfillment_order_id = o.fulfillment_order_id and ${isReturnOpen('r')})
      or exists (select 1 from order_lines as line where line.client_id = o.client_id
        and line.fulfillment_order_id = o.fulfillment_order_id and (${ON_HAND_UNITS} <> 0 or line.canceling <> 0
          or line.ordered <> line.picked + line.declined + line.canceled)))`.execute(ctx.db);
  return new Set(rows.map(({ id }) => id));
}

/** Condition for returns with work left: announced units that can still come, or held units. `alias` is the table. */
export function isReturnOpen(alias: string) {
  const row = sql.table(alias);
  return sql<boolean>`(${row}.status in (${literals(...OPEN_RETURNS)}) or exists (select 1 from return_held as held
    where held.client_id = ${row}.client_id and held.return_id = ${row}.return_id))`;
}

/**
 * Deletes the lines of the orders from their tickets, then tickets without lines. Returns the number of deleted
 * tickets.
 */
async function removeTickets(ctx: Ctx, clientId: string, orderIds: readonly string[]): Promise<number> {
  const { db, dialect } = ctx;
  const touched = await db
    .selectFrom('pick_ticket_lines')
    // With `id`, which the primary key does not have, SQLite uses the index by order.
    .select(['pick_ticket_id as ticketId', 'id'])
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', 'in', dialect.listOf(orderIds, 'text'))
    .execute();
  if (touched.length === 0) return 0;
  const ids = [...new Set(touched.map(({ ticketId }) => ticketId))];
  // If two transactions delete the last lines of a ticket, the lock makes the later transaction see that no line is
  // left.
  await db
    .selectFrom('pick_tickets')
    .select('pick_ticket_id')
    .where('client_id', '=', clientId)
    .where('pick_ticket_id', 'in', dialect.listOf(ids, 'text'))
    .orderBy('pick_ticket_id')
    .modifyEnd(dialect.forUpdate)
    .execute();
  await db
    .deleteFrom('pick_ticket_lines')
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', 'in', dialect.listOf(orderIds, 'text'))
    .execute();
  const left = await db
    .selectFrom('pick_ticket_lines')
    .select('pick_ticket_id as id')
    .distinct()
    .where('client_id', '=', clientId)
    .where('pick_ticket_id', 'in', dialect.listOf(ids, 'text'))
    .execute();
  const isLeft = new Set(left.map(({ id }) => id));
  const empty = ids.filter((id) => !isLeft.has(id));
  if (empty.length === 0) return 0;
  for (const table of ['pick_ticket_scans', 'pick_ticket_items', 'pick_tickets'] as const) {
    await db
      .deleteFrom(table as 'pick_tickets')
      .where('client_id', '=', clientId)
      .where('pick_ticket_id', 'in', dialect.listOf(empty, 'text'))
      .execute();
  }
  await removeCommands(
    ctx,
    clientId,
    empty.flatMap((id) => scopesOf('ticket', id)),
  );
  await removeSequences(ctx, clientId, 'pickTicket', empty);
  return empty.length;
}

async function removeOrders(ctx: Ctx, clientId: string, ids: readonly string[]): Promise<number> {
  const { db, dialect } = ctx;
  const list = () => dialect.listOf(ids, 'text');
  const alerts = await db
    .selectFrom('alerts')
    .select('alert_id as id')
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', 'in', list())
    .execute();
  const requests = await db
    .selectFrom('resource_requests')
    .select('request_id as id')
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', 'in', list())
    .execute();
  const requestIds = requests.map(({ id }) => id);
  for (const table of requestIds.length === 0 ? [] : (['resource_request_lines', 'resource_requests'] as const)) {
    await db
      .deleteFrom(table as 'resource_requests')
      .where('client_id', '=', clientId)
      .where('request_id', 'in', dialect.listOf(requestIds, 'text'))
      .execute();
  }
  for (const table of OF_AN_ORDER) {
    await db
      .deleteFrom(table as 'order_lines')
      .where('client_id', '=', clientId)
      .where('fulfillment_order_id', 'in', list())
      .execute();
  }
  await removeCommands(
    ctx,
    clientId,
    ids.flatMap((id) => scopesOf('order', id)),
  );
  await removeSequences(ctx, clientId, 'order', ids);
  await removeSequences(
    ctx,
    clientId,
    'alert',
    alerts.map(({ id }) => id),
  );
  await removeSequences(ctx, clientId, 'resourceRequest', requestIds);
  const done = await db
    .deleteFrom('fulfillment_orders')
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', 'in', list())
    .executeTakeFirst();
  return Number(done.numDeletedRows);
}

async function removeCommands({ db, dialect }: Ctx, clientId: string, scopes: readonly string[]): Promise<void> {
  await db
    .deleteFrom('commands')
    .where('client_id', '=', clientId)
    .where('scope', 'in', dialect.listOf(scopes, 'text'))
    .execute();
}

/**
 * Returns a sweep that deletes command ids by age. It is for commands on a node, because the ids of commands on an
 * order are deleted with the order. `only` is the condition of the index that finds them.
 */
export function commandsOf(
  name: string,
  days: Sweep<Mark>['days'],
  only: RawBuilder<SqlBool>,
): Sweep<Mark & { scope: string }> {
  return {
    name,
    days,
    batch: 500,
    find: along('commands', { at: 'at', clientId: 'client_id', scope: 'scope', id: 'command_id' }, only),
    remove: async ({ db }, rows, upTo): Promise<Removed> => {
      let commands = 0;
      for (const { clientId, scope, id } of rows) {
        const done = await db
          .deleteFrom('commands')
          .where('client_id', '=', clientId)
          .where('scope', '=', scope)
          .where('command_id', '=', id)
          .where('at', '<=', upTo)
          .executeTakeFirst();
        commands += Number(done.numDeletedRows);
      }
      return { commands };
    },
  };
}
