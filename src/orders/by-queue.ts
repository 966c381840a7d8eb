import { filterErrors } from '../kernel/filters.ts';
import { ofPage, ordersOf, searchOrders } from '../kernel/find-page.ts';
import { contactsOf, findParcels, findTotals, type Parcels, type Totals } from '../kernel/orders.ts';
import { checkQueue } from '../kernel/queues.ts';
import { findSettings } from '../kernel/settings.ts';
import { State } from '../kernel/states.ts';
import { findTicketIds } from '../kernel/tickets/of-order.ts';
import { isWithout, type ReadCtx } from '../platform/ctx.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { findPlace, lastRecordHeader } from '../platform/http/page.ts';
import { type FieldError, fieldError, type ValidationResult } from '../platform/message/validate.ts';
import { object } from '../platform/schema.ts';
import { findRecords } from '../platform/storage/keyset.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { isAbsent } from '../shared/associate.ts';
import type { Settings } from '../shared/client-settings.ts';
import { id } from '../shared/shapes.ts';
import { statusName } from '../shared/status.ts';
import { type QueuedOrder, QueueSearch, QueueSearchReply } from './search-schema.ts';
import { say } from './sentences.ts';

export const searchQueue = readOperation({
  id: 'searchQueue',
  since: '0.1.0',
  method: 'POST',
  path: '/stores/{storeId}/nodes/{nodeId}/fulfillmentOrders',
  summary: 'Find the fulfillment orders on a queue',
  description: `Finds the orders on one queue of a node, sorted by fulfillmentOrderDate, then fulfillmentOrderId.

- An order is found if it matches every filter that you send.
- storeId, nodeId and queueId of the body must equal those of path and query. The body may spell nodeId as modeId.
- An unknown queueId gets 400 with the list of the client's queues.
- For the next page send \`X-Last-Record-Id\` of this page as lastRecordId: an order that stays on the queue is then on
exactly one page. If you send only pageId, the service counts from the first order again, and a page that begins after 10,000 orders gets 400.
- Totals count the units that the customer can still get, without declined, canceled, rejected and returned units.
- On the reverse pick queue pickTicketId is the open reverse pick ticket.
- Names are compared word by word as prefixes, ignoring case, accents and apostrophes. E-mail addresses are compared ignoring
case, telephone numbers by their last 7 or more digits without the extension. An empty text ("") matches every order.
- If the client requires PINs at the hand-over (setting pin.required), orders show no pinNumber, and a filter by pinNumber gets 400, because its result would reveal whether a PIN is correct.
- Without the permission fulfillment.read, a user gets only the orders that wait for check-in.`,
  access: {
    auth: 'apiKey',
    group: 'fulfillment',
    permission: ['fulfillment.read', 'checkin.read'],
    reveals: ofPage,
  },
  message: {
    query: object({ queueId: id('Queue to search') }),
    body: QueueSearch,
    replies: { 200: { description: 'A page of orders', schema: QueueSearchReply } },
    parse(raw, validate) {
      return asSpelled(raw, validate(withNodeId(raw)) as ValidationResult<QueueSearch>);
    },
  },
  run: {
    async rules(ctx, { clientId, store, node, body }, errors) {
      const place = { clientId, storeId: store.store_id, nodeId: node.node_id };
      const settings = await findSettings(ctx.db, clientId);
      const isInUse = (queueId: string) =>
        searchOrders(ctx, place, { queueId }).found.select('queue_id').limit(1).executeTakeFirst();
      await checkQueue(body.queueId, '/queueId', settings, isInUse, errors);
      const page = await findPlace(body, ordersOf(ctx, place), errors);
      errors.addAll([...filterErrors(body), ...pinErrors(body, settings)]);
      return { place, page, settings };
    },
    async handle(ctx, { clientId, body, found: { place, page, settings } }) {
      const search = searchOrders(ctx, place, body);
      const { found } = search;
      const seen = isWithout(ctx.actor, 'fulfillment.read')
        ? found.where('status', '=', State.WAITING_FOR_CHECK_IN)
        : found;
      const orders = await findRecords(ctx.db, { ...search, found: seen }, page);
      const ids = orders.map((order) => order.fulfillment_order_id);
      const totals = await findTotals(ctx, clientId, ids);
      const parcels = await findParcels(ctx, clientId, ids);
      const tickets = await findTicketIds(ctx, orders);
      const shown = orders.map((order) => queued(ctx, order, settings, { totals, parcels, tickets }));
      return reply(
        200,
        { fulfillmentOrders: shown, pageId: page.pageId, pageSize: page.pageSize },
        lastRecordHeader(page, ids),
      );
    },
  },
  example: {
    path: '/stores/TOWN_US/nodes/TOWN-Store001/fulfillmentOrders?queueId=WAITING_FOR_PICK_SFS',
    body: { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', queueId: 'WAITING_FOR_PICK_SFS' },
  },
});

/**
 * Rejects a search by PIN if the client requires PINs. Such a search would reveal whether a PIN is correct, because
 * wrong PINs are counted only at the hand-over.
 */
function pinErrors({ pinNumber }: { pinNumber?: string | undefined }, { pin }: Settings): FieldError[] {
  if (pinNumber === undefined || !pin.required) return [];
  const message = say(
    "orders cannot be searched by 'pinNumber' because the client requires PINs at the hand-over (setting pin.required); search by customer or webOrderId",
  );
  return [fieldError('/pinNumber', 'pin-required', message)];
}

/** Reads modeId as nodeId, because the definition table of the interface has the spelling modeId. */
function withNodeId(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw;
  const body = raw as { modeId?: unknown; nodeId?: unknown };
  return isAbsent(body.nodeId) && !isAbsent(body.modeId) ? { ...body, nodeId: body.modeId } : raw;
}

/** Drops the errors of nodeId if the body has only modeId, because modeId has the same errors. */
function asSpelled<T>(raw: unknown, result: ValidationResult<T>): ValidationResult<T> {
  if (withNodeId(raw) === raw) return result;
  const { errors, total } = result;
  const kept = errors.filter((error) => error.pointer !== '/nodeId');
  return { ...result, errors: kept, total: typeof total === 'number' ? total - (errors.length - kept.length) : total };
}

/** Totals, packages and pick tickets of the orders of a page, by order id. */
interface PageFacts {
  totals: ReadonlyMap<string, Totals>;
  parcels: ReadonlyMap<string, Parcels>;
  tickets: ReadonlyMap<string, string>;
}

const NO_PARCELS: Parcels = { packages: 0, trackingNumbers: [] };

function queued(
  ctx: ReadCtx,
  order: FulfillmentOrderRow,
  settings: Settings,
  { totals, parcels, tickets }: PageFacts,
): QueuedOrder {
  const { lines, units } = totals.get(order.fulfillment_order_id)!;
  const { customer, proxyDetails, destinations, shippingAddress } = contactsOf(order);
  const { packages, trackingNumbers } = parcels.get(order.fulfillment_order_id) ?? NO_PARCELS;
  const pickTicketId = tickets.get(order.fulfillment_order_id);
  return {
    fulfillmentOrderId: order.fulfillment_order_id,
    storeId: order.store_id,
    nodeId: order.node_id,
    omsOrderId: order.oms_order_id,
    fulfillmentOrderDate: formatDateTime(order.fulfillment_order_date),
    orderDate: formatDateTime(order.order_date),
    ...(order.hold_location !== null && { holdLocation: order.hold_location }),
    ...(order.expected_delivery_date !== null && {
      expectedDeliveryDate: formatDateTime(order.expected_delivery_date),
    }),
    fulfillmentType: order.fulfillment_type,
    carrier: order.carrier,
    service: order.service,
    shipMethod: order.ship_method,
    ...(pickTicketId !== undefined && { pickTicketId }),
    status: statusName(settings, order.status),
    currency: order.currency,
    totalNoOfItems: String(lines),
    totalQuantity: String(units),
    totalNoOfPackages: String(packages),
    ...(order.pin_cipher !== null && !settings.pin.required && { pinNumber: ctx.sealer.open(order.pin_cipher) }),
    ...(trackingNumbers.length > 0 && { trackingNumbers }),
    customer,
    ...(proxyDetails && { proxyDetails }),
    // Every order on a queue has an SLA.
    slaDate: { slaTypeId: order.sla_type!, value: formatDateTime(order.sla_at!) },
    shippingAddress,
    destinations,
  };
}
