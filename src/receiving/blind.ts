import { conflict, denied } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { statement } from '../platform/storage/statement.ts';
import type { InboundShipmentRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { calendarOf, dayAt } from '../sla/calendar.ts';
import { recordArrived } from './inbound-events.ts';
import { BlindMessage, nodeInbound } from './receipt-schema.ts';
import { contentHash } from './receipts-store.ts';
import { lockShipment } from './shipment.ts';
import { showInbound } from './show.ts';
import { insertShipment } from './store.ts';

/** Opens a shipment for goods without papers. */
export const openBlindInbound = writeOperation({
  id: 'openBlindInbound',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/inbound/BLIND',
  auth: 'operatorOrApiKey',
  group: 'receiving',
  permission: 'receive',
  repeat: 'same',
  summary: 'Open a shipment for goods without papers',
  description:
    'Makes a shipment of type BLIND, against which goods are received as against an ASN or PO: nothing of it is announced, and nothing is judged until `match` moves the goods to the ASN or PO that came late. The number is unique per seller; the same again is a repeat. Credentials narrowed to stores have no access: nobody knows the store of these goods.',
  body: BlindMessage,
  replies: {
    200: { description: 'It was opened before with the same content.', schema: nodeInbound },
    201: { description: 'The shipment', schema: nodeInbound },
  },
  refusals: {
    404: 'There is no such client or node.',
    409: 'The number is used by another node, or by another user.',
  },
  errors: 'problem',
  async rules({ db, actor }, { clientId, body: { sellerId } }, errors) {
    if (actor.storeIds != null) {
      throw denied('goods without papers are of no store, and the credential is narrowed to stores');
    }
    if (sellerId === undefined) return;
    const [known] = await selectSeller(db, { clientId, sellerId });
    if (known !== undefined) return;
    errors.add(
      '/sellerId',
      'seller',
      `there is no seller ${JSON.stringify(sellerId)}; send one of a store of the client, or none`,
    );
  },
  async handle(ctx, { clientId, client, node, body: { number, userId, sellerId = '' } }) {
    const row: InboundShipmentRow = {
      client_id: clientId,
      seller_id: sellerId,
      type: 'BLIND',
      number,
      message_id: ctx.newId(),
      store_id: null,
      node_id: node.node_id,
      receiving_warehouse_id: node.receiving_warehouse_id ?? '',
      status: 'EXPECTED',
      revision: 1,
      content_hash: contentHash({ number, userId, sellerId, nodeId: node.node_id }),
      doc: JSON.stringify({ catalogId: '', trailerNumbers: [], header: {}, userId }),
      total_lines: 0,
      total_units: 0,
      created_at: ctx.now,
      expected_on: dayAt(calendarOf(node), ctx.now),
      arrived_at: ctx.now,
      received_units: 0,
      open_units: 0,
      cartons: 0,
      cartons_done: 0,
      completed_at: null,
      receipts: 0,
      statements: 0,
      matched_to: null,
    };
    if (await insertShipment(ctx.db, row)) {
      await recordArrived(ctx, row, userId, formatDateTime(ctx.now));
      return reply(201, await showInbound(ctx, client, row));
    }
    const before = await lockShipment(ctx.db, row);
    if (before === undefined || before.node_id !== node.node_id || before.content_hash !== row.content_hash) {
      throw conflict(`BLIND ${JSON.stringify(number)} is used already; give these goods another number.`);
    }
    return reply(200, await showInbound(ctx, client, before));
  },
});

const selectSeller = statement((db, { clientId, sellerId }: { clientId: string; sellerId: string }) =>
  db.selectFrom('sellers').select('seller_id').where('client_id', '=', clientId).where('seller_id', '=', sellerId),
);
