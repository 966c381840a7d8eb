import { filterErrors } from '../kernel/filters.ts';
import { ofPage, ordersOf, searchOrders } from '../kernel/find-page.ts';
import { contactsOf, findParcels, findTotals, type Parcels, type Totals } from '../kernel/orders.ts';
import { checkQueue } from '../kernel/queues.ts';
import { findSettings } from '../kernel/settings.ts';
import { State } from '../kernel/states.ts';
import { findTicketIds } from '../kernel/ticket-of-order.ts';
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

export const searchQueue = readOperation({
  id: 'searchQueue',
  method: 'POST',
  path: '/stores/{storeId}/nodes/{nodeId}/fulfillmentOrders',
  auth: 'apiKey',
  group: 'fulfillment',
  permission: ['fulfillment.read', 'checkin.read'],
  showsContact: true,
  summary: 'Find the fulfillment orders on a queue',
  description: `All filters that are sent must hold; storeId, nodeId and queueId of the body must be those of path and query. The
body may spell nodeId as modeId. A queueId that the client does not have is a 400 that lists the client's queues. Orders come by
fulfillmentOrderDate, then fulfillmentOrderId. \`X-Last-Record-Id\` names the last record of the page: sent as lastRecordId it
makes the next page begin there, so that each order that stays on the queue comes exactly once. pageId alone counts from the
first order at that moment and reaches 10,000 orders. Totals count the units
still to be handed on to the customer: none that is declined, canceled, refused, returned or gone. On the
reverse pick queue pickTicketId is the open reverse ticket. Names are compared word by word as
prefixes without case, accents and apostrophes, e-mail addresses without case, telephone numbers by their last 7 or more digits,
the extension aside; ""
matches everything. Where the client requires PINs at the hand-over (setting pin.required) no order
shows its pinNumber, and a filter by pinNumber is a 400: whoever searches must not learn whether a PIN is right. A person who may see
the check-in only finds the orders that wait for it.`,
  query: object({ queueId: id('Queue to search') }),
  body: QueueSearch,
  reveals: ofPage,
  replies: { 200: { description: 'A page of orders', schema: QueueSearchReply } },
  parse(raw, validate) {
    return asSpelled(raw, validate(withNodeId(raw)) as ValidationResult<QueueSearch>);
  },
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
    const answer = { fulfillmentOrders: shown, pageId: page.pageId, pageSize: page.pageSize };
    return reply(200, answer, lastRecordHeader(page, ids));
  },
});

/** A search that finds an order by its PIN tells whether a PIN is right, and nobody counts. */
function pinErrors({ pinNumber }: { pinNumber?: string | undefined }, { pin }: Settings): FieldError[] {
  if (pinNumber === undefined || !pin.required) return [];
  const message =
    "orders cannot be searched by 'pinNumber' because the client requires PINs at the hand-over (setting pin.required); search by customer or webOrderId";
  return [fieldError('/pinNumber', 'pin-required', message)];
}

/** The interface's definition table spells nodeId as modeId. */
function withNodeId(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw;
  const body = raw as { modeId?: unknown; nodeId?: unknown };
  return isAbsent(body.nodeId) && !isAbsent(body.modeId) ? { ...body, nodeId: body.modeId } : raw;
}

/** Errors of a nodeId that was sent as modeId only are those of modeId. */
function asSpelled<T>(raw: unknown, verdict: ValidationResult<T>): ValidationResult<T> {
  if (withNodeId(raw) === raw) return verdict;
  const { errors, total } = verdict;
  const kept = errors.filter((error) => error.pointer !== '/nodeId');
  return { ...verdict, errors: kept, total: typeof total === 'number' ? total - (errors.length - kept.length) : total };
}

/** What is known of the orders of a page, by order id. */
interface Known {
  totals: ReadonlyMap<string, Totals>;
  parcels: ReadonlyMap<string, Parcels>;
  tickets: ReadonlyMap<string, string>;
}

const NO_PARCELS: Parcels = { packages: 0, trackingNumbers: [] };

function queued(
  ctx: ReadCtx,
  order: FulfillmentOrderRow,
  settings: Settings,
  { totals, parcels, tickets }: Known,
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
    totalNoOfItems: String(lines),
    totalQuantity: String(units),
    totalNoOfPackages: String(packages),
    ...(order.pin_cipher !== null && !settings.pin.required && { pinNumber: ctx.sealer.open(order.pin_cipher) }),
    ...(trackingNumbers.length > 0 && { trackingNumbers }),
    customer,
    ...(proxyDetails && { proxyDetails }),
    // An order on a queue always has a step whose time runs.
    slaDate: { slaTypeId: order.sla_type!, value: formatDateTime(order.sla_at!) },
    shippingAddress,
    destinations,
  };
}
