import { findCommand, usedOtherwise } from '../kernel/commands.ts';
import type { ReceivedLine } from '../kernel/returns/action.ts';
import { commandScope } from '../kernel/returns/scopes.ts';
import { findReceipt, findReturn, findReturnLines, findReturnSettings, ordersOf } from '../kernel/returns/subject.ts';
import { writeReturn } from '../kernel/returns/write.ts';
import type { Ctx, ReadCtx } from '../platform/ctx.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import type { FieldErrors } from '../platform/message/field-errors.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import type { ReturnRow } from '../platform/storage/tables.ts';
import { deviceTime } from '../shared/device-time.ts';
import type { Disposition } from '../shared/return-settings.ts';
import { dispositionsOf, findExcluded, isLead, itemErrors, reasonErrors } from './rules.ts';
import { ReceiveMessage, receiptReply } from './schema.ts';
import { say } from './sentences.ts';
import { ordersShown, showReceipt, showReturn } from './show.ts';
import { isRepeated, mustLock, requireReturn } from './store.ts';

/** Receives goods of a return, or corrects a receipt. */
export const receiveReturn = writeOperation({
  id: 'receiveReturn',
  since: '0.5.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/returns/{returnId}/receipts',
  summary: 'Receive goods of a return, or correct a receipt',
  description: `Counts goods of a return at this node, unit by unit. Quantities are those of this receipt, not running totals. The same \`receiptId\` at the
same node with the same content is a retry, also from another sender; \`userId\` and \`at\` are not compared. Receipts are never edited.

- A line names a position or an item. For an item, the units go to the line that expects them; if several lines do, to the line with the smallest amount left to refund.
- Units that the return does not expect get 409 UNANNOUNCED (\`refusals\` lists the lines with such units). With \`over\` the service
receives them for the lines of the order, up to the returnable units of these lines. It receives the rest as held units without an order, also the
units of lines that could not be returned when the return was created (ITEM_EXCLUDED, WINDOW_OVER).
- The condition determines the place of the units; \`disposition\` overrides it. With GIVEN_BACK the customer keeps the units.
- \`corrects\` names a receipt of this node; all quantities are then negative, each with position and place. They can take back at most the units that the receipt booked and
that are still at the place; more units get 400 BELOW_ZERO.
- A receipt for an expired or canceled return reopens it.
- The refund becomes due at the close, or at the receipt if the setting returns.refundOn is RECEIVED. A refund never delays the receiving.`,
  events: ['return.received', 'return.corrected', 'refund.due', 'refund.canceled', 'refund.overpaid', 'stock.changed'],
  access: {
    auth: 'operatorOrApiKey',
    group: 'receiving',
    permission: 'receive',
    offline: true,
    forgottenWith: ordersShown,
  },
  message: {
    body: ReceiveMessage,
    replies: {
      200: { description: 'This receipt was booked before.', schema: receiptReply },
      201: { description: 'The receipt and the return.', schema: receiptReply },
    },
    refusals: {
      400: 'BELOW_ZERO: the correction takes back more units than exist.',
      404: 'There is no such client, node or return.',
      409: 'UNANNOUNCED: `refusals` lists the lines that exceed the return. NOT_OPEN: the return is in another state (`state`). WRONG_NODE: only the nodes in `nodeIds` can receive the goods. CONFLICT: the id was used with other content or at another node.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async rules(ctx, { clientId, params, body }, errors) {
      return await checkReceipt(ctx, clientId, params.returnId, body, errors);
    },
    async handle(ctx, { clientId, node, params, body, found }) {
      const { receiptId, userId, corrects, over = false } = body;
      const locked = await mustLock(ctx, await requireReturn(ctx, clientId, params.returnId));
      const { row } = locked;
      const command = { id: receiptId, nodeId: node.node_id, member: 'receiptId', content: body };
      const isRepeat = await isRepeated(ctx, row, 'receipt', command);
      const before = await findReceipt(ctx.db, row, receiptId);
      if (isRepeat) return reply(200, { receipt: showReceipt(before!), return: await showReturn(ctx, row, locked) });
      // `takeReturn` stores its receipt under the takeId and claims no receiptId. A receiptId can therefore be in use
      // although no command has claimed it.
      if (before !== undefined) throw usedOtherwise('receiptId', receiptId);
      const receipt = {
        receiptId,
        userId,
        nodeId: node.node_id,
        at: deviceTime(body.at, ctx.now).at,
        lines: body.lines.map((line, index) => receivedLine(line, index, found[index]!)),
      };
      const change = await writeReturn(
        ctx,
        locked,
        corrects === undefined
          ? { type: 'receive', ...receipt, acceptsOver: over, isSupervised: isLead(ctx.actor) }
          : { type: 'correct', ...receipt, corrects },
        { excluded: over ? await excludedOf(ctx, row) : new Set() },
      );
      const shown = await showReturn(ctx, change!.row, change);
      return reply(201, { receipt: shown.receipts.at(-1), return: shown });
    },
  },
  example: {
    after: ['createReturn'],
    path: '/operator/v1/clients/TOWN/nodes/TOWN-Store001/returns/{returns.requested}/receipts',
    body: {
      receiptId: 'counter-1-0002',
      userId: 'leo',
      lines: [{ position: 1, quantity: 1, condition: 'OPENED' }],
    },
  },
});

async function checkReceipt(
  ctx: ReadCtx,
  clientId: string,
  returnId: string,
  body: ValidPart<ReceiveMessage>,
  errors: FieldErrors,
): Promise<Disposition[]> {
  const { lines = [], corrects, receiptId } = body;
  for (const [index, line] of lines.entries()) {
    if (line !== undefined) lineErrors(line, `/lines/${index}`, corrects !== undefined, errors);
  }
  const row = await findReturn(ctx.db, { clientId, returnId });
  const key = { clientId, scope: commandScope(returnId, 'receipt'), commandId: receiptId ?? '' };
  // A retry is recognized before its content is checked. `handle` responds to a missing return with 404.
  if (row === undefined || (receiptId !== undefined && (await findCommand(ctx.db, key)) !== undefined)) {
    return lines.map(() => 'HELD');
  }
  const { settings } = await findReturnSettings(ctx.db, { clientId, storeId: row.store_id });
  reasonErrors(settings, lines, errors);
  const items = lines.flatMap((line, index) =>
    line?.itemId === undefined ? [] : [{ pointer: `/lines/${index}/itemId`, itemId: line.itemId }],
  );
  const own = items.length === 0 ? new Set() : await findItemsOf(ctx, row);
  const others = items.filter(({ itemId }) => !own.has(itemId));
  await itemErrors(ctx, clientId, others, errors);
  return dispositionsOf(settings, lines, errors);
}

/** Returns the items of a return and of its orders. They can be received also if the catalog no longer has them. */
async function findItemsOf({ db, dialect }: Ctx | ReadCtx, row: ReturnRow): Promise<Set<string>> {
  const lines = await findReturnLines(db, row);
  const ordered = await db
    .selectFrom('order_lines')
    .select('item_id')
    .where('client_id', '=', row.client_id)
    .where('fulfillment_order_id', 'in', dialect.listOf(ordersOf(lines), 'text'))
    .execute();
  return new Set([...lines, ...ordered].map((line) => line.item_id));
}

/** Returns the items of a return and of its orders that the settings exclude from returns. */
async function excludedOf(ctx: Ctx, row: ReturnRow): Promise<Set<string>> {
  const { settings } = await findReturnSettings(ctx.db, { clientId: row.client_id, storeId: row.store_id });
  if (settings.excluded.length === 0) return new Set();
  return await findExcluded(ctx, row.client_id, settings, [...(await findItemsOf(ctx, row))]);
}

type Line = NonNullable<NonNullable<ValidPart<ReceiveMessage>['lines']>[number]>;

function lineErrors(line: Line, place: string, isCorrection: boolean, errors: FieldErrors): void {
  const { position, itemId, quantity } = line;
  const isBad = errors.isBad(`${place}/position`) || errors.isBad(`${place}/itemId`);
  if (!isBad && (position === undefined) === (itemId === undefined)) {
    const both = position === undefined ? say('neither position nor itemId') : say('both position and itemId');
    errors.add(place, 'one', say('the line has {both}; send one of them', { both }));
  } else if (!isBad && isCorrection && position === undefined) {
    errors.add(
      `${place}/position`,
      'required',
      say('a line of a correction needs `position`; send `position` instead of `itemId`'),
    );
  }
  if (quantity === undefined) return;
  if (isCorrection && quantity >= 0) {
    const message = say(
      '`quantity` is {quantity}, but must be negative in a receipt with `corrects`; send a negative number, or leave `corrects` out',
      { quantity },
    );
    errors.add(`${place}/quantity`, 'negative', message);
  }
  if (!isCorrection && quantity <= 0) {
    const message = say('`quantity` is {quantity}; send 1 or more, or name the receipt to correct in `corrects`', {
      quantity,
    });
    errors.add(`${place}/quantity`, 'minimum', message, 1);
  }
}

function receivedLine(line: ReceiveMessage['lines'][number], index: number, disposition: Disposition): ReceivedLine {
  const { position, itemId, quantity: units, condition, reason, note } = line;
  return { pointer: `/lines/${index}`, position, itemId, units, condition, disposition, reason, note };
}
