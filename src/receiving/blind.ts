import { writeArrival } from '../kernel/arrivals/write.ts';
import { contentHash } from '../kernel/commands.ts';
import { denied } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { stringifyJson } from '../platform/message/json.ts';
import { statement } from '../platform/storage/statement.ts';
import type { InboundShipmentRow } from '../platform/storage/tables.ts';
import { calendarOf, dayAt } from '../sla/calendar.ts';
import { BlindMessage, nodeInbound } from './receipt-schema.ts';
import { say } from './sentences.ts';
import { showInbound } from './show.ts';

/** Opens a shipment for goods without papers. */
export const openBlindInbound = writeOperation({
  id: 'openBlindInbound',
  since: '0.3.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/inbound/BLIND',
  summary: 'Open a shipment for goods without papers',
  description:
    'Opens a shipment of type BLIND. Goods are received for it as for an ASN or PO, but it announces nothing. The goods are compared with an announcement when `match` moves them to the ASN or PO that was announced late. The number is unique per seller; sending the same request again is a retry. Credentials limited to stores have no access, because the store of these goods is not known.',
  events: ['inbound.arrived'],
  access: { auth: 'operatorOrApiKey', group: 'receiving', permission: 'receive' },
  message: {
    body: BlindMessage,
    replies: {
      200: { description: 'The shipment was opened earlier with the same content.', schema: nodeInbound },
      201: { description: 'The shipment', schema: nodeInbound },
    },
    refusals: {
      404: 'There is no such client or node.',
      409: 'Another node or another user uses the number.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async rules({ db, actor }, { clientId, body: { sellerId } }, errors) {
      if (actor.storeIds != null) {
        throw denied(
          say(
            'goods without papers belong to no store, but the credential has access only to some stores; send the request with a credential that has access to all stores',
          ),
        );
      }
      if (sellerId === undefined) return;
      const [known] = await selectSeller(db, { clientId, sellerId });
      if (known !== undefined) return;
      errors.add(
        '/sellerId',
        'seller',
        say('the client has no seller {sellerId}; send the seller of one of its stores, or leave sellerId out', {
          sellerId: JSON.stringify(sellerId),
        }),
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
        doc: stringifyJson({ catalogId: '', trailerNumbers: [], header: {}, userId }),
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
      const { shipment, isRepeat } = await writeArrival(ctx, client, row, { type: 'blind', userId });
      return reply(isRepeat ? 200 : 201, await showInbound(ctx, client, shipment.row));
    },
  },
  example: {
    path: '/operator/v1/clients/TOWN/nodes/TOWN-DC001/inbound/BLIND',
    body: { number: 'B-1001', userId: 'UserId001', sellerId: 'TOWNS' },
  },
});

const selectSeller = statement((db, { clientId, sellerId }: { clientId: string; sellerId: string }) =>
  db.selectFrom('sellers').select('seller_id').where('client_id', '=', clientId).where('seller_id', '=', sellerId),
);
