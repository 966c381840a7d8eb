/**
 * Reads the message of a pick ticket update. The response of generate and the ticket as read are also valid messages
 * (docs/interface.md#fields-sent-back).
 */
import { ITEMS_MAX } from '../kernel/tickets/generate.ts';
import { PICK_TICKET_ACTIONS } from '../kernel/tickets/states.ts';
import { didYouMean } from '../platform/message/nearest.ts';
import { isRecord } from '../platform/message/record.ts';
import type { FieldError, ValidationResult } from '../platform/message/validate.ts';
import { isAbsent, readMessage } from '../shared/associate.ts';
import type { PickTicketUpdate } from './schema.ts';
import { say } from './sentences.ts';

const ACTION = '/pickTicketDetails/action';

/** Reads an update and converts the accepted forms into one form (docs/interface.md#fields-sent-back). */
export function readUpdate(
  raw: unknown,
  validate: (value: unknown) => ValidationResult,
): ValidationResult<PickTicketUpdate> {
  return readMessage(withPlainTicket(raw), (value) => {
    const { errors, ...result } = validate(value);
    // Each of the two forms in the schema allows one action, so the error of a form would not list both actions.
    return { ...result, errors: errors.map((error) => (isWrongAction(error) ? actionError(error, value) : error)) };
  });
}

function isWrongAction(error: FieldError): boolean {
  return error.pointer === ACTION && error.rule === 'enum';
}

function actionError(error: FieldError, message: unknown): FieldError {
  const { action } = (message as { pickTicketDetails: { action?: unknown } }).pickTicketDetails;
  const words = say("'action' must be one of {pickTicketActions}{didYouMean}", {
    pickTicketActions: PICK_TICKET_ACTIONS.join(', '),
    didYouMean: didYouMean(action, PICK_TICKET_ACTIONS),
  });
  return { ...error, limit: PICK_TICKET_ACTIONS, message: words };
}

/**
 * Accepts the two forms of a generate response in a message: the ticket in a list, and the item's id inside
 * itemDetails.
 */
function withPlainTicket(raw: unknown): unknown {
  if (!isRecord(raw)) return raw;
  const sent = raw.pickTicketDetails;
  const ticket: unknown = Array.isArray(sent) && sent.length === 1 ? sent[0] : sent;
  if (!isRecord(ticket)) return raw;
  const items = ticket.pickTicketItems;
  if (!Array.isArray(items) || items.length > ITEMS_MAX) return { ...raw, pickTicketDetails: ticket };
  return { ...raw, pickTicketDetails: { ...ticket, pickTicketItems: items.map(withItemId) } };
}

function withItemId(item: unknown): unknown {
  if (!isRecord(item) || !isAbsent(item.itemId) || !isRecord(item.itemDetails)) return item;
  const itemId = item.itemDetails.itemId;
  return itemId === undefined ? item : { ...item, itemId };
}
