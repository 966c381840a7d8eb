import { actionContextOf } from '../kernel/action-context.ts';
import { findBoxes } from '../kernel/boxes.ts';
import { claimCommand, findCommand, sameInstant, scopeOf } from '../kernel/commands.ts';
import { noOrder, takeOrder } from '../kernel/message-lines.ts';
import { contactsOf, findOrder, instructionsOf } from '../kernel/orders.ts';
import type { Action } from '../kernel/plan.ts';
import { nameOf } from '../kernel/refusals.ts';
import { findSettings } from '../kernel/settings.ts';
import { advanceOrder } from '../kernel/write.ts';
import type { Ctx } from '../platform/ctx.ts';
import { conflict } from '../platform/http/errors.ts';
import { requireRevision, withEtag } from '../platform/http/if-match.ts';
import { reply, theOrder, writeOperation } from '../platform/http/operation.ts';
import { sequence } from '../platform/message/sentence.ts';
import { quote } from '../platform/message/words.ts';
import type { FulfillmentOrderRow, OrderLineRow } from '../platform/storage/tables.ts';
import { parseDateTime } from '../platform/time.ts';
import type { Settings } from '../shared/client-settings.ts';
import { INSTRUCTIONS_MAX, NOTES_MAX } from '../shared/limits.ts';
import { CHANGE_OF, CHANGING, checkChange, mayHaveDeadline, pickupSla } from './change-check.ts';
import { blockOfChange, CHANGE_WORDS, type OrderChange } from './change-rules.ts';
import { changesOf, OrderChangeRequest, type OrderChanges } from './change-schema.ts';
import { findNotes, insertNote, peopleColumns, updateInstructions, updateOrder } from './change-store.ts';
import { giftLines, isOther, newCarriage, newPeople, pinColumns } from './change-values.ts';
import { OrderDetails } from './read-schema.ts';
import { say } from './sentences.ts';
import { changeContextOf, showOrder } from './show-order.ts';

export const changeFulfillmentOrder = writeOperation({
  id: 'changeFulfillmentOrder',
  since: '0.3.0',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/fulfillmentOrders/{fulfillmentOrderId}/change',
  summary: 'Change the data of an order, or add a note',
  description:
    'Changes the contact, shipping address, proxy, PIN, carrier, service, ship method, gift messages or pickup deadline of an ' +
    'order, and adds a note. A message is applied as a whole or not at all.\n\n' +
    '- Fields that you leave out, or send as `null`, keep their values. `remove: ["proxy"]` removes a proxy; `pin` and `giftMessage` ' +
    'can be removed too. Without `pickupDeadline`, the deadline of the client’s SLA applies again; it must not have passed.\n' +
    '- Quantities cannot be changed here. Cancel units with `cancel`; for more units, send another order.\n' +
    '- The type and state of the order determine which changes are allowed: see its `allowedChanges`. Address and carrier cannot be ' +
    'changed while a package has a tracking number.\n' +
    '- If billToAddress or shipFromAddress refers to the destination of the shipping address, that destination does not change, and the order gets a new destination.\n' +
    '- A new PIN resets the count of wrong PINs. A new deadline closes the alert of the step.\n' +
    '- The same changeId with the same content changes nothing; other content gets 409. The value of the PIN is not compared.\n' +
    '- Sending the order to order intake again does not undo a change, because intake compares it with the first message.\n' +
    '- The event `order.changed` names the changed fields, not their values.',
  events: ['order.changed'],
  access: {
    auth: 'operatorOrApiKey',
    group: ['intake', 'supervise'],
    permission: 'orders.change',
    reveals: theOrder,
  },
  message: {
    secretMember: 'pin',
    body: OrderChangeRequest,
    replies: {
      200: {
        description: 'The order after the change, which this request or an earlier one made',
        schema: OrderDetails,
      },
    },
    refusals: {
      404: 'There is no such store or order.',
      409: 'A change is not allowed now (`refused` lists such changes with reasons), the changeId was used with other content, or the first request with this Idempotency-Key is still running.',
    },
    errors: 'problem',
    hasRevision: true,
  },
  run: {
    repeat: 'same',
    async rules(ctx, { params, body, clientId, store }, errors) {
      const settings = await findSettings(ctx.db, clientId);
      const orderId = params.fulfillmentOrderId;
      const taken = await takeOrder(ctx, { clientId, storeId: store.store_id, orderId });
      const key = { clientId, scope: scopeOf('change', orderId), commandId: body.changeId ?? '' };
      const before = body.changeId === undefined ? undefined : await findCommand(ctx.db, key);
      // A retry is not checked again, because the deadline that it sets may have passed since the first request.
      if (before === undefined) await checkChange(ctx, settings, body, taken, errors);
      return { settings, taken, key };
    },
    async handle(ctx, { params, body, store, found: { settings, taken, key } }) {
      if (taken === undefined) throw noOrder(params.fulfillmentOrderId, store.store_id);
      const { order, lines } = taken;
      const { changeId: _id, pin, ...others } = body;
      // The PIN is not compared, because the result would reveal whether it equals the PIN of the first request.
      const sent = { ...others, ...(pin !== undefined && { pin: '' }) };
      const { pickupDeadline } = sent;
      const content = { ...sent, ...(pickupDeadline !== undefined && { pickupDeadline: sameInstant(pickupDeadline) }) };
      const before = await claimCommand(ctx, key, content, 'changeId', sent);
      if (before === undefined) {
        requireRevision(ctx, order.revision);
        await change(ctx, settings, order, lines, changesOf(body));
      }
      const now = await findOrder(ctx.db, order.client_id, order.store_id, order.fulfillment_order_id);
      return withEtag(reply(200, await showOrder(ctx, now!, settings)), now!.revision);
    },
  },
  example: {
    path: '/operator/v1/stores/TOWN_US/fulfillmentOrders/{orders.ready}/change',
    body: { changeId: 'call-4711', userId: 'mara', note: 'Comes on Saturday' },
  },
});

/** Changes a locked order. @throws Refusal 409 if any of the changes is not allowed now */
async function change(
  ctx: Ctx,
  settings: Settings,
  order: FulfillmentOrderRow,
  lines: readonly OrderLineRow[],
  body: OrderChanges,
): Promise<void> {
  const isAsked = (field: keyof typeof CHANGE_OF) => body[field] !== undefined && !isGone(order, lines, body, field);
  const asked = [...new Set(CHANGING.flatMap((field) => (isAsked(field) ? CHANGE_OF[field] : [])))];
  await rejectBlocked(ctx, settings, order, lines, asked);
  const notes = body.note === undefined ? [] : await findNotes(ctx.db, order);
  if (notes.length >= NOTES_MAX) {
    throw conflict(
      say('{order} already has the maximum of {notesMax} notes; nothing was changed. Send the change without a note.', {
        order: nameOf(order),
        notesMax: NOTES_MAX,
      }),
    );
  }
  const before = contactsOf(order);
  const people = newPeople(order, before, body);
  const gifts = giftLines(lines, body);
  // A line of an earlier version can have one more. Its message can still be corrected.
  const full = gifts.find(
    (gift) => instructionsOf(gift).length > Math.max(INSTRUCTIONS_MAX, instructionsOf(gift.line).length),
  );
  if (full !== undefined) {
    throw conflict(
      say(
        '{order}: line {webLineId} already has {instructionsMax} instructions; nothing was changed. Name other lines in `giftMessageLines`.',
        { order: nameOf(order), webLineId: quote(full.line.web_line_id), instructionsMax: INSTRUCTIONS_MAX },
      ),
    );
  }
  const isWaiting = order.sla_type === 'CUSTOMER_PICKUP';
  const step = isWaiting ? await newStep(ctx, settings, order, body.pickupDeadline) : undefined;
  const carriage = newCarriage(order, body);
  const changed: Record<Exclude<OrderChange, 'holdLocation'>, boolean> = {
    contact: isOther(before.customer, people.customer),
    shippingAddress: isOther(
      [before.destinations, before.shippingAddress],
      [people.destinations, people.shippingAddress],
    ),
    proxy: isOther(before.proxyDetails, people.proxyDetails),
    pin: body.pin !== undefined && (body.pin !== null || order.pin_hash !== null),
    carrier: Object.keys(carriage).length > 0,
    giftMessage: gifts.length > 0,
    pickupDeadline: step !== undefined,
    note: body.note !== undefined,
  };
  const fields = Object.entries(changed).flatMap(([field, isChanged]) => (isChanged ? [field] : []));
  if (fields.length === 0) return;
  const { changeId, userId, note, pin } = body;
  const action: Action = { type: 'change', changeId, userId, fields, ...(step !== undefined && { step }) };
  await advanceOrder(ctx, settings, { order, lines, action });
  await updateOrder(ctx, order, {
    ...((changed.contact || changed.shippingAddress || changed.proxy) && peopleColumns(people)),
    ...(changed.pin && pinColumns(ctx, order.client_id, pin ?? null)),
    ...carriage,
  });
  for (const { line, instructions } of gifts) await updateInstructions(ctx, line, instructions);
  if (note !== undefined) await insertNote(ctx, order, notes.length, { changeId, userId, note });
}

/** Whether the change removes a value that the order does not have. */
function isGone(
  order: FulfillmentOrderRow,
  lines: readonly OrderLineRow[],
  body: OrderChanges,
  field: keyof typeof CHANGE_OF,
): boolean {
  if (body[field] !== null) return false;
  if (field === 'proxy') return contactsOf(order).proxyDetails === undefined;
  if (field === 'pin') return order.pin_hash === null;
  if (field === 'giftMessage') return giftLines(lines, body).length === 0;
  return order.sla_type !== 'CUSTOMER_PICKUP';
}

async function rejectBlocked(
  ctx: Ctx,
  settings: Settings,
  order: FulfillmentOrderRow,
  lines: readonly OrderLineRow[],
  asked: readonly OrderChange[],
): Promise<void> {
  const facts = await actionContextOf(ctx, order, lines);
  const boxes = (await findBoxes(ctx, order)).filter((box) => box.items.length > 0);
  const context = changeContextOf(order, facts, boxes);
  const refused = asked.flatMap((one) => {
    const reason = blockOfChange(context, one, settings);
    return reason === undefined ? [] : [{ change: one, reason }];
  });
  if (refused.length === 0) return;
  const reasons = sequence(
    refused.map(({ change, reason }) => sequence([CHANGE_WORDS[change], ': ', reason], '')),
    '; ',
  );
  throw conflict(say('{order} was not changed. {reasons}.', { order: nameOf(order), reasons }), {
    orderStatus: String(order.status),
    refused,
  });
}

/**
 * Returns the new deadline and the time of its reminder; undefined if the deadline does not change. The reminder keeps
 * the lead time of the client's SLA.
 */
async function newStep(ctx: Ctx, settings: Settings, order: FulfillmentOrderRow, deadline: string | null | undefined) {
  if (deadline === undefined) return undefined;
  const { approachingAt, expiredAt } = await pickupSla(ctx, settings, order);
  const at = deadline === null ? expiredAt : parseDateTime(deadline);
  if (at === order.sla_at || (deadline === null && !(await mayHaveDeadline(ctx, order)))) return undefined;
  return { sla_at: at, due_at: Math.max(ctx.now, at - (expiredAt - approachingAt)) };
}
