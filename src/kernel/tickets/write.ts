/**
 * Carries out the actions on pick tickets. It reads the rows that an action needs, calls `plan.ts` to plan it, and
 * writes the plan in the caller's transaction. The caller has locked the ticket.
 */
import { recordAll } from '../../events/record.ts';
import type { Ctx } from '../../platform/ctx.ts';
import { readJson } from '../../platform/json-column.ts';
import type {
  FulfillmentOrderRow,
  NodeItemRow,
  NodeRow,
  PickTicketItemRow,
  PickTicketRow,
} from '../../platform/storage/tables.ts';
import type { FulfillmentType, Settings } from '../../shared/client-settings.ts';
import { type NodeSettings, slaOf } from '../../sla/engine.ts';
import { findBoxes } from '../boxes.ts';
import { unblockItems } from '../item-blocks.ts';
import { findLines, lockOrders, lockOrdersOfTicket } from '../orders.ts';
import { withPresentCodes } from '../present-codes.ts';
import { findRequested } from '../requests.ts';
import { atNode, findSettings } from '../settings.ts';
import { heldBy } from '../street-date.ts';
import { advanceOrders } from '../write.ts';
import type { Action, OrderOnTicket, Plan, Subject } from './action.ts';
import { followedByRow } from './correct.ts';
import { type Generate, ITEMS_MAX, type NewTicketPlan, planNewTicket } from './generate.ts';
import { suggestHoldLocation } from './hold-location.ts';
import { findFeed, nextPickTicketId, saveNewTicket } from './new-ticket.ts';
import { planTicket, verdictOf } from './plan.ts';
import { changedMeanwhile, refusalOf, tooManyItems } from './refusals.ts';
import { findTicketItems, findTicketLines, saveResults, saveTicket, saveTicketLines } from './rows.ts';
import { findScans, insertScans } from './scans.ts';
import { isReverse } from './states.ts';

/** A locked ticket, with the rows that the caller has already read. */
export interface Locked {
  ticket: PickTicketRow;
  items?: readonly PickTicketItemRow[];
  settings?: Settings;
}

/** Carries out an action on a locked ticket and its orders. @throws Refusal when the action is rejected */
export async function advanceTicket(
  ctx: Ctx,
  locked: Locked,
  action: Action,
): Promise<{ before: Subject; plan: Plan }> {
  const before = await readSubject(ctx, locked, action);
  const plan = planTicket(before, action, ctx.now);
  if (plan.refused !== undefined) throw refusalOf(before.ticket, plan.refused);
  await writePlan(ctx, before, plan);
  return { before, plan };
}

/** A new ticket, with the item feed from which it was made. */
interface Generated {
  plan: NewTicketPlan;
  feed: ReadonlyMap<string, NodeItemRow>;
}

/** Makes a ticket of locked orders that wait for pick. @throws Refusal 400 if they have too many items */
export async function generateTicket(
  ctx: Ctx,
  settings: NodeSettings,
  node: NodeRow,
  orders: readonly FulfillmentOrderRow[],
  action: Generate,
): Promise<Generated> {
  const { client_id: clientId } = node;
  const ids = orders.map((order) => order.fulfillment_order_id);
  const lines = await findLines(ctx, clientId, ids);
  const feed = await findFeed(ctx, node, lines);
  const pickTicketId = await nextPickTicketId(ctx, clientId);
  const holdLocation = await suggestHoldLocation(ctx.db, node);
  const planned = planNewTicket({ settings, orders, lines, feed, pickTicketId, holdLocation }, action, ctx.now);
  if (planned.items.length > ITEMS_MAX) throw tooManyItems(planned.items.length);
  const plan = { ...planned, items: await withPresentCodes(ctx, clientId, orders, planned.items) };
  await saveNewTicket(ctx, plan.ticket, plan.items, feed);
  await advanceOrders(ctx, settings, plan.steps, [{ ...ofTicket(plan.ticket), ...plan.event }]);
  return { plan, feed };
}

/** Reads the rows that the caller has not read. It reads nothing if the row of the ticket alone decides the action. */
async function readSubject(ctx: Ctx, { ticket, items = [], settings }: Locked, action: Action): Promise<Subject> {
  const { client_id: clientId, pick_ticket_id: pickTicketId } = ticket;
  const verdict = verdictOf(ticket, action, ctx.now);
  const known = { ticket, items, scans: [], parts: [], orders: [] };
  if (verdict !== 'goesOn') return { ...known, settings: settings! };
  const subject: Subject = { ...known, settings: settings ?? (await findSettings(ctx.db, clientId)) };
  switch (action.type) {
    case 'open':
    case 'takeOver':
      return subject;
    case 'saveProgress':
      return {
        ...subject,
        items: await findTicketItems(ctx.db, clientId, pickTicketId),
        scans: await findScans(ctx.db, clientId, pickTicketId),
      };
    case 'RESET':
    case 'lapse': {
      if (isReverse(ticket)) return subject;
      const orders = await lockOrdersOfTicket(ctx, clientId, pickTicketId);
      return { ...subject, orders: orders.map((order) => ({ order })) };
    }
    case 'CONFIRM':
    case 'correct': {
      const parts = await findTicketLines(ctx.db, clientId, pickTicketId);
      const ids = [...new Set(parts.map((part) => part.fulfillment_order_id))];
      const orders = await readOrders(ctx, ticket, ids);
      return {
        ...subject,
        parts,
        orders: action.type === 'correct' ? await readFollowers(ctx, subject, orders) : orders,
      };
    }
  }
}

/**
 * Returns the locked orders of a ticket. For a pick ticket it also reads the lines of the orders, because the units are
 * allotted to lines.
 */
async function readOrders(ctx: Ctx, ticket: PickTicketRow, ids: readonly string[]): Promise<OrderOnTicket[]> {
  const orders = await lockOrders(ctx, ticket.client_id, ids);
  if (isReverse(ticket)) return orders.map((order) => ({ order }));
  const lines = await findLines(ctx, ticket.client_id, ids);
  const linesOf = Map.groupBy(lines, (line) => line.fulfillment_order_id);
  return orders.map((order) => ({ order, lines: linesOf.get(order.fulfillment_order_id)! }));
}

/**
 * Reads packages and re-source requests of the orders whose own rows show no later step since the CONFIRM. The row of
 * an order no longer has the due time of its pick, so the time is computed again from the entry of the order.
 */
async function readFollowers(
  ctx: Ctx,
  { ticket, settings }: Subject,
  orders: readonly OrderOnTicket[],
): Promise<OrderOnTicket[]> {
  const there = await atNode(ctx.db, settings, ticket);
  const read: OrderOnTicket[] = [];
  for (const { order, lines } of orders) {
    const { fulfillment_type: type, created_at: createdAt } = order;
    // An order that was held until a street date entered the queue on this date. Canceled lines do not hold an order.
    const snapshots = lines!.filter((line) => line.canceled < line.ordered).map((line) => readJson(line.snapshot));
    const since = heldBy(snapshots, there.calendar, createdAt)?.until ?? createdAt;
    const pickDueAt = slaOf(there, type as FulfillmentType, 'COMPLETE_PICK', since).expiredAt;
    const one: OrderOnTicket = { order, lines: lines!, pickDueAt };
    if (followedByRow(ticket, one, settings) !== undefined) {
      read.push(one);
      continue;
    }
    const requested = await findRequested(ctx.db, order, lines!);
    read.push({ ...one, boxes: await findBoxes(ctx, order), requested });
  }
  return read;
}

/** Writes the tables that the plan changes. Records the event of the ticket before the events of its orders. */
async function writePlan(ctx: Ctx, { ticket, settings, orders }: Subject, plan: Plan): Promise<void> {
  const { columns, results, parts, scans, steps, freedItems, event } = plan;
  if (columns !== undefined && !(await saveTicket(ctx, ticket, columns))) throw changedMeanwhile();
  if (results.length > 0) await saveResults(ctx, ticket, results);
  if (parts.length > 0) await saveTicketLines(ctx, ticket, parts);
  if (scans.length > 0) await insertScans(ctx, scans);
  const effects = event === undefined ? [] : [{ ...ofTicket(plan.ticket), ...event }];
  if (steps.length > 0) await advanceOrders(ctx, settings, steps, effects);
  else await recordAll(ctx, effects);
  const ids = orders.map(({ order }) => order.fulfillment_order_id);
  await recordAll(ctx, await unblockItems(ctx, ticket, freedItems, ids));
}

/** Returns the fields that identify the ticket in its events. */
function ofTicket({ client_id: clientId, pick_ticket_id: resourceId, revision }: PickTicketRow) {
  return { clientId, resource: 'pickTicket' as const, resourceId, revision };
}
