/** Assigns work to a user: creates a ticket, or moves the open ticket of another user. */
import { api, newId, send } from '../api.ts';
import { place, session } from '../session.ts';

interface Waiting {
  storeId: string;
  queueId: string;
}

/** Creates a ticket of these orders for a user; returns its id. @throws ApiError */
export async function generateFor(
  { storeId, queueId }: Waiting,
  fulfillmentOrderIds: string[],
  userId: string,
): Promise<string> {
  const { nodeId } = place.value!;
  const { pickTicketDetails } = await send(
    api.POST('/stores/{storeId}/nodes/{nodeId}/pickTicket/generate', {
      params: { path: { storeId, nodeId }, header: { 'Idempotency-Key': newId() } },
      body: { storeId, nodeId, queueId, userId, fulfillmentOrderIds, modifyAssociateId: session.value!.user.userId },
    }),
  );
  return pickTicketDetails[0]!.pickTicketId;
}

interface OpenTicket {
  storeId: string;
  pickTicketId: string;
  /** The user who has the ticket according to this device. */
  fromUserId: string;
}

/**
 * Assigns an open ticket to another user, with the units picked so far. @throws ApiError 409 if another user was faster
 */
export async function takeOver({ storeId, pickTicketId, fromUserId }: OpenTicket, userId: string): Promise<void> {
  const { nodeId } = place.value!;
  await send(
    api.POST('/operator/v1/stores/{storeId}/nodes/{nodeId}/pickTickets/{pickTicketId}/takeOver', {
      params: { path: { storeId, nodeId, pickTicketId }, header: { 'Idempotency-Key': newId() } },
      body: { userId, fromUserId, modifyAssociateId: session.value!.user.userId },
    }),
  );
}
