/**
 * The only writer of the state and the queue of orders after intake. It reads the rows that the plan needs, plans the
 * effects of an action (`plan.ts`) and writes these effects in the caller's transaction. One statement writes the lines
 * of all orders, and one writes their rows. The caller has locked the orders.
 */

import { type Effect, recordAll } from '../events/record.ts';
import type { Ctx } from '../platform/ctx.ts';
import type { Columns } from '../platform/storage/dialect.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import { updateRows } from '../platform/storage/update.ts';
import type { Settings } from '../shared/client-settings.ts';
import { closeAlerts, mayHaveAlert } from './alerts.ts';
import { type Box, findBoxes, saveBoxes } from './boxes.ts';
import { type Charged, chargeUnits } from './charges.ts';
import { blockItems } from './item-blocks.ts';
import { isPartly, queueMessages } from './messages.ts';
import { findLines } from './orders.ts';
import { type Action, type Plan, plan, type Subject } from './plan.ts';
import { closeRequests, findRequested, insertRequest } from './requests.ts';
import { atNode } from './settings.ts';
import { State } from './states.ts';
import { post } from './stock.ts';
import { withoutAdded } from './stock-added.ts';
import { unitsOfTicket } from './stock-ledger.ts';
import { byPlace, type ChangedLine, CORRECTABLE_CAUSES, stockMovesOf } from './stock-moves.ts';
import { insertReverseTicket } from './tickets/reverse-ticket.ts';
import type { Requested } from './units.ts';

/** A locked order and the action on it. */
export interface Step {
  order: FulfillmentOrderRow;
  action: Action;
  /** All lines of the order, if the caller has read them. */
  lines?: readonly OrderLineRow[];
  /** All packages of the order, if the caller has read them. */
  boxes?: readonly Box[];
  /** Units of the order in re-source requests, if the caller has read them. */
  requested?: Requested;
}

/** An order after an action. */
export interface Advanced extends Pick<Plan, 'order' | 'position' | 'lines'> {
  charged?: Charged;
}

/** Carries out an action on one locked order. The events `before` are recorded first. */
export async function advanceOrder(
  ctx: Ctx,
  settings: Settings,
  step: Step,
  before: readonly Effect[] = [],
): Promise<Advanced> {
  return (await advanceOrders(ctx, settings, [step], before))[0]!;
}

/**
 * Carries out actions on locked orders of one node, in order.
 * @throws Error if an order has changed since it was locked, or its state forbids the action
 */
export async function advanceOrders(
  ctx: Ctx,
  settings: Settings,
  steps: readonly Step[],
  before: readonly Effect[] = [],
): Promise<Advanced[]> {
  const [first] = steps;
  if (first === undefined) return [];
  const clientId = first.order.client_id;
  const there = await atNode(ctx.db, settings, first.order);
  const subjects = await readSubjects(ctx, clientId, steps);
  const plans = steps.map(({ action }, index) => plan(subjects[index]!, action, there, ctx.now));

  await saveLines(
    ctx,
    clientId,
    plans.flatMap(({ changedLines }) => changedLines),
  );
  const effects = [...before];
  const declined: Effect[] = [];
  for (const [index, planned] of plans.entries()) {
    const { order, changedBoxes, declines, closeRequests: reasonCode, requestAnew, asksForNode } = planned;
    if (changedBoxes.length > 0) await saveBoxes(ctx, order, changedBoxes);
    if (reasonCode !== undefined) effects.push(...(await closeRequests(ctx, order, { by: 'CUSTOMER', reasonCode })));
    if (requestAnew !== undefined) effects.push(...(await closeRequests(ctx, order, { by: 'NODE' })));
    const asked = requestAnew ?? declines;
    if (asked.length > 0 && asksForNode) {
      declined.push(await insertRequest(ctx, steps[index]!.order, asked));
    }
  }
  const declinedItems = plans.flatMap(({ order, declines }) =>
    declines.map(({ line, reason }) => ({
      itemId: line.item_id,
      reason,
      fulfillmentOrderId: order.fulfillment_order_id,
    })),
  );
  declined.push(...(await blockItems(ctx, first.order, declinedItems)));

  const advanced: Advanced[] = [];
  for (const [index, planned] of plans.entries()) {
    const { order, position, lines, returns, money } = planned;
    const { action, order: was } = steps[index]!;
    const handOverId = 'handOverId' in action ? action.handOverId : null;
    const charged = money.length > 0 ? await chargeUnits(ctx, was, money, handOverId) : undefined;
    const reverse = returns.length > 0 ? await insertReverseTicket(ctx, there, order, returns) : undefined;
    effects.push(
      ...eventsOf(planned, charged, reverse?.pickTicketId),
      ...(reverse === undefined ? [] : [reverse.effect]),
    );
    advanced.push({ order, position, lines, ...(charged && { charged }) });
  }
  await saveOrders(
    ctx,
    clientId,
    plans.map(({ order }, index) => ({ before: steps[index]!.order, after: order })),
  );
  const posted = there.keepsStock ? await postOrders(ctx, there, steps, subjects, plans) : [];
  await recordAll(ctx, [...effects, ...declined, ...posted]);
  const ready = plans.flatMap(({ order, lines }, index) =>
    order.status === State.READY_FOR_PICKUP && steps[index]!.order.status !== State.READY_FOR_PICKUP
      ? [{ order, kind: isPartly(lines) ? ('PARTLY_READY' as const) : ('READY' as const) }]
      : [],
  );
  await queueMessages(ctx, settings, ready);
  return advanced;
}

/** Posts the moves and claims of the actions in the ledger of a node that keeps stock. */
async function postOrders(
  ctx: Ctx,
  settings: Settings,
  steps: readonly Step[],
  subjects: readonly Subject[],
  plans: readonly Plan[],
): Promise<Effect[]> {
  const { order: first, action } = steps[0]!;
  const node = { clientId: first.client_id, nodeId: first.node_id };
  const changed = plans.map(({ changedLines }, index) => {
    const before = new Map(subjects[index]!.lines.map((line) => [line.line_index, line]));
    return changedLines.map((after): ChangedLine => ({ before: before.get(after.line_index)!, after }));
  });
  const itemIds = [...new Set(changed.flat().map(({ after }) => after.item_id))];
  const onTicket =
    action.type === 'correct' && itemIds.length > 0
      ? await unitsOfTicket(ctx, node, action.pickTicketId, itemIds, CORRECTABLE_CAUSES)
      : [];
  const all = plans.map(({ order }, index) =>
    stockMovesOf(order, steps[index]!.action, changed[index]!, settings, ctx.actor.id, onTicket),
  );
  const sorted = all.flatMap((one) => one.moves).sort(byPlace);
  const moves = action.type === 'correct' ? withoutAdded(sorted, onTicket, action.userId) : sorted;
  const claims = all.flatMap((one) => one.claims);
  return post(ctx, node, { moves, claims });
}

/** Writes columns of a locked order that change neither its units nor its position. */
export async function saveOrder(
  ctx: Pick<Ctx, 'db' | 'dialect' | 'now'>,
  order: FulfillmentOrderRow,
  columns: Partial<Pick<FulfillmentOrderRow, 'pin_attempts' | 'pin_locked_until' | 'pin_unlocks'>>,
): Promise<void> {
  const after = { ...order, ...columns, revision: order.revision + 1, updated_at: ctx.now };
  await saveOrders(ctx, order.client_id, [{ before: order, after }]);
}

/** Actions whose plans need no order lines. */
const WITHOUT_LINES: readonly Action['type'][] = ['hold', 'release', 'generate', 'saveCheckIn', 'change', 'move'];
/** Actions that may remove units from packages. */
const UNPACKING: readonly Action['type'][] = ['decline', 'cancel', 'expire'];
const PACKED_STATES: readonly number[] = [State.WAITING_FOR_PACK, State.WAITING_FOR_DELIVERY];

/** Reads the lines and packages that the caller has not passed. One statement reads the lines of all orders. */
async function readSubjects(ctx: Ctx, clientId: string, steps: readonly Step[]): Promise<Subject[]> {
  const unread = steps.filter(({ lines, action }) => lines === undefined && !WITHOUT_LINES.includes(action.type));
  const ids = unread.map(({ order }) => order.fulfillment_order_id);
  const read = Map.groupBy(
    ids.length === 0 ? [] : await findLines(ctx, clientId, ids),
    (line) => line.fulfillment_order_id,
  );
  const subjects: Subject[] = [];
  for (const { order, action, lines: known, boxes: given, requested } of steps) {
    const lines = known ?? read.get(order.fulfillment_order_id) ?? [];
    const mayUnpack = UNPACKING.includes(action.type) && PACKED_STATES.includes(order.status);
    const boxes = given ?? (mayUnpack ? await findBoxes(ctx, order) : []);
    subjects.push({ order, lines, boxes, requested: requested ?? (await findRequested(ctx.db, order, lines)) });
  }
  return subjects;
}

/**
 * Returns the events of a plan. The first event gets the reverse pick ticket, and the last event gets the charged
 * amounts.
 */
function eventsOf(
  { order, events }: Plan,
  charged: Charged | undefined,
  reversePickTicketId: string | undefined,
): Effect[] {
  return events.map(({ type, data }, index) => {
    const effect = {
      clientId: order.client_id,
      type,
      resource: 'order',
      resourceId: order.fulfillment_order_id,
      revision: order.revision,
      data: {
        ...data,
        ...(index === 0 && reversePickTicketId !== undefined && { reversePickTicketId }),
        ...(index === events.length - 1 && charged && { orderTotal: charged.orderTotal }),
      },
    };
    // Action, plan and this function each add data, so the type is not checked here. Tests compare recorded events with
    // the schemas.
    return effect as Effect;
  });
}

/** The columns of a line that actions write. */
type LineColumns = Pick<
  OrderLineRow,
  | 'fulfillment_order_id'
  | 'line_index'
  | 'picked'
  | 'declined'
  | 'decline_reason'
  | 'canceled'
  | 'canceling'
  | 'cancel_reason'
  | 'handed_over'
  | 'refused'
  | 'refuse_reason'
  | 'returned'
  | 'missing'
>;

const LINE_COLUMNS: Columns<LineColumns> = {
  fulfillment_order_id: 'text',
  line_index: 'integer',
  picked: 'integer',
  declined: 'integer',
  decline_reason: 'text',
  canceled: 'integer',
  canceling: 'integer',
  cancel_reason: 'text',
  handed_over: 'integer',
  refused: 'integer',
  refuse_reason: 'text',
  returned: 'integer',
  missing: 'integer',
};

const saveLines = updateRows('order_lines', LINE_COLUMNS, { key: ['fulfillment_order_id', 'line_index'] });

/** The columns of an order that actions write. `before` and `seen` are the expected status and revision. */
type OrderColumns = Pick<
  FulfillmentOrderRow,
  | 'fulfillment_order_id'
  | 'status'
  | 'queue_id'
  | 'queued_at'
  | 'sla_type'
  | 'sla_at'
  | 'due_at'
  | 'ended_at'
  | 'pick_ticket_id'
  | 'hold_location'
  | 'checkin_hold_location'
  | 'pin_attempts'
  | 'pin_locked_until'
  | 'pin_unlocks'
  | 'revision'
  | 'updated_at'
> & { before: number; seen: number };

const ORDER_COLUMNS: Columns<OrderColumns> = {
  fulfillment_order_id: 'text',
  status: 'integer',
  queue_id: 'text',
  queued_at: 'integer',
  sla_type: 'text',
  sla_at: 'integer',
  due_at: 'integer',
  ended_at: 'integer',
  pick_ticket_id: 'text',
  hold_location: 'text',
  checkin_hold_location: 'text',
  pin_attempts: 'integer',
  pin_locked_until: 'integer',
  pin_unlocks: 'integer',
  revision: 'integer',
  updated_at: 'integer',
  before: 'integer',
  seen: 'integer',
};

/**
 * Writes orders if status and revision have not changed since they were read, so that only one of two concurrent
 * writers succeeds. Closes the alerts of orders that leave their step or get another due time for it.
 */
async function saveOrders(
  ctx: Pick<Ctx, 'db' | 'dialect' | 'now'>,
  clientId: string,
  moves: readonly { before: FulfillmentOrderRow; after: FulfillmentOrderRow }[],
): Promise<void> {
  const rows = moves.map(
    ({ before, after }): OrderColumns => ({
      ...after,
      revision: before.revision + 1,
      updated_at: ctx.now,
      before: before.status,
      seen: before.revision,
    }),
  );
  const count = await updateOrders(ctx, clientId, rows);
  if (count !== moves.length) throw new Error('a locked order was changed');
  const left = moves.filter(({ before, after }) => {
    const isSameStep =
      after.sla_type === before.sla_type && after.queued_at === before.queued_at && after.sla_at === before.sla_at;
    return !isSameStep && mayHaveAlert(before, ctx.now);
  });
  await closeAlerts(
    ctx,
    clientId,
    left.map(({ before }) => before.fulfillment_order_id),
  );
}

const updateOrders = updateRows('fulfillment_orders', ORDER_COLUMNS, {
  key: ['fulfillment_order_id'],
  guard: { status: 'before', revision: 'seen' },
});
