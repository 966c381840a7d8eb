import { type AllowedAction, shown } from '../kernel/allowed.ts';
import { INBOUND_ACTIONS, type InboundAction, inboundBlock, shownCartonState } from '../kernel/inbound.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import type { ClientRow, InboundEntryRow, InboundShipmentRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { findAllCartonWork } from './booking.ts';
import { threeWay } from './orders.ts';
import { inboundType, OfSeller } from './path.ts';
import { nodeInbound } from './receipt-schema.ts';
import { findEntries, findFacts, findStatements, showEntry, showReceipt } from './receipts-store.ts';
import { findOfNode, type Loaded, loadShipment, showSums } from './shipment.ts';

/** Reads a shipment of a node as far as it is received. */
export const readNodeInbound = readOperation({
  id: 'readNodeInbound',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/inbound/{type}/{number}',
  auth: 'operatorOrApiKey',
  group: 'receiving',
  permission: 'receive',
  summary: 'Read a shipment with its sums',
  description:
    'Responds with what is announced, the sums of every key (ASN: carton and item; PO: item), carton and item, the cartons with their states and holders, all receipts, approvals and statements, and what may be done next. For each: announced + over = good + damaged + refused + held + short + open. A PO also has what its ASNs announce and what arrived.',
  query: OfSeller,
  replies: { 200: { description: 'The shipment', schema: nodeInbound } },
  refusals: {
    404: 'The node has no such shipment.',
    409: 'Several sellers use the number (code AMBIGUOUS_NUMBER); `sellerIds` lists them.',
  },
  errors: 'problem',
  async handle(ctx, { params, clientId, client, node, query: { sellerId } }) {
    const named = { clientId, node, type: inboundType(params.type), number: params.number, sellerId };
    return reply(200, await showInbound(ctx, client, await findOfNode(ctx.db, ctx.actor, named)));
  },
});

/** A shipment with all that became of it. */
export async function showInbound(ctx: ReadCtx, client: Pick<ClientRow, 'catalog_ids'>, row: InboundShipmentRow) {
  const loaded = await loadShipment(ctx, client, row);
  const facts = row.receipts === 0 ? [] : await findFacts(ctx.db, row);
  const entries = Map.groupBy(row.receipts === 0 ? [] : await findEntries(ctx.db, row), ({ position }) => position);
  const of = (position: number): InboundEntryRow[] => entries.get(position) ?? [];
  return {
    type: row.type,
    number: row.number,
    sellerId: row.seller_id,
    state: row.status,
    ...(row.expected_on !== '' && { expectedDate: row.expected_on }),
    ...(row.arrived_at !== null && { arrivedAt: formatDateTime(row.arrived_at) }),
    complete: row.open_units === 0,
    lines: loaded.announced.lines.map((line) => ({
      ...(line.cartonId !== '' && { cartonId: line.cartonId }),
      itemId: line.itemId,
      clientItemId: line.clientItemId,
      ...(line.lineNumber !== undefined && { lineNumber: line.lineNumber }),
      announced: line.quantity,
      ...(line.trailerNumber !== undefined && { trailerNumber: line.trailerNumber }),
      ...(line.purchaseOrder !== undefined && { purchaseOrder: line.purchaseOrder }),
    })),
    sums: showSums(loaded),
    cartons: await showCartons(ctx, loaded),
    ...(row.type === 'PO' && { orders: await threeWay(ctx, client, loaded) }),
    receipts: facts
      .filter(({ kind }) => kind !== 'APPROVAL')
      .map((fact) => showReceipt(loaded, fact, of(fact.position))),
    approvals: facts
      .filter(({ kind }) => kind === 'APPROVAL')
      .map((fact) => ({
        approvalId: fact.receipt_id,
        userId: fact.user_id,
        at: formatDateTime(fact.at),
        lines: of(fact.position).map((entry) => showEntry(loaded, entry)),
      })),
    statements: row.statements === 0 ? [] : await findStatements(ctx.db, row),
    ...(row.matched_to !== null && { matchedTo: JSON.parse(row.matched_to) as never }),
    allowedActions: inboundActions(loaded),
  };
}

async function showCartons(ctx: ReadCtx, { row, announced }: Loaded) {
  const work = row.status === 'EXPECTED' ? new Map<string, never>() : await findAllCartonWork(ctx.db, row);
  const ids = [...announced.cartons.keys(), ...[...work.keys()].filter((id) => !announced.cartons.has(id))];
  return ids.map((cartonId) => {
    const own = work.get(cartonId);
    const state = shownCartonState(own?.state ?? 'EXPECTED', row.status);
    const isCounted = own !== undefined && own.whole_as === null && own.holder_until !== null;
    const isHeld = isCounted && own.holder_until! > ctx.now && row.status === 'RECEIVING';
    return {
      cartonId,
      state,
      ...(isHeld && { holder: { userId: own.user_id!, since: formatDateTime(own.since!) } }),
    };
  });
}

/** What may be done with a shipment now. */
function inboundActions(loaded: Loaded): AllowedAction[] {
  const { type } = loaded.row;
  // Goods without papers are matched, announcements are voided.
  const other = type === 'BLIND' ? 'void' : 'match';
  return INBOUND_ACTIONS.filter((action) => action !== other).map((action) => shown(action, blockOf(loaded, action)));
}

function blockOf({ row, states }: Loaded, action: InboundAction): string | undefined {
  const isMatched = row.matched_to !== null;
  if (isMatched && action === 'reopen') return 'its goods were moved to the shipment that it was matched with';
  const reason = inboundBlock(row.status, action, isMatched);
  if (reason !== undefined) return reason;
  if (action === 'correct' && row.receipts === 0) return 'nothing was received yet';
  if (action === 'approve' && ![...states.values()].some(({ held }) => held > 0)) return 'no units are held';
  if (action === 'close' && [...states.values()].some(({ held }) => held > 0))
    return 'held units must be approved first';
  return undefined;
}
