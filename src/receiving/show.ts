import { type AllowedAction, shown } from '../kernel/allowed.ts';
import type { CartonWork } from '../kernel/arrivals/action.ts';
import { shownCartonState } from '../kernel/arrivals/carton-states.ts';
import { findAllCartonWork } from '../kernel/arrivals/cartons.ts';
import { findOfNode, loadShipment } from '../kernel/arrivals/locked.ts';
import { threeWay } from '../kernel/arrivals/orders.ts';
import { findEntries, findFacts } from '../kernel/arrivals/records.ts';
import type { Shipment } from '../kernel/arrivals/shipment.ts';
import { INBOUND_ACTIONS, type InboundAction, inboundBlock } from '../kernel/arrivals/states.ts';
import type { ReadCtx } from '../platform/ctx.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { readJson } from '../platform/json-column.ts';
import type { Sentence } from '../platform/message/sentence.ts';
import type { ClientRow, InboundEntryRow, InboundShipmentRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { findNames } from '../shared/user-names.ts';
import { namedIn, OfSeller } from './path.ts';
import { nodeInbound } from './receipt-schema.ts';
import { findReopenings } from './reopenings.ts';
import { showEntry, showReceipt, showStatements, showSums } from './replies.ts';
import { say } from './sentences.ts';
import { cameByEdi } from './store.ts';

/** Reads a shipment of a node with its receipts. */
export const readNodeInbound = readOperation({
  id: 'readNodeInbound',
  since: '0.3.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/inbound/{type}/{number}',
  summary: 'Read a shipment with its sums',
  description:
    'Responds with the announced lines; the sums per key (ASN: carton and item; PO: item), per carton and per item; the cartons with their states and holders; all receipts, approvals, statements and reopenings; and the allowed actions. All sums satisfy `announced + over = good + damaged + refused + held + short + open`. A PO also has the units that its ASNs announce and the units that arrived.',
  access: { auth: 'operatorOrApiKey', group: 'receiving', permission: 'receive' },
  message: {
    query: OfSeller,
    replies: { 200: { description: 'The shipment', schema: nodeInbound } },
    refusals: {
      404: 'The node has no such shipment.',
      409: 'Several sellers use the number (code AMBIGUOUS_NUMBER); `sellerIds` lists them.',
    },
    errors: 'problem',
  },
  run: {
    async handle(ctx, request) {
      const row = await findOfNode(ctx.db, ctx.actor, namedIn(request));
      return reply(200, await showInbound(ctx, request.client, row));
    },
  },
  example: { path: '/operator/v1/clients/TOWN/nodes/TOWN-DC001/inbound/ASN/ASN-1001' },
});

/** Returns a shipment with its lines, sums, cartons, receipts and statements, for responses. */
export async function showInbound(ctx: ReadCtx, client: Pick<ClientRow, 'catalog_ids'>, row: InboundShipmentRow) {
  const shipment = await loadShipment(ctx, client, row);
  const facts = row.receipts === 0 ? [] : await findFacts(ctx.db, row);
  const entries = Map.groupBy(row.receipts === 0 ? [] : await findEntries(ctx.db, row), ({ position }) => position);
  const reopenings = await findReopenings(ctx, row);
  const of = (position: number): InboundEntryRow[] => entries.get(position) ?? [];
  return {
    type: row.type,
    number: row.number,
    sellerId: row.seller_id,
    state: row.status,
    ...(row.expected_on !== '' && { expectedDate: row.expected_on }),
    ...(row.arrived_at !== null && { arrivedAt: formatDateTime(row.arrived_at) }),
    complete: row.open_units === 0,
    lines: shipment.announced.lines.map((line) => ({
      ...(line.cartonId !== '' && { cartonId: line.cartonId }),
      itemId: line.itemId,
      clientItemId: line.clientItemId,
      ...(line.lineNumber !== undefined && { lineNumber: line.lineNumber }),
      announced: line.quantity,
      ...(line.trailerNumber !== undefined && { trailerNumber: line.trailerNumber }),
      ...(line.purchaseOrder !== undefined && { purchaseOrder: line.purchaseOrder }),
    })),
    sums: showSums(shipment),
    cartons: await showCartons(ctx, shipment),
    ...(row.type === 'PO' && { orders: await threeWay(ctx, client, shipment) }),
    receipts: facts
      .filter(({ kind }) => kind !== 'APPROVAL')
      .map((fact) => showReceipt(shipment, fact, of(fact.position))),
    approvals: facts
      .filter(({ kind }) => kind === 'APPROVAL')
      .map((fact) => ({
        approvalId: fact.receipt_id,
        userId: fact.user_id,
        at: formatDateTime(fact.at),
        lines: of(fact.position).map((entry) => showEntry(shipment, entry)),
      })),
    statements: await showStatements(ctx.db, row),
    ...(reopenings.length > 0 && { reopenings }),
    ...(row.matched_to !== null && { matchedTo: readJson(row.matched_to) }),
    ...(await cameByEdi(ctx.db, row)),
    allowedActions: inboundActions(shipment),
  };
}

async function showCartons(ctx: ReadCtx, { row, announced }: Shipment) {
  const work = row.status === 'EXPECTED' ? new Map<string, never>() : await findAllCartonWork(ctx.db, row);
  const ids = [...announced.cartons.keys(), ...[...work.keys()].filter((id) => !announced.cartons.has(id))];
  const isHeld = (own: CartonWork | undefined) =>
    own?.whole_as === null && own.holder_until !== null && own.holder_until > ctx.now && row.status === 'RECEIVING';
  const holders = [...work.values()].filter(isHeld).map((own) => own.user_id!);
  const names = await findNames(ctx, row.client_id, holders);
  return ids.map((cartonId) => {
    const own = work.get(cartonId);
    const state = shownCartonState(own?.state ?? 'EXPECTED', row.status);
    if (own === undefined || !isHeld(own)) return { cartonId, state };
    const userId = own.user_id!;
    const userName = names.get(userId);
    const since = formatDateTime(own.since!);
    return { cartonId, state, holder: { userId, ...(userName !== undefined && { userName }), since } };
  });
}

/** Returns the actions on a shipment, each allowed or blocked with the reason. */
function inboundActions(shipment: Shipment): AllowedAction[] {
  const { type } = shipment.row;
  // Goods without papers have the action `match`, announcements have `void`.
  const other = type === 'BLIND' ? 'void' : 'match';
  return INBOUND_ACTIONS.filter((action) => action !== other).map((action) => shown(action, blockOf(shipment, action)));
}

function blockOf({ row, states }: Shipment, action: InboundAction): Sentence | undefined {
  const reason = inboundBlock(row.status, action, row.matched_to !== null);
  if (reason !== undefined) return reason;
  if (action === 'correct' && row.receipts === 0) return say('nothing was received yet; send a receipt first');
  if (action === 'approve' && ![...states.values()].some(({ held }) => held > 0)) return say('no units are held');
  if (action === 'close' && [...states.values()].some(({ held }) => held > 0))
    return say('held units must be approved first');
  return undefined;
}
