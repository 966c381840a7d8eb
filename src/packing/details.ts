import { actionContextOf } from '../kernel/action-context.ts';
import { orderActions, packageActions } from '../kernel/allowed.ts';
import { type Box, findBoxes, unitsByLine } from '../kernel/boxes.ts';
import { apart, hazardsOf, snapshotOfLine } from '../kernel/handling.ts';
import { findLines, findOrder, instructionsOf } from '../kernel/orders.ts';
import { stateOf } from '../kernel/position.ts';
import { withPresentCodes } from '../kernel/present-codes.ts';
import { noSuchOrder, notNow } from '../kernel/refusals.ts';
import { findSettings } from '../kernel/settings.ts';
import { isAllowed, State } from '../kernel/states.ts';
import { leftUnits } from '../kernel/units.ts';
import { requireNode } from '../platform/http/auth.ts';
import { conflictAs400, missing } from '../platform/http/errors.ts';
import { readOperation, reply, theOrder } from '../platform/http/operation.ts';
import { quote } from '../platform/message/words.ts';
import { object, Type } from '../platform/schema.ts';
import type { OrderLineRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { id } from '../shared/shapes.ts';
import { extrasOf } from '../shared/snapshot.ts';
import { statusOf } from '../shared/status.ts';
import { packTotals } from './measures.ts';
import { type PackDetail, PackDetailsRead, PackDetailsReply } from './package-schema.ts';
import { say } from './sentences.ts';
import { INSTEAD_OF_PACK, isPacked, neverPacked } from './state-hints.ts';

export const readPackDetails = readOperation({
  id: 'readPackDetails',
  since: '0.1.0',
  method: 'POST',
  path: '/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/packages',
  summary: 'Read the packed and unpacked units of an order',
  description:
    'Returns the recorded packages of a picked SHIP_TO_HOME or ASSOCIATE_DELIVERY order, and for each line its instructions and the ' +
    'numbers of packed and unpacked units.\n\n' +
    '- `totalWeight` and `totalVolume` are sums over the packages, in the unit of the first one. Without packages they are sums of the ' +
    'shipping measures of the items to pack.\n' +
    '- `allowedActions` lists the next actions, allowed or blocked with the reason.\n' +
    '- You can send the fields back in a package update.\n' +
    '- An order that is not picked yet, or of another type, gets 400 with code CONFLICT.',
  access: { auth: 'apiKey', group: 'fulfillment', permission: 'fulfillment.read', reveals: theOrder },
  message: {
    query: object({ nodeId: Type.Optional(id('The nodeId of the body; no longer needed', { deprecated: true })) }),
    body: PackDetailsRead,
    replies: { 200: { description: 'The pack details', schema: PackDetailsReply } },
    refusals: {
      400: 'The request is not valid, the node has no such order (code NOT_FOUND), or the order is not picked yet or has another fulfillment type (code CONFLICT).',
      500: 'Unexpected error; the log has it under the request id.',
    },
  },
  run: {
    rules(_ctx, { query, body }, errors) {
      if (query.nodeId === undefined || body.nodeId === undefined || query.nodeId === body.nodeId) return;
      const message = say('nodeId is {nodeId} in the query, but {nodeId2} in the body; send it in the body only', {
        nodeId: quote(query.nodeId),
        nodeId2: quote(body.nodeId),
      });
      errors.add('query:nodeId', 'path', message);
    },
    async handle(ctx, { params, body, clientId, store }) {
      const node = await requireNode(ctx.db, ctx.actor, clientId, body.nodeId);
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
        packLines: packLines(await withPresentCodes(ctx, clientId, [order], lines), boxes, isOpen),
        ...apart(lines, boxes),
        allowedActions: orderActions(facts, settings),
      };
      return reply(200, { packDetail: [detail] } satisfies PackDetailsReply);
    },
  },
  example: {
    path: '/stores/TOWN_US/fulfillmentOrders/{orders.toShip}/packages',
    body: { storeId: 'TOWN_US', nodeId: 'TOWN-Store001', fulfillmentOrderId: '{orders.toShip}' },
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

/**
 * Returns the lines with their packed units. After the end of packing, `wantedQuantity` of a line is its packed units.
 */
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
