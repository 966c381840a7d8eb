/** The work of an associate: generates a ticket for some orders, then confirms it with the units found, or resets it. */
import {
  confirmBody,
  GENERATE,
  generateBody,
  pathOf,
  resetBody,
  type Ticket,
  ticketIn,
  UPDATE,
} from '../../town/tickets.ts';
import type { Client } from './client.ts';
import { NODE, STORE } from './data.ts';
import { QUEUE } from './orders.ts';

const WHERE = { storeId: STORE, nodeId: NODE };
const PATH = pathOf(WHERE);

/** Two requests, the second with values from the first response. */
export async function generateAndConfirm(client: Client, orderIds: readonly string[], userId = 'Ada'): Promise<void> {
  await confirm(client, await generate(client, orderIds, userId), userId);
}

export async function generate(
  client: Client,
  orderIds: readonly string[],
  userId = 'Ada',
  queueId = QUEUE,
): Promise<Ticket> {
  return ticketIn(await client.send('POST', PATH + GENERATE, generateBody(WHERE, queueId, orderIds, userId)));
}

/** Confirms all units; for a short ticket, all but one unit of its first item. */
export async function confirm(client: Client, ticket: Ticket, userId = 'Ada', isShort = false): Promise<void> {
  const found = ({ quantity }: { quantity: number }, index: number) => quantity - (isShort && index === 0 ? 1 : 0);
  await client.send('PUT', PATH + UPDATE, confirmBody(WHERE, ticket, userId, found));
}

/** Resets the ticket: its orders return to their queue. */
export async function reset(client: Client, { pickTicketId }: Ticket, userId = 'Ada'): Promise<void> {
  await client.send('PUT', PATH + UPDATE, resetBody(WHERE, pickTicketId, userId));
}
