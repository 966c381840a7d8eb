/**
 * What of an order may be changed after it came in: one total table, read by the operations, the order's own read, the tests and
 * docs/states.md.
 */
import { shown } from '../kernel/allowed.ts';
import { type Cells, ORDER_STATES, type OrderState } from '../kernel/states.ts';
import { list, object, Type, text } from '../platform/schema.ts';
import type { FulfillmentType, Settings } from '../shared/client-settings.ts';
import { statusInWords } from '../shared/status.ts';

/** What can be changed; `holdLocation` by moving the goods, the others by a change of the order. */
export const ORDER_CHANGES = [
  'contact',
  'shippingAddress',
  'proxy',
  'pin',
  'carrier',
  'giftMessage',
  'pickupDeadline',
  'note',
  'holdLocation',
] as const;
export type OrderChange = (typeof ORDER_CHANGES)[number];

type Types = readonly FulfillmentType[];
const all: Types = ['STORE_PICK_UP', 'SHIP_TO_HOME', 'SHIP_TO_STORE', 'ASSOCIATE_DELIVERY'];
/** Collected in the store. */
const inStore: Types = ['STORE_PICK_UP', 'SHIP_TO_STORE'];
/** Handed to a person. */
const met: Types = [...inStore, 'ASSOCIATE_DELIVERY'];
/** Brought to an address. */
const sent: Types = ['SHIP_TO_HOME', 'ASSOCIATE_DELIVERY'];
const drive: Types = ['ASSOCIATE_DELIVERY'];
/** Handed to a carrier. */
const ship: Types = ['SHIP_TO_HOME'];
const no: Types = [];

/**
 * The types of which it may be changed in each state. At 9100 another node may still serve the order, and its new order takes
 * over what this one says.
 */
// biome-ignore format: a table
const CHANGEABLE: Record<OrderChange, Cells<Types>> = {
  //                1000     1100     1150     1200  1300     1400     1500   3700 3800 3900 8000 9000 9100  9200
  contact:         [all,     all,     all,     all,  all,     all,     all,   no,  no,  no,  no,  no,  ship, no],
  shippingAddress: [sent,    sent,    sent,    sent, no,      no,      drive, no,  no,  no,  no,  no,  ship, no],
  proxy:           [met,     met,     met,     met,  met,     met,     met,   no,  no,  no,  no,  no,  no,   no],
  pin:             [inStore, inStore, inStore, no,   inStore, inStore, no,    no,  no,  no,  no,  no,  no,   no],
  carrier:         [ship,    ship,    ship,    ship, no,      no,      no,    no,  no,  no,  no,  no,  ship, no],
  giftMessage:     [all,     all,     all,     all,  all,     all,     all,   no,  no,  no,  no,  no,  ship, no],
  pickupDeadline:  [no,      no,      no,      no,   no,      inStore, no,    no,  no,  no,  no,  no,  no,   no],
  note:            [all,     all,     all,     all,  all,     all,     all,   all, all, all, all, all, all,  all],
  holdLocation:    [no,      no,      no,      all,  no,      all,     all,   all, all, all, all, no,  no,   no],
};

/** The types of which something may be changed in a state. */
export function changeableTypes(change: OrderChange, state: OrderState): Types {
  return CHANGEABLE[change][ORDER_STATES.indexOf(state)]!;
}

/** What beside its state decides what may be changed of an order. */
export interface ChangeContext {
  type: FulfillmentType;
  status: OrderState;
  /** The customer's data is gone. */
  isAnonymized: boolean;
  /** Packages with a tracking number, that are not voided. */
  tracked: number;
  /** Units of it that are in the store. */
  onHand: number;
}

/** Changes of an order as its read shows them, in the order of the table. */
export function orderChanges(order: ChangeContext, settings: Pick<Settings, 'statusDescriptions'>) {
  return ORDER_CHANGES.map((change) => {
    const { action, ...rest } = shown(change, blockOfChange(order, change, settings));
    return { change: action as OrderChange, ...rest };
  });
}

/** Why something cannot be changed now; undefined: it can. */
export function blockOfChange(
  order: ChangeContext,
  change: OrderChange,
  settings: Pick<Settings, 'statusDescriptions'>,
): string | undefined {
  const { type, status } = order;
  const states = ORDER_STATES.filter((state) => changeableTypes(change, state).includes(type));
  if (states.length === 0) return `${NEVER[change]}; this one is ${type}`;
  if (!states.includes(status)) {
    const named = states.map((state) => statusInWords(settings, state)).join(', ');
    return `the order is ${statusInWords(settings, status)}; its ${change} can be changed in ${named}`;
  }
  if (order.isAnonymized && change !== 'holdLocation') return 'the customer’s data is anonymized';
  if (LABELED.includes(change) && order.tracked > 0) {
    return `packages of it have tracking numbers (${order.tracked}); void them first, for their labels would be wrong`;
  }
  if (change === 'holdLocation' && order.onHand === 0) return 'no unit of the order lies in the store';
  return undefined;
}

/** What stands on the label of a package. */
const LABELED: readonly OrderChange[] = ['shippingAddress', 'carrier'];

/** Said of a type of which something is never changed. */
const NEVER: Record<OrderChange, string> = {
  contact: 'every order has a contact',
  shippingAddress: 'only SHIP_TO_HOME and ASSOCIATE_DELIVERY orders go to an address',
  proxy: 'only orders that are handed to a person can have a proxy',
  pin: 'only orders that are collected in the store have a PIN',
  carrier: 'only SHIP_TO_HOME orders have a carrier',
  giftMessage: 'every order can have a gift message',
  pickupDeadline: 'only orders that are collected in the store have a pickup deadline',
  note: 'every order can have notes',
  holdLocation: 'every order can be moved',
};

/** The field as replies show it. */
export const allowedChanges = list(
  object({
    change: text(1, 40, { description: 'What would be changed; `holdLocation` by moving the goods' }),
    allowed: Type.Boolean(),
    reason: Type.Optional(text(1, 600, { description: 'Why it is blocked, and what would unblock it' })),
  }),
  { max: 40 },
  { description: 'What of the order may be changed now, the rest with the reason' },
);
