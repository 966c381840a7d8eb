import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { ALERT_DESCRIPTIONS, ALERT_TYPES, type AlertType } from '../kernel/alerts.ts';
import { dateRangeErrors } from '../kernel/filters.ts';
import { checkQueue } from '../kernel/queues.ts';
import { findSettings } from '../kernel/settings.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { requireNode } from '../platform/http/auth.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { findPlace, lastRecordHeader } from '../platform/http/page.ts';
import { findCounted, recordsOf, type Search } from '../platform/storage/keyset.ts';
import type { AlertRow, NodeRow, Tables } from '../platform/storage/tables.ts';
import { formatDateTime, parseDateTime, SECOND_MS, wholeSecond } from '../platform/time.ts';
import type { FulfillmentType } from '../shared/client-settings.ts';
import { boundsOfDay, calendarOf } from '../sla/calendar.ts';
import { type Alert, AlertSearch, AlertSearchReply } from './schema.ts';

export const searchFulfillmentAlerts = readOperation({
  id: 'searchFulfillmentAlerts',
  since: '0.1.0',
  method: 'POST',
  path: '/stores/{storeId}/alert/fulfillment/search',
  summary: 'Find alerts of a node',
  description: `Lists the alerts of a node. An alert reports that the deadline of an order step is near or has passed, by the client's SLA and the node's calendar.

- The service opens an alert, and closes it when the order leaves the step. An order has at most one open alert.
- All filters that you send must match. An unknown queueName gets 400.
- Alerts are listed in the order of opening. \`lastRecordId\` is the alertId of the last alert that you have read.
- Pages work as in the search of orders.`,
  access: { auth: 'apiKey', group: 'fulfillment', permission: 'fulfillment.read' },
  message: { body: AlertSearch, replies: { 200: { description: 'A page of alerts', schema: AlertSearchReply } } },
  run: {
    async rules(ctx, { clientId, store, body }, errors) {
      const { nodeId, generatedOnDateRange } = body;
      const node = nodeId === undefined ? undefined : await requireNode(ctx.db, ctx.actor, clientId, nodeId);
      errors.addAll(dateRangeErrors(generatedOnDateRange, '/generatedOnDateRange'));
      if (node === undefined) return undefined;
      const place = { clientId, storeId: store.store_id, nodeId: node.node_id };
      const isInUse = (queueId: string) =>
        alertsOf(ctx, place).where('queue_id', '=', queueId).select('queue_id').limit(1).executeTakeFirst();
      await checkQueue(body.queueName, '/queueName', await findSettings(ctx.db, clientId), isInUse, errors);
      return { node, place, page: await findPlace(body, records(ctx, place), errors) };
    },
    async handle(ctx, { body, found }) {
      const { node, place, page } = found!;
      const search = searchAlerts(ctx, place, node, body);
      const { records: alerts, totals } = await findCounted(ctx.db, search, page);
      const shown = {
        alerts: alerts.map(show),
        pageId: page.pageId,
        pageSize: page.pageSize,
        ...totals,
      };
      const ids = alerts.map((alert) => alert.alert_id);
      return reply(200, shown, lastRecordHeader(page, ids));
    },
  },
  example: {
    path: '/stores/TOWN_US/alert/fulfillment/search',
    body: { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', statuses: ['OPEN'] },
  },
});

interface Place {
  clientId: string;
  storeId: string;
  nodeId: string;
}

function alertsOf({ db }: ReadCtx, place: Place) {
  return db
    .selectFrom('alerts')
    .where('client_id', '=', place.clientId)
    .where('store_id', '=', place.storeId)
    .where('node_id', '=', place.nodeId);
}

function records(ctx: ReadCtx, place: Place) {
  const alerts = { table: 'alerts', date: 'generated_at', id: 'alert_id' } as const;
  return recordsOf(ctx, alerts, place, { record: 'alert', id: 'alertId' });
}

function searchAlerts(ctx: ReadCtx, place: Place, node: NodeRow, body: AlertSearch): Search<'alerts'> {
  const alerts = ofOrders(ctx, place, body) ?? alertsOf(ctx, place);
  const found = alerts.where((eb) => eb.and(conditionsOf(eb, ctx, node, body)));
  return { found, date: 'generated_at', id: 'alert_id' };
}

/** Selects the alerts of the orders that have the number of the search; undefined if the search has no number. */
function ofOrders({ db }: ReadCtx, { clientId, storeId, nodeId }: Place, { webOrderId, omsOrderId }: AlertSearch) {
  if (webOrderId === undefined && omsOrderId === undefined) return undefined;
  let orders = db.selectFrom('fulfillment_orders').select('fulfillment_order_id').where('client_id', '=', clientId);
  if (webOrderId !== undefined) orders = orders.where('web_order_id', '=', webOrderId);
  else orders = orders.where('oms_order_id', '=', omsOrderId!);
  return (
    db
      .selectFrom('alerts')
      .where('client_id', '=', clientId)
      // This expression is in no index. With the plain column, SQLite uses the index by date and reads all alerts of the
      // node.
      .where(sql<string>`store_id || ''`, '=', storeId)
      .where('node_id', '=', nodeId)
      .where('fulfillment_order_id', 'in', orders)
  );
}

function conditionsOf(
  eb: ExpressionBuilder<Tables, 'alerts'>,
  { dialect }: ReadCtx,
  node: NodeRow,
  body: AlertSearch,
): Expression<SqlBool>[] {
  const found: Expression<SqlBool>[] = [];
  const equal = (column: keyof AlertRow, value: string | undefined) => {
    if (value !== undefined) found.push(eb(column, '=', value));
  };
  equal('web_order_id', body.webOrderId);
  equal('oms_order_id', body.omsOrderId);
  equal('alert_type', body.alertType);
  equal('queue_id', body.queueName);
  equal('pick_ticket_id', body.pickTicketId);
  const { description, fulfillmentTypes, statuses, generatedOnDateRange: range, closedDate } = body;
  if (description !== undefined) {
    const types = ALERT_TYPES.filter((type) => ALERT_DESCRIPTIONS[type] === description);
    found.push(eb('alert_type', 'in', dialect.listOf(types, 'text')));
  }
  if (fulfillmentTypes) found.push(eb('fulfillment_type', 'in', dialect.listOf(fulfillmentTypes, 'text')));
  // The status is a literal, because the partial index of open alerts does not match a bound value.
  if (statuses?.every((status) => status === 'OPEN')) found.push(sql<SqlBool>`status = 'OPEN'`);
  else if (statuses) found.push(eb('status', 'in', dialect.listOf(statuses, 'text')));
  if (range) {
    // Responses show whole seconds, so the filter includes the whole last second of the range. A date from a response
    // then finds its alert.
    found.push(
      eb('generated_at', '>=', parseDateTime(range.from)),
      eb('generated_at', '<', wholeSecond(range.to) + SECOND_MS),
    );
  }
  if (closedDate !== undefined) {
    const { from, to } = boundsOfDay(calendarOf(node), closedDate);
    found.push(eb('closed_at', '>=', from), eb('closed_at', '<', to));
  }
  return found;
}

function show(alert: AlertRow): Alert {
  return {
    alertId: alert.alert_id,
    alertType: alert.alert_type,
    description: ALERT_DESCRIPTIONS[alert.alert_type as AlertType],
    status: alert.status,
    storeId: alert.store_id,
    nodeId: alert.node_id,
    fulfillmentOrderId: alert.fulfillment_order_id,
    webOrderId: alert.web_order_id,
    omsOrderId: alert.oms_order_id,
    fulfillmentType: alert.fulfillment_type as FulfillmentType,
    queueName: alert.queue_id,
    ...(alert.pick_ticket_id !== null && { pickTicketId: alert.pick_ticket_id }),
    slaDate: { slaTypeId: alert.sla_type, value: formatDateTime(alert.sla_at) },
    generatedOnDate: formatDateTime(alert.generated_at),
    ...(alert.closed_at !== null && { closedDate: formatDateTime(alert.closed_at) }),
  };
}
