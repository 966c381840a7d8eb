/**
 * The stock moves of each action on an order, as a total table. The moves are computed from the lines before and after
 * the action. Reserved units are not in the table: they follow from the open units.
 */
import type { FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import { type Settings, type StockEffect, stockEffectOf } from '../shared/client-settings.ts';
import type { Action } from './plan.ts';
import type { StockClaim } from './stock.ts';
import type { UnitsOfTicket } from './stock-ledger.ts';
import { STOCK_CAUSE, type StockMove, type StockSpot } from './stock-terms.ts';
import { isOnItsWay, reservedUnits } from './units.ts';

/** Columns of a line that count moved goods: an increase posts a stock move. */
type MovedUnits = 'picked' | 'declined' | 'handed_over' | 'refused' | 'returned' | 'missing';

/**
 * The stock move for units that an action adds to a column. BY_REASON moves them to the place of the reason's
 * `stockEffect`. If the effect has no place, the units move to `otherwise`; without `otherwise`, they do not move.
 */
interface StockRule {
  units: MovedUnits;
  from: StockSpot;
  to: StockSpot | 'BY_REASON';
  otherwise?: StockSpot;
  cause: string;
}

const SHIPPED: StockRule = { units: 'handed_over', from: 'STAGE', to: 'CUSTOMER', cause: 'SHIPPED' };

/**
 * The moves of an action. A check-in has two lists: `arriving` for goods that a carrier brings, and `inStore` for goods
 * that are already in the store and leave the shelf.
 */
type Rules = readonly StockRule[] | { arriving: readonly StockRule[]; inStore: readonly StockRule[] };

/** The moves of every action. An action that completes the packing of an order also ships the packed units. */
export const STOCK_RULES: Readonly<Record<Action['type'], Rules>> = {
  hold: [],
  release: [],
  generate: [],
  confirm: [
    { units: 'picked', from: 'SHELF', to: 'STAGE', cause: 'PICKED' },
    { units: 'declined', from: 'SHELF', to: 'BY_REASON', cause: 'DECLINED' },
  ],
  reset: [],
  saveCheckIn: [],
  confirmCheckIn: {
    arriving: [
      { units: 'picked', from: 'CARRIER', to: 'STAGE', cause: 'CHECKED_IN' },
      { units: 'declined', from: 'CARRIER', to: 'BY_REASON', cause: 'CHECKED_IN' },
    ],
    inStore: [
      { units: 'picked', from: 'SHELF', to: 'STAGE', cause: 'CHECKED_IN' },
      { units: 'declined', from: 'SHELF', to: 'BY_REASON', cause: 'CHECKED_IN' },
    ],
  },
  pack: [SHIPPED],
  decline: [{ units: 'declined', from: 'STAGE', to: 'BY_REASON', otherwise: 'SHELF', cause: 'PACK_DECLINED' }, SHIPPED],
  cancel: [SHIPPED],
  expire: [],
  handOver: [
    { units: 'handed_over', from: 'STAGE', to: 'CUSTOMER', cause: 'HANDED_OVER' },
    { units: 'refused', from: 'STAGE', to: 'HELD', cause: 'REFUSED' },
  ],
  deliver: [
    { units: 'handed_over', from: 'STAGE', to: 'CUSTOMER', cause: 'DELIVERED' },
    { units: 'refused', from: 'STAGE', to: 'HELD', cause: 'REFUSED' },
  ],
  bringBack: [
    { units: 'returned', from: 'STAGE', to: 'SHELF', cause: 'BROUGHT_BACK' },
    { units: 'missing', from: 'STAGE', to: 'MISSING', cause: 'NOT_FOUND' },
    SHIPPED,
  ],
  resource: [],
  change: [],
  move: [],
  correct: [
    { units: 'picked', from: 'SHELF', to: 'STAGE', cause: 'PICK_CORRECTED' },
    { units: 'declined', from: 'SHELF', to: 'BY_REASON', cause: 'PICK_CORRECTED' },
    SHIPPED,
  ],
  declineAll: [{ units: 'declined', from: 'SHELF', to: 'BY_REASON', cause: 'DECLINED' }],
};

/** The causes of the moves that a correction can reverse. */
export const CORRECTABLE_CAUSES: readonly string[] = ['DECLINED', 'PICK_CORRECTED', STOCK_CAUSE.LEDGER_BEHIND];

/** A line before and after an action. */
export interface ChangedLine {
  before: OrderLineRow;
  after: OrderLineRow;
}

/**
 * Returns the moves and claims of an action on an order. A correction can also reverse moves. `onTicket` has the units
 * that earlier moves of the ticket took from the shelf. The function subtracts from `onTicket` the units that it moves
 * back.
 */
export function stockMovesOf(
  order: Pick<FulfillmentOrderRow, 'fulfillment_order_id' | 'fulfillment_type' | 'in_store'>,
  action: Action,
  lines: readonly ChangedLine[],
  settings: Pick<Settings, 'cancelReasons'>,
  actorId: string,
  onTicket: readonly UnitsOfTicket[],
): { moves: StockMove[]; claims: StockClaim[] } {
  const rules = rulesOf(order, action.type);
  const userId = whoOf(action) ?? actorId;
  const moves = lines.flatMap(({ before, after }) =>
    rules.flatMap((rule) =>
      (action.type === 'confirmCheckIn' && rule.units === 'declined'
        ? notArrived(rule, action, before, after, settings)
        : flowsOf(rule, before, after, settings, onTicket)
      ).map(
        (flow): StockMove => ({
          itemId: after.item_id,
          cause: rule.cause,
          reference: order.fulfillment_order_id,
          lineNumber: after.web_line_id,
          ...reasonOf(rule, after),
          ...flow,
          userId,
          ofOrder: true,
        }),
      ),
    ),
  );
  const claims = lines.flatMap(({ before, after }): StockClaim[] => {
    const units = reservedUnits(order, after) - reservedUnits(order, before);
    return units === 0 ? [] : [{ itemId: after.item_id, units }];
  });
  return { moves, claims };
}

/**
 * Sorts the moves of orders that are posted together: first units that come back to the shelf, last units that were not
 * found. In another order, the ledger would have too few units for the picked units and would post LEDGER_BEHIND.
 */
export function byPlace(a: StockMove, b: StockMove): number {
  const rank = ({ to }: StockMove) => (to === 'SHELF' ? 0 : to === 'MISSING' ? 2 : 1);
  return rank(a) - rank(b);
}

function rulesOf(order: Parameters<typeof isOnItsWay>[0], type: Action['type']): readonly StockRule[] {
  const rules = STOCK_RULES[type];
  if ('arriving' in rules) return isOnItsWay(order) ? rules.arriving : rules.inStore;
  return rules;
}

/** Returns the user of an action, as sent; undefined if the action names no user. */
function whoOf(action: Action): string | undefined {
  if ('modifyAssociateId' in action) return action.modifyAssociateId;
  return 'userId' in action ? action.userId : undefined;
}

/** Returns the reason of declined or `refused` units, as the user gave it. */
function reasonOf({ units }: StockRule, line: OrderLineRow): { reason?: string } {
  const reason = units === 'declined' ? line.decline_reason : units === 'refused' ? line.refuse_reason : null;
  return reason === null ? {} : { reason };
}

interface Flow {
  from: StockSpot;
  to: StockSpot;
  quantity: number;
  /** Present only if the units have another reason than the line. */
  reason?: string;
  /** Present only if the units come back from the place of another line. */
  reference?: string;
  lineNumber?: string;
}

function flowsOf(
  rule: StockRule,
  before: OrderLineRow,
  after: OrderLineRow,
  settings: Pick<Settings, 'cancelReasons'>,
  onTicket: readonly UnitsOfTicket[],
): Flow[] {
  const { units, from } = rule;
  const more = after[units] - before[units];
  if (rule.to !== 'BY_REASON') return flow(from, rule.to, more);
  const place = (reason: string | null) => (reason === null ? undefined : placeOf(settings, reason)) ?? rule.otherwise;
  const is = place(after.decline_reason);
  if (rule.cause !== 'PICK_CORRECTED') return flow(from, is, more);
  const meant = place(before.decline_reason);
  const ofItem = onTicket.filter((one) => one.itemId === after.item_id && one.spot !== 'COUNT' && one.units > 0);
  const own = ofItem.filter(
    (one) => one.reference === after.fulfillment_order_id && one.lineNumber === after.web_line_id,
  );
  // Of units that were not found, the ledger moves only those that it has on the shelf. The units that this line misses
  // can therefore be recorded for another line of the ticket.
  const others = meant === 'MISSING' ? ofItem.filter((one) => !own.includes(one) && one.spot === 'MISSING') : [];
  // The place of a reason may have changed since the CONFIRM, so only units that the ledger moved are moved back.
  const isOtherPlace = own.length > 0 ? own.some(({ spot }) => spot !== is) : meant !== is;
  if (after[units] > 0 && before.decline_reason !== after.decline_reason && isOtherPlace) {
    const there = own.find(({ spot }) => spot === is)?.units ?? 0;
    const elsewhere = [...own, ...others].filter(({ spot }) => spot !== is);
    return [...movedBack(from, elsewhere, before[units] - there), ...flow(from, is, after[units] - there)];
  }
  return more > 0 ? flow(from, is, more) : movedBack(from, [...own, ...others], -more);
}

/** Returns moves that bring declined units back from their places, at most `most`, and subtracts them from `places`. */
function movedBack(to: StockSpot, places: readonly UnitsOfTicket[], most: number): Flow[] {
  let left = most;
  return places.flatMap((one) => {
    const quantity = Math.min(left, one.units);
    left -= quantity;
    one.units -= quantity;
    const { reference, lineNumber } = one;
    return flow(one.spot as StockSpot, to, quantity).map((back) => ({ ...back, reference, lineNumber }));
  });
}

/**
 * Returns the moves of the declined units of a check-in, each by the reason of its package. Units that the customer had
 * canceled are not declined. If not all units that did not arrive are declined, the damaged units count as declined
 * first, because they are certainly in the store.
 */
function notArrived(
  { from }: StockRule,
  { arrived }: Extract<Action, { type: 'confirmCheckIn' }>,
  before: OrderLineRow,
  after: OrderLineRow,
  settings: Pick<Settings, 'cancelReasons'>,
): Flow[] {
  const { canceledFor } = arrived.find(({ lineIndex }) => lineIndex === after.line_index)!;
  const placed = canceledFor.map((one) => ({ ...one, to: placeOf(settings, one.reason) }));
  let left = after.declined - before.declined;
  return placed
    .toSorted((a, b) => Number(b.to === 'DAMAGED') - Number(a.to === 'DAMAGED'))
    .flatMap(({ reason, units, to }) => {
      const quantity = Math.min(left, units);
      left -= quantity;
      return flow(from, to, quantity).map((one) => ({ ...one, reason }));
    });
}

function placeOf(settings: Pick<Settings, 'cancelReasons'>, reason: string): StockSpot | undefined {
  return EFFECT_PLACES[stockEffectOf(settings, reason)];
}

const EFFECT_PLACES: Readonly<Record<StockEffect, StockSpot | undefined>> = {
  NONE: undefined,
  MISSING: 'MISSING',
  DAMAGED: 'DAMAGED',
};

/** Returns a move; negative units reverse its direction. */
function flow(from: StockSpot, to: StockSpot | undefined, units: number): Flow[] {
  if (to === undefined || units === 0) return [];
  return units > 0 ? [{ from, to, quantity: units }] : [{ from: to, to: from, quantity: -units }];
}
