/** Generates a pick ticket (docs/interface.md#generate-a-pick-ticket). */

import { lockOrders } from '../kernel/orders.ts';
import { findSettingsAt } from '../kernel/settings.ts';
import { generateTicket } from '../kernel/tickets/write.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { readMessage } from '../shared/associate.ts';
import { repeatedErrors, takenRefusal, unknownErrors, unlikeErrors } from './orders.ts';
import { PickTicketGenerate, PickTicketGenerated } from './schema.ts';
import { showNewTicket } from './show-new.ts';

export const generatePickTicket = writeOperation({
  id: 'generatePickTicket',
  since: '0.1.0',
  method: 'POST',
  path: '/stores/{storeId}/nodes/{nodeId}/pickTicket/generate',
  summary: 'Generate a pick ticket',
  description:
    'Makes one pick ticket for 1 to 50 orders that wait on a pick queue, all or nothing.\n\n' +
    '- All orders must have the same currency and fulfillment type and be on the given queue. They stay on that queue until the ' +
    'ticket is confirmed or reset.\n' +
    '- Items of all orders are merged by item and unit price, in the order of pick location. Items without a pick location come last.\n' +
    '- The suggested hold location is the least used location of the node. pickSLADate is the earliest time by which an order must be picked.\n' +
    '- An order on another open ticket, or one that does not wait for pick, gets 409. The body names the ticket that has the order ' +
    '(`pickTicketId`, `userId`, `since`) and lists all such orders.',
  events: ['pickTicket.generated', 'order.pickStarted'],
  access: {
    auth: 'apiKey',
    group: 'fulfillment',
    permission: 'fulfillment.write',
    assigns: true,
    reveals: (_shown, { body }) => (body as PickTicketGenerate).fulfillmentOrderIds,
  },
  message: {
    body: PickTicketGenerate,
    replies: { 201: { description: 'The ticket, with status NEW', schema: PickTicketGenerated } },
    refusals: {
      409: 'An order is on another ticket or does not wait for pick, or the first request with this Idempotency-Key is still running.',
    },
    parse: (raw, validate) => readMessage<PickTicketGenerate>(raw, validate),
  },
  run: {
    repeat: 'rejected',
    async rules(
      ctx,
      { params: { storeId, nodeId }, body: { fulfillmentOrderIds: ids = [], queueId }, clientId },
      errors,
    ) {
      const readable = ids.filter((id) => id !== undefined);
      const locked = await lockOrders(ctx, clientId, readable);
      const orders = locked.filter((order) => order.store_id === storeId && order.node_id === nodeId);
      errors.addAll([...repeatedErrors(ids), ...unknownErrors(ids, orders), ...unlikeErrors(orders, queueId)]);
      return orders;
    },
    async handle(ctx, { body, clientId, node, found: orders }) {
      const settings = await findSettingsAt(ctx.db, clientId, node.node_id);
      const taken = await takenRefusal(ctx, settings, clientId, orders);
      if (taken !== undefined) throw taken;
      const { plan, feed } = await generateTicket(ctx, settings, node, orders, body);
      return reply(201, { pickTicketDetails: [showNewTicket(plan, orders, feed)] });
    },
  },
  example: {
    path: '/stores/TOWN_US/nodes/TOWN-Store001/pickTicket/generate',
    body: {
      storeId: 'TOWN_US',
      nodeId: 'TOWN-Store001',
      queueId: 'WAITING_FOR_PICK_SFS',
      userId: 'UserId001',
      fulfillmentOrderIds: ['{orders.toShip}'],
      modifyAssociateId: 'UserId001',
    },
  },
});
