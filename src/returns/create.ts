import { claimCommand, findCommand, sameInstant } from '../kernel/commands.ts';
import { lockOrders } from '../kernel/orders.ts';
import type { WantedLine } from '../kernel/returns/action.ts';
import { defaultExpiry } from '../kernel/returns/open.ts';
import { requestScope } from '../kernel/returns/scopes.ts';
import { findReturnSettings } from '../kernel/returns/subject.ts';
import { writeReturn } from '../kernel/returns/write.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import type { FieldErrors } from '../platform/message/field-errors.ts';
import { stringifyJson } from '../platform/message/json.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import { quote } from '../platform/message/words.ts';
import type { StoreRow } from '../platform/storage/tables.ts';
import { parseDateTime } from '../platform/time.ts';
import {
  findExcluded,
  findNamed,
  itemErrors,
  mustLead,
  reasonErrors,
  wantedItems,
  wishErrors,
  wishesOf,
} from './rules.ts';
import { CreateMessage, returnDetails } from './schema.ts';
import { say } from './sentences.ts';
import { ordersShown, showReturn } from './show.ts';
import { freeNumber, newRow, requireNumbered, shownAfter } from './store.ts';

/** Announces goods that a customer will bring back. */
export const createReturn = writeOperation({
  id: 'createReturn',
  since: '0.5.0',
  method: 'POST',
  path: '/operator/v1/stores/{storeId}/returns',
  summary: 'Request a return',
  description: `Announces goods that a customer will return, in a store or by parcel. The units of its lines are then on the way back: no other
return can include them.

- Lines with the same order line and reason are added up; positions follow the order of their first occurrence. The rules apply to the sum of all units of the message.
- The same \`number\` with the same content is a retry (200, with the return as it is now); other content gets 409. Without a number, each
request creates a return.
- A line that cannot be returned gets 409 NOT_RETURNABLE, and no return is created: \`lines\` lists every such line with its rule.
- \`overrideReason\` overrides only the return window, and is stored as the reason.
- A return whose goods do not arrive expires at \`expiresAt\`.`,
  events: ['return.requested', 'exchange.requested'],
  access: { auth: 'operatorOrApiKey', group: 'intake', permission: 'orders.change', forgottenWith: ordersShown },
  message: {
    body: CreateMessage,
    replies: {
      200: { description: 'The return was created earlier.', schema: returnDetails },
      201: { description: 'The return.', schema: returnDetails },
    },
    refusals: {
      404: 'There is no such store.',
      409: 'NOT_RETURNABLE: `lines` lists the lines that cannot be returned, with the rule; CONFLICT: the number is used with other content.',
    },
    errors: 'problem',
  },
  run: {
    repeat: { adds: 'another return', unless: 'number' },
    async rules(ctx, { store, body }, errors) {
      mustLead(ctx.actor, body.overrideReason);
      return await checkRequest(ctx, store, body, errors);
    },
    async handle(ctx, { store, body, found }) {
      const { client_id: clientId, store_id: storeId } = store;
      const { settings } = await findReturnSettings(ctx.db, { clientId, storeId });
      const wanted = addedUp(body.lines, found.lines);
      const { number: sent, expiresAt } = body;
      if (sent !== undefined) {
        const key = { clientId, scope: requestScope(storeId), commandId: sent };
        const content = { kind: 'BY_MAIL', ...body, lines: wanted.map(({ pointer: _pointer, ...line }) => line) };
        const compared = { ...content, ...(expiresAt !== undefined && { expiresAt: sameInstant(expiresAt) }) };
        if ((await claimCommand(ctx, key, compared, 'number', content)) !== undefined) {
          return reply(200, await showReturn(ctx, await requireNumbered(ctx, store, sent)));
        }
      }
      const orders = await lockOrders(ctx, clientId, [...new Set(wanted.map(({ orderId }) => orderId))]);
      const number = sent ?? (await freeNumber(ctx, store));
      const kind = body.kind ?? 'BY_MAIL';
      const exchanges = wishesOf(body.exchangeLines);
      const row = newRow(ctx, store, {
        number,
        kind,
        status: 'REQUESTED',
        expected_node_id: body.expectedNodeId ?? null,
        tracking_number: body.trackingNumber ?? null,
        exchanges: stringifyJson(exchanges),
      });
      const { customerRef, note, overrideReason } = body;
      const action = {
        type: 'request' as const,
        kind,
        number,
        lines: wanted,
        exchanges,
        customerRef,
        note,
        overrideReason,
        expiresAt: expiresAt === undefined ? defaultExpiry(ctx.now, settings.expireDays) : parseDateTime(expiresAt),
      };
      const items = found.lines.flatMap((line) => line?.line?.item_id ?? []);
      const excluded = await findExcluded(ctx, clientId, settings, items);
      const change = await writeReturn(
        ctx,
        { row, lines: [], orders, isNew: true, hasOwnNumber: sent === undefined },
        action,
        { excluded },
      );
      return reply(201, await shownAfter(ctx, { row, lines: [] }, change));
    },
  },
  example: {
    path: '/operator/v1/stores/TOWN_US/returns',
    body: {
      number: 'R-1001',
      lines: [{ fulfillmentOrderId: '{orders.handedOver}', webLineId: '1', quantity: 1, reason: 'NOT_WANTED' }],
    },
  },
});

async function checkRequest(ctx: ReadCtx, store: StoreRow, body: ValidPart<CreateMessage>, errors: FieldErrors) {
  const { client_id: clientId, store_id: storeId } = store;
  const { lines = [], number, expectedNodeId, expiresAt, exchangeLines } = body;
  const named = await findNamed(ctx, { clientId, storeId }, lines, errors);
  // A retry is recognized before its content is checked: a reason or date that was valid then may be invalid now.
  const key = { clientId, scope: requestScope(storeId), commandId: number ?? '' };
  if (number !== undefined && (await findCommand(ctx.db, key)) !== undefined) return { lines: named };
  const { settings } = await findReturnSettings(ctx.db, { clientId, storeId });
  reasonErrors(settings, lines, errors);
  await itemErrors(ctx, clientId, wantedItems(exchangeLines), errors);
  wishErrors(exchangeLines, lines.length, errors);
  if (expectedNodeId !== undefined && !(await hasNode(ctx, clientId, expectedNodeId))) {
    const message = say('the client has no node {expectedNodeId}; send the nodeId of one of its nodes', {
      expectedNodeId: quote(expectedNodeId),
    });
    errors.add('/expectedNodeId', 'exists', message);
  }
  if (expiresAt !== undefined && parseDateTime(expiresAt) <= ctx.now) {
    errors.add('/expiresAt', 'future', say('expiresAt is in the past; send a later time'));
  }
  return { lines: named };
}

async function hasNode({ db }: ReadCtx, clientId: string, nodeId: string): Promise<boolean> {
  const row = await db
    .selectFrom('nodes')
    .select('node_id')
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .executeTakeFirst();
  return row !== undefined;
}

type FoundLines = NonNullable<Awaited<ReturnType<typeof checkRequest>>>['lines'];

/** Adds up lines with the same order line and reason; their notes are joined. */
function addedUp(lines: CreateMessage['lines'], found: FoundLines): WantedLine[] {
  const wanted = new Map<string, WantedLine>();
  for (const [index, { fulfillmentOrderId: orderId, webLineId, quantity, reason, note }] of lines.entries()) {
    const lineIndex = found[index]!.line!.line_index;
    const key = JSON.stringify([orderId, webLineId, reason]);
    const before = wanted.get(key);
    if (before === undefined) {
      wanted.set(key, { pointer: `/lines/${index}`, orderId, lineIndex, units: quantity, reason, note });
      continue;
    }
    before.units += quantity;
    before.note = [before.note, note].filter((one) => one !== undefined).join('\n') || undefined;
  }
  return [...wanted.values()];
}
