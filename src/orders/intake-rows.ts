/** Makes the database rows of an order at intake. */

import { keyColumns } from '../kernel/keys.ts';
import type { NewLineRow } from '../kernel/new-lines.ts';
import type { OrderPosition } from '../kernel/position.ts';
import type { Ctx } from '../platform/ctx.ts';
import { decimalText, isNumeric } from '../platform/decimal.ts';
import { stringifyJson } from '../platform/message/json.ts';
import type { Recogniser } from '../platform/secrets.ts';
import type {
  CheckinPackageItemRow,
  CheckinPackageRow,
  FulfillmentOrderRow,
  OrderLineRow,
} from '../platform/storage/tables.ts';
import { SECOND_MS, wholeSecond } from '../platform/time.ts';
import { contactsFrom } from './contacts.ts';
import type { OrderIntake } from './intake-schema.ts';

/** Fields that are not content: they repeat the path, or only responses use them. */
const NOT_CONTENT = new Set(['storeId', 'status', 'queueId']);
const DATES = new Set(['orderDate', 'fulfillmentOrderDate', 'expectedDeliveryDate']);
const HASH_DIGITS = 16;

/** The name of the entry that has the id of the hash key. Rows of release 0.1 lack it. */
export const HASHED_BY = '$key';

/**
 * Returns a keyed hash of each field of an order. Equal values have equal hashes: 1.10 and 1.1, or two spellings of one
 * instant. A blank field counts as missing. The hashes find the fields that differ when the order is sent again.
 * Without the key, people and PINs cannot be guessed from the hashes.
 */
export function memberHashes(key: Recogniser, clientId: string, order: OrderIntake): Record<string, string> {
  const members = Object.entries(order).filter(([name, value]) => !NOT_CONTENT.has(name) && value !== '');
  const hashes = members.map(([name, value]) => [name, hashOf(key, clientId, name, value)] as const);
  return { ...Object.fromEntries(hashes), [HASHED_BY]: key.keyId };
}

function hashOf(key: Recogniser, clientId: string, name: string, value: unknown, withBlanks = false): string {
  const text = DATES.has(name) ? String(wholeSecond(value as string)) : canonicalText(value, withBlanks);
  return key.fingerprint(clientId, `${name}\0${text}`).slice(0, HASH_DIGITS);
}

/**
 * Returns the sorted names of the fields in which an order differs from the earlier order with the hashes `before`.
 * Hashes of an earlier release include blank fields. If the key of the hashes no longer exists, no field counts as
 * different.
 */
export function differingMembers(
  sealer: Ctx['sealer'],
  clientId: string,
  { [HASHED_BY]: keyId, ...before }: Record<string, string>,
  order: OrderIntake,
): string[] {
  const keys = sealer.keys.filter((key) => keyId === undefined || key.keyId === keyId);
  const found = keys.map((key) => differencesBy(key, clientId, before, order));
  return found.sort((a, b) => a.length - b.length)[0] ?? [];
}

function differencesBy(
  key: Recogniser,
  clientId: string,
  before: Record<string, string>,
  order: OrderIntake,
): string[] {
  const { [HASHED_BY]: _key, ...now } = memberHashes(key, clientId, order);
  const sent: Record<string, unknown> = { ...order };
  const isSame = (name: string) => {
    if (before[name] === now[name]) return true;
    const value = sent[name] ?? '';
    return (value !== '' || !DATES.has(name)) && before[name] === hashOf(key, clientId, name, value, true);
  };
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].filter((name) => !isSame(name)).sort();
}

function canonicalText(value: unknown, withBlanks: boolean): string {
  if (isNumeric(value)) return decimalText(value);
  if (Array.isArray(value)) return `[${value.map((one) => canonicalText(one, withBlanks)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => withBlanks || member !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member, withBlanks)}`).join(',')}}`;
}

/** The row of a new order, without the columns that only later steps fill. */
export type NewOrderRow = Omit<
  FulfillmentOrderRow,
  'ended_at' | 'blanked_at' | 'checkin_hold_location' | 'pin_attempts' | 'pin_locked_until' | 'pin_unlocks'
>;

/** Returns the row of a new order. */
export function orderRow(
  ctx: Pick<Ctx, 'now' | 'sealer' | 'randomBytes'>,
  place: { clientId: string; storeId: string; number: number },
  order: OrderIntake,
  position: OrderPosition,
  hashes: Record<string, string>,
): NewOrderRow {
  const { clientId } = place;
  const contacts = contactsFrom(order);
  const { carrier = '', service = '' } = order;
  const orderDate = wholeSecond(order.orderDate);
  const pin = order.pinNumber;
  return {
    ...position,
    client_id: clientId,
    fulfillment_order_id: order.fulfillmentOrderId,
    fulfillment_id: place.number,
    store_id: place.storeId,
    node_id: order.nodeId,
    oms_order_id: order.omsOrderId,
    web_order_id: order.webOrderId,
    external_order_number: order.externalOrderNumber ?? null,
    external_order_number2: order.externalOrderNumber2 ?? null,
    fulfillment_type: order.fulfillmentType,
    revision: 1,
    order_date: orderDate,
    fulfillment_order_date:
      order.fulfillmentOrderDate === undefined
        ? Math.max(ctx.now - (ctx.now % SECOND_MS), orderDate)
        : wholeSecond(order.fulfillmentOrderDate),
    expected_delivery_date: order.expectedDeliveryDate === undefined ? null : wholeSecond(order.expectedDeliveryDate),
    currency: order.currency,
    carrier,
    service,
    ship_method: order.shipMethod ?? [carrier, service].filter((part) => part !== '').join('_'),
    hold_location: null,
    pick_ticket_id: null,
    ...keyColumns(contacts),
    pin_cipher: pin === undefined ? null : ctx.sealer.seal(pin, ctx.randomBytes(12)),
    pin_hash: pin === undefined ? null : ctx.sealer.fingerprint(clientId, pin),
    header_charges: decimalText(order.headerCharges ?? 0),
    header_tax: decimalText(order.headerTax ?? 0),
    cash_on_delivery: order.cashOnDelivery === undefined ? null : decimalText(order.cashOnDelivery),
    carrier_exception: order.carrierException === true ? 1 : 0,
    in_store: order.inStore === true ? 1 : 0,
    contacts: stringifyJson(contacts),
    member_hashes: stringifyJson(hashes),
    created_at: ctx.now,
    updated_at: ctx.now,
    resourced_from: null,
    exchange_number: order.exchangeOf?.returnNumber ?? null,
    exchange_line: order.exchangeOf?.line ?? null,
  };
}

/** Returns the rows of the lines of a new order, each with a snapshot of its item as JSON text. */
export function lineRows(
  clientId: string,
  order: OrderIntake,
  snapshot: (itemId: string) => OrderLineRow['snapshot'],
): NewLineRow[] {
  return order.lines.map((line, index) => ({
    client_id: clientId,
    fulfillment_order_id: order.fulfillmentOrderId,
    line_index: index,
    web_line_id: line.webLineId,
    item_id: line.itemId,
    ordered: line.quantity,
    picked: 0,
    declined: 0,
    decline_reason: null,
    unit_price: decimalText(line.unitPrice),
    charges: decimalText(line.charges ?? 0),
    tax: decimalText(line.tax ?? 0),
    snapshot: snapshot(line.itemId),
    instructions:
      line.instructions === undefined
        ? null
        : stringifyJson(line.instructions.map(({ type, text = '' }) => ({ type, text }))),
  }));
}

/** Returns the rows of the packages to check in, and of their items. */
export function packageRows(
  clientId: string,
  order: OrderIntake,
): { packages: CheckinPackageRow[]; items: CheckinPackageItemRow[] } {
  const lineIndex = new Map(order.lines.map((line, index) => [line.webLineId, index]));
  const key = { client_id: clientId, fulfillment_order_id: order.fulfillmentOrderId };
  const sent = order.inStore === true ? [inStorePackage(order)] : (order.packages ?? []);
  const ids = packageIds(sent);
  const packages = sent.map((one, index) => ({
    ...key,
    package_index: index,
    check_in_package_id: ids[index]!,
    tracking_number: one.trackingNumber,
    weight: one.weight === undefined ? null : stringifyJson(one.weight),
    volume: one.volume === undefined ? null : stringifyJson(one.volume),
  }));
  const items = sent.flatMap((one, index) =>
    one.items.map(({ webLineId, quantity }) => ({
      ...key,
      package_index: index,
      line_index: lineIndex.get(webLineId)!,
      quantity,
      checked_in: null,
      canceled: null,
      reason: null,
    })),
  );
  return { packages, items };
}

/** Returns the one package of goods that are already in the store (docs/interface.md#order-intake). */
function inStorePackage(order: OrderIntake): NonNullable<OrderIntake['packages']>[number] {
  const items = order.lines.map(({ webLineId, quantity }) => ({ webLineId, quantity }));
  return { checkInPackageId: '1', trackingNumber: order.fulfillmentOrderId, items };
}

/** Returns the ids of the packages. A package without an id gets the next unused number. */
function packageIds(packages: readonly { checkInPackageId?: string }[]): string[] {
  const taken = new Set(packages.map((one) => one.checkInPackageId));
  let number = 0;
  const next = () => {
    do number += 1;
    while (taken.has(String(number)));
    return String(number);
  };
  return packages.map((one) => one.checkInPackageId ?? next());
}
