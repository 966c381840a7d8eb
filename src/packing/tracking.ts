import { record } from '../events/record.ts';
import { type CommandKey, claimCommand, sameInstant, scopeOf } from '../kernel/commands.ts';
import { lockOrders } from '../kernel/orders.ts';
import { findSettings } from '../kernel/settings.ts';
import type { Ctx } from '../platform/ctx.ts';
import { allows } from '../platform/http/auth.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import {
  dateTime,
  identifier,
  integer,
  list,
  named,
  object,
  oneOf,
  ref,
  type Static,
  text,
} from '../platform/schema.ts';
import { textWithoutIndex } from '../platform/storage/without-index.ts';
import { reportedTimeErrors } from '../shared/reported-time.ts';
import { statusOf } from '../shared/status.ts';
import { TRACKING_STATES } from '../shared/tracking-states.ts';

/** Maximum number of reports in one message. */
const REPORTS_MAX = 200;

const TrackingReport = named(
  'TrackingReport',
  object(
    {
      trackingEventId: identifier(64, { description: 'Your id for the report, unique in the order' }),
      trackingNumber: identifier(40, { description: 'Tracking number of the package' }),
      tracking: oneOf(TRACKING_STATES, { description: 'State of the transport' }),
      at: dateTime({ description: 'Time of `tracking`, as reported by the carrier' }),
    },
    { description: 'A report of a carrier about a package' },
  ),
);
type TrackingReport = Static<typeof TrackingReport>;

const TrackingReports = named(
  'TrackingReports',
  object(
    {
      reports: list(
        ref<TrackingReport>('TrackingReport'),
        { min: 1, max: REPORTS_MAX },
        { description: 'The reports' },
      ),
    },
    { description: 'Reports of carriers' },
  ),
);

const TrackingTaken = named(
  'TrackingTaken',
  object(
    {
      recorded: integer(0, REPORTS_MAX, { description: 'Number of reports that were new for at least one order' }),
      known: integer(0, REPORTS_MAX, {
        description: 'Number of reports that were already recorded for each of their orders',
      }),
      unknown: list(
        text(1, 40),
        { max: REPORTS_MAX },
        { description: 'Tracking numbers of which the credential can access no package' },
      ),
    },
    { description: 'The outcome of the reports' },
  ),
);

export const trackingSchemas = [TrackingReport, TrackingReports, TrackingTaken];

export const recordTracking = writeOperation({
  id: 'recordTracking',
  since: '0.4.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/trackingReports',
  summary: 'Record what carriers report about packages',
  description: `Records reports of carriers, at most ${REPORTS_MAX} in a message. Each new report is an event \`order.tracked\` of the order with the package, and part of its history; the state of the order does not change.

- The service identifies a report by its order and \`trackingEventId\`: the same report again changes nothing; other content gets 409.
- Unknown tracking numbers are listed in \`unknown\`; the other reports are recorded.
- If several orders have the tracking number, each of them gets the report. A credential that is limited to stores or nodes can report only about orders of these stores and nodes.`,
  events: ['order.tracked'],
  access: { auth: 'operatorOrApiKey', group: 'fulfillment', permission: 'fulfillment.write' },
  message: {
    body: TrackingReports,
    replies: {
      200: { description: 'The reports are recorded, by this request or an earlier one', schema: TrackingTaken },
    },
    refusals: {
      404: 'There is no such client.',
      409: 'A trackingEventId was used with other content, or the first request with this Idempotency-Key is still running.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    rules(ctx, { body: { reports } }, errors) {
      for (const [index, report] of reports?.entries() ?? []) {
        errors.addAll(reportedTimeErrors(`/reports/${index}/at`, report?.at, ctx.now));
      }
    },
    async handle(ctx, { clientId, body: { reports } }) {
      const orders = await ordersOf(ctx, clientId, reports);
      const settings = await findSettings(ctx.db, clientId);
      let recorded = 0;
      let known = 0;
      const unknown = new Set<string>();
      for (const report of reports) {
        const own = orders.get(report.trackingNumber) ?? [];
        const { trackingEventId, ...sent } = report;
        const content = { ...sent, at: sameInstant(sent.at) };
        let isNew = false;
        for (const order of own) {
          const orderId = order.fulfillment_order_id;
          const key: CommandKey = { clientId, scope: scopeOf('tracking', orderId), commandId: trackingEventId };
          if ((await claimCommand(ctx, key, content, 'trackingEventId', sent)) !== undefined) continue;
          isNew = true;
          await record(ctx, {
            clientId,
            type: 'order.tracked',
            resource: 'order',
            resourceId: orderId,
            revision: order.revision,
            data: { ...report, at: content.at, ...statusOf(settings, order.status) },
          });
        }
        if (own.length === 0) unknown.add(report.trackingNumber);
        else if (isNew) recorded += 1;
        else known += 1;
      }
      return reply(200, { recorded, known, unknown: [...unknown] });
    },
  },
  example: {
    path: '/operator/v1/clients/TOWN/trackingReports',
    body: {
      reports: [
        {
          trackingEventId: 'ups-1',
          trackingNumber: '1Z999AA10123456784',
          tracking: 'IN_TRANSIT',
          at: '2026-01-05T09:00:00Z',
        },
      ],
    },
  },
});

/**
 * Locks the orders of the reported packages and returns them by tracking number, without orders that the caller has no
 * access to.
 */
async function ordersOf(ctx: Ctx, clientId: string, reports: readonly TrackingReport[]) {
  const numbers = [...new Set(reports.map(({ trackingNumber }) => trackingNumber))];
  const rows = await ctx.db
    .selectFrom('packages')
    // For `distinct` on the plain column, SQLite would read all packages of the client along the primary key.
    .select([textWithoutIndex('fulfillment_order_id').as('fulfillment_order_id'), 'tracking_number'])
    .distinct()
    .where('client_id', '=', clientId)
    .where('tracking_number', 'in', ctx.dialect.listOf(numbers, 'text'))
    .execute();
  const ids = [...new Set(rows.map((row) => row.fulfillment_order_id))].sort();
  const { storeIds, nodeIds } = ctx.actor;
  const locked = (await lockOrders(ctx, clientId, ids)).filter(
    (order) => allows(storeIds, order.store_id) && allows(nodeIds, order.node_id),
  );
  const byId = new Map(locked.map((order) => [order.fulfillment_order_id, order]));
  const byNumber = Map.groupBy(rows, (row) => row.tracking_number!);
  return new Map(
    [...byNumber].map(([number, own]) => [number, own.flatMap((row) => byId.get(row.fulfillment_order_id) ?? [])]),
  );
}
