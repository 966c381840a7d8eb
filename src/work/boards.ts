import { sql } from 'kysely';
import { findSettings } from '../kernel/settings.ts';
import { State } from '../kernel/states.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { allows } from '../platform/http/auth.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { formatDateTime } from '../platform/time.ts';
import { SLA_STEPS } from '../shared/client-settings.ts';
import { findNames } from '../shared/user-names.ts';
import { type Calendar, calendarOf, dayAt, sameTimeOn } from '../sla/calendar.ts';
import { BoardsQuery, NodeBoards } from './boards-schema.ts';
import { boundsOf, dayAfter, hourAt, QUARTER_MS } from './day.ts';
import { findPicked, type Picked, totalsOf } from './picked.ts';

export const readBoards = readOperation({
  id: 'readBoards',
  since: '0.3.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/boards',
  summary: 'Read the daily figures of a node',
  description: `Returns the numbers of new orders, picks, short units and late orders of a node by hour, day and user, in the node's time zone.

- The sum over all hours equals the total, and so does the sum over all days. For picks, the sum over all users also equals the total.
- Picks come from confirmed pick tickets. They count at the time and for the user of the CONFIRM.
- \`late\` counts each order once, at the time when the service detected that the deadline of its first late step had passed.
- On a day of 25 hours (end of daylight saving time), the repeated hour is counted as one hour.
- \`before\` has the sums of the same number of earlier days; today is compared with the previous day up to the same time.
- A credential that is limited to stores gets the figures of its stores.`,
  access: { auth: 'operatorOrApiKey', group: 'fulfillment', permission: 'supervise' },
  message: {
    query: BoardsQuery,
    replies: { 200: { description: 'The figures', schema: NodeBoards } },
    refusals: { 404: 'There is no such client or node.' },
    errors: 'problem',
  },
  run: {
    async handle(ctx, { clientId, node, query }) {
      const calendar = calendarOf(node);
      const date = query.date ?? dayAt(calendar, ctx.now);
      const days = Number(query.days ?? 1);
      const first = dayAfter(date, 1 - days);
      const span = { clientId, nodeId: node.node_id, ...boundsOf(calendar, first, days) };
      const storeIds = await findStores(ctx, clientId);
      const { picked, rows, totals } = await findFigures(ctx, span, { calendar, storeIds });
      const oldest = await findOldest(ctx, span, storeIds);
      const byHour = Map.groupBy(rows, ({ at }) => hourAt(calendar, at));
      const byDay = Map.groupBy(rows, ({ at }) => dayAt(calendar, at));
      const { targets } = await findSettings(ctx.db, clientId);
      const dates = Array.from({ length: days }, (_, index) => dayAfter(first, index));
      const body: NodeBoards = {
        at: formatDateTime(ctx.now),
        date,
        timeZone: node.time_zone,
        hours: Array.from({ length: 24 }, (_, hour) => ({ hour, ...sumOf(byHour.get(hour)) })),
        days: dates.map((one) => ({ date: one, ...sumOf(byDay.get(one)) })),
        users: usersOf(
          picked,
          await findNames(
            ctx,
            clientId,
            picked.map(({ userId }) => userId),
          ),
        ),
        totals,
        before: await totalsBefore(ctx, span, { calendar, first, days, storeIds }),
        targets,
        ...(oldest && {
          oldestOrder: {
            fulfillmentOrderId: oldest.fulfillment_order_id,
            storeId: oldest.store_id,
            queueId: oldest.queue_id!,
            since: formatDateTime(oldest.queued_at),
          },
        }),
      };
      return reply(200, body);
    },
  },
  example: { path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/boards' },
});

type Numbers = Omit<NodeBoards['days'][number], 'date'>;

/** Numbers of the quarter of an hour that begins at `at`. */
type Row = Numbers & { at: number };

const NONE: Numbers = { ordersIn: 0, unitsPicked: 0, linesPicked: 0, unitsShort: 0, late: 0 };

interface Span {
  clientId: string;
  nodeId: string;
  from: number;
  to: number;
}

function sumOf(rows: readonly Row[] = []): Numbers {
  const sum = { ...NONE };
  for (const row of rows) {
    sum.ordersIn += row.ordersIn;
    sum.unitsPicked += row.unitsPicked;
    sum.linesPicked += row.linesPicked;
    sum.unitsShort += row.unitsShort;
    sum.late += row.late;
  }
  return sum;
}

/** Returns the picks of a span, the numbers of its quarters, and their sums. */
async function findFigures(
  ctx: ReadCtx,
  span: Span,
  { calendar, storeIds }: { calendar: Calendar; storeIds: readonly string[] },
): Promise<{ picked: Picked[]; rows: Row[]; totals: NodeBoards['totals'] }> {
  const picked = (await findPicked(ctx.db, span, calendar)).filter((one) => allows(ctx.actor.storeIds, one.storeId));
  const rows = [
    ...picked.map(({ at, units, lines, short }) => ({
      ...NONE,
      at,
      unitsPicked: units,
      linesPicked: lines,
      unitsShort: short,
    })),
    ...(await findArrived(ctx, span)),
    ...(await findLate(ctx, span, storeIds)),
  ];
  const { linesPerHour } = totalsOf(picked);
  return { picked, rows, totals: { ...sumOf(rows), ...(linesPerHour !== undefined && { linesPerHour }) } };
}

/**
 * Returns the sums of the same number of days before `span`. If `span` ends in the future, the last of these days ends
 * at the present time of day.
 */
async function totalsBefore(
  ctx: ReadCtx,
  span: Span,
  { calendar, first, days, storeIds }: { calendar: Calendar; first: string; days: number; storeIds: readonly string[] },
): Promise<NodeBoards['before']> {
  const { from, to } = boundsOf(calendar, dayAfter(first, -days), days);
  const end = sameTimeOn(calendar, dayAfter(dayAt(calendar, ctx.now), -days), ctx.now) + 1;
  const earlier = { ...span, from, to: Math.min(to, Math.max(from, end)) };
  return (await findFigures(ctx, earlier, { calendar, storeIds })).totals;
}

function usersOf(picked: readonly Picked[], names: ReadonlyMap<string, string>): NodeBoards['users'] {
  const users = [...Map.groupBy(picked, ({ userId }) => userId)].map(([userId, own]) => {
    const name = names.get(userId);
    return { userId, ...(name !== undefined && { name }), ...totalsOf(own) };
  });
  return users.sort((a, b) => b.lines - a.lines || (a.userId < b.userId ? -1 : 1));
}

/** Returns the stores to which the caller has access. */
async function findStores(ctx: ReadCtx, clientId: string): Promise<string[]> {
  const stores = await ctx.db.selectFrom('stores').select('store_id').where('client_id', '=', clientId).execute();
  return stores.map((row) => row.store_id).filter((storeId) => allows(ctx.actor.storeIds, storeId));
}

const quarterOf = (column: 'created_at' | 'generated_at') => sql<number>`${sql.ref(column)} / ${sql.lit(QUARTER_MS)}`;

async function findArrived(ctx: ReadCtx, { clientId, nodeId, from, to }: Span): Promise<Row[]> {
  const { storeIds } = ctx.actor;
  const quarter = quarterOf('created_at');
  const rows = await ctx.db
    .selectFrom('fulfillment_orders')
    .select([quarter.as('quarter'), (eb) => eb.fn.countAll<number>().as('count')])
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .$if(storeIds != null, (all) => all.where('store_id', 'in', ctx.dialect.listOf(storeIds!, 'text')))
    .groupBy(quarter)
    .execute();
  return rows.map((row) => ({ ...NONE, at: row.quarter * QUARTER_MS, ordersIn: row.count }));
}

/** Types of the alerts about late steps of the node. The step CUSTOMER_PICKUP is not work of the node. */
const LATE = SLA_STEPS.filter((step) => step !== 'CUSTOMER_PICKUP').map((step) => `${step}_EXPIRED`);

/** Counts the orders that became late. An order with several late steps counts at the first of them. */
async function findLate(
  ctx: ReadCtx,
  { clientId, nodeId, from, to }: Span,
  storeIds: readonly string[],
): Promise<Row[]> {
  const quarter = quarterOf('generated_at');
  const rows = await ctx.db
    .selectFrom('alerts as alert')
    .select([quarter.as('quarter'), (eb) => eb.fn.countAll<number>().as('count')])
    .where('client_id', '=', clientId)
    .where('store_id', 'in', ctx.dialect.listOf(storeIds, 'text'))
    .where('node_id', '=', nodeId)
    .where('generated_at', '>=', from)
    .where('generated_at', '<', to)
    .where('alert_type', 'in', LATE)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('alerts as earlier')
            .select('earlier.alert_id')
            .whereRef('earlier.client_id', '=', 'alert.client_id')
            .whereRef('earlier.fulfillment_order_id', '=', 'alert.fulfillment_order_id')
            .where('earlier.alert_type', 'in', LATE)
            .where(sql<boolean>`(earlier.generated_at, earlier.alert_id) < (alert.generated_at, alert.alert_id)`),
        ),
      ),
    )
    .groupBy(quarter)
    .execute();
  return rows.map((row) => ({ ...NONE, at: row.quarter * QUARTER_MS, late: row.count }));
}

/** Returns the order that has waited longest on a queue. Leaves out orders that wait for the customer. */
function findOldest(ctx: ReadCtx, { clientId, nodeId }: Span, storeIds: readonly string[]) {
  return ctx.db
    .selectFrom('fulfillment_orders')
    .select(['fulfillment_order_id', 'store_id', 'queue_id', 'queued_at'])
    .where('client_id', '=', clientId)
    .where('store_id', 'in', ctx.dialect.listOf(storeIds, 'text'))
    .where('node_id', '=', nodeId)
    .where('queue_id', 'is not', null)
    .where('status', '<>', State.READY_FOR_PICKUP)
    .orderBy('queued_at')
    .orderBy('fulfillment_order_id')
    .limit(1)
    .executeTakeFirst();
}
