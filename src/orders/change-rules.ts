/**
 * Decides which changes of an order each state allows: one total table for the operations, reads of orders, tests and
 * docs/states.md.
 */
import { shown } from '../kernel/allowed.ts';
import { type Cells, ORDER_STATES, type OrderState } from '../kernel/states.ts';
import { type Sentence, sequence } from '../platform/message/sentence.ts';
import { list, object, sentence, Type, text } from '../platform/schema.ts';
import type { FulfillmentType, Settings } from '../shared/client-settings.ts';
import { statusInWords } from '../shared/status.ts';
import { say } from './sentences.ts';

/**
 * All changes. `moveFulfillmentOrder` makes the change `holdLocation`, `changeFulfillmentOrder` makes the other
 * changes.
 */
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
/** Fulfillment types whose orders the customer collects in the store. */
const inStore: Types = ['STORE_PICK_UP', 'SHIP_TO_STORE'];
/** Fulfillment types whose orders are handed to a person. */
const met: Types = [...inStore, 'ASSOCIATE_DELIVERY'];
/** Fulfillment types whose orders are sent to an address. */
const sent: Types = ['SHIP_TO_HOME', 'ASSOCIATE_DELIVERY'];
const drive: Types = ['ASSOCIATE_DELIVERY'];
/** Fulfillment types whose orders are handed to a carrier. */
const ship: Types = ['SHIP_TO_HOME'];
const no: Types = [];

/**
 * For each change and state, the fulfillment types that allow it. At 9100, another node may still serve the order; the
 * new order for that node copies the changed fields.
 */
// biome-ignore format: a table
const CHANGEABLE: Record<OrderChange, Cells<Types>> = {
  //                1000     1100     1150     1200  1300     1400     1500   3700 3800 3900 8000 9000 9100     9200
  contact:         [all,     all,     all,     all,  all,     all,     all,   no,  no,  no,  no,  no,  all,     no],
  shippingAddress: [sent,    sent,    sent,    sent, no,      no,      drive, no,  no,  no,  no,  no,  sent,    no],
  proxy:           [met,     met,     met,     met,  met,     met,     met,   no,  no,  no,  no,  no,  met,     no],
  pin:             [inStore, inStore, inStore, no,   inStore, inStore, no,    no,  no,  no,  no,  no,  inStore, no],
  carrier:         [ship,    ship,    ship,    ship, no,      no,      no,    no,  no,  no,  no,  no,  ship,    no],
  giftMessage:     [all,     all,     all,     all,  all,     all,     all,   no,  no,  no,  no,  no,  all,     no],
  pickupDeadline:  [no,      no,      no,      no,   no,      inStore, no,    no,  no,  no,  no,  no,  no,      no],
  note:            [all,     all,     all,     all,  all,     all,     all,   all, all, all, all, all, all,     all],
  holdLocation:    [no,      no,      no,      all,  no,      all,     all,   all, all, all, all, no,  no,      no],
};

/** Returns the fulfillment types that allow a change in a state. */
export function changeableTypes(change: OrderChange, state: OrderState): Types {
  return CHANGEABLE[change][ORDER_STATES.indexOf(state)]!;
}

/** The facts of an order that decide which changes it allows. */
export interface ChangeContext {
  type: FulfillmentType;
  status: OrderState;
  isAnonymized: boolean;
  /** Number of packages with a tracking number, without voided packages. */
  tracked: number;
  /** Units of the order that are in the store. */
  onHand: number;
}

/** Returns all changes in the order of the table, each allowed or blocked with its reason. */
export function orderChanges(order: ChangeContext, settings: Pick<Settings, 'statusDescriptions'>) {
  return ORDER_CHANGES.map((change) => {
    const { action, ...rest } = shown(change, blockOfChange(order, change, settings));
    return { change: action as OrderChange, ...rest };
  });
}

/** Returns the reason that blocks a change now, or undefined if it is allowed. */
export function blockOfChange(
  order: ChangeContext,
  change: OrderChange,
  settings: Pick<Settings, 'statusDescriptions'>,
): Sentence | undefined {
  const { type, status } = order;
  const states = ORDER_STATES.filter((state) => changeableTypes(change, state).includes(type));
  if (states.length === 0) return say('{never}; this order is {type}', { never: NEVER[change], type });
  if (!states.includes(status)) {
    const named = sequence(
      states.map((state) => statusInWords(settings, state)),
      ', ',
    );
    return say('the order is {status}; its {change} can be changed only in status {named}', {
      status: statusInWords(settings, status),
      change: CHANGE_WORDS[change],
      named,
    });
  }
  if (order.isAnonymized && change !== 'holdLocation') return say('the customer’s data is anonymized');
  if (LABELED.includes(change) && order.tracked > 0) {
    return say(
      '{tracked} of its packages {tracked|has a tracking number|have tracking numbers}, so the printed labels would be wrong; void these packages first',
      { tracked: order.tracked },
    );
  }
  if (change === 'holdLocation' && order.onHand === 0) return say('no unit of the order is in the store');
  return undefined;
}

/** The texts of the changes in messages. In English they are the names of the changes. */
export const CHANGE_WORDS: Record<OrderChange, Sentence> = {
  contact: say('contact'),
  shippingAddress: say('shippingAddress'),
  proxy: say('proxy'),
  pin: say('pin'),
  carrier: say('carrier'),
  giftMessage: say('giftMessage'),
  pickupDeadline: say('pickupDeadline'),
  note: say('note'),
  holdLocation: say('holdLocation'),
};

/** The changes that make printed package labels wrong. */
const LABELED: readonly OrderChange[] = ['shippingAddress', 'carrier'];

/** For each change, the reason why some fulfillment types never allow it. */
const NEVER: Record<OrderChange, Sentence> = {
  contact: say('every order has a contact'),
  shippingAddress: say('only SHIP_TO_HOME and ASSOCIATE_DELIVERY orders go to an address'),
  proxy: say('only orders that are handed to a person can have a proxy'),
  pin: say('only orders that are collected in the store have a PIN'),
  carrier: say('only SHIP_TO_HOME orders have a carrier'),
  giftMessage: say('every order can have a gift message'),
  pickupDeadline: say('only orders that are collected in the store have a pickup deadline'),
  note: say('every order can have notes'),
  holdLocation: say('every order can be moved'),
};

/** The schema of `allowedChanges` in responses. */
export const allowedChanges = list(
  object({
    change: text(1, 40, { description: 'Name of the change; to change `holdLocation`, move the goods' }),
    allowed: Type.Boolean(),
    reason: Type.Optional(sentence(1, 600, { description: 'Reason why the change is blocked, and how to unblock it' })),
  }),
  { max: 40 },
  { description: 'Every change of an order: allowed now, or blocked with the reason' },
);
