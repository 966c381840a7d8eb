import { type Contacts, instructionsOf } from '../kernel/orders.ts';
import { nameOf } from '../kernel/refusals.ts';
import type { Ctx } from '../platform/ctx.ts';
import { conflict } from '../platform/http/errors.ts';
import { stringifyJson } from '../platform/message/json.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import type { FulfillmentType } from '../shared/client-settings.ts';
import { DESTINATIONS_MAX } from '../shared/limits.ts';
import type { Destination } from '../shared/shapes.ts';
import type { OrderChanges } from './change-schema.ts';
import { type ChangedColumns, GIFT_MESSAGE, withGiftMessage } from './change-store.ts';
import { wholeContact, wholeDestination } from './contacts.ts';
import { say } from './sentences.ts';

/** Returns the people and addresses of the order after the change. */
export function newPeople(order: FulfillmentOrderRow, before: Contacts, body: OrderChanges): Contacts {
  const { contact, proxy, shippingAddress } = body;
  const { proxyDetails: proxyBefore, ...others } = before;
  const proxyDetails = proxy === undefined ? proxyBefore : proxy === null ? undefined : wholeContact(proxy);
  const people: Contacts = {
    ...others,
    ...(contact !== undefined && { customer: wholeContact(contact) }),
    ...(proxyDetails !== undefined && { proxyDetails }),
  };
  return shippingAddress === undefined ? people : { ...people, ...newDestination(order, before, shippingAddress) };
}

/**
 * Replaces the shipping destination, or adds a new destination if another address of the order refers to the old
 * destination too.
 */
function newDestination(
  order: FulfillmentOrderRow,
  { destinations, shippingAddress, billToAddress, shipFromAddress }: Contacts,
  sent: NonNullable<OrderChanges['shippingAddress']>,
): Pick<Contacts, 'destinations' | 'shippingAddress'> {
  const { destinationId } = shippingAddress;
  const type = order.fulfillment_type as FulfillmentType;
  const was = destinations.find((one) => one.destinationId === destinationId);
  const made = (id: string): Destination => {
    const { destinationType } = was ?? {};
    return wholeDestination({ destinationId: id, ...(destinationType && { destinationType }), ...sent }, type);
  };
  const isShared = [billToAddress, shipFromAddress].some((one) => one?.destinationId === destinationId);
  const changed = made(destinationId);
  if (!isShared || (was !== undefined && !isOther(was, changed))) {
    return { destinations: destinations.map((one) => (one === was ? changed : one)), shippingAddress };
  }
  if (destinations.length >= DESTINATIONS_MAX) {
    throw conflict(
      say(
        '{order} already has the maximum of {destinationsMax} destinations. The new shipping address needs an additional destination, because the billing or the ship-from address also uses the present destination; nothing was changed. Cancel the order, and send it again with the new address and another fulfillmentOrderId.',
        { order: nameOf(order), destinationsMax: DESTINATIONS_MAX },
      ),
    );
  }
  const id = freeId(destinations);
  return { destinations: [...destinations, made(id)], shippingAddress: { destinationId: id } };
}

/** Returns the first unused id of `shipTo-2`, `shipTo-3` ... */
function freeId(destinations: readonly Destination[]): string {
  const taken = new Set(destinations.map((one) => one.destinationId));
  let number = 2;
  while (taken.has(`shipTo-${number}`)) number += 1;
  return `shipTo-${number}`;
}

/**
 * Returns the columns of a new PIN: the encrypted PIN and the fingerprint that recognizes it. Resets the number of
 * wrong PINs. Null removes the PIN.
 */
export function pinColumns(ctx: Ctx, clientId: string, pin: string | null): ChangedColumns {
  return {
    pin_cipher: pin === null ? null : ctx.sealer.seal(pin, ctx.randomBytes(12)),
    pin_hash: pin === null ? null : ctx.sealer.fingerprint(clientId, pin),
    pin_attempts: 0,
    pin_locked_until: null,
    pin_unlocks: 0,
  };
}

/** Returns the changed columns of carrier, service and ship method. */
export function newCarriage(order: FulfillmentOrderRow, body: OrderChanges): ChangedColumns {
  const carrier = body.carrier ?? order.carrier;
  const service = body.service ?? order.service;
  const isOtherWay = carrier !== order.carrier || service !== order.service;
  const shipMethod = body.shipMethod ?? (isOtherWay ? `${carrier}_${service}` : order.ship_method);
  if (!isOtherWay && shipMethod === order.ship_method) return {};
  return { carrier, service, ship_method: shipMethod };
}

/** Returns the lines whose gift message changes, each with its new instructions. */
export function giftLines(lines: readonly OrderLineRow[], { giftMessage, giftMessageLines }: OrderChanges) {
  if (giftMessage === undefined) return [];
  const having = lines.filter((line) => instructionsOf(line).some(({ type }) => type === GIFT_MESSAGE));
  const meant =
    giftMessageLines !== undefined
      ? lines.filter((line) => giftMessageLines.includes(line.web_line_id))
      : having.length > 0
        ? having
        : lines.slice(0, giftMessage === null ? 0 : 1);
  return meant
    .map((line) => ({ line, instructions: withGiftMessage(line, giftMessage) }))
    .filter(({ line, instructions }) => instructions !== line.instructions);
}

export function isOther(a: unknown, b: unknown): boolean {
  return stringifyJson(a ?? null) !== stringifyJson(b ?? null);
}
