/**
 * Plans a new pick ticket for orders that wait for pick. A pure function, like `plan.ts`
 * (docs/interface.md#generate-a-pick-ticket).
 */
import type { FulfillmentOrderRow, NodeItemRow, OrderLineRow, PickTicketRow } from '../../platform/storage/tables.ts';
import type { NodeSettings } from '../../sla/engine.ts';
import { positionIn } from '../position.ts';
import { State } from '../states.ts';
import { openUnits } from '../units.ts';
import type { Step } from '../write.ts';
import type { TicketEvent } from './action.ts';
import { type MergedItem, mergeLines } from './merge-lines.ts';
import { newTicket, partOfTicket, pickLocations } from './new-ticket.ts';

/**
 * Maximum number of items on one ticket: with all their fields they still fit in one CONFIRM
 * (docs/interface.md#response-of-the-pick-ticket).
 */
export const ITEMS_MAX = 4_000;

/** The data of a generate request. */
export interface Generate {
  queueId: string;
  userId: string;
  modifyAssociateId: string;
}

/** Locked orders that wait for pick, and the data for their ticket. */
export interface ToPick {
  settings: NodeSettings;
  /** The orders, sorted by id. */
  orders: readonly FulfillmentOrderRow[];
  /** All lines of the orders. */
  lines: readonly OrderLineRow[];
  /** The item feed of the node, by item id. */
  feed: ReadonlyMap<string, NodeItemRow>;
  /** The number of the ticket. */
  pickTicketId: string;
  holdLocation: string;
}

/** A new ticket. The caller rejects a ticket with more than `ITEMS_MAX` items. */
export interface NewTicketPlan {
  ticket: PickTicketRow;
  items: MergedItem[];
  /** The due time of the pick of each order. */
  dues: number[];
  steps: Step[];
  event: TicketEvent;
}

/** Plans a ticket with every open unit of the orders. */
export function planNewTicket(subject: ToPick, action: Generate, now: number): NewTicketPlan {
  const { settings, orders, lines, feed, pickTicketId, holdLocation } = subject;
  const { queueId, userId, modifyAssociateId } = action;
  const open = lines.flatMap((line) => {
    const quantity = openUnits(line);
    return quantity === 0 ? [] : [partOfTicket(line, quantity)];
  });
  const items = mergeLines(open, pickLocations(feed));
  const dues = orders.map((order) => positionIn(settings, order, State.PICKING, now).sla_at!);
  const ticket = newTicket(orders[0]!, items, {
    pick_ticket_id: pickTicketId,
    pick_ticket_type: 'PICK_TICKET',
    queue_id: queueId,
    user_id: userId,
    hold_location: holdLocation,
    pick_ticket_date: now,
    pick_sla_date: Math.min(...dues),
    total_fulfillment_orders: orders.length,
    fulfillment_order_id: null,
  });
  const step = { type: 'generate' as const, pickTicketId, userId, modifyAssociateId };
  return {
    ticket,
    items,
    dues,
    steps: orders.map((order) => ({ order, action: step })),
    event: {
      type: 'pickTicket.generated',
      data: {
        userId,
        modifyAssociateId,
        queueId,
        holdLocation,
        fulfillmentOrderIds: orders.map((order) => order.fulfillment_order_id),
        totalQuantity: ticket.total_quantity,
      },
    },
  };
}
