/** Errors of a missing ticket, and of actions that its state, user or orders forbid. */
import { badRequest, conflict, notFound, type Refusal } from '../../platform/http/errors.ts';
import { FIELD_ERRORS_MAX, fieldError } from '../../platform/message/field-errors.ts';
import type { PickTicketRow } from '../../platform/storage/tables.ts';
import { formatDateTime } from '../../platform/time.ts';
import type { Refused } from './action.ts';
import { ITEMS_MAX } from './generate.ts';
import { stateOfTicket } from './states.ts';

/** 404: the store and node have no such ticket. */
export function noTicket(pickTicketId: string): Refusal {
  return notFound(`There is no pick ticket ${JSON.stringify(pickTicketId)} of this store and node; check its id.`);
}

/** 409: another request changed the ticket between reading and writing. */
export function changedMeanwhile(): Refusal {
  return conflict('The ticket was changed by another request at the same time; nothing was changed. Try again.');
}

/** 400: the ticket would have too many items (docs/interface.md#response-of-the-pick-ticket). */
export function tooManyItems(items: number): Refusal {
  const message = `the orders have ${items} different items, but a ticket has at most ${ITEMS_MAX}; send fewer orders`;
  return badRequest([fieldError('/fulfillmentOrderIds', 'maxTicketItems', message, ITEMS_MAX)]);
}

/** The error of an action that a plan rejects. */
export function refusalOf(ticket: PickTicketRow, refused: Refused): Refusal {
  switch (refused.why) {
    case 'closed':
      return conflict(
        `The pick ticket is closed (${stateOfTicket(ticket)}); generate a new one for orders that still wait.`,
        holderOf(ticket),
      );
    case 'heldByOther':
      return conflict(
        `The pick ticket belongs to ${JSON.stringify(ticket.user_id)}; take it over first, naming that user.`,
        holderOf(ticket),
      );
    case 'notHeldBy':
      return conflict(
        `The pick ticket belongs to ${JSON.stringify(ticket.user_id)}, not to ${JSON.stringify(refused.userId)}; name its present user.`,
        holderOf(ticket),
      );
    case 'wasReset':
      return conflict(
        'The pick ticket was reset, so it cannot be confirmed; generate a new ticket for its orders.',
        holderOf(ticket),
      );
    case 'isConfirmed':
      return conflict(
        'The pick ticket is confirmed, so it cannot be reset; its orders have continued with their next step.',
        holderOf(ticket),
      );
    case 'differs':
      return differs(ticket, refused.differences);
    case 'notConfirmed':
      return conflict(`The pick ticket was not corrected: ${whyNotConfirmed(ticket)}.`, holderOf(ticket));
    case 'followed':
      return followed(ticket, refused);
    case 'wrongScans':
      return badRequest(refused.errors.slice(0, FIELD_ERRORS_MAX), refused.errors.length);
    case 'changedMeanwhile':
      return changedMeanwhile();
  }
}

/** The user and state of a ticket, for errors (docs/interface.md#order-of-checks). */
function holderOf(ticket: PickTicketRow): Record<string, unknown> {
  return {
    pickTicketId: ticket.pick_ticket_id,
    userId: ticket.user_id,
    since: formatDateTime(ticket.closed_at ?? ticket.pick_ticket_date),
    ticketStatus: ticket.status,
    ...(ticket.outcome !== null && { outcome: ticket.outcome }),
  };
}

function whyNotConfirmed(ticket: PickTicketRow): string {
  return ticket.pick_ticket_type === 'PICK_TICKET'
    ? `it is ${stateOfTicket(ticket)}; only a confirmed pick ticket can be corrected`
    : 'it is a reverse pick ticket; only other pick tickets can be corrected';
}

const SHOWN_DIFFERENCES = 10;

function differs(ticket: PickTicketRow, found: readonly string[]): Refusal {
  const shown = found.slice(0, SHOWN_DIFFERENCES).join('; ');
  const more = found.length > SHOWN_DIFFERENCES ? `; and ${found.length - SHOWN_DIFFERENCES} more` : '';
  return conflict(
    `The pick ticket is confirmed already, with other content: ${shown}${more}. Correct it with POST /operator/v1/stores/{storeId}/nodes/{nodeId}/pickTickets/{pickTicketId}/correct.`,
    holderOf(ticket),
  );
}

function followed(ticket: PickTicketRow, refused: Extract<Refused, { why: 'followed' }>): Refusal {
  const reasons = refused.followed.map(({ fulfillmentOrderId: id, what }) => `order ${JSON.stringify(id)}: ${what}`);
  return conflict(
    `The pick ticket was not corrected, because later steps depend on its CONFIRM (item ${refused.itemNumbers.join(', ')}). ${reasons.join('; ')}.`,
    { pickTicketId: ticket.pick_ticket_id, followed: refused.followed },
  );
}
