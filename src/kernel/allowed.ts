/**
 * Computes the allowed actions of an order, and the reasons that block the other actions, from the state tables.
 * Responses, operations and docs/states.md therefore agree. Only Backroom's own operations respond with actions; in the
 * operations of the interface, only errors name the allowed actions.
 */

import { type Sentence, sequence } from '../platform/message/sentence.ts';
import { list, object, type Static, sentence, Type, text } from '../platform/schema.ts';
import { formatDateTime } from '../platform/time.ts';
import type { FulfillmentType, Settings } from '../shared/client-settings.ts';
import { statusInWords } from '../shared/status.ts';
import { say } from './sentences.ts';
import { ORDER_STATES, ORDER_TRANSITIONS, type OrderAction, type OrderState, State, type Units } from './states.ts';

/** One action: allowed, or blocked with the reason. */
export const AllowedAction = object({
  action: text(1, 40, { description: 'Name of the action; see Actions on orders above' }),
  allowed: Type.Boolean(),
  reason: Type.Optional(sentence(1, 400, { description: 'Reason why the action is blocked, and how to unblock it' })),
});
export type AllowedAction = Static<typeof AllowedAction>;

/** The schema of `allowedActions` in responses. */
export const allowedActions = list(
  AllowedAction,
  { max: 40 },
  { description: 'Every action: allowed now, or blocked with the reason' },
);

/** The actions that responses show for orders of each type, in the order of the work. */
export const ACTIONS_OF_TYPE: Record<FulfillmentType, readonly OrderAction[]> = {
  STORE_PICK_UP: ['generate', 'confirm', 'reset', 'handOver', 'cancel', 'bringBack'],
  SHIP_TO_HOME: ['generate', 'confirm', 'reset', 'pack', 'packSlip', 'decline', 'cancel', 'bringBack', 'resource'],
  SHIP_TO_STORE: ['saveCheckIn', 'confirmCheckIn', 'handOver', 'cancel', 'bringBack'],
  ASSOCIATE_DELIVERY: ['generate', 'confirm', 'reset', 'pack', 'decline', 'deliver', 'cancel', 'bringBack'],
};

/** The facts of an order that decide its allowed actions. */
export interface ActionContext {
  type: FulfillmentType;
  status: OrderState;
  units: Units;
  /** The open pick ticket of the order; in state 8000 its open reverse pick ticket. Null without a ticket. */
  pickTicketId?: string | null;
  /** Street date until which the order is held. */
  heldUntil?: string;
  /** End of the lock of the order's PIN, in epoch milliseconds. */
  pinLockedUntil?: number | null;
  now: number;
}

/** The texts of the actions in messages. In English they are the names of the actions. */
const WORDS: Partial<Record<OrderAction, Sentence>> = {
  generate: say('generate'),
  confirm: say('confirm'),
  reset: say('reset'),
  handOver: say('handOver'),
  cancel: say('cancel'),
  bringBack: say('bringBack'),
  pack: say('pack'),
  packSlip: say('packSlip'),
  decline: say('decline'),
  resource: say('resource'),
  saveCheckIn: say('saveCheckIn'),
  confirmCheckIn: say('confirmCheckIn'),
  deliver: say('deliver'),
};

/** Returns the actions of an order. */
export function orderActions(order: ActionContext, settings: Pick<Settings, 'statusDescriptions'>): AllowedAction[] {
  const own = ACTIONS_OF_TYPE[order.type];
  // SHIP_TO_HOME orders always list `resource`. Orders of other types list it only if they have an open re-source
  // request, because only some clients use re-source requests for these types.
  const actions = order.units.resourceable > 0 && !own.includes('resource') ? [...own, 'resource' as const] : own;
  return actions.map((action) => shown(action, blockOf(order, action, settings)));
}

function blockOf(
  order: ActionContext,
  action: OrderAction,
  settings: Pick<Settings, 'statusDescriptions'>,
): Sentence | undefined {
  if (ORDER_TRANSITIONS[order.status][action] === 'refused') return stateReason(order, action, settings);
  const { units } = order;
  switch (action) {
    case 'handOver':
      return pinReason(order);
    case 'bringBack':
      return units.canceling === 0 ? say('the order has no unit to bring back to the shelf') : undefined;
    case 'resource':
      return units.resourceable === 0 ? say('the order has no open re-source request') : undefined;
    case 'cancel':
      return units.left === 0 && units.resourceable === 0 ? say('no unit is left that can be canceled') : undefined;
    default:
      return undefined;
  }
}

function pinReason({ pinLockedUntil, now }: ActionContext): Sentence | undefined {
  if (pinLockedUntil == null || pinLockedUntil <= now) return undefined;
  return say('too many wrong PINs were sent; the PIN is locked until {pinLockedUntil}', {
    pinLockedUntil: formatDateTime(pinLockedUntil),
  });
}

function stateReason(
  order: ActionContext,
  action: OrderAction,
  settings: Pick<Settings, 'statusDescriptions'>,
): Sentence {
  const named = (state: OrderState) => statusInWords(settings, state);
  if (order.status === State.GOODS_TO_RETURN && order.pickTicketId) {
    const ticket = say('reverse pick ticket {pickTicketId}', { pickTicketId: order.pickTicketId });
    return say('the order is {goodsToReturn}; bring its units back to the shelf with {ticket}', {
      goodsToReturn: named(State.GOODS_TO_RETURN),
      ticket,
    });
  }
  const states = ORDER_STATES.filter((state) => ORDER_TRANSITIONS[state][action] !== 'refused');
  const held =
    action === 'generate' && order.status === State.PICKING && order.pickTicketId
      ? say(', on pick ticket {pickTicketId}', { pickTicketId: order.pickTicketId })
      : '';
  const until = order.heldUntil === undefined ? '' : ` (${order.heldUntil})`;
  return say('the order is {status}{until}{held}; the action {action} is allowed only in status {states}', {
    status: named(order.status),
    until,
    held,
    action: WORDS[action] ?? action,
    states: sequence(states.map(named), ', '),
  });
}

/** Returns the actions of a package. Packages can be changed while their order waits for pack. */
export function packageActions(order: ActionContext, settings: Pick<Settings, 'statusDescriptions'>): AllowedAction[] {
  const block = blockOf(order, 'pack', settings);
  return ['MODIFY', 'VOID'].map((action) => shown(action, block));
}

/** Returns the actions of a check-in. */
export function checkInActions(order: ActionContext, settings: Pick<Settings, 'statusDescriptions'>): AllowedAction[] {
  return [
    shown('UPDATE', blockOf(order, 'saveCheckIn', settings)),
    shown('CONFIRM', blockOf(order, 'confirmCheckIn', settings)),
  ];
}

/** Returns an action for responses: allowed, or blocked if there is a `reason`. */
export function shown(action: string, reason?: Sentence): AllowedAction {
  return reason === undefined ? { action, allowed: true } : { action, allowed: false, reason };
}
