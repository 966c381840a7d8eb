import { record } from '../events/record.ts';
import { type Box, findBoxes, unitsByLine } from '../kernel/boxes.ts';
import { findChain, shippingDuesOf } from '../kernel/charges.ts';
import { type Amounts, amountsOf } from '../kernel/money.ts';
import { contactsOf, findLines, instructionsOf, lockOrder } from '../kernel/orders.ts';
import type { GoingUnits } from '../kernel/plan.ts';
import { stateOf } from '../kernel/position.ts';
import { GOODS_TO_RETURN, nameOf, noSuchOrder } from '../kernel/refusals.ts';
import { findSettings } from '../kernel/settings.ts';
import { isAllowed, type OrderState, State } from '../kernel/states.ts';
import { leftUnits } from '../kernel/units.ts';
import { nextNumber } from '../platform/counters.ts';
import type { Ctx } from '../platform/ctx.ts';
import { requireNode } from '../platform/http/auth.ts';
import { conflictAs400, missing } from '../platform/http/errors.ts';
import { reply, theOrder, writeOperation } from '../platform/http/operation.ts';
import { readJson } from '../platform/json-column.ts';
import { stringifyJson } from '../platform/message/json.ts';
import { type Sentence, sequence } from '../platform/message/sentence.ts';
import { sha256 } from '../platform/secrets.ts';
import { insertInto } from '../platform/storage/insert.ts';
import { statement } from '../platform/storage/statement.ts';
import type { FulfillmentOrderRow, OrderLineRow, PackSlipRow, StoreRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { readMessage } from '../shared/associate.ts';
import { extrasOf } from '../shared/snapshot.ts';
import { statusInWords } from '../shared/status.ts';
import { type PackSlip, PackSlipGenerate, PackSlipReply } from './schema.ts';
import { say } from './sentences.ts';

type Shown = PackSlip['fulfillmentOrder'];

const FIRST_SLIP = 500_001;

export const generatePackSlip = writeOperation({
  id: 'generatePackSlip',
  since: '0.1.0',
  method: 'POST',
  path: '/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/packslip/generate',
  summary: 'Generate the pack slip of a picked order',
  description:
    'Generates the pack slip of a SHIP_TO_HOME order that is picked (1200) or shipped (3700).\n\n' +
    '- The slip shows every line of the order and its recorded packages. Without packages it shows one package "1" with all picked ' +
    'units. Units that the customer canceled are left out.\n' +
    '- Amounts are for the units in the shown packages. `extendedPrice` is `unitPrice` times these units. The slip has the share of a line’s charges and tax for these units. Only sums are rounded.\n' +
    '- Charges, tax and cash of the order as a whole are charged once, even if another order fulfills declined units. Each slip shows them until one of these orders is shipped; afterwards only the slip of that order shows them.\n' +
    '- `cashOnDelivery` is at most `grandTotal`.\n' +
    '- `packSlipId` stays the same until the content of the slip changes.\n' +
    '- A missing order, or one of another store or node, gets 400 with code NOT_FOUND. An order that is not picked, or of another type, ' +
    'gets 400 with code CONFLICT.',
  events: ['order.packSlipGenerated'],
  access: { auth: 'apiKey', group: 'fulfillment', permission: 'fulfillment.read', reveals: theOrder },
  message: {
    body: PackSlipGenerate,
    parse: (raw, validate) => readMessage<PackSlipGenerate>(raw, validate),
    replies: { 200: { description: 'The pack slip', schema: PackSlipReply } },
    refusals: {
      400: 'The request is not valid, the node has no such order (code NOT_FOUND), or it cannot be packed now (code CONFLICT).',
      500: 'Unexpected error; the log has it under the request id.',
    },
  },
  run: {
    repeat: 'same',
    async handle(ctx, { params, body, clientId, store }) {
      const orderId = params.fulfillmentOrderId;
      const node = await requireNode(ctx.db, ctx.actor, clientId, body.nodeId);
      const key = { clientId, storeId: store.store_id, nodeId: node.node_id, orderId };
      const order = await lockOrder(ctx.db, key);
      if (order === undefined) throw missing(noSuchOrder(orderId, store.store_id, node.node_id));
      await requirePicked(ctx, order);
      const lines = await findLines(ctx, clientId, [orderId]);
      const boxes = (await findBoxes(ctx, order)).filter((box) => box.items.length > 0);
      const units = new Map(lines.map((line) => [line.line_index, unitsForCustomer(line)]));
      const shown = boxes.length === 0 ? units : unitsByLine(boxes);
      const parts = lines.map((line) => ({ line, units: shown.get(line.line_index) ?? 0, from: 0 }));
      const amounts = amountsOf(parts, shippingDuesOf(await findChain(ctx.db, order), order), order.currency);
      const slip = slipOf(order, parts, amounts, boxes, store);
      const packSlipId = await slipId(ctx, order, slip, body.modifyAssociateId);
      return reply(200, { packSlipDetails: [{ packSlipId, ...slip }] } satisfies PackSlipReply);
    },
  },
  example: {
    path: '/stores/TOWN_US/fulfillmentOrders/{orders.toShip}/packslip/generate',
    body: {
      storeId: 'TOWN_US',
      nodeId: 'TOWN-Store001',
      modifyAssociateId: 'UserId001',
      fulfillmentOrderId: '{orders.toShip}',
    },
  },
});

async function requirePicked(ctx: Ctx, order: FulfillmentOrderRow): Promise<void> {
  const name = nameOf(order);
  if (order.fulfillment_type !== 'SHIP_TO_HOME') {
    throw conflictAs400(
      say('{name} is {fulfillmentType}; only SHIP_TO_HOME orders have a pack slip.', {
        name,
        fulfillmentType: order.fulfillment_type,
      }),
    );
  }
  const state = stateOf(order);
  if (isAllowed(order, 'packSlip')) return;
  const settings = await findSettings(ctx.db, order.client_id);
  throw conflictAs400(
    say('{name} has status {status}; {nextStep}', {
      name,
      status: statusInWords(settings, state),
      nextStep: nextStep(state),
    }),
  );
}

function nextStep(state: OrderState): Sentence {
  if (state === State.HELD)
    return say('the order is held until the street date of an item; pick the order after that date.');
  if (state === State.WAITING_FOR_PICK) return say('first generate and confirm the pick ticket of the order.');
  if (state === State.PICKING) return say('confirm the pick ticket of the order first.');
  if (state === State.GOODS_TO_RETURN) return sequence([GOODS_TO_RETURN, '.'], '');
  return say('the order has no units to pack.');
}

/**
 * Returns the picked units of a line for the customer: held units that are not canceled, and units that were handed
 * over.
 */
function unitsForCustomer(line: OrderLineRow): number {
  return leftUnits(line) + line.handed_over;
}

/** Returns the content of the slip without its id. */
function slipOf(
  order: FulfillmentOrderRow,
  parts: readonly GoingUnits[],
  amounts: Amounts,
  boxes: readonly Box[],
  store: StoreRow,
): Omit<PackSlip, 'packSlipId'> {
  const { destinations, billToAddress, shippingAddress } = contactsOf(order);
  const items = parts.map(({ line, units }, index) => ({
    id: index + 1,
    webLineId: line.web_line_id,
    itemDetails: { itemId: line.item_id },
    orderedQuantity: line.ordered,
    itemTotal: amounts.items[index]!,
    ...(line.instructions !== null && { instructions: instructionsOf(line) }),
    ...extrasOf(readJson(line.snapshot), units),
  }));
  const lineIds = new Map(parts.map(({ line }) => [line.line_index, line.web_line_id]));
  return {
    storeId: order.store_id,
    nodeId: order.node_id,
    orderSource: order.store_id,
    orderSourceType: order.node_id,
    hfrEligible: store.returns_label === 1,
    carrierException: order.carrier_exception === 1,
    fulfillmentOrder: {
      fulfillmentOrderId: order.fulfillment_order_id,
      omsOrderId: order.oms_order_id,
      webOrderId: order.web_order_id,
      ...(order.external_order_number !== null && { externalOrderNumber: order.external_order_number }),
      ...(order.external_order_number2 !== null && { externalOrderNumber2: order.external_order_number2 }),
      fulfillmentType: 'SHIP_TO_HOME',
      currency: order.currency,
      carrier: order.carrier,
      service: order.service,
      fulfillmentOrderDate: formatDateTime(order.fulfillment_order_date),
      orderDate: formatDateTime(order.order_date),
      status: String(order.status),
      packages: packagesOf(parts, boxes).map(({ packageId, items: inside }) => ({
        packageId,
        packageItems: inside.map(({ lineIndex, quantity }) => ({ webLineId: lineIds.get(lineIndex)!, quantity })),
      })),
      fulfillmentOrderItems: items,
      // The cast is safe, because intake rejects ship-to-home orders whose destinations lack a required field
      // (docs/interface.md#order-intake).
      destinations: destinations as Shown['destinations'],
      billToAddress,
      shippingAddress,
      orderTotal: amounts.total,
    },
  };
}

/** Returns the recorded packages; without a recorded package, one package with all units. */
function packagesOf(
  parts: readonly GoingUnits[],
  boxes: readonly Box[],
): { packageId: string; items: readonly { lineIndex: number; quantity: number }[] }[] {
  if (boxes.length > 0) return [...boxes];
  const items = parts.map(({ line, units }) => ({ lineIndex: line.line_index, quantity: units }));
  return [{ packageId: '1', items: items.filter((item) => item.quantity > 0) }];
}

/** Returns the id of the order's slip with this content. If there is none, creates the slip. */
async function slipId(
  ctx: Ctx,
  order: FulfillmentOrderRow,
  slip: Omit<PackSlip, 'packSlipId'>,
  associate: string,
): Promise<string> {
  const key = {
    client_id: order.client_id,
    fulfillment_order_id: order.fulfillment_order_id,
    content_hash: sha256(stringifyJson(slip)),
  };
  const [known] = await selectSlip(ctx.db, key);
  if (known !== undefined) return known.pack_slip_id;
  const packSlipId = String(await nextNumber(ctx.db, order.client_id, 'packSlip', FIRST_SLIP));
  await insertSlips(ctx, [{ ...key, pack_slip_id: packSlipId, modify_associate_id: associate, created_at: ctx.now }]);
  await record(ctx, {
    clientId: order.client_id,
    type: 'order.packSlipGenerated',
    resource: 'order',
    resourceId: order.fulfillment_order_id,
    revision: order.revision,
    data: { packSlipId, modifyAssociateId: associate },
  });
  return packSlipId;
}

type SlipKey = Pick<PackSlipRow, 'client_id' | 'fulfillment_order_id' | 'content_hash'>;

const selectSlip = statement((db, key: SlipKey) =>
  db
    .selectFrom('pack_slips')
    .select('pack_slip_id')
    .where('client_id', '=', key.client_id)
    .where('fulfillment_order_id', '=', key.fulfillment_order_id)
    .where('content_hash', '=', key.content_hash),
);

const insertSlips = insertInto<PackSlipRow>('pack_slips', {
  client_id: 'text',
  fulfillment_order_id: 'text',
  content_hash: 'text',
  pack_slip_id: 'text',
  modify_associate_id: 'text',
  created_at: 'integer',
});
