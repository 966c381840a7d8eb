import type { Action } from '../kernel/arrivals/action.ts';
import { type IsBooked, lockOfNode } from '../kernel/arrivals/locked.ts';
import { findFact } from '../kernel/arrivals/records.ts';
import { writeArrival } from '../kernel/arrivals/write.ts';
import { contentHash } from '../kernel/commands.ts';
import { findWanted } from '../kernel/wanted.ts';
import type { Ctx } from '../platform/ctx.ts';
import { Refusal } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import type { NodeRow } from '../platform/storage/tables.ts';
import { deviceTime } from '../shared/device-time.ts';
import { namedIn, OfSeller } from './path.ts';
import { formErrors, resolveItems } from './receipt-rules.ts';
import { ReceiptMessage, receiptReply, WANTED_MAX } from './receipt-schema.ts';
import { showReceipt, showState } from './replies.ts';
import { INBOUND_TYPES } from './schema.ts';

/** Receives goods, or corrects a receipt. */
export const receiveInbound = writeOperation({
  id: 'receiveInbound',
  since: '0.3.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/inbound/{type}/{number}/receipts',
  summary: 'Receive goods, or correct a receipt',
  description: `Books cartons that were scanned whole (\`as\` says how their open units are booked) and counted units, at most 1,000
cartons and lines together.
Quantities are those of this receipt, not running totals, so receipts may arrive in any order. The same \`receiptId\` with the same
content is a retry (200), with other content it is rejected. Goods are never rejected for their quantity: good units beyond
the announcement and the client's tolerance are booked as held until a lead approves them. Goods that were not announced at all need
\`unannounced\`. A carton is either scanned whole or counted. Receipts are never edited: a receipt with \`corrects\` corrects an
earlier one, and its lines can be negative; no sum falls below zero. The response lists open orders for the items (\`wanted\`).`,
  events: ['inbound.received', 'inbound.corrected', 'inbound.completed', 'inbound.cartonRepeated', 'stock.changed'],
  access: { auth: 'operatorOrApiKey', group: 'receiving', permission: 'receive', offline: true },
  message: {
    query: OfSeller,
    body: ReceiptMessage,
    replies: {
      200: { description: 'This receipt was booked before.', schema: receiptReply },
      201: { description: 'The receipt, the sums of the shipment and its state.', schema: receiptReply },
    },
    refusals: {
      404: 'The node has no such shipment.',
      409: 'CARTON_ALREADY_RECEIVED, CARTON_HELD_BY, CARTON_AMBIGUOUS, CARTON_ELSEWHERE or UNANNOUNCED: the code of the first rejected carton or line; `refusals` lists all rejected cartons and lines. NOT_OPEN: the shipment is closed. AMBIGUOUS_NUMBER: several sellers use the number. CONFLICT: the id was used with other content.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async rules(ctx, request, errors) {
      const { params, client, body } = request;
      formErrors(body, errors);
      if (!INBOUND_TYPES.some((one) => one === params.type)) return undefined;
      const row = await lockOfNode(ctx, namedIn(request), bookedAs(ctx, body.receiptId)).catch(whereRejected);
      return row && { row, itemIds: await resolveItems(ctx, client, row, body, errors) };
    },
    async handle(ctx, request) {
      const { client, node, body, found } = request;
      // If the rules found no shipment, `lockOfNode` throws the error.
      const row = found?.row ?? (await lockOfNode(ctx, namedIn(request), bookedAs(ctx, body.receiptId)));
      const written = await writeArrival(ctx, client, row, actionOf(ctx, node, body, found?.itemIds ?? []));
      if (written.rejection !== undefined) return written.rejection;
      const { shipment, record } = written;
      const receipt = showReceipt(shipment, record!.row, record!.entries);
      const items = receipt.lines.filter(({ good }) => good > 0).map(({ itemId }) => itemId);
      const at = { clientId: client.client_id, nodeId: node.node_id, storeIds: ctx.actor.storeIds };
      const wanted = await findWanted(ctx, at, items, WANTED_MAX);
      return reply(written.isRepeat ? 200 : 201, { receipt: { ...receipt, wanted }, ...showState(shipment) });
    },
  },
  example: {
    path: '/operator/v1/clients/TOWN/nodes/TOWN-DC001/inbound/ASN/ASN-1001/receipts',
    body: {
      receiptId: 'dock-1-0001',
      userId: 'UserId001',
      lines: [{ cartonId: '003400000000000017', itemId: '21-MUG-WHT', good: 25 }],
    },
  },
});

/**
 * Returns a function that finds out whether a shipment has a receipt with this id. Returns undefined without a valid
 * `receiptId`: only the id shows that a request is a retry.
 */
function bookedAs({ db }: Ctx, receiptId: string | undefined): IsBooked | undefined {
  return receiptId === undefined
    ? undefined
    : async (keys) => (await findFact(db, keys, 'RECEIPT', receiptId)) !== undefined;
}

function whereRejected(error: unknown): undefined {
  if (error instanceof Refusal) return undefined;
  throw error;
}

function actionOf(ctx: Ctx, node: NodeRow, body: ReceiptMessage, itemIds: readonly string[]): Action {
  const { at, ...content } = body;
  const { receiptId, userId, cartons = [], lines = [], corrects, unannounced = false } = body;
  const receipt = {
    id: receiptId,
    hash: contentHash(content),
    userId,
    ...deviceTime(at, ctx.now),
    place: node.receive_to,
    cartons,
    lines: lines.map(({ cartonId, good = 0, damaged = 0, refused = 0, held = 0, reason, to, location }, index) => {
      return { cartonId, itemId: itemIds[index]!, units: { good, damaged, refused, held }, reason, to, location };
    }),
    isUnannounced: unannounced,
  };
  return corrects === undefined ? { type: 'receive', ...receipt } : { type: 'correct', corrects, ...receipt };
}
