import { findPackages, type Package, type ReceiptCount, saveCounts } from '../kernel/checkin-packages.ts';
import { lockOrder } from '../kernel/orders.ts';
import { nameOf, noSuchOrder } from '../kernel/refusals.ts';
import { findSettings } from '../kernel/settings.ts';
import { isAllowed } from '../kernel/states.ts';
import { heldUntil } from '../kernel/street-date.ts';
import { advanceOrder } from '../kernel/write.ts';
import type { Ctx } from '../platform/ctx.ts';
import { conflictAs400, missing } from '../platform/http/errors.ts';
import { type Reply, reply, writeOperation } from '../platform/http/operation.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';
import { readMessage } from '../shared/associate.ts';
import type { Settings } from '../shared/client-settings.ts';
import { statusInWords } from '../shared/status.ts';
import { notShipToStore } from './details.ts';
import { type Assessment, assess, lineTotals } from './rules.ts';
import { CheckInConfirm } from './schema.ts';
import { say } from './sentences.ts';

export const confirmCheckIn = writeOperation({
  id: 'confirmCheckIn',
  since: '0.1.0',
  method: 'POST',
  path: '/stores/{storeId}/nodes/{nodeId}/fulfillmentOrders/{fulfillmentOrderId}/checkin',
  summary: 'Save or confirm the check-in of a ship-to-store order',
  description:
    'Saves (UPDATE) or confirms (CONFIRM) the arrived units of a ship-to-store order. You can send the check-in details back.\n\n' +
    '- UPDATE saves the units that have arrived so far. Quantities are absolute, so sending them again changes nothing. ' +
    'With an empty list of packages, it saves only the `holdLocation`.\n' +
    '- CONFIRM ends the check-in. For every line of every package `checkInQuantity` + `checkInCanceledQuantity` must equal `quantity`, ' +
    'and canceled units need a reason. `holdLocation` is required unless an UPDATE has saved one.\n' +
    '- A package or line that you leave out counts with its last saved quantities. In a CONFIRM, a line without saved quantities is an error.\n' +
    '- After CONFIRM the order is ready for customer pickup (1400), or canceled (9000) if no unit arrived correct and undamaged.\n' +
    '- Sending the same CONFIRM again gets 204. An UPDATE or other content after CONFIRM gets 400 with code CONFLICT.',
  events: [
    'order.checkedIn',
    'order.checkInSaved',
    'stock.changed',
    'pickTicket.reverseGenerated',
    'nodeItem.held',
    'resource.requested',
  ],
  access: { auth: 'apiKey', group: 'fulfillment', permission: 'checkin.write', offline: true },
  message: {
    body: CheckInConfirm,
    parse: (raw, validate) => readMessage<CheckInConfirm>(raw, validate),
    replies: { 204: { description: 'The check-in is saved or confirmed' } },
    refusals: {
      400: 'The request is not valid, the node has no such order (code NOT_FOUND), or it is checked in or of another type (code CONFLICT).',
      500: 'Unexpected error; the log has it under the request id.',
    },
  },
  run: {
    repeat: 'same',
    async rules(ctx, { params, body: { fulfillmentOrder: message = {} }, clientId, store, node }, errors) {
      const orderId = params.fulfillmentOrderId;
      const order = await lockOrder(ctx.db, { clientId, storeId: store.store_id, nodeId: node.node_id, orderId });
      if (order?.fulfillment_type !== 'SHIP_TO_STORE') return { order, checked: undefined };
      const settings = await findSettings(ctx.db, clientId);
      const packages = await findPackages(ctx.db, order);
      const identity = {
        omsOrderId: order.oms_order_id,
        webOrderId: order.web_order_id,
        holdLocation: order.checkin_hold_location,
      };
      // After the check-in only a retry can succeed. The client may have removed its reasons since.
      const reasons = isAllowed(order, 'confirmCheckIn') ? settings : undefined;
      return { order, checked: { settings, packages, ...assess(message, packages, identity, reasons, errors) } };
    },
    async handle(ctx, { params, body, store, node, found: { order, checked } }) {
      if (order === undefined) throw missing(noSuchOrder(params.fulfillmentOrderId, store.store_id, node.node_id));
      if (checked === undefined) throw notShipToStore(order);
      if (body.fulfillmentOrder.action === 'UPDATE') return save(ctx, order, checked.changes, body, checked.settings);
      return confirm(ctx, order, checked.packages, checked, body, checked.settings);
    },
  },
  example: {
    path: '/stores/TOWN_US/nodes/TOWN-Store001/fulfillmentOrders/{orders.arriving}/checkin',
    body: {
      modifyAssociateId: 'UserId001',
      fulfillmentOrder: {
        action: 'UPDATE',
        storeId: 'TOWN_US',
        nodeId: 'TOWN-Store001',
        fulfillmentOrderId: '{orders.arriving}',
        holdLocation: 'B1',
        checkInPackages: [
          {
            checkInPackageId: '100131672',
            checkInPackageItems: [
              { itemId: '21-TEE-BLU-M', webLineId: '2', quantity: 2, checkInQuantity: 2, checkInCanceledQuantity: 0 },
            ],
          },
        ],
      },
    },
  },
});

async function save(
  ctx: Ctx,
  order: FulfillmentOrderRow,
  changes: readonly ReceiptCount[],
  body: CheckInConfirm,
  settings: Settings,
): Promise<Reply> {
  if (!isAllowed(order, 'saveCheckIn')) throw noCheckIn(order, settings);
  const before = order.checkin_hold_location;
  const holdLocation = body.fulfillmentOrder.holdLocation ?? before;
  if (changes.length === 0 && holdLocation === before) return reply(204);
  if (changes.length > 0) await saveCounts(ctx, order, changes);
  const { modifyAssociateId } = body;
  const action = { type: 'saveCheckIn' as const, modifyAssociateId, holdLocation, counted: changes };
  await advanceOrder(ctx, settings, { order, action });
  return reply(204);
}

async function confirm(
  ctx: Ctx,
  order: FulfillmentOrderRow,
  packages: readonly Package[],
  { counts, changes }: Assessment,
  body: CheckInConfirm,
  settings: Settings,
): Promise<Reply> {
  const holdLocation = body.fulfillmentOrder.holdLocation ?? order.checkin_hold_location;
  if (!isAllowed(order, 'confirmCheckIn')) {
    // An order has no hold location if no unit has arrived or all units were brought back. A retry can then send any hold
    // location. Otherwise a retry can send the present location, the location of the CONFIRM (`checkin_hold_location`)
    // or none. For orders that release 0.5.0 or earlier checked in, this column has the location of the last UPDATE.
    const sent = body.fulfillmentOrder.holdLocation;
    const known = [order.hold_location, order.checkin_hold_location];
    const isSame = sent === undefined || order.hold_location === null || known.includes(sent);
    if (changes.length === 0 && isSame) return reply(204);
    throw noCheckIn(order, settings);
  }
  await saveCounts(ctx, order, changes);
  const arrived = lineTotals(packages, counts);
  const { modifyAssociateId } = body;
  const action = { type: 'confirmCheckIn' as const, modifyAssociateId, holdLocation, arrived };
  await advanceOrder(ctx, settings, { order, action });
  return reply(204);
}

function noCheckIn(order: FulfillmentOrderRow, settings: Settings) {
  const state = statusInWords(settings, order.status);
  const { heldUntil: until } = heldUntil(order);
  if (until !== undefined) {
    const name = nameOf(order);
    return conflictAs400(
      say('{name} is held until {until} ({state}); check it in after that.', { name, until, state }),
    );
  }
  return conflictAs400(
    say(
      'Fulfillment order {fulfillmentOrderId} is already checked in ({state}), and its check-in can no longer change; read the check-in details to see the confirmed quantities.',
      { fulfillmentOrderId: JSON.stringify(order.fulfillment_order_id), state },
    ),
  );
}
