/** What an associate does: generate a ticket for some orders, then confirm it with what was found, or give it back. */
import type { Client } from './client.ts';
import { NODE, STORE } from './data.ts';
import { QUEUE } from './orders.ts';

const PATH = `/stores/${STORE}/nodes/${NODE}/pickTicket`;

export interface Ticket {
  pickTicketId: string;
  holdLocation: string;
  pickTicketItems: { id: number; quantity: number; itemDetails: { itemId: string } }[];
}

/** Two requests, the second with what the first answered. */
export async function generateAndConfirm(client: Client, orderIds: readonly string[], userId = 'Ada'): Promise<void> {
  await confirm(client, await generate(client, orderIds, userId), userId);
}

export async function generate(
  client: Client,
  orderIds: readonly string[],
  userId = 'Ada',
  queueId = QUEUE,
): Promise<Ticket> {
  const { pickTicketDetails } = await client.send<{ pickTicketDetails: [Ticket] }>('POST', `${PATH}/generate`, {
    storeId: STORE,
    nodeId: NODE,
    queueId,
    userId,
    fulfillmentOrderIds: orderIds,
    modifyAssociateId: userId,
  });
  return pickTicketDetails[0];
}

/** Everything was found; where the ticket is short, one unit of its first item was not. */
export async function confirm(client: Client, ticket: Ticket, userId = 'Ada', isShort = false): Promise<void> {
  const pickTicketItems = ticket.pickTicketItems.map(({ id, quantity, itemDetails: { itemId } }, index) => {
    const canceledQuantity = isShort && index === 0 ? 1 : 0;
    const pickedQuantity = quantity - canceledQuantity;
    const reason = canceledQuantity > 0 && { canceledQuantity, cancellationReasonCode: 'CancelMXOutOfStock' };
    return { id, itemId, quantity, pickedQuantity, ...reason };
  });
  await update(client, ticket, userId, { action: 'CONFIRM', holdLocation: ticket.holdLocation, pickTicketItems });
}

/** Gives the orders back as they were. */
export async function reset(client: Client, ticket: Ticket, userId = 'Ada'): Promise<void> {
  await update(client, ticket, userId, { action: 'RESET' });
}

async function update(client: Client, { pickTicketId }: Ticket, userId: string, members: object): Promise<void> {
  await client.send('PUT', `${PATH}/update`, {
    modifyAssociateId: userId,
    pickTicketDetails: { pickTicketId, storeId: STORE, nodeId: NODE, userId, ...members },
  });
}
