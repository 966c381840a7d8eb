/**
 * The work of an associate: generates a ticket for some orders, then confirms it with the found units, or resets it.
 */
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

/** Sends two requests. The second one has values from the first response. */
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

/** Confirms a ticket with all units; a short ticket lacks one unit of its first item. */
export async function confirm(client: Client, ticket: Ticket, userId = 'Ada', isShort = false): Promise<void> {
  const found = ({ quantity }: { quantity: number }, index: number) => quantity - (isShort && index === 0 ? 1 : 0);
  await client.send('PUT', PATH + UPDATE, confirmBody(WHERE, ticket, userId, found));
}

/** Resets a ticket, which returns its orders to their queue. */
export async function reset(client: Client, { pickTicketId }: Ticket, userId = 'Ada'): Promise<void> {
  await client.send('PUT', PATH + UPDATE, resetBody(WHERE, pickTicketId, userId));
}
