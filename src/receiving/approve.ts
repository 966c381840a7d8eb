import { type IsBooked, lockOfNode } from '../kernel/arrivals/locked.ts';
import { findFact } from '../kernel/arrivals/records.ts';
import { writeArrival } from '../kernel/arrivals/write.ts';
import { contentHash } from '../kernel/commands.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import type { FieldErrors } from '../platform/message/field-errors.ts';
import type { ValidPart } from '../platform/message/valid-part.ts';
import { namedIn, OfSeller } from './path.ts';
import { ApproveMessage, stateReply } from './receipt-schema.ts';
import { showState } from './replies.ts';
import { say } from './sentences.ts';

/** Decides on held units. */
export const approveInbound = writeOperation({
  id: 'approveInbound',
  since: '0.3.0',
  method: 'POST',
  path: '/operator/v1/clients/{clientId}/nodes/{nodeId}/inbound/{type}/{number}/approve',
  summary: 'Decide held units',
  description:
    'Books held units as `good`, `damaged` or `refused`, at most as many as are held. If the client has `receiving.fourEyes`, a user cannot decide on held units of a line that this user received: as held, or as good before another receipt held them. After a match, this includes users who received the item without papers. Sending the same `approvalId` again is a retry.',
  events: ['inbound.approved', 'stock.changed'],
  access: { auth: 'operatorOrApiKey', group: 'stock', permission: 'receipts.approve' },
  message: {
    query: OfSeller,
    body: ApproveMessage,
    replies: { 200: { description: 'The current sums and state', schema: stateReply } },
    refusals: {
      400: 'BELOW_ZERO: the request decides more units than are held; `errors` lists every line.',
      404: 'The node has no such shipment.',
      409: 'APPROVAL_NEEDED: another user must decide; NOT_OPEN: the shipment is closed; AMBIGUOUS_NUMBER: several sellers use the number; CONFLICT: the id was used with other content.',
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    rules(_ctx, { body: { lines } }, errors) {
      lineErrors(lines ?? [], errors);
    },
    async handle(ctx, request) {
      const { client, node, body } = request;
      const { approvalId: id, userId } = body;
      const isBooked: IsBooked = async (keys) => (await findFact(ctx.db, keys, 'APPROVAL', id)) !== undefined;
      const row = await lockOfNode(ctx, namedIn(request), isBooked);
      const lines = body.lines.map(({ cartonId, itemId, good = 0, damaged = 0, refused = 0, to, location }) => {
        return { cartonId, itemId, units: { good, damaged, refused }, to, location };
      });
      const by = { id, userId, hash: contentHash(body), place: node.receive_to };
      const { shipment } = await writeArrival(ctx, client, row, { type: 'approve', ...by, lines });
      return reply(200, showState(shipment));
    },
  },
  example: {
    path: '/operator/v1/clients/TOWN/nodes/TOWN-DC001/inbound/ASN/ASN-1001/approve',
    body: {
      approvalId: 'ok-1',
      userId: 'UserId001',
      lines: [{ cartonId: '003400000000000017', itemId: '21-MUG-WHT', good: 1 }],
    },
  },
});

type Lines = ValidPart<ApproveMessage>['lines'];

function lineErrors(lines: NonNullable<Lines>, errors: FieldErrors): void {
  for (const [index, line] of lines.entries()) {
    if (line === undefined) continue;
    const place = `/lines/${index}`;
    const kinds = ['good', 'damaged', 'refused'] as const;
    if (kinds.every((kind) => line[kind] === undefined && !errors.isBad(`${place}/${kind}`))) {
      errors.add(place, 'nothing', say('the line has no units: send `good`, `damaged` or `refused`'));
    }
    if (line.to !== undefined && line.good === undefined && !errors.isBad(`${place}/good`)) {
      errors.add(
        `${place}/to`,
        'place',
        say('`to` is for good units only, and the line has no good units; leave `to` out'),
      );
    }
  }
}
