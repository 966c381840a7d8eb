import { type Box, findBoxes, saveBoxes } from '../kernel/boxes.ts';
import { snapshotOfLine } from '../kernel/handling.ts';
import { findLines, lockOrder } from '../kernel/orders.ts';
import { noSuchOrder, notNow, refusedInState } from '../kernel/refusals.ts';
import { findSettings } from '../kernel/settings.ts';
import { isAllowed } from '../kernel/states.ts';
import { leftUnits } from '../kernel/units.ts';
import { advanceOrder } from '../kernel/write.ts';
import { nextNumber } from '../platform/counters.ts';
import type { Ctx } from '../platform/ctx.ts';
import { requireNode } from '../platform/http/auth.ts';
import { notFound } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import { readMessage } from '../shared/associate.ts';
import { assess, type BoxChange } from './box-rules.ts';
import { PackageUpdate } from './package-schema.ts';
import { INSTEAD_OF_PACK, isPacked, neverPacked } from './state-hints.ts';

const FIRST_PACKAGE = 700_001;

export const updatePackages = writeOperation({
  id: 'updatePackages',
  since: '0.1.0',
  method: 'PUT',
  path: '/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/package/update',
  summary: 'Record, change or void packages of an order',
  description:
    'Records, changes or voids packages of a picked SHIP_TO_HOME or ASSOCIATE_DELIVERY order (status 1200). A message is applied as a ' +
    'whole or not at all.\n\n' +
    '- CREATE records a package with all its measures and items; the tracking number can be added later.\n' +
    '- MODIFY changes the fields that you send. packageItems replaces all items of the package.\n' +
    '- VOID removes a package; its units are to be packed again.\n' +
    '- Each boxId is unique in the order and occurs at most once in a message.\n' +
    '- After the message no line may have more units in packages than the customer wants. An item with shipAlone Yes shares its package ' +
    'with no other item.\n' +
    '- Once every wanted unit is packed, an ASSOCIATE_DELIVERY order waits for delivery (1500). A SHIP_TO_HOME order is then shipped ' +
    '(3700) as soon as all packages have a tracking number.\n' +
    '- Sending the same message again gets 204 and changes nothing. After the order has left status 1200, other content gets 409.',
  events: [
    'order.packed',
    'order.shipped',
    'order.declined',
    'stock.changed',
    'pickTicket.reverseGenerated',
    'nodeItem.held',
    'resource.requested',
  ],
  access: { auth: 'apiKey', group: 'fulfillment', permission: 'fulfillment.write' },
  message: {
    body: PackageUpdate,
    parse: (raw, validate) => readMessage<PackageUpdate>(raw, validate),
    replies: { 204: { description: 'The packages are recorded, by this request or an earlier one' } },
    refusals: {
      404: 'The node has no such fulfillment order.',
      409: 'The order cannot be packed in its state, or the first request with this Idempotency-Key is still running.',
    },
  },
  run: {
    repeat: 'same',
    async rules(ctx, { params, body: { packDetails: message }, clientId, store }, errors) {
      const settings = await findSettings(ctx.db, clientId);
      if (message?.nodeId === undefined) return undefined;
      const node = await requireNode(ctx.db, ctx.actor, clientId, message.nodeId);
      const orderId = params.fulfillmentOrderId;
      const order = await lockOrder(ctx.db, { clientId, storeId: store.store_id, nodeId: node.node_id, orderId });
      if (order === undefined || !isPacked(order.fulfillment_type)) return { settings, order };
      const lines = await findLines(ctx, clientId, [orderId]);
      const boxes = await findBoxes(ctx, order);
      const changes = assess(message, { ...packedOrder(order, lines), boxes }, settings, errors);
      return { settings, order, lines, boxes, changes };
    },
    async handle(ctx, { params, body, store, found }) {
      const { order, settings, lines, boxes, changes } = found!;
      const message = body.packDetails;
      if (order === undefined) throw notFound(noSuchOrder(params.fulfillmentOrderId, store.store_id, message.nodeId));
      if (lines === undefined) throw await refusedInState(ctx, order, settings, neverPacked(order));
      if (changes.length === 0) return reply(204);
      if (!isAllowed(order, 'pack')) {
        throw await refusedInState(ctx, order, settings, notNow(order, settings, INSTEAD_OF_PACK));
      }
      const changed = await numbered(ctx, order, boxes, changes);
      await saveBoxes(ctx, order, changed);
      const byIndex = new Map([...boxes, ...changed].map((box) => [box.index, box]));
      await advanceOrder(ctx, settings, {
        order,
        lines,
        boxes: [...byIndex.values()],
        action: { type: 'pack', modifyAssociateId: body.modifyAssociateId, ...counts(changes) },
      });
      return reply(204);
    },
  },
  example: {
    path: '/stores/TOWN_US/fulfillmentOrders/{orders.toShip}/package/update',
    body: {
      modifyAssociateId: 'UserId001',
      packDetails: {
        storeId: 'TOWN_US',
        nodeId: 'TOWN-Store001',
        fulfillmentOrderId: '{orders.toShip}',
        packages: [
          {
            action: 'CREATE',
            boxId: '1',
            boxWeight: { unit: 'LBS', value: 6.5 },
            packingMaterialWeight: { unit: 'LBS', value: 0.3 },
            length: { unit: 'IN', value: 14 },
            height: { unit: 'IN', value: 6 },
            width: { unit: 'IN', value: 10 },
            packageItems: [{ itemId: '21-TEE-BLU-M', webLineId: '1', quantity: 1 }],
          },
        ],
      },
    },
  },
});

function packedOrder(order: FulfillmentOrderRow, lines: readonly OrderLineRow[]) {
  return {
    omsOrderId: order.oms_order_id,
    lines: lines.map((line) => ({
      lineIndex: line.line_index,
      webLineId: line.web_line_id,
      itemId: line.item_id,
      wanted: leftUnits(line),
      shipsAlone: snapshotOfLine(line).handling?.shipAlone === 'Yes',
    })),
    isOpen: isAllowed(order, 'pack'),
  };
}

/**
 * Returns the changed packages with index and packageId. A new package gets the next packageId, also if an earlier
 * package in the same box was voided.
 */
async function numbered(
  ctx: Ctx,
  order: FulfillmentOrderRow,
  boxes: readonly Box[],
  changes: readonly BoxChange[],
): Promise<Box[]> {
  const fresh = changes.filter(({ box }) => box.packageId === '').length;
  let number = fresh === 0 ? 0 : await nextNumber(ctx.db, order.client_id, 'package', FIRST_PACKAGE, fresh);
  let index = Math.max(-1, ...boxes.map((box) => box.index));
  return changes.map(({ box }) => ({
    ...box,
    index: box.index ?? ++index,
    packageId: box.packageId === '' ? String(number++) : box.packageId,
  }));
}

function counts(changes: readonly BoxChange[]) {
  const count = (action: BoxChange['action']) => changes.filter((change) => change.action === action).length;
  return { created: count('CREATE'), modified: count('MODIFY'), voided: count('VOID') };
}
