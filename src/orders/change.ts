import { findItems } from '../items/find.ts';
import { actionContextOf } from '../kernel/action-context.ts';
import { findBoxes } from '../kernel/boxes.ts';
import { claimCommand, findCommand } from '../kernel/commands.ts';
import { noOrder, takeOrder } from '../kernel/message-lines.ts';
import { type Contacts, contactsOf, findOrder, instructionsOf } from '../kernel/orders.ts';
import type { Action } from '../kernel/plan.ts';
import { nameOf } from '../kernel/refusals.ts';
import { atNode, findSettings } from '../kernel/settings.ts';
import { advanceOrder } from '../kernel/write.ts';
import type { Ctx } from '../platform/ctx.ts';
import { conflict } from '../platform/http/errors.ts';
import { reply, theOrder, writeOperation } from '../platform/http/operation.ts';
import type { FieldErrors } from '../platform/message/field-errors.ts';
import { stringifyJson } from '../platform/message/json.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import { quote } from '../platform/message/words.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import { DAY_MS, formatDateTime, parseDateTime } from '../platform/time.ts';
import type { FulfillmentType, Settings } from '../shared/client-settings.ts';
import { DESTINATIONS_MAX, NOTES_MAX } from '../shared/limits.ts';
import type { Destination } from '../shared/shapes.ts';
import { slaOf } from '../sla/engine.ts';
import { blockOfChange, type OrderChange } from './change-rules.ts';
import { OrderChangeRequest } from './change-schema.ts';
import {
  type ChangedColumns,
  changeScope,
  findNotes,
  GIFT_MESSAGE,
  insertNote,
  peopleColumns,
  updateInstructions,
  updateOrder,
  withGiftMessage,
} from './change-store.ts';
import { wholeContact, wholeDestination } from './contacts.ts';
import { checkDestination } from './intake-rules.ts';
import { changeContextOf, showOrder } from './read.ts';
import { OrderDetails } from './read-schema.ts';

const DEADLINE_DAYS_MAX = 366;

export const changeFulfillmentOrder = writeOperation({
  id: 'changeFulfillmentOrder',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/change',
  auth: 'operatorOrApiKey',
  group: ['intake', 'supervise'],
  permission: 'orders.change',
  repeat: 'same',
  summary: 'Change what came in with an order, or note something',
  description:
    'Changes the customer’s contact, the shipping address, the proxy, the PIN, carrier, service and ship method, gift messages or the ' +
    'pickup deadline of an order, and adds a note. What is left out stays; `null` removes a proxy, PIN or gift message, and takes ' +
    'the pickup deadline of the client’s SLA again. What may be changed follows from the type and state of the order: see ' +
    '`allowedChanges` of the order, and Changes of an order in the guide to states. All of a message is changed or nothing. ' +
    'Address and carrier cannot be changed while a package has a tracking number. An address that billToAddress or ' +
    'shipFromAddress shares stays theirs, and the order gets a destination of its own. A new PIN forgets the wrong ones. A ' +
    'deadline that is changed closes the alert of the step. The same changeId with the same content changes nothing (another ' +
    'PIN is not told from the first); with other content it is 409. Order intake compares what comes again with what came in ' +
    'first, so a change is not undone by an order that is sent again. The event `order.changed` names the changed fields, not what they say.',
  secretMember: 'pin',
  body: OrderChangeRequest,
  reveals: theOrder,
  showsContact: true,
  replies: { 200: { description: 'Changed, or changed before: the order as it is now', schema: OrderDetails } },
  refusals: {
    404: 'There is no such store or order.',
    409: 'Something of it cannot be changed now (`refused` says what and why), the changeId was used otherwise, or the first request with this Idempotency-Key is still running.',
  },
  errors: 'problem',
  async rules(ctx, { params, body, clientId, store }, errors) {
    const settings = await findSettings(ctx.db, clientId);
    const orderId = params.fulfillmentOrderId;
    const taken = await takeOrder(ctx, { clientId, storeId: store.store_id, orderId });
    const key = { clientId, scope: changeScope(orderId), commandId: body.changeId ?? '' };
    const before = body.changeId === undefined ? undefined : await findCommand(ctx.db, key);
    // What was right then need not be right now: a deadline may be over.
    if (before === undefined) await checkChange(ctx, body, taken, errors);
    return { settings, taken, key };
  },
  async handle(ctx, { params, body, store, found: { settings, taken, key } }) {
    if (taken === undefined) throw noOrder(params.fulfillmentOrderId, store.store_id);
    const { order, lines } = taken;
    const { changeId: _id, pin, ...others } = body;
    // Whether a PIN is the one that was sent before is told to nobody.
    const content = { ...others, ...(pin !== undefined && { pin: pin === null ? null : '' }) };
    const before = await claimCommand(ctx, key, content, 'changeId');
    if (before === undefined) await change(ctx, settings, order, lines, body);
    const now = await findOrder(ctx.db, order.client_id, order.store_id, order.fulfillment_order_id);
    return reply(200, await showOrder(ctx, now!, settings));
  },
});

type Asked = ValidPart<OrderChangeRequest>;
type Taken = Awaited<ReturnType<typeof takeOrder>>;

/** What each field of a message changes. */
const CHANGE_OF = {
  contact: 'contact',
  shippingAddress: 'shippingAddress',
  proxy: 'proxy',
  pin: 'pin',
  carrier: 'carrier',
  service: 'carrier',
  shipMethod: 'carrier',
  giftMessage: 'giftMessage',
  pickupDeadline: 'pickupDeadline',
  note: 'note',
} as const satisfies Partial<Record<keyof OrderChangeRequest, OrderChange>>;
const CHANGING = Object.keys(CHANGE_OF) as (keyof typeof CHANGE_OF)[];

/** Finds every error of a change that its schema does not see. */
async function checkChange(ctx: Ctx, body: Asked, taken: Taken, errors: FieldErrors): Promise<void> {
  if (CHANGING.every((field) => body[field] === undefined && !errors.isBad(`/${field}`))) {
    errors.add('', 'nothing', `nothing is to be changed; send at least one of ${CHANGING.join(', ')}`);
  }
  checkDeadline(ctx.now, body, errors);
  checkGiftLines(body, taken?.lines, errors);
  if (taken === undefined || body.shippingAddress === undefined) return;
  const type = taken.order.fulfillment_type as FulfillmentType;
  checkDestination(body.shippingAddress, type, '/shippingAddress', errors);
  await checkBorder(ctx, body.shippingAddress.address?.countryCode, taken, errors);
}

function checkDeadline(now: number, { pickupDeadline }: Asked, errors: FieldErrors): void {
  if (pickupDeadline == null) return;
  const at = parseDateTime(pickupDeadline);
  if (at <= now) {
    const message = `'pickupDeadline' is over (it is ${formatDateTime(now)}); send a later one, or cancel the order`;
    errors.add('/pickupDeadline', 'past', message);
  } else if (at > now + DEADLINE_DAYS_MAX * DAY_MS) {
    const message = `'pickupDeadline' is more than ${DEADLINE_DAYS_MAX} days away; send an earlier one`;
    errors.add('/pickupDeadline', 'maximum', message, DEADLINE_DAYS_MAX);
  }
}

function checkGiftLines(body: Asked, lines: readonly OrderLineRow[] | undefined, errors: FieldErrors): void {
  const { giftMessageLines = [], giftMessage } = body;
  if (giftMessageLines.length > 0 && giftMessage === undefined && !errors.isBad('/giftMessage')) {
    errors.add(
      '/giftMessageLines',
      'giftMessage',
      "'giftMessageLines' needs a giftMessage; send one, or null to remove it",
    );
  }
  for (const [index, webLineId] of giftMessageLines.entries()) {
    if (webLineId === undefined || lines === undefined) continue;
    if (lines.some((line) => line.web_line_id === webLineId)) continue;
    const message = `the order has no line ${quote(webLineId)}; name one of its lines`;
    errors.add(`/giftMessageLines/${index}`, 'unknown', message);
  }
}

/** An order that goes to another country than its node's needs items whose country of origin is known, as at intake. */
async function checkBorder(
  ctx: Ctx,
  to: string | undefined,
  { order, lines }: NonNullable<Taken>,
  errors: FieldErrors,
): Promise<void> {
  if (to === undefined || order.fulfillment_type !== 'SHIP_TO_HOME') return;
  const node = await ctx.db
    .selectFrom('nodes')
    .select('address')
    .where('client_id', '=', order.client_id)
    .where('node_id', '=', order.node_id)
    .executeTakeFirstOrThrow();
  const { countryCode: from } = JSON.parse(node.address) as { countryCode: string };
  if (from === to) return;
  const itemIds = [...new Set(lines.map((line) => line.item_id))];
  const items = await findItems(ctx, order.client_id, itemIds);
  for (const itemId of itemIds) {
    if (items.get(itemId)?.countryOfOrigin) continue;
    const message = `item ${quote(itemId)} has no countryOfOrigin, which an order from ${from} to ${to} needs; add it to the item`;
    errors.add('/shippingAddress/address/countryCode', 'countryOfOrigin', message);
    return;
  }
}

/** Changes a locked order. @throws Refusal 409 where anything of it cannot be changed now */
async function change(
  ctx: Ctx,
  settings: Settings,
  order: FulfillmentOrderRow,
  lines: readonly OrderLineRow[],
  body: OrderChangeRequest,
): Promise<void> {
  const isAsked = (field: keyof typeof CHANGE_OF) => body[field] !== undefined && !isGone(order, lines, body, field);
  const asked = [...new Set(CHANGING.flatMap((field) => (isAsked(field) ? CHANGE_OF[field] : [])))];
  await refuseBlocked(ctx, settings, order, lines, asked);
  const notes = body.note === undefined ? [] : await findNotes(ctx.db, order);
  if (notes.length >= NOTES_MAX) {
    throw conflict(`${nameOf(order)} has ${NOTES_MAX} notes, the most that there can be; nothing was changed.`);
  }
  const before = contactsOf(order);
  const people = newPeople(order, before, body);
  const gifts = giftLines(lines, body);
  const isWaiting = order.sla_type === 'CUSTOMER_PICKUP';
  const step = isWaiting ? await newStep(ctx, settings, order, body.pickupDeadline) : undefined;
  const carriage = newCarriage(order, body);
  const changed: Record<Exclude<OrderChange, 'holdLocation'>, boolean> = {
    contact: isOther(before.customer, people.customer),
    shippingAddress: isOther(
      [before.destinations, before.shippingAddress],
      [people.destinations, people.shippingAddress],
    ),
    proxy: isOther(before.proxyDetails, people.proxyDetails),
    pin: body.pin !== undefined && (body.pin !== null || order.pin_hash !== null),
    carrier: Object.keys(carriage).length > 0,
    giftMessage: gifts.length > 0,
    pickupDeadline: step !== undefined && step.sla_at !== order.sla_at,
    note: body.note !== undefined,
  };
  const fields = Object.entries(changed).flatMap(([field, isChanged]) => (isChanged ? [field] : []));
  if (fields.length === 0) return;
  const { changeId, userId, note, pin } = body;
  const action: Action = { type: 'change', changeId, userId, fields, ...(step !== undefined && { step }) };
  await advanceOrder(ctx, settings, { order, lines, action });
  await updateOrder(ctx, order, {
    ...((changed.contact || changed.shippingAddress || changed.proxy) && peopleColumns(people)),
    ...(changed.pin && pinColumns(ctx, order.client_id, pin ?? null)),
    ...carriage,
  });
  for (const { line, instructions } of gifts) await updateInstructions(ctx, line, instructions);
  if (note !== undefined) await insertNote(ctx, order, notes.length, { changeId, userId, note });
}

/** Whether `null` is to remove what is not there: whoever writes null for all that he does not send asks nothing by it. */
function isGone(
  order: FulfillmentOrderRow,
  lines: readonly OrderLineRow[],
  body: OrderChangeRequest,
  field: keyof typeof CHANGE_OF,
): boolean {
  if (body[field] !== null) return false;
  if (field === 'proxy') return contactsOf(order).proxyDetails === undefined;
  if (field === 'pin') return order.pin_hash === null;
  if (field === 'giftMessage') return giftLines(lines, body).length === 0;
  return order.sla_type !== 'CUSTOMER_PICKUP';
}

async function refuseBlocked(
  ctx: Ctx,
  settings: Settings,
  order: FulfillmentOrderRow,
  lines: readonly OrderLineRow[],
  asked: readonly OrderChange[],
): Promise<void> {
  const facts = await actionContextOf(ctx, order, lines);
  const boxes = (await findBoxes(ctx, order)).filter((box) => box.items.length > 0);
  const context = changeContextOf(order, facts, boxes);
  const refused = asked.flatMap((one) => {
    const reason = blockOfChange(context, one, settings);
    return reason === undefined ? [] : [{ change: one, reason }];
  });
  if (refused.length === 0) return;
  const reasons = refused.map(({ change: one, reason }) => `${one}: ${reason}`).join('; ');
  throw conflict(`${nameOf(order)} was not changed. ${reasons}.`, { orderStatus: String(order.status), refused });
}

/** People and addresses of the order as the message leaves them. */
function newPeople(order: FulfillmentOrderRow, before: Contacts, body: OrderChangeRequest): Contacts {
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

/** The shipping destination with another content; one that is also used otherwise keeps its own and a new one is added. */
function newDestination(
  order: FulfillmentOrderRow,
  { destinations, shippingAddress, billToAddress, shipFromAddress }: Contacts,
  sent: NonNullable<OrderChangeRequest['shippingAddress']>,
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
      `${nameOf(order)} has ${DESTINATIONS_MAX} destinations, the most that there can be, and its shipping address is also used otherwise; nothing was changed.`,
    );
  }
  const id = freeId(destinations);
  return { destinations: [...destinations, made(id)], shippingAddress: { destinationId: id } };
}

/** The first of `shipTo-2`, `shipTo-3` ... that no destination has. */
function freeId(destinations: readonly Destination[]): string {
  const taken = new Set(destinations.map((one) => one.destinationId));
  let number = 2;
  while (taken.has(`shipTo-${number}`)) number += 1;
  return `shipTo-${number}`;
}

/** The PIN as it is kept: sealed, and recognised by its fingerprint. */
function pinColumns(ctx: Ctx, clientId: string, pin: string | null): ChangedColumns {
  return {
    pin_cipher: pin === null ? null : ctx.sealer.seal(pin, ctx.randomBytes(12)),
    pin_hash: pin === null ? null : ctx.sealer.fingerprint(clientId, pin),
    pin_attempts: 0,
    pin_locked_until: null,
    pin_unlocks: 0,
  };
}

/** The columns of carrier, service and ship method that differ. */
function newCarriage(order: FulfillmentOrderRow, body: OrderChangeRequest): ChangedColumns {
  const carrier = body.carrier ?? order.carrier;
  const service = body.service ?? order.service;
  const isOtherWay = carrier !== order.carrier || service !== order.service;
  const shipMethod = body.shipMethod ?? (isOtherWay ? `${carrier}_${service}` : order.ship_method);
  if (!isOtherWay && shipMethod === order.ship_method) return {};
  return { carrier, service, ship_method: shipMethod };
}

/** The lines whose gift message differs, with their instructions then. */
function giftLines(lines: readonly OrderLineRow[], { giftMessage, giftMessageLines }: OrderChangeRequest) {
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

/** Times of the step with another deadline; the customer is reminded as long before it as the client's SLA says. */
async function newStep(ctx: Ctx, settings: Settings, order: FulfillmentOrderRow, deadline: string | null | undefined) {
  if (deadline === undefined) return undefined;
  const there = await atNode(ctx.db, settings, order);
  const type = order.fulfillment_type as FulfillmentType;
  const { approachingAt, expiredAt } = slaOf(there, type, 'CUSTOMER_PICKUP', order.queued_at);
  const at = deadline === null ? expiredAt : parseDateTime(deadline);
  return { sla_at: at, due_at: Math.max(ctx.now, at - (expiredAt - approachingAt)) };
}

function isOther(a: unknown, b: unknown): boolean {
  return stringifyJson(a ?? null) !== stringifyJson(b ?? null);
}
