/** Rules of the response to a re-source request: its form, and whether a node can serve the units. */
import { findItems } from '../items/find.ts';
import { blockedMessage, findItemBlocks } from '../kernel/item-blocks.ts';
import { checkReasonCode } from '../kernel/message-lines.ts';
import { contactsOf } from '../kernel/orders.ts';
import type { Ctx } from '../platform/ctx.ts';
import { allows } from '../platform/http/auth.ts';
import { readJson } from '../platform/json-column.ts';
import type { FieldErrors } from '../platform/message/field-errors.ts';
import type { FulfillmentOrderRow, ResourceRequestLineRow, ResourceRequestRow } from '../platform/storage/tables.ts';
import type { FulfillmentType, Settings } from '../shared/client-settings.ts';
import type { ResourceAnswer } from './schema.ts';
import { say } from './sentences.ts';

type SentAnswer = { readonly [M in keyof ResourceAnswer]?: ResourceAnswer[M] | undefined };

/**
 * Adds errors for missing fields of the outcome, and for fields that only the other outcome has. Without settings it
 * does not check the reason.
 */
export function checkForm(body: SentAnswer, settings: Settings | undefined, errors: FieldErrors): void {
  const { outcome } = body;
  if (settings !== undefined) checkReasonCode(errors, '/reasonCode', body.reasonCode, settings);
  for (const member of ['nodeId', 'fulfillmentOrderId'] as const) {
    if (outcome === 'RESOURCE' && body[member] === undefined && !errors.isBad(`/${member}`)) {
      errors.add(
        `/${member}`,
        'required',
        say("'{field}' is missing; the outcome RESOURCE needs it", { field: member }),
      );
    }
    if (outcome === 'CANCEL' && body[member] !== undefined) {
      errors.add(
        `/${member}`,
        'outcome',
        say("'{field}' is for the outcome RESOURCE only; remove it", { field: member }),
      );
    }
  }
  if (outcome === 'RESOURCE' && body.reasonCode !== undefined) {
    errors.add('/reasonCode', 'outcome', say("'reasonCode' is for the outcome CANCEL only; remove it"));
  }
}

/** Adds errors if the node cannot serve the units. */
export async function checkNode(
  ctx: Ctx,
  order: FulfillmentOrderRow,
  { row, lines }: { row: ResourceRequestRow; lines: readonly ResourceRequestLineRow[] },
  nodeId: string | undefined,
  errors: FieldErrors,
): Promise<void> {
  if (nodeId === undefined) return;
  const name = JSON.stringify(nodeId);
  const excluded = readJson(row.excluded_node_ids);
  const node = await ctx.db
    .selectFrom('nodes')
    .select(['fulfillment_types', 'address'])
    .where('client_id', '=', order.client_id)
    .where('node_id', '=', nodeId)
    .executeTakeFirst();
  if (node === undefined || !allows(ctx.actor.nodeIds, nodeId)) {
    errors.add(
      '/nodeId',
      'exists',
      say('there is no node {name} for these credentials; send another nodeId', { name }),
    );
    return;
  }
  if (excluded.includes(nodeId)) {
    const had = excluded.map((one) => JSON.stringify(one)).join(', ');
    errors.add(
      '/nodeId',
      'excluded',
      say('node {name} had these units before; send a nodeId other than {had}', { name, had }),
      excluded,
    );
    return;
  }
  const type = order.fulfillment_type as FulfillmentType;
  if (!readJson(node.fulfillment_types).includes(type)) {
    errors.add(
      '/nodeId',
      'nodeType',
      say('node {name} does not fulfill {type} orders; send another nodeId', { name, type }),
    );
    return;
  }
  const itemIds = lines.map((line) => line.item_id);
  const held = await findItemBlocks(ctx, order.client_id, [nodeId], itemIds);
  for (const itemId of new Set(itemIds)) {
    const reason = held(nodeId, itemId);
    if (reason !== undefined) errors.add('/nodeId', 'held', blockedMessage(itemId, nodeId, reason));
  }
  const { countryCode } = readJson(node.address);
  if (type === 'SHIP_TO_HOME' && countryOf(order) !== countryCode)
    await checkOrigins(ctx, order, itemIds, countryCode, errors);
}

function countryOf(order: FulfillmentOrderRow): string | undefined {
  const { destinations, shippingAddress } = contactsOf(order);
  return destinations.find((one) => one.destinationId === shippingAddress.destinationId)?.address?.countryCode;
}

/**
 * Checks an order that leaves the node's country: each of its items needs a country of origin
 * (docs/interface.md#item-rules).
 */
async function checkOrigins(
  ctx: Ctx,
  order: FulfillmentOrderRow,
  itemIds: readonly string[],
  from: string,
  errors: FieldErrors,
): Promise<void> {
  const known = await findItems(ctx, order.client_id, itemIds);
  for (const itemId of new Set(itemIds)) {
    if (known.get(itemId)?.countryOfOrigin) continue;
    const message = say(
      'item {itemId} has no countryOfOrigin, which an order from {from} to another country needs; add it to the item, or send another nodeId',
      { itemId: JSON.stringify(itemId), from },
    );
    errors.add('/nodeId', 'countryOfOrigin', message);
  }
}
