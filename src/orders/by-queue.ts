import type { ReadCtx } from '../ctx.ts';
import { badRequest } from '../http/errors.ts';
import { readOperation, reply } from '../http/operation.ts';
import { lastRecordHeader, readPage } from '../http/page.ts';
import type { Verdict } from '../http/validate.ts';
import { object } from '../schema.ts';
import type { FulfillmentOrderRow } from '../storage/tables.ts';
import { formatDateTime } from '../time.ts';
import type { Settings } from '../values.ts';
import { rangeFaults } from './filters.ts';
import { findCursor, findPage } from './find-page.ts';
import { type QueuedOrder, QueueSearch, QueueSearchReply } from './search-schema.ts';
import { id } from './shapes.ts';
import { contactsOf, findSettings, findTotals, findTrackingNumbers, type Totals } from './store.ts';

export const searchQueue = readOperation({
  id: 'searchQueue',
  method: 'POST',
  path: '/stores/{storeId}/nodes/{nodeId}/fulfillmentOrders',
  auth: 'apiKey',
  group: 'fulfillment',
  summary: 'Find the fulfillment orders on a queue',
  description: `Queue assignment (interface, endpoint 4). All filters that are sent must hold; storeId, nodeId and queueId of
the body must be those of path and query. The body may spell nodeId as modeId. Orders come by fulfillmentOrderDate, then
fulfillmentOrderId (decision 24). \`X-Last-Record-Id\` names the last record of the page: sent as lastRecordId it makes the
next page begin there, so that each order that stays on the queue comes exactly once. pageId alone counts from the first
order at that moment. Totals count what is still to hand on (decision 31). Names are compared word by word as prefixes
without case and accents, e-mail addresses without case, telephone numbers by their last 7 or more digits; "" matches
everything (decision 25).`,
  query: object({ queueId: id('Queue to search') }),
  body: QueueSearch,
  replies: { 200: { description: 'A page of orders', schema: QueueSearchReply } },
  parse(raw, validate) {
    const verdict = validate(withNodeId(raw));
    if (verdict.faults.length > 0) throw badRequest(...asSpelled(raw, verdict));
    return verdict.value as QueueSearch;
  },
  async handle(ctx, { clientId, store, node, body }) {
    const place = { clientId, storeId: store.store_id, nodeId: node.node_id };
    const page = readPage(body);
    const { cursor, faults } = await findCursor(ctx, place, page);
    faults.push(...rangeFaults(body));
    if (faults.length > 0) throw badRequest(faults);
    const orders = await findPage(ctx, place, body, page, cursor);
    const ids = orders.map((order) => order.fulfillment_order_id);
    const settings = await findSettings(ctx.db, clientId);
    const totals = await findTotals(ctx, clientId, ids);
    const tracking = await findTrackingNumbers(ctx, clientId, ids);
    const found = orders.map((order) => queued(ctx, order, settings, totals, tracking));
    const answer = { fulfillmentOrders: found, pageId: page.pageId, pageSize: page.pageSize };
    return reply(200, answer, lastRecordHeader(page, ids));
  },
});

/** The interface's definition table spells nodeId as modeId. */
function withNodeId(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw;
  const body = raw as { modeId?: unknown };
  return Object.hasOwn(body, 'modeId') && !Object.hasOwn(body, 'nodeId') ? { ...body, nodeId: body.modeId } : raw;
}

/** Faults of a nodeId that was sent as modeId only are those of modeId. */
function asSpelled(raw: unknown, { faults, total }: Verdict): [Verdict['faults'], Verdict['total']] {
  if (withNodeId(raw) === raw) return [faults, total];
  const kept = faults.filter((fault) => fault.pointer !== '/nodeId');
  return [kept, typeof total === 'number' ? total - (faults.length - kept.length) : total];
}

function queued(
  ctx: ReadCtx,
  order: FulfillmentOrderRow,
  settings: Settings,
  totals: ReadonlyMap<string, Totals>,
  tracking: ReadonlyMap<string, string[]>,
): QueuedOrder {
  const { lines, units } = totals.get(order.fulfillment_order_id)!;
  const { customer, proxyDetails, destinations, shippingAddress } = contactsOf(order);
  const trackingNumbers = tracking.get(order.fulfillment_order_id);
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
    ...(order.pick_ticket_id !== null && { pickTicketId: order.pick_ticket_id }),
    status: settings.statusDescriptions[String(order.status)] ?? String(order.status),
    totalNoOfItems: String(lines),
    totalQuantity: String(units),
    totalNoOfPackages: String(trackingNumbers?.length ?? 0),
    ...(order.pin_cipher !== null && { pinNumber: ctx.sealer.open(order.pin_cipher) }),
    ...(trackingNumbers && { trackingNumbers }),
    customer,
    ...(proxyDetails && { proxyDetails }),
    // An order on a queue always has a step whose time runs.
    slaDate: { slaTypeId: order.sla_type!, value: formatDateTime(order.sla_at!) },
    shippingAddress,
    destinations,
  };
}
