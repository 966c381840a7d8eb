/**
 * Buys a label through the operator's program, once for each parcel
 * (docs/how-to/connect-a-carrier.md#5-buy-labels-by-a-hook).
 */
import { type Box, findBoxes } from '../kernel/boxes.ts';
import { type CommandKey, claimCommand, findCommand, keepReply, releaseCommand, scopeOf } from '../kernel/commands.ts';
import { hazardsOf, snapshotOfLine } from '../kernel/handling.ts';
import { noOrder, takeOrder } from '../kernel/message-lines.ts';
import { contactsOf } from '../kernel/orders.ts';
import { isAllowed } from '../kernel/states.ts';
import type { Ctx } from '../platform/ctx.ts';
import { conflict, notFound, Refusal } from '../platform/http/errors.ts';
import type { PrepareParts } from '../platform/http/operation.ts';
import { readJson } from '../platform/json-column.ts';
import { buyLabel, findLabel, LABEL_TIMEOUT_MS, type LabelHook, type LabelOutcome } from '../platform/label-hook.ts';
import { parseJson, stringifyJson } from '../platform/message/json.ts';
import { quote } from '../platform/message/words.ts';
import { sha256 } from '../platform/secrets.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import { isTraining } from '../platform/training.ts';
import { say } from './sentences.ts';

/** After this time, an attempt without a result counts as ended, because its process must have ended by then. */
const ATTEMPT_MS = 2 * LABEL_TIMEOUT_MS + 10_000;

interface OrderName {
  clientId: string;
  storeId: string;
  orderId: string;
}

/** The stored result of the attempts for a reference. */
type Bought = { state: 'UNKNOWN' } | { state: 'BOUGHT'; trackingNumber: string };

interface Attempt {
  hook: LabelHook;
  key: CommandKey;
  parcel: object;
  /** The result of earlier attempts; undefined for the first attempt. */
  before: Bought | undefined;
}

/**
 * Claims the reference of the parcel, then calls the label program outside the write transaction. The result of the
 * attempt is stored before the response. The next attempt reads the stored result: it buys a label, or it first asks
 * the program for a label that was already bought.
 */
export async function buy(
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
    const sent = await buyLabel(hook, reference, parcel, present());
    // If the URL is wrong, both requests get 404, which says nothing about the label of an earlier attempt.
    return sent.is === 'UNSENT' && sent.status === 404 ? UNKNOWN : sent;
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
  // A label costs money, so a training must not buy one: at its end, its data and the user who bought the label are
  // deleted.
  if (isTraining(name.clientId)) {
    throw new Refusal(
      409,
      'STATE',
      'LABELS_OFF',
      say('A training buys no labels, because its orders are invented; enter a tracking number.'),
    );
  }
  const hook = ctx.config.labelHook;
  const taken = await takeOrder(ctx, name);
  if (taken === undefined) throw noOrder(name.orderId, name.storeId);
  const { order, lines } = taken;
  const box = (await findBoxes(ctx, order)).find((one) => one.boxId === boxId && one.items.length > 0);
  if (box === undefined) {
    throw notFound(say('The order has no package {boxId}; pack it first.', { boxId: quote(boxId) }));
  }
  if (hook === undefined) {
    throw new Refusal(
      409,
      'STATE',
      'LABELS_OFF',
      say('Labels cannot be bought because LABEL_URL is not set; ask the operator to set it.'),
    );
  }
  if (order.fulfillment_type !== 'SHIP_TO_HOME' || order.blanked_at !== null) {
    throw conflict(say('Labels can be bought only for SHIP_TO_HOME orders whose customer data is not anonymized.'));
  }
  const content = await parcelOf(ctx, order, lines, box);
  // After packing, only a change of the node's data can change the parcel. In that case, the package keeps its label and
  // its reference.
  const isFinal = box.trackingNumber !== null && !isAllowed(order, 'pack');
  const reference = (isFinal ? await referenceOfLabel(ctx, name, box) : undefined) ?? referenceOf(box, content);
  const key: CommandKey = { clientId: name.clientId, scope: scopeOf('label', name.orderId), commandId: reference };
  const known = await findCommand(ctx.db, key);
  const before = known?.reply == null ? undefined : (parseJson(known.reply) as Bought);
  const isOwn = before?.state === 'BOUGHT' && before.trackingNumber === box.trackingNumber;
  if (box.trackingNumber !== null && !isOwn) {
    throw conflict(
      say(
        'The package already has the tracking number {trackingNumber}. This number is not from a label that was bought here for the present content of the package. To buy a label, void the package and create it again.',
        {
          trackingNumber: quote(box.trackingNumber),
        },
      ),
    );
  }
  if (!isOwn && !isAllowed(order, 'pack'))
    throw conflict(
      say(
        'The order cannot be packed in its state, so no label was bought; `allowedActions` of the order lists the possible actions.',
      ),
    );
  const purchases = await purchasesOf(ctx, name.clientId, name.orderId, box.packageId);
  const replaces = purchases.map(({ command_id }) => command_id).filter((one) => one !== reference);
  const parcel = { ...content, ...(replaces.length > 0 && { replaces }) };
  if (known === undefined) {
    await claimCommand(ctx, key, {}, 'reference');
    return { hook, key, parcel, before };
  }
  // If the label is already bought, the program returns the same label again. The claim returns here, because the update
  // below would clear the stored result. If the process is killed after that update, the result is lost.
  if (before?.state === 'BOUGHT') return { hook, key, parcel, before };
  if (before === undefined && known.at > ctx.now - ATTEMPT_MS) {
    throw new Refusal(
      409,
      'STATE',
      'IN_PROGRESS',
      say('Another request is buying this label; send your request again.'),
      {
        headers: { 'retry-after': '2' },
      },
    );
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

/** Returns the reference for the present content of a package. Another content has another reference. */
export async function currentReference(
  ctx: Ctx,
  order: FulfillmentOrderRow,
  lines: readonly OrderLineRow[],
  box: Box,
): Promise<string> {
  return referenceOf(box, await parcelOf(ctx, order, lines, box));
}

function referenceOf({ packageId }: Box, parcel: object): string {
  return `${packageId}-${sha256(stringifyJson(parcel)).slice(0, 16)}`;
}

/**
 * Returns the reference of the purchase with the package's tracking number; undefined if this service did not buy the
 * label.
 */
async function referenceOfLabel(ctx: Ctx, { clientId, orderId }: OrderName, box: Box): Promise<string | undefined> {
  const rows = await purchasesOf(ctx, clientId, orderId, box.packageId);
  return rows.find(({ reply }) => {
    const bought = reply === null ? undefined : (parseJson(reply) as Bought);
    return bought?.state === 'BOUGHT' && bought.trackingNumber === box.trackingNumber;
  })?.command_id;
}

/** Returns the purchases of a package: the labels that were bought, and the attempts whose result is not known. */
function purchasesOf({ db }: Ctx, clientId: string, orderId: string, packageId: string) {
  return db
    .selectFrom('commands')
    .select(['command_id', 'reply'])
    .where('client_id', '=', clientId)
    .where('scope', '=', scopeOf('label', orderId))
    .where('command_id', '>', `${packageId}-`)
    .where('command_id', '<', `${packageId}.`)
    .orderBy('at')
    .execute();
}

/** Returns the message to the label program. The same parcel always has the same message. */
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
