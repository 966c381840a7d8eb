/**
 * What may be done next, and why not the rest: read from the state tables, so that an answer, the operations and
 * docs/states.md cannot disagree. Only our own operations show it; replies of the interface keep their shape.
 */
import { list, object, type Static, Type, text } from '../platform/schema.ts';
import { formatDateTime } from '../platform/time.ts';
import type { FulfillmentType, Settings } from '../shared/client-settings.ts';
import { statusInWords } from '../shared/status.ts';
import { ORDER_STATES, ORDER_TRANSITIONS, type OrderAction, type OrderState, State, type Units } from './states.ts';

/** One action: allowed, or blocked with the reason. */
export const AllowedAction = object({
  action: text(1, 40, { description: 'Name of the action; see Actions on orders above' }),
  allowed: Type.Boolean(),
  reason: Type.Optional(text(1, 400, { description: 'Why it is blocked, and what would unblock it' })),
});
export type AllowedAction = Static<typeof AllowedAction>;

/** The field as replies show it. */
export const allowedActions = list(
  AllowedAction,
  { max: 40 },
  { description: 'What may be done next, the blocked actions with the reason' },
);

/** Actions that an order of a type ever sees, in the order of its way. Those that nobody asks for (expiry) are left out. */
export const ACTIONS_OF_TYPE: Record<FulfillmentType, readonly OrderAction[]> = {
  STORE_PICK_UP: ['generate', 'confirm', 'reset', 'handOver', 'cancel', 'bringBack'],
  SHIP_TO_HOME: ['generate', 'confirm', 'reset', 'pack', 'packSlip', 'decline', 'cancel', 'bringBack', 'resource'],
  SHIP_TO_STORE: ['saveCheckIn', 'confirmCheckIn', 'handOver', 'cancel', 'bringBack'],
  ASSOCIATE_DELIVERY: ['generate', 'confirm', 'reset', 'pack', 'decline', 'deliver', 'cancel', 'bringBack'],
};

/** What beside its state decides what may be done with an order. */
export interface ActionContext {
  type: FulfillmentType;
  status: OrderState;
  units: Units;
  /** Its open ticket, if it is on one: at 8000 the reverse pick ticket. */
  pickTicketId?: string | null;
  /** Street date until which it is held. */
  heldUntil?: string;
  /** Until when its PIN is locked, in epoch milliseconds. */
  pinLockedUntil?: number | null;
  now: number;
}

/** Actions of an order. */
export function orderActions(order: ActionContext, settings: Pick<Settings, 'statusDescriptions'>): AllowedAction[] {
  return ACTIONS_OF_TYPE[order.type].map((action) => shown(action, blockOf(order, action, settings)));
}

function blockOf(
  order: ActionContext,
  action: OrderAction,
  settings: Pick<Settings, 'statusDescriptions'>,
): string | undefined {
  if (ORDER_TRANSITIONS[order.status][action] === 'refused') return stateReason(order, action, settings);
  const { units } = order;
  switch (action) {
    case 'handOver':
      return pinReason(order);
    case 'bringBack':
      return units.canceling === 0 ? 'no unit of the order waits to be brought back' : undefined;
    case 'resource':
      return units.resourceable === 0 ? 'no declined unit of the order waits for an answer' : undefined;
    case 'cancel':
      return units.left === 0 && units.resourceable === 0 ? 'every unit that is left is canceled already' : undefined;
    default:
      return undefined;
  }
}

function pinReason({ pinLockedUntil, now }: ActionContext): string | undefined {
  if (pinLockedUntil == null || pinLockedUntil <= now) return undefined;
  return `the PIN was wrong too often; it is locked until ${formatDateTime(pinLockedUntil)}`;
}

function stateReason(
  order: ActionContext,
  action: OrderAction,
  settings: Pick<Settings, 'statusDescriptions'>,
): string {
  const named = (state: OrderState) => statusInWords(settings, state);
  if (order.status === State.GOODS_TO_RETURN && order.pickTicketId) {
    const ticket = `reverse pick ticket ${order.pickTicketId}`;
    return `the order is ${named(State.GOODS_TO_RETURN)}; bring it back to the shelf with ${ticket}`;
  }
  const states = ORDER_STATES.filter((state) => ORDER_TRANSITIONS[state][action] !== 'refused');
  const held =
    action === 'generate' && order.status === State.PICKING && order.pickTicketId
      ? `, on pick ticket ${order.pickTicketId}`
      : '';
  const until = order.heldUntil === undefined ? '' : ` (${order.heldUntil})`;
  return `the order is ${named(order.status)}${until}${held}; ${action} is possible in ${states.map(named).join(', ')}`;
}

/** Actions of a package: it can be changed while its order is packed. */
export function packageActions(order: ActionContext, settings: Pick<Settings, 'statusDescriptions'>): AllowedAction[] {
  const block = blockOf(order, 'pack', settings);
  return ['MODIFY', 'VOID'].map((action) => shown(action, block));
}

/** Actions of a check-in. */
export function checkInActions(order: ActionContext, settings: Pick<Settings, 'statusDescriptions'>): AllowedAction[] {
  return [
    shown('UPDATE', blockOf(order, 'saveCheckIn', settings)),
    shown('CONFIRM', blockOf(order, 'confirmCheckIn', settings)),
  ];
}

/** An action as responses show it: blocked where there is a reason. */
export function shown(action: string, reason?: string): AllowedAction {
  return reason === undefined ? { action, allowed: true } : { action, allowed: false, reason };
}
