/**
 * The stock moves of each action on an order, as a total table. The moves are computed from the lines before and after
 * the action. Reserved units are not in the table: they follow from the open units.
 */
import type { FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import { type Settings, type StockEffect, stockEffectOf } from '../shared/client-settings.ts';
import type { Action } from './plan.ts';
import type { StockClaim } from './stock.ts';
import type { UnitsAt } from './stock-ledger.ts';
import type { StockMove, StockSpot } from './stock-terms.ts';
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

/** The causes of the moves of declined units that a correction can reverse. */
export const CORRECTABLE_CAUSES: readonly string[] = ['DECLINED', 'PICK_CORRECTED'];

/** A line before and after an action. */
export interface ChangedLine {
  before: OrderLineRow;
  after: OrderLineRow;
  /** For a correction: the places to which the ledger moved declined units of the line. */
  declinedTo?: readonly UnitsAt[];
}

/** Returns the moves and claims of an action on an order. A correction may also reverse moves. */
export function stockMovesOf(
  order: Pick<FulfillmentOrderRow, 'fulfillment_order_id' | 'fulfillment_type' | 'in_store'>,
  action: Action,
  lines: readonly ChangedLine[],
  settings: Pick<Settings, 'cancelReasons'>,
  actorId: string,
): { moves: StockMove[]; claims: StockClaim[] } {
  const rules = rulesOf(order, action.type);
  const userId = whoOf(action) ?? actorId;
  const moves = lines.flatMap(({ before, after, declinedTo }) =>
    rules.flatMap((rule) =>
      (action.type === 'confirmCheckIn' && rule.units === 'declined'
        ? notArrived(rule, action, before, after, settings)
        : flowsOf(rule, before, after, settings, declinedTo)
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
  /** Only if the units have another reason than the line. */
  reason?: string;
}

function flowsOf(
  rule: StockRule,
  before: OrderLineRow,
  after: OrderLineRow,
  settings: Pick<Settings, 'cancelReasons'>,
  declinedTo: readonly UnitsAt[] = [],
): Flow[] {
  const { units, from } = rule;
  const more = after[units] - before[units];
  if (rule.to !== 'BY_REASON') return flow(from, rule.to, more);
  const place = (reason: string | null) => (reason === null ? undefined : placeOf(settings, reason)) ?? rule.otherwise;
  const is = place(after.decline_reason);
  if (rule.cause !== 'PICK_CORRECTED') return flow(from, is, more);
  // The place of a reason may have changed since the CONFIRM, so only units that the ledger moved are moved back.
  const was = declinedTo.length > 0 ? declinedTo.map((one) => one.place) : [place(before.decline_reason)];
  const isOtherPlace = before.decline_reason !== after.decline_reason && was.some((one) => one !== is);
  if (after[units] > 0 && isOtherPlace) {
    const there = declinedTo.find((one) => one.place === is)?.units ?? 0;
    return [
      ...movedBack(
        from,
        declinedTo.filter((one) => one.place !== is),
      ),
      ...flow(from, is, after[units] - there),
    ];
  }
  return more > 0 ? flow(from, is, more) : movedBack(from, declinedTo, -more);
}

/** Returns moves that bring declined units back from their places, at most `units`. */
function movedBack(to: StockSpot, declinedTo: readonly UnitsAt[], units = Number.POSITIVE_INFINITY): Flow[] {
  let left = units;
  return declinedTo.flatMap((one) => {
    const quantity = Math.min(left, one.units);
    left -= quantity;
    return flow(one.place as StockSpot, to, quantity);
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
