/** Confirm or reset a pick ticket (docs/interface.md#update-a-pick-ticket). */

import { findSettings } from '../kernel/settings.ts';
import { findTicketItems, lockTicket } from '../kernel/tickets.ts';
import { type Ctx, isWithout } from '../platform/ctx.ts';
import { conflict, denied, notFound } from '../platform/http/errors.ts';
import { type Reply, reply, writeOperation } from '../platform/http/operation.ts';
import { didYouMean } from '../platform/message/nearest.ts';
import { isRecord } from '../platform/message/record.ts';
import type { FieldError, ValidationResult } from '../platform/message/validate.ts';
import type { PickTicketItemRow, PickTicketRow } from '../platform/storage/tables.ts';
import { isAbsent, readMessage } from '../shared/associate.ts';
import type { Settings } from '../shared/client-settings.ts';
import { confirmTicket, differences, differsRefusal } from './confirm.ts';
import type { Confirmation } from './confirmation.ts';
import { checkResults, readResults } from './item-results.ts';
import { PICK_TICKET_ACTIONS, PICK_TICKET_TRANSITIONS, stateOfTicket } from './lifecycle.ts';
import { resetTicket } from './reset.ts';
import { ITEMS_MAX, type PickTicketConfirm, PickTicketUpdate } from './schema.ts';
import { holderOf } from './work.ts';

export const updatePickTicket = writeOperation({
  id: 'updatePickTicket',
  method: 'PUT',
  path: '/stores/{storeId}/nodes/{nodeId}/pickTicket/update',
  auth: 'apiKey',
  group: 'fulfillment',
  permission: 'fulfillment.write',
  offline: true,
  repeat: 'same',
  summary: 'Confirm or reset a pick ticket',
  description:
    'CONFIRM answers for every item of the ticket: pickedQuantity + canceledQuantity = quantity, where one of the two implies the other, and canceled units need a known cancellationReasonCode. Units found are allotted to the orders by urgency; an order with units found goes on and waits at holdLocation, one without any leaves its queue. RESET gives the orders back as they were before the ticket and reads only the common fields. The same CONFIRM or RESET again is 204; a CONFIRM with other content, CONFIRM after RESET and RESET after CONFIRM are 409. Fields that generate answers may be sent back: those that name the ticket and its items must agree, the others are not read.',
  body: PickTicketUpdate,
  replies: { 204: { description: 'Done, or done before with the same content' } },
  refusals: {
    404: 'The store and node have no such pick ticket.',
    409: 'The ticket is closed in another way, or the first request with this Idempotency-Key is still running.',
  },
  parse: readUpdate,
  async rules(ctx, { params: { storeId, nodeId }, body: { pickTicketDetails: details }, clientId }, errors) {
    const pickTicketId = details?.pickTicketId;
    const place = { clientId, storeId, nodeId };
    const ticket = pickTicketId === undefined ? undefined : await lockTicket(ctx.db, { ...place, pickTicketId });
    const items = ticket === undefined ? undefined : await findTicketItems(ctx.db, clientId, ticket.pick_ticket_id);
    const settings = await findSettings(ctx.db, clientId);
    if (details?.action === 'CONFIRM') checkResults(details.pickTicketItems, items, settings, errors);
    return { ticket, items, settings };
  },
  async handle(ctx, { body: { pickTicketDetails: details, modifyAssociateId }, found: { ticket, items, settings } }) {
    if (ticket === undefined || items === undefined) {
      const name = JSON.stringify(details.pickTicketId);
      throw notFound(`There is no pick ticket ${name} of this store and node; check its id.`);
    }
    const by = { userId: details.userId, modifyAssociateId };
    if (details.action === 'CONFIRM') return confirm(ctx, settings, ticket, items, details, by);
    mustResetOwn(ctx, ticket);
    return reset(ctx, settings, ticket, by);
  },
});

/** @throws Refusal 403 where a person who does not supervise resets the ticket of somebody else. */
function mustResetOwn({ actor }: Ctx, { user_id }: PickTicketRow): void {
  if (user_id === '' || user_id === actor.session?.userId || !isWithout(actor, 'supervise')) return;
  throw denied(`the ticket is of user ${JSON.stringify(user_id)}; a lead resets it or takes it over`);
}

interface By {
  userId: string;
  modifyAssociateId: string;
}

async function confirm(
  ctx: Ctx,
  settings: Settings,
  ticket: PickTicketRow,
  items: readonly PickTicketItemRow[],
  details: PickTicketConfirm,
  by: By,
): Promise<Reply> {
  const confirmation: Confirmation = {
    userId: by.userId,
    holdLocation: details.holdLocation,
    answers: readResults(details.pickTicketItems, items),
  };
  switch (PICK_TICKET_TRANSITIONS[stateOfTicket(ticket)].CONFIRM) {
    case 'CONFIRMED':
      await confirmTicket(ctx, settings, ticket, confirmation, by.modifyAssociateId);
      return reply(204);
    case 'repeats': {
      const found = differences(ticket, items, confirmation);
      if (found.length > 0) throw differsRefusal(found, holderOf(ticket));
      return reply(204);
    }
    default:
      throw conflict(
        'The pick ticket was reset, so it cannot be confirmed; generate a new ticket for its orders.',
        holderOf(ticket),
      );
  }
}

async function reset(ctx: Ctx, settings: Settings, ticket: PickTicketRow, by: By): Promise<Reply> {
  switch (PICK_TICKET_TRANSITIONS[stateOfTicket(ticket)].RESET) {
    case 'RESET':
      await resetTicket(ctx, settings, ticket, by);
      return reply(204);
    case 'repeats':
      return reply(204);
    default:
      throw conflict(
        'The pick ticket is confirmed, so it cannot be reset; its orders have gone on and need nothing more here.',
        holderOf(ticket),
      );
  }
}

const ACTION = '/pickTicketDetails/action';

/** The message with its tolerated forms brought to one (docs/decisions/053). */
function readUpdate(raw: unknown, validate: (value: unknown) => ValidationResult): ValidationResult<PickTicketUpdate> {
  return readMessage(withPlainTicket(raw), (value) => {
    const verdict = validate(value);
    // The schema has one action in each of its two forms; the caller has the choice of both.
    const errors = verdict.errors.map((error) => (isWrongAction(error) ? actionError(error, value) : error));
    return { ...verdict, errors: errors };
  });
}

function isWrongAction(error: FieldError): boolean {
  return error.pointer === ACTION && error.rule === 'enum';
}

function actionError(error: FieldError, message: unknown): FieldError {
  const { action } = (message as { pickTicketDetails: { action?: unknown } }).pickTicketDetails;
  const words = `'action' must be one of ${PICK_TICKET_ACTIONS.join(', ')}${didYouMean(action, PICK_TICKET_ACTIONS)}`;
  return { ...error, limit: PICK_TICKET_ACTIONS, message: words };
}

/** Generate answers a list of one ticket, and the item's id inside itemDetails: both may be sent back as they are. */
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
