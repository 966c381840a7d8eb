import { actionContextOf } from '../kernel/action-context.ts';
import { orderActions, packageActions } from '../kernel/allowed.ts';
import { type Box, findBoxes, unitsByLine } from '../kernel/boxes.ts';
import { apart, hazardsOf, snapshotOfLine } from '../kernel/handling.ts';
import { findLines, findOrder, instructionsOf } from '../kernel/orders.ts';
import { stateOf } from '../kernel/position.ts';
import { noSuchOrder, notNow } from '../kernel/refusals.ts';
import { findSettings } from '../kernel/settings.ts';
import { isAllowed, State } from '../kernel/states.ts';
import { leftUnits } from '../kernel/units.ts';
import { requireNode } from '../platform/http/auth.ts';
import { conflictAs400, missing } from '../platform/http/errors.ts';
import { readOperation, reply, theOrder } from '../platform/http/operation.ts';
import { object } from '../platform/schema.ts';
import type { OrderLineRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { id } from '../shared/shapes.ts';
import { extrasOf } from '../shared/snapshot.ts';
import { statusOf } from '../shared/status.ts';
import { packTotals } from './measures.ts';
import { type PackDetail, PackDetailsRead, PackDetailsReply } from './package-schema.ts';
import { INSTEAD_OF_PACK, isPacked, neverPacked } from './state-hints.ts';

export const readPackDetails = readOperation({
  id: 'readPackDetails',
  method: 'POST',
  path: '/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/packages',
  auth: 'apiKey',
  group: 'fulfillment',
  permission: 'fulfillment.read',
  summary: 'Read what is packed of an order and what is to pack',
  description:
    'Answers the packages recorded so far of a picked SHIP_TO_HOME or ASSOCIATE_DELIVERY order, and for each line how many wanted ' +
    'units are packed and still to pack, and its instructions. `totalWeight` and `totalVolume` add up the packages in the unit of the first; before there ' +
    'are any, the shipping measures of the items that are to be packed. `allowedActions` says what may be done next. The fields may ' +
    'be sent back in a package update. An order that is not picked yet, or of another type, is a 400 with code CONFLICT.',
  query: object({ nodeId: id('Node of the order') }),
  body: PackDetailsRead,
  reveals: theOrder,
  replies: { 200: { description: 'The pack details', schema: PackDetailsReply } },
  refusals: {
    400: 'The request is not valid, the node has no such order (code NOT_FOUND), or it is not packed (code CONFLICT).',
    500: 'Unexpected error; the log has it under the request id.',
  },
  async handle(ctx, { params, query, clientId, store }) {
    const node = await requireNode(ctx.db, ctx.actor, clientId, query.nodeId);
    const orderId = params.fulfillmentOrderId;
    const order = await findOrder(ctx.db, clientId, store.store_id, orderId);
    if (order?.node_id !== node.node_id) throw missing(noSuchOrder(orderId, store.store_id, node.node_id));
    const type = order.fulfillment_type;
    if (!isPacked(type)) throw conflictAs400(neverPacked(order));
    const settings = await findSettings(ctx.db, clientId);
    const state = stateOf(order);
    if (state === State.HELD || state === State.WAITING_FOR_PICK || state === State.PICKING)
      throw conflictAs400(notNow(order, settings, INSTEAD_OF_PACK));
    const lines = await findLines(ctx, clientId, [orderId]);
    const boxes = await findBoxes(ctx, order);
    const facts = await actionContextOf(ctx, order, lines);
    const isOpen = isAllowed(order, 'pack');
    const actions = packageActions(facts, settings);
    const detail: PackDetail = {
      storeId: order.store_id,
      nodeId: order.node_id,
      omsOrderId: order.oms_order_id,
      fulfillmentOrderId: order.fulfillment_order_id,
      fulfillmentType: type,
      currency: order.currency,
      carrier: order.carrier,
      service: order.service,
      fulfillmentOrderDate: formatDateTime(order.fulfillment_order_date),
      orderDate: formatDateTime(order.order_date),
      ...statusOf(settings, order.status),
      ...packTotals(boxes, lines),
      ...(facts.pickTicketId != null && { pickTicketId: facts.pickTicketId }),
      webOrderId: order.web_order_id,
      ...(order.external_order_number !== null && { externalOrderNumber: order.external_order_number }),
      ...(order.external_order_number2 !== null && { externalOrderNumber2: order.external_order_number2 }),
      shipMethod: order.ship_method,
      ...(order.expected_delivery_date !== null && {
        expectedDeliveryDate: formatDateTime(order.expected_delivery_date),
      }),
      carrierException: order.carrier_exception === 1,
      packages: boxes
        .filter((box) => box.items.length > 0)
        .map((box) => ({ ...shown(box, lines), ...hazardsOf(box, lines), allowedActions: actions })),
      packLines: packLines(lines, boxes, isOpen),
      ...apart(lines, boxes),
      allowedActions: orderActions(facts, settings),
    };
    return reply(200, { packDetail: [detail] } satisfies PackDetailsReply);
  },
});

function shown({ packageId, boxId, trackingNumber, measures, items }: Box, lines: readonly OrderLineRow[]) {
  const { boxWeight, packingMaterialWeight, length, height, width } = measures;
  const byIndex = new Map(lines.map((line) => [line.line_index, line]));
  return {
    packageId,
    boxId,
    ...(trackingNumber !== null && { trackingNumber }),
    boxWeight,
    packingMaterialWeight,
    length,
    height,
    width,
    packageItems: items.map((item) => ({
      itemId: byIndex.get(item.lineIndex)!.item_id,
      webLineId: byIndex.get(item.lineIndex)!.web_line_id,
      quantity: item.quantity,
      ...(item.instructions !== null && { instructions: item.instructions }),
      ...(item.customAttributes !== null && { customAttributes: item.customAttributes }),
    })),
  };
}

/** Once the order has gone on nothing is to pack; what was packed is what was wanted then. */
function packLines(lines: readonly OrderLineRow[], boxes: readonly Box[], isOpen: boolean): PackDetail['packLines'] {
  const packed = unitsByLine(boxes);
  return lines.map((line) => {
    const snapshot = snapshotOfLine(line);
    const { itemDesc, upcs } = snapshot.itemDetails;
    const packedQuantity = packed.get(line.line_index) ?? 0;
    const wantedQuantity = isOpen ? leftUnits(line) : packedQuantity;
    return {
      webLineId: line.web_line_id,
      itemId: line.item_id,
      itemDesc,
      upcs,
      orderedQuantity: line.ordered,
      wantedQuantity,
      packedQuantity,
      toPackQuantity: wantedQuantity - packedQuantity,
      ...extrasOf(snapshot, wantedQuantity),
      ...(line.instructions !== null && { instructions: instructionsOf(line) }),
    };
  });
}
