/** Errors of a change that its schema cannot find. */
import { findEventsOf } from '../events/of-resource.ts';
import { findItems } from '../items/find.ts';
import type { takeOrder } from '../kernel/message-lines.ts';
import { atNode } from '../kernel/settings.ts';
import type { Ctx } from '../platform/ctx.ts';
import { readJson } from '../platform/json-column.ts';
import type { FieldErrors } from '../platform/message/field-errors.ts';
import { parseJson } from '../platform/message/json.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import { quote } from '../platform/message/words.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import { DAY_MS, formatDateTime, parseDateTime } from '../platform/time.ts';
import type { FulfillmentType, Settings } from '../shared/client-settings.ts';
import { slaOf } from '../sla/engine.ts';
import type { OrderChange } from './change-rules.ts';
import type { OrderChangeRequest } from './change-schema.ts';
import { checkDestination } from './intake-rules.ts';
import { say } from './sentences.ts';

const DEADLINE_DAYS_MAX = 366;

type Asked = ValidPart<OrderChangeRequest>;
type Taken = Awaited<ReturnType<typeof takeOrder>>;

/** The change that each field of a message makes. */
export const CHANGE_OF = {
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
export const CHANGING = Object.keys(CHANGE_OF) as (keyof typeof CHANGE_OF)[];

/** Adds the errors of a change that its schema cannot find. */
export async function checkChange(
  ctx: Ctx,
  settings: Settings,
  body: Asked,
  taken: Taken,
  errors: FieldErrors,
): Promise<void> {
  const fields = [...CHANGING, 'remove'] as const;
  if (fields.every((field) => body[field] === undefined && !errors.isBad(`/${field}`))) {
    errors.add(
      '',
      'nothing',
      say('the message changes nothing; send at least one of {fields}', { fields: fields.join(', ') }),
    );
  }
  checkRemoved(body, errors);
  checkDeadline(ctx.now, body, errors);
  checkGiftLines(body, taken?.lines, errors);
  if (taken === undefined) return;
  await checkRemovedDeadline(ctx, settings, body, taken.order, errors);
  if (body.shippingAddress === undefined) return;
  const type = taken.order.fulfillment_type as FulfillmentType;
  checkDestination(body.shippingAddress, type, '/shippingAddress', errors);
  await checkBorder(ctx, body.shippingAddress.address?.countryCode, taken, errors);
}

function checkRemoved(body: Asked, errors: FieldErrors): void {
  const { remove = [] } = body;
  for (const [index, field] of remove.entries()) {
    if (field === undefined) continue;
    if (remove.indexOf(field) < index) {
      errors.add(
        `/remove/${index}`,
        'unique',
        say("'remove' has {field} twice; send it once", { field: quote(field) }),
      );
    }
    if (body[field] !== undefined) {
      const message = say("the message both sets and removes '{field}'; do only one of the two", { field });
      errors.add(`/remove/${index}`, 'contradiction', message);
    }
  }
}

function checkDeadline(now: number, { pickupDeadline }: Asked, errors: FieldErrors): void {
  if (pickupDeadline === undefined) return;
  const at = parseDateTime(pickupDeadline);
  if (at <= now) {
    const message = say("'pickupDeadline' is in the past (now is {now}); send a later time, or cancel the order", {
      now: formatDateTime(now),
    });
    errors.add('/pickupDeadline', 'past', message);
  } else if (at > now + DEADLINE_DAYS_MAX * DAY_MS) {
    const message = say(
      "'pickupDeadline' is more than {deadlineDaysMax} {deadlineDaysMax|day|days} away; send an earlier time",
      {
        deadlineDaysMax: DEADLINE_DAYS_MAX,
      },
    );
    errors.add('/pickupDeadline', 'maximum', message, DEADLINE_DAYS_MAX);
  }
}

/**
 * Adds an error if the message removes the pickup deadline although the deadline of the SLA has passed. Without a
 * pickup deadline, the deadline of the SLA applies, and the order expires immediately.
 */
async function checkRemovedDeadline(
  ctx: Ctx,
  settings: Settings,
  { remove = [] }: Asked,
  order: FulfillmentOrderRow,
  errors: FieldErrors,
): Promise<void> {
  const index = remove.indexOf('pickupDeadline');
  if (index < 0 || order.sla_type !== 'CUSTOMER_PICKUP') return;
  const { expiredAt } = await pickupSla(ctx, settings, order);
  if (expiredAt > ctx.now || expiredAt === order.sla_at || !(await mayHaveDeadline(ctx, order))) return;
  const message = say(
    "without 'pickupDeadline' the order would expire now, because the deadline of the client's SLA has passed ({at}); send a later 'pickupDeadline', or cancel the order",
    { at: formatDateTime(expiredAt) },
  );
  errors.add(`/remove/${index}`, 'past', message);
}

/** The events with which an order can begin to wait for its customer. */
const ENTRIES = ['order.picked', 'order.pickCorrected', 'order.checkedIn', 'order.broughtBack'];

/**
 * Whether a change has set the deadline of an order that waits for its customer. Without such a change, the deadline is
 * that of the SLA when the order began to wait, which may differ from the SLA of now. Only events tell: if the event with
 * which the wait began is deleted, that of such a change may be deleted, too.
 */
export async function mayHaveDeadline(ctx: Ctx, order: FulfillmentOrderRow): Promise<boolean> {
  const events = await findEventsOf(ctx.db, {
    clientId: order.client_id,
    type: 'order',
    ids: ctx.dialect.listText([order.fulfillment_order_id]),
    types: ctx.dialect.listText([...ENTRIES, 'order.changed']),
    since: order.queued_at,
  });
  const isDeadline = ({ type, data }: (typeof events)[number]) =>
    type === 'order.changed' && (parseJson(data) as { fields: string[] }).fields.includes('pickupDeadline');
  const isComplete = events.some(({ type, at }) => at === order.queued_at && ENTRIES.includes(type));
  return !isComplete || events.some(isDeadline);
}

/** Returns the times of the client's SLA for an order that waits for its customer. */
export async function pickupSla(ctx: Ctx, settings: Settings, order: FulfillmentOrderRow) {
  const type = order.fulfillment_type as FulfillmentType;
  return slaOf(await atNode(ctx.db, settings, order), type, 'CUSTOMER_PICKUP', order.queued_at);
}

function checkGiftLines(body: Asked, lines: readonly OrderLineRow[] | undefined, errors: FieldErrors): void {
  const { giftMessageLines = [], giftMessage, remove = [] } = body;
  const isNamed = giftMessage !== undefined || remove.includes('giftMessage');
  if (giftMessageLines.length > 0 && !isNamed && !errors.isBad('/giftMessage') && !errors.isBad('/remove')) {
    errors.add(
      '/giftMessageLines',
      'giftMessage',
      say("'giftMessageLines' needs 'giftMessage'; send 'giftMessage' too, or put giftMessage into 'remove'"),
    );
  }
  for (const [index, webLineId] of giftMessageLines.entries()) {
    if (webLineId === undefined || lines === undefined) continue;
    if (lines.some((line) => line.web_line_id === webLineId)) continue;
    const message = say('the order has no line {webLineId}; send one of its lines', { webLineId: quote(webLineId) });
    errors.add(`/giftMessageLines/${index}`, 'unknown', message);
  }
}

/** Checks an order that leaves the node's country: as at intake, each of its items needs a country of origin. */
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
  const { countryCode: from } = readJson(node.address);
  if (from === to) return;
  const itemIds = [...new Set(lines.map((line) => line.item_id))];
  const items = await findItems(ctx, order.client_id, itemIds);
  for (const itemId of itemIds) {
    if (items.get(itemId)?.countryOfOrigin) continue;
    const message = say(
      'item {itemId} has no countryOfOrigin, which an order from {from} to {to} needs; add it to the item',
      { itemId: quote(itemId), from, to },
    );
    errors.add('/shippingAddress/address/countryCode', 'countryOfOrigin', message);
    return;
  }
}
