import { sql } from 'kysely';
import { State } from '../kernel/states.ts';
import { PageQuery, pageBody, pageLimit } from '../platform/http/list-page.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { parseJson } from '../platform/message/json.ts';
import { dateTime, identifier, list, named, object, ref, type Static, Type, text } from '../platform/schema.ts';
import { formatDateTime } from '../platform/time.ts';
import { boundsOfDay, calendarOf, dayAt } from '../sla/calendar.ts';
import { boxWeight } from './package-schema.ts';
import { say } from './sentences.ts';

const day = (description: string) =>
  text(10, 10, { format: 'date', 'x-hint': say('send a day as YYYY-MM-DD'), description });

const ManifestQuery = object({
  ...PageQuery.properties,
  date: Type.Optional(day('Day on which the orders were shipped, in the node’s time zone; default today')),
  carrier: Type.Optional(text(1, 40, { description: 'Only orders with exactly this carrier' })),
});

const ManifestParcel = named(
  'ManifestParcel',
  object(
    {
      fulfillmentOrderId: text(1, 40, { description: 'Order of the package' }),
      boxId: text(1, 40, { description: 'Number of the box in the order' }),
      carrier: text(0, 40, { description: 'Carrier of the order' }),
      service: text(0, 40, { description: 'Service level of the order' }),
      trackingNumber: text(1, 40, { description: 'Tracking number of the package' }),
      boxWeight,
      shippedAt: dateTime({ description: 'Time at which the order was shipped' }),
    },
    { description: 'A package that a carrier collects or has collected.' },
  ),
);
type ManifestParcel = Static<typeof ManifestParcel>;

const Manifest = named(
  'Manifest',
  object(
    {
      date: day('Day of the manifest'),
      parcels: list(
        ref<ManifestParcel>('ManifestParcel'),
        { max: 100_000 },
        { description: 'Packages of the orders of the page, by fulfillmentOrderId' },
      ),
      next: Type.Optional(
        identifier(64, { description: 'Value of `after` for the next page; absent on the last page' }),
      ),
    },
    { description: 'Packages that a node shipped on a day. `limit` counts orders, which can have several packages.' },
  ),
);

export const manifestSchemas = [ManifestParcel, Manifest];

/** The packages of a day for the driver of a carrier (docs/how-to/connect-a-carrier.md#4-print-the-manifest). */
export const readManifest = readOperation({
  id: 'readManifest',
  since: '0.4.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/manifest',
  summary: 'Read the packages that a node shipped on a day',
  description:
    'Lists the packages of the SHIP_TO_HOME orders that the node shipped on a day, in the node’s time zone: all packages with tracking numbers, by order. ' +
    'An order is shipped when every wanted unit is packed and every package has a tracking number. A credential that is limited to stores sees only the orders of these stores. The manifest has no data of customers.',
  access: { auth: 'operatorOrApiKey', group: 'fulfillment', permission: 'fulfillment.read' },
  message: {
    query: ManifestQuery,
    replies: { 200: { description: 'A page, which may be empty', schema: Manifest } },
    refusals: { 404: 'There is no such client or node.' },
    errors: 'problem',
  },
  run: {
    async handle({ db, dialect, now, actor: { storeIds = null } }, { clientId, node, query }) {
      const calendar = calendarOf(node);
      const date = query.date ?? dayAt(calendar, now);
      const { from, to } = boundsOfDay(calendar, date);
      // Shipped orders have an index by node and end. The expression below is in no index, so SQLite uses that index. For the
      // plain column, SQLite would read all orders of the client along the primary key.
      const orderId = sql<string>`fulfillment_order_id || ''`;
      const orders = await db
        .selectFrom('fulfillment_orders')
        .select(['fulfillment_order_id', 'carrier', 'service', 'ended_at'])
        .where('client_id', '=', clientId)
        .where('node_id', '=', node.node_id)
        .where('status', '=', sql.lit(State.SHIPPED))
        .where('ended_at', '>=', from)
        .where('ended_at', '<', to)
        .where(orderId, '>', query.after ?? '')
        .$if(storeIds !== null, (select) => select.where('store_id', 'in', dialect.listOf(storeIds!, 'text')))
        .$if(query.carrier !== undefined, (select) => select.where('carrier', '=', query.carrier!))
        .orderBy(orderId)
        .limit(pageLimit(query))
        .execute();
      const page = pageBody(
        'orders',
        query,
        orders,
        (order) => order,
        (order) => order.fulfillment_order_id,
      ) as { orders: typeof orders; next?: string };
      const byId = new Map(page.orders.map((order) => [order.fulfillment_order_id, order]));
      const parcels =
        byId.size === 0
          ? []
          : await db
              .selectFrom('packages')
              .select(['fulfillment_order_id', 'box_id', 'tracking_number', 'box_weight'])
              .where('client_id', '=', clientId)
              .where('fulfillment_order_id', 'in', dialect.listOf([...byId.keys()], 'text'))
              .where('tracking_number', 'is not', null)
              .orderBy('fulfillment_order_id')
              .orderBy('package_index')
              .execute();
      return reply(200, {
        date,
        parcels: parcels.map((parcel) => {
          const { carrier, service, ended_at: shippedAt } = byId.get(parcel.fulfillment_order_id)!;
          return {
            fulfillmentOrderId: parcel.fulfillment_order_id,
            boxId: parcel.box_id,
            carrier,
            service,
            trackingNumber: parcel.tracking_number!,
            boxWeight: parseJson(parcel.box_weight),
            shippedAt: formatDateTime(shippedAt!),
          };
        }),
        ...(page.next !== undefined && { next: page.next }),
      });
    },
  },
  example: { path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/manifest?date=2026-03-02' },
});
