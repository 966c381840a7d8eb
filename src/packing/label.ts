/** Labels of carriers, bought by the operator's program (docs/how-to/connect-a-carrier.md#5-buy-labels-by-a-hook). */
import { type Box, findBoxes, saveBoxes } from '../kernel/boxes.ts';
import {
  type CommandKey,
  claimCommand,
  findCommand,
  keepReply,
  labelScope,
  releaseCommand,
} from '../kernel/commands.ts';
import { hazardsOf, snapshotOfLine } from '../kernel/handling.ts';
import { noOrder, takeOrder } from '../kernel/message-lines.ts';
import { contactsOf } from '../kernel/orders.ts';
import { findSettings } from '../kernel/settings.ts';
import { isAllowed } from '../kernel/states.ts';
import { advanceOrder } from '../kernel/write.ts';
import type { Ctx } from '../platform/ctx.ts';
import { conflict, notFound, Refusal } from '../platform/http/errors.ts';
import { type PrepareParts, reply, theOrder, writeOperation } from '../platform/http/operation.ts';
import { readJson } from '../platform/json-column.ts';
import { buyLabel, findLabel, LABEL_TIMEOUT_MS, type LabelHook, type LabelOutcome } from '../platform/label-hook.ts';
import { parseJson, stringifyJson } from '../platform/message/json.ts';
import { quote } from '../platform/message/words.ts';
import { identifier, named, object, type Static, text } from '../platform/schema.ts';
import { sha256 } from '../platform/secrets.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';

/** An attempt that has not ended after this time ended with its process. */
const ATTEMPT_MS = 2 * LABEL_TIMEOUT_MS + 10_000;
const CONTENT_MAX = 4_000_000;

const LabelRequest = named(
  'LabelRequest',
  object(
    { userId: identifier(64, { description: 'Login of the user who packs' }) },
    { description: 'A request for the label of a package' },
  ),
);

const PackageLabel = named(
  'PackageLabel',
  object(
    {
      boxId: text(1, 40, { description: 'Number of the box in the order' }),
      reference: text(1, 100, {
        description: 'Reference under which the label was bought; the same for the same parcel',
      }),
      trackingNumber: text(1, 40, { description: 'Tracking number of the carrier, now that of the package' }),
      label: object(
        {
          type: text(1, 80, { description: 'Media type of the label, for example `application/pdf`' }),
          content: text(1, CONTENT_MAX, { description: 'Bytes of the label in base64', 'x-secret': true }),
        },
        { description: 'The label to print' },
      ),
    },
    { description: 'The label of a package' },
  ),
);
type PackageLabel = Static<typeof PackageLabel>;

export const labelSchemas = [LabelRequest, PackageLabel];

export const buyPackageLabel = writeOperation({
  id: 'buyPackageLabel',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/packages/{boxId}/label',
  summary: 'Buy the label of a package, or read it again',
  description:
    'Sends the parcel to the operator’s program (`LABEL_URL`), which buys the label of the carrier. Its tracking number becomes that of the package, so the order is shipped with its last label.\n\n' +
    '- The same parcel has the same reference. If a response was lost, the next request asks the program for this reference first: a label is never bought twice. Send the request again until it succeeds.\n' +
    '- After the purchase the request returns the label again; the service keeps no label.\n' +
    '- A parcel that changes gets another reference, and its message names the earlier ones in `replaces`, so that the program can cancel them.\n' +
    '- Only packages of SHIP_TO_HOME orders have labels.',
  events: [
    'order.packed',
    'order.shipped',
    'stock.changed',
    'pickTicket.reverseGenerated',
    'nodeItem.held',
    'resource.requested',
  ],
  access: {
    auth: 'operatorOrApiKey',
    group: 'fulfillment',
    permission: 'fulfillment.write',
    reveals: theOrder,
  },
  message: {
    body: LabelRequest,
    replies: { 200: { description: 'The label, bought now or earlier', schema: PackageLabel } },
    refusals: {
      404: 'There is no such store, order or package.',
      409: 'The order cannot be packed in its state, no label can be bought (`LABELS_OFF`, `LABEL_REJECTED`, `LABEL_UNAVAILABLE`), the outcome is not known yet (`LABEL_UNKNOWN`), or another request buys this label (`IN_PROGRESS`).',
    },
    errors: 'problem',
    keyless: true,
  },
  run: {
    repeat: 'same',
    prepare: ({ clientId, store, params }, _randomBytes, parts) =>
      buy({ clientId, storeId: store.store_id, orderId: params.fulfillmentOrderId }, params.boxId, parts),
    async handle(ctx, { clientId, store, params, body, prepared }) {
      const { reference, outcome } = prepared;
      if (outcome.is !== 'LABEL') throw refusalOf(outcome);
      const { trackingNumber, ...label } = outcome.label;
      const taken = await takeOrder(ctx, {
        clientId,
        storeId: store.store_id,
        orderId: params.fulfillmentOrderId,
      });
      const boxes = taken === undefined ? [] : await findBoxes(ctx, taken.order);
      const box = boxes.find((one) => one.boxId === params.boxId && one.items.length > 0);
      if (taken === undefined || box === undefined) throw changedMeanwhile(trackingNumber);
      if (box.trackingNumber !== trackingNumber) await ship(ctx, taken, boxes, { ...box, trackingNumber }, body.userId);
      return reply(200, { boxId: box.boxId, reference, trackingNumber, label } satisfies PackageLabel);
    },
  },
  example: {
    path: '/operator/v1/stores/TOWN_US/fulfillmentOrders/{orders.toShip}/packages/1/label',
    body: { userId: 'UserId001' },
    needs: 'receiver',
  },
});

interface Taken {
  order: FulfillmentOrderRow;
  lines: OrderLineRow[];
}

/** Writes the tracking number of a package, as `updatePackages` does. */
async function ship(ctx: Ctx, { order, lines }: Taken, boxes: readonly Box[], box: Box, userId: string): Promise<void> {
  const before = boxes.find(({ index }) => index === box.index)!;
  if (before.trackingNumber !== null || !isAllowed(order, 'pack')) throw changedMeanwhile(box.trackingNumber!);
  await saveBoxes(ctx, order, [box]);
  await advanceOrder(ctx, await findSettings(ctx.db, order.client_id), {
    order,
    lines,
    boxes: boxes.map((one) => (one.index === box.index ? box : one)),
    action: { type: 'pack', modifyAssociateId: userId, created: 0, modified: 1, voided: 0 },
  });
}

interface OrderName {
  clientId: string;
  storeId: string;
  orderId: string;
}

/** What the attempts for a reference have come to. */
type Bought = { state: 'UNKNOWN' } | { state: 'BOUGHT'; trackingNumber: string };

interface Attempt {
  hook: LabelHook;
  key: CommandKey;
  parcel: object;
  /** The result of earlier attempts; undefined: this is the first. */
  before: Bought | undefined;
}

/**
 * Claims the reference of the parcel, then asks the program outside the writer's transaction. The outcome of the attempt
 * is stored before the response, so that the next attempt knows whether to ask or to buy.
 */
async function buy(
  name: OrderName,
  boxId: string,
  { store, ctx, idle, present }: PrepareParts,
): Promise<{ reference: string; outcome: LabelOutcome }> {
  const { hook, key, parcel, before } = await store.write((tx) => claim(ctx(tx), name, boxId));
  const reference = key.commandId;
  const outcome = await idle(async () => {
    if (before === undefined) return buyLabel(hook, reference, parcel, present());
    const found = await findLabel(hook, reference, present());
    if (found.is !== 'NONE' || before.state === 'BOUGHT') return found.is === 'UNSENT' ? UNKNOWN : found;
    return buyLabel(hook, reference, parcel, present());
  });
  await store.write(async (tx) => {
    const own = ctx(tx);
    if (outcome.is === 'LABEL') {
      await keepReply(own, key, { state: 'BOUGHT', trackingNumber: outcome.label.trackingNumber } satisfies Bought);
    } else if (before?.state === 'BOUGHT') return;
    else if (outcome.is === 'UNKNOWN') await keepReply(own, key, { state: 'UNKNOWN' } satisfies Bought);
    else await releaseCommand(own, key);
  });
  return { reference, outcome };
}

const UNKNOWN: LabelOutcome = { is: 'UNKNOWN' };

/** Finds the package and claims its reference for one attempt. @throws Refusal 404, 409 */
async function claim(ctx: Ctx, name: OrderName, boxId: string): Promise<Attempt> {
  const hook = ctx.config.labelHook;
  const taken = await takeOrder(ctx, name);
  if (taken === undefined) throw noOrder(name.orderId, name.storeId);
  const { order, lines } = taken;
  const box = (await findBoxes(ctx, order)).find((one) => one.boxId === boxId && one.items.length > 0);
  if (box === undefined) {
    throw notFound(`The order has no package ${quote(boxId)}; pack it first.`);
  }
  if (hook === undefined) {
    throw new Refusal(409, 'STATE', 'LABELS_OFF', 'The operator has set no LABEL_URL, so no labels are bought here.');
  }
  if (order.fulfillment_type !== 'SHIP_TO_HOME' || order.blanked_at !== null) {
    throw conflict('Only packages of SHIP_TO_HOME orders with their address have labels.');
  }
  const content = await parcelOf(ctx, order, lines, box);
  const reference = `${box.packageId}-${sha256(stringifyJson(content)).slice(0, 16)}`;
  const key: CommandKey = { clientId: name.clientId, scope: labelScope(name.orderId), commandId: reference };
  const known = await findCommand(ctx.db, key);
  const before = known?.reply == null ? undefined : (parseJson(known.reply) as Bought);
  const isOwn = before?.state === 'BOUGHT' && before.trackingNumber === box.trackingNumber;
  if (box.trackingNumber !== null && !isOwn) {
    throw conflict(
      `The package has the tracking number ${quote(box.trackingNumber)}, which this service has not bought.`,
    );
  }
  if (!isOwn && !isAllowed(order, 'pack')) throw conflict('The order cannot be packed in its state.');
  const replaces = await otherReferences(ctx, key, box.packageId);
  const parcel = { ...content, ...(replaces.length > 0 && { replaces }) };
  if (known === undefined) {
    await claimCommand(ctx, key, {}, 'reference');
    return { hook, key, parcel, before };
  }
  // A label that is bought is only read: nothing of it changes, also if this process is killed.
  if (before?.state === 'BOUGHT') return { hook, key, parcel, before };
  if (before === undefined && known.at > ctx.now - ATTEMPT_MS) {
    throw new Refusal(409, 'STATE', 'IN_PROGRESS', 'Another request buys this label; send yours again.', {
      headers: { 'retry-after': '2' },
    });
  }
  await ctx.db
    .updateTable('commands')
    .set({ at: ctx.now, reply: null })
    .where('client_id', '=', key.clientId)
    .where('scope', '=', key.scope)
    .where('command_id', '=', key.commandId)
    .execute();
  return { hook, key, parcel, before: before ?? { state: 'UNKNOWN' } };
}

/** Other references of the same package whose labels are bought, or may be. */
async function otherReferences(
  { db }: Ctx,
  { clientId, scope, commandId }: CommandKey,
  packageId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('commands')
    .select('command_id')
    .where('client_id', '=', clientId)
    .where('scope', '=', scope)
    .where('command_id', '>', `${packageId}-`)
    .where('command_id', '<', `${packageId}.`)
    .where('command_id', '!=', commandId)
    .orderBy('at')
    .execute();
  return rows.map((row) => row.command_id);
}

/** The message to the program. The same parcel has the same text. */
async function parcelOf(ctx: Ctx, order: FulfillmentOrderRow, lines: readonly OrderLineRow[], box: Box) {
  const { destinations, shippingAddress } = contactsOf(order);
  const shipTo = destinations.find((one) => one.destinationId === shippingAddress.destinationId) ?? destinations[0]!;
  const node = await ctx.db
    .selectFrom('nodes')
    .select(['name', 'address', 'phone'])
    .where('client_id', '=', order.client_id)
    .where('node_id', '=', order.node_id)
    .executeTakeFirstOrThrow();
  const byIndex = new Map(lines.map((line) => [line.line_index, line]));
  return {
    clientId: order.client_id,
    storeId: order.store_id,
    nodeId: order.node_id,
    fulfillmentOrderId: order.fulfillment_order_id,
    omsOrderId: order.oms_order_id,
    boxId: box.boxId,
    carrier: order.carrier,
    service: order.service,
    shipMethod: order.ship_method,
    shipFrom: { name: node.name, address: readJson(node.address), phone: node.phone },
    shipTo: { personName: shipTo.personName, address: shipTo.address, phone: shipTo.phone, email: shipTo.email },
    ...box.measures,
    items: box.items.map(({ lineIndex, quantity }) => {
      const line = byIndex.get(lineIndex)!;
      return { itemId: line.item_id, description: snapshotOfLine(line).itemDetails.itemDesc, quantity };
    }),
    ...hazardsOf(box, lines),
  };
}

function refusalOf(outcome: Exclude<LabelOutcome, { is: 'LABEL' }>): Refusal {
  switch (outcome.is) {
    case 'REJECTED':
      return new Refusal(
        409,
        'STATE',
        'LABEL_REJECTED',
        `The carrier rejects the parcel: ${outcome.message}. Nothing was bought.`,
      );
    case 'NONE':
      return new Refusal(
        409,
        'STATE',
        'LABEL_REJECTED',
        'The label was bought, and your label program no longer has it.',
      );
    case 'UNSENT':
      return new Refusal(
        409,
        'STATE',
        'LABEL_UNAVAILABLE',
        'The label program cannot be reached. Nothing was bought; send it again.',
        { headers: { 'retry-after': '5' } },
      );
    case 'UNKNOWN':
      return new Refusal(
        409,
        'STATE',
        'LABEL_UNKNOWN',
        'The label program has not responded, so the label may be bought. Send the request again: it asks for this label first.',
        { headers: { 'retry-after': '5' } },
      );
  }
}

function changedMeanwhile(trackingNumber: string): Refusal {
  return conflict(
    `The package changed while its label ${quote(trackingNumber)} was bought. Cancel that label at the carrier, or send the request for the package as it is now.`,
    { trackingNumber },
  );
}
