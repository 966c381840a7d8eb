/** Assigns the work of an order: creates a ticket, or moves the open ticket of another user. */
import { api, newId, send } from '../api.ts';
import { place, session } from '../session.ts';
import type { Exception } from './exception-orders.ts';

/** Creates a ticket of one order for a user; returns its id. @throws ApiError */
export async function generateFor(
  { storeId, queueId, fulfillmentOrderId }: Exception,
  userId: string,
): Promise<string> {
  const { nodeId } = place.value!;
  const { pickTicketDetails } = await send(
    api.POST('/stores/{storeId}/nodes/{nodeId}/pickTicket/generate', {
      params: { path: { storeId, nodeId } },
      headers: { 'idempotency-key': newId() },
      body: {
        storeId,
        nodeId,
        queueId,
        userId,
        fulfillmentOrderIds: [fulfillmentOrderId],
        modifyAssociateId: session.value!.user.userId,
      },
    }),
  );
  return pickTicketDetails[0]!.pickTicketId;
}

/** Assigns an open ticket to another user, with the units picked so far. @throws ApiError */
export async function takeOver(
  { storeId, pickTicketId, userId: fromUserId }: Exception,
  userId: string,
): Promise<void> {
  const { nodeId } = place.value!;
  await send(
    api.POST('/operator/v1/stores/{storeId}/nodes/{nodeId}/pickTickets/{pickTicketId}/takeOver', {
      params: { path: { storeId, nodeId, pickTicketId: pickTicketId! } },
      body: { userId, fromUserId: fromUserId!, modifyAssociateId: session.value!.user.userId },
    }),
  );
}
