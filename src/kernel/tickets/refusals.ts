/** Errors for a ticket that does not exist, and for actions that the state, user or orders of a ticket forbid. */
import { badRequest, conflict, notFound, type Refusal } from '../../platform/http/errors.ts';
import { FIELD_ERRORS_MAX, fieldError } from '../../platform/message/field-errors.ts';
import { type Sentence, sequence } from '../../platform/message/sentence.ts';
import type { PickTicketRow } from '../../platform/storage/tables.ts';
import { formatDateTime } from '../../platform/time.ts';
import type { Refused } from './action.ts';
import { ITEMS_MAX } from './generate.ts';
import { say } from './sentences.ts';
import { isReverse, noUser, stateInWords } from './states.ts';

/** Returns the 404 for a ticket that the store and node do not have. */
export function noTicket(pickTicketId: string): Refusal {
  return notFound(
    say('There is no pick ticket {pickTicketId} of this store and node; check its id.', {
      pickTicketId: JSON.stringify(pickTicketId),
    }),
  );
}

/** Returns the 409 for a ticket that another request changed between reading and writing. */
export function changedMeanwhile(): Refusal {
  return conflict(
    say('Another request changed the ticket at the same time, so this request changed nothing. Try again.'),
  );
}

/** Returns the 400 for a ticket with too many items (docs/interface.md#response-of-the-pick-ticket). */
export function tooManyItems(items: number): Refusal {
  const message = say(
    'the orders have {items} different items, but a ticket has at most {itemsMax}; send fewer orders',
    { items, itemsMax: ITEMS_MAX },
  );
  return badRequest([fieldError('/fulfillmentOrderIds', 'maxTicketItems', message, ITEMS_MAX)]);
}

/** Returns the error of an action that a plan rejects. */
export function refusalOf(ticket: PickTicketRow, refused: Refused): Refusal {
  switch (refused.why) {
    case 'closed':
      return conflict(
        say('The pick ticket is closed ({stateOfTicket}); generate a new ticket for orders that still wait for pick.', {
          stateOfTicket: stateInWords(ticket),
        }),
        holderOf(ticket),
      );
    case 'heldByOther':
      return conflict(
        say('The pick ticket is assigned to user {userId}; take it over first, with fromUserId {userId}.', {
          userId: JSON.stringify(ticket.user_id),
        }),
        holderOf(ticket),
      );
    case 'notHeldBy':
      if (ticket.user_id === '') {
        return conflict(say('The pick ticket was not taken over: {reason}.', { reason: noUser() }), holderOf(ticket));
      }
      return conflict(
        say('The pick ticket is assigned to user {userId}, not to {userId2}; send fromUserId {userId}.', {
          userId: JSON.stringify(ticket.user_id),
          userId2: JSON.stringify(refused.userId),
        }),
        holderOf(ticket),
      );
    case 'wasReset':
      return conflict(
        say('The pick ticket was reset, so it cannot be confirmed; generate a new ticket for its orders.'),
        holderOf(ticket),
      );
    case 'isConfirmed':
      return conflict(
        say('The pick ticket is confirmed, so it cannot be reset; its orders have continued with their next step.'),
        holderOf(ticket),
      );
    case 'differs':
      return differs(ticket, refused.differences);
    case 'notConfirmed':
      return conflict(
        say('The pick ticket was not corrected: {whyNotConfirmed}.', { whyNotConfirmed: whyNotConfirmed(ticket) }),
        holderOf(ticket),
      );
    case 'followed':
      return followed(ticket, refused);
    case 'wrongScans':
      return badRequest(refused.errors.slice(0, FIELD_ERRORS_MAX), refused.errors.length);
    case 'changedMeanwhile':
      return changedMeanwhile();
  }
}

/** Returns the user and state of a ticket, for errors (docs/interface.md#order-of-checks). */
function holderOf(ticket: PickTicketRow): Record<string, unknown> {
  return {
    pickTicketId: ticket.pick_ticket_id,
    userId: ticket.user_id,
    since: formatDateTime(ticket.closed_at ?? ticket.pick_ticket_date),
    ticketStatus: ticket.status,
    ...(ticket.outcome !== null && { outcome: ticket.outcome }),
  };
}

function whyNotConfirmed(ticket: PickTicketRow): Sentence {
  return isReverse(ticket)
    ? say('a reverse pick ticket cannot be corrected')
    : say('the ticket is {stateOfTicket}; only a confirmed pick ticket can be corrected', {
        stateOfTicket: stateInWords(ticket),
      });
}

const SHOWN_DIFFERENCES = 10;

function differs(ticket: PickTicketRow, found: readonly Sentence[]): Refusal {
  const shown = sequence(found.slice(0, SHOWN_DIFFERENCES), '; ');
  const more = found.length > SHOWN_DIFFERENCES ? say('; and {n} more', { n: found.length - SHOWN_DIFFERENCES }) : '';
  const message = isReverse(ticket)
    ? say(
        'The reverse pick ticket is confirmed already, with other content: {shown}{more}. It cannot be corrected; count the stock of its items.',
        { shown, more },
      )
    : say('The pick ticket is confirmed already, with other content: {shown}{more}. Correct it with POST {path}', {
        shown,
        more,
        path: '/operator/v1/stores/{storeId}/nodes/{nodeId}/pickTickets/{pickTicketId}/correct.',
      });
  return conflict(message, holderOf(ticket));
}

function followed(ticket: PickTicketRow, refused: Extract<Refused, { why: 'followed' }>): Refusal {
  const reasons = refused.followed.map(({ fulfillmentOrderId: id, what }) =>
    say('Order {id}: {what}', { id: JSON.stringify(id), what }),
  );
  return conflict(
    say(
      'The pick ticket was not corrected, because later steps depend on its CONFIRM (item {itemNumbers}). {reasons}.',
      { itemNumbers: refused.itemNumbers.join(', '), reasons: sequence(reasons, '. ') },
    ),
    { pickTicketId: ticket.pick_ticket_id, followed: refused.followed },
  );
}
