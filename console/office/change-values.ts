/** The values of the dialog that changes an order, and the request for those that the user has changed. */
import { ApiError, call } from '../api.ts';
import { at } from '../router.ts';
import { deskTexts, language, o } from '../texts/index.ts';
import { ownId } from '../work/own-id.ts';
import { type Details, readOrder } from './order-details.ts';

export const PARTS = [
  'note',
  'contact',
  'proxy',
  'pin',
  'shippingAddress',
  'carrier',
  'giftMessage',
  'pickupDeadline',
] as const;
export type Part = (typeof PARTS)[number];

const NAMES = ['firstName', 'middleName', 'lastName'] as const;
const LINES = ['line1', 'line2', 'line3', 'line4', 'postalCode', 'city', 'mainDivisionCode', 'countryCode'] as const;
/** Fields that the dialog shows only if they have a value, in the order or in the dialog. */
const RARE: readonly string[] = ['middleName', 'line3', 'line4'];

/** Fields of each part, by their names in the service. */
export const FIELDS: Readonly<Record<Part, readonly string[]>> = {
  note: ['note'],
  contact: ['name', 'phone', 'email'],
  proxy: ['name', 'phone', 'email'],
  pin: ['pin'],
  shippingAddress: [...NAMES, ...LINES, 'phone'],
  carrier: ['carrier', 'service'],
  giftMessage: ['giftMessage'],
  pickupDeadline: ['pickupDeadline'],
};

/** Texts of the fields by `keyOf`. */
export type Values = Readonly<Record<string, string>>;

export function keyOf(part: Part, field: string): string {
  return `${part}.${field}`;
}

/** Returns the text with which the pointer of a field ends in the errors of the service. */
export function pointerOf(part: Part, field: string): string {
  if (FIELDS[part].length === 1 || part === 'carrier') return field;
  if (NAMES.some((one) => one === field)) return `personName/${field}`;
  return LINES.some((one) => one === field) ? `address/${field}` : `${part}/${field}`;
}

function addressOf({ destinations = [], shippingAddress }: Details) {
  return destinations.find(({ destinationId }) => destinationId === shippingAddress?.destinationId);
}

/** Returns the lines with a gift message. */
function giftsOf({ lines }: Details) {
  return lines.flatMap(({ webLineId, instructions = [] }) => {
    const text = instructions.find(({ type }) => type === 'GIFT_MESSAGE')?.text;
    return text === undefined ? [] : [{ webLineId, text }];
  });
}

/** Returns the gift message that the dialog shows: the first one. */
function giftMessageOf(order: Details): string {
  return giftsOf(order)[0]?.text ?? '';
}

/** Returns whether other lines have other gift messages. They remain if the user changes the shown one. */
export function hasOtherGifts(order: Details): boolean {
  return giftsOf(order).some(({ text }) => text !== giftMessageOf(order));
}

/**
 * An order with a time zone. This is the zone of the node, in which the customer reads the deadline. `undefined` means
 * the zone of the browser.
 */
export interface Changeable extends Details {
  timeZone: string | undefined;
}

/** Returns the last time to collect; undefined unless the order waits for its customer. */
function deadlineOf({ slaDate }: Details): string | undefined {
  return slaDate?.slaTypeId === 'CUSTOMER_PICKUP' ? slaDate.value : undefined;
}

/** Returns a time in the format of a `datetime-local` input: in the time zone, to the minute. */
function localTime(at: string | number | undefined, timeZone: string | undefined): string {
  if (at === undefined) return '';
  // Swedish writes dates in the format of ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone });
  return format.format(new Date(at)).replace(' ', 'T');
}

/** Returns the time of a text in the format of `localTime`, in epoch milliseconds. */
function instantOf(text: string, timeZone: string | undefined): number {
  const wanted = Date.parse(`${text}Z`);
  // The first step uses the offset at another time, which can be wrong near a change of the clocks. The second step
  // corrects this.
  const step = (at: number) => at + wanted - Date.parse(`${localTime(at, timeZone)}Z`);
  return step(step(wanted));
}

/**
 * Returns the present values of all fields. The note and the PIN have none: a note is added, and nothing shows the PIN.
 */
export function presentValues(order: Changeable): Values {
  const { customer, proxyDetails, carrier, service } = order;
  const to = addressOf(order);
  const present: { [P in Part]?: Readonly<Record<string, string | undefined>> } = {
    contact: { ...customer },
    proxy: { ...proxyDetails },
    shippingAddress: { ...to?.personName, ...to?.address, phone: to?.phone },
    carrier: { carrier, service },
    giftMessage: { giftMessage: giftMessageOf(order) },
    pickupDeadline: { pickupDeadline: localTime(deadlineOf(order), order.timeZone) },
  };
  return Object.fromEntries(
    PARTS.flatMap((part) => FIELDS[part].map((field) => [keyOf(part, field), present[part]?.[field] ?? ''])),
  );
}

/** Returns the fields of a part that the dialog shows. */
export function shownFields(order: Changeable, part: Part, values: Values): readonly string[] {
  const present = presentValues(order);
  const isEmpty = (key: string) => present[key] === '' && values[key] === '';
  return FIELDS[part].filter((field) => !RARE.includes(field) || !isEmpty(keyOf(part, field)));
}

/** Returns the present value of a part for its heading. */
export function presentText(order: Changeable, part: Part): string {
  const { customer, proxyDetails, carrier, service, timeZone } = order;
  const to = addressOf(order)?.address;
  const deadline = deadlineOf(order);
  const texts: Record<Part, string | undefined> = {
    note: '',
    contact: customer?.name,
    proxy: proxyDetails?.name,
    pin: order.hasPin ? o().order.pinSet : undefined,
    shippingAddress: [to?.line1, to?.city].filter(Boolean).join(', '),
    carrier: [carrier, service].filter((one) => one !== '').join(' · '),
    giftMessage: giftMessageOf(order),
    pickupDeadline:
      deadline &&
      new Intl.DateTimeFormat(language.value, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
        new Date(deadline),
      ),
  };
  return texts[part] ?? '';
}

interface Typed {
  values: Values;
  /** True if the user removes the PIN. */
  removesPin: boolean;
}

/** Returns the parts that the user has changed. */
export function changedParts(order: Changeable, parts: readonly Part[], { values, removesPin }: Typed): Part[] {
  const before = presentValues(order);
  return parts.filter(
    (part) =>
      (part === 'pin' && removesPin) ||
      FIELDS[part].some((field) => (values[keyOf(part, field)] ?? '').trim() !== before[keyOf(part, field)]?.trim()),
  );
}

/** Minimum number of characters of a PIN. A shorter PIN could be guessed within the permitted tries. */
const PIN_MIN = 4;

/** Returns the errors that the dialog finds before it sends anything, by `keyOf`. */
export function problemsOf(changed: readonly Part[], values: Values): ReadonlyMap<string, string> {
  const { changeOrder: texts } = deskTexts();
  const text = (part: Part, field: string) => (values[keyOf(part, field)] ?? '').trim();
  const problems = new Map<string, string>();
  const pin = text('pin', 'pin');
  if (changed.includes('pin') && pin !== '' && pin.length < PIN_MIN) problems.set(keyOf('pin', 'pin'), texts.pinShort);
  for (const part of ['contact', 'proxy'] as const) {
    const isNameless = text(part, 'name') === '' && (text(part, 'phone') !== '' || text(part, 'email') !== '');
    if (changed.includes(part) && isNameless) problems.set(keyOf(part, 'name'), texts.nameless);
  }
  return problems;
}

/**
 * Sends all changed parts in one request: the service applies all of them or none. If others have changed one of these
 * parts since the user read the order, it changes nothing and returns the present order. @throws ApiError
 */
export async function changeOrder(
  order: Changeable,
  changed: readonly Part[],
  typed: Typed & { changeId: string },
): Promise<Changeable | undefined> {
  const remove = changed.filter((part) => isRemoved(part, typed));
  const parts = changed.filter((part) => !remove.includes(part)).map((part) => bodyOf(order, part, typed.values));
  const path = at('operator', 'v1', 'stores', order.storeId, 'fulfillmentOrders', order.fulfillmentOrderId, 'change');
  const giftLines = giftsOf(order).filter(({ text }) => text === giftMessageOf(order));
  const body = {
    changeId: typed.changeId,
    userId: ownId(),
    ...Object.fromEntries(parts.flatMap((one) => Object.entries(one))),
    ...(remove.length > 0 && { remove }),
    ...(changed.includes('giftMessage') &&
      giftLines.length > 0 && { giftMessageLines: giftLines.map(({ webLineId }) => webLineId) }),
  };
  try {
    await call('POST', path, { body, headers: { 'if-match': `"${order.revision}"` } });
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'REVISION_CHANGED') throw error;
  }
  const present = { ...(await readOrder(order.storeId, order.fulfillmentOrderId)), timeZone: order.timeZone };
  // The work on the order changes its revision, too. The user's change then still fits. The order shows only whether it
  // has a PIN.
  const hasOtherPin = changed.includes('pin') && !typed.removesPin && order.hasPin !== present.hasPin;
  const isOther =
    hasOtherPin || changedParts(order, changed, { values: presentValues(present), removesPin: false }).length > 0;
  return isOther ? present : changeOrder(present, changed, typed);
}

/** Returns the present values of an order that others have changed, with those that the user has typed. */
export function mergedValues(before: Changeable, present: Changeable, values: Values): Values {
  const old = presentValues(before);
  const typed = Object.entries(values).filter(([key, text]) => text !== old[key]);
  return { ...presentValues(present), ...Object.fromEntries(typed) };
}

/** Returns whether the user removes the value of a part. */
function isRemoved(part: Part, { values, removesPin }: Typed): boolean {
  const isEmpty = FIELDS[part].every((field) => (values[keyOf(part, field)] ?? '').trim() === '');
  if (part === 'pin') return removesPin;
  return isEmpty && (part === 'proxy' || part === 'giftMessage' || part === 'pickupDeadline');
}

/** Returns the fields of the request for a part. */
function bodyOf(order: Changeable, part: Part, values: Values): Record<string, unknown> {
  const text = (field: string) => (values[keyOf(part, field)] ?? '').trim();
  const set = (fields: readonly string[]) =>
    Object.fromEntries(fields.filter((field) => text(field) !== '').map((field) => [field, text(field)]));
  switch (part) {
    case 'contact':
    case 'proxy':
      return { [part]: { name: text('name'), phone: text('phone'), email: text('email') } };
    case 'shippingAddress': {
      // The request replaces the whole address, so it also has the e-mail address, which the dialog does not show.
      const { email } = addressOf(order) ?? {};
      return {
        shippingAddress: {
          personName: set(NAMES),
          address: set(LINES),
          ...set(['phone']),
          ...(email !== undefined && email !== '' && { email }),
        },
      };
    }
    case 'carrier':
      return set(['carrier', 'service']);
    case 'pickupDeadline':
      return { pickupDeadline: new Date(instantOf(text('pickupDeadline'), order.timeZone)).toISOString() };
    case 'note':
    case 'pin':
    case 'giftMessage':
      return { [part]: text(part) };
  }
}
