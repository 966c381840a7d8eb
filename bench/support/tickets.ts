/** What an associate does: generate a ticket for some orders and confirm it with everything found. */
import type { Client } from './client.ts';
import { NODE, STORE } from './data.ts';
import { QUEUE } from './orders.ts';

const PATH = `/stores/${STORE}/nodes/${NODE}/pickTicket`;

interface Ticket {
  pickTicketId: string;
  holdLocation: string;
  pickTicketItems: { id: number; quantity: number; itemDetails: { itemId: string } }[];
}

/** Two requests, the second with what the first answered. */
export async function generateAndConfirm(client: Client, orderIds: readonly string[], userId = 'Ada'): Promise<void> {
  const generated = await client.send<{ pickTicketDetails: [Ticket] }>('POST', `${PATH}/generate`, {
    storeId: STORE,
    nodeId: NODE,
    queueId: QUEUE,
    userId,
    fulfillmentOrderIds: orderIds,
    modifyAssociateId: userId,
  });
  const { pickTicketId, holdLocation, pickTicketItems } = generated.pickTicketDetails[0];
  await client.send('PUT', `${PATH}/update`, {
    modifyAssociateId: userId,
    pickTicketDetails: {
      pickTicketId,
      action: 'CONFIRM',
      storeId: STORE,
      nodeId: NODE,
      userId,
      holdLocation,
      pickTicketItems: pickTicketItems.map(({ id, quantity, itemDetails: { itemId } }) => ({
        id,
        itemId,
        quantity,
        pickedQuantity: quantity,
      })),
    },
  });
}
