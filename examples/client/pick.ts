/**
 * Picks one order of a queue: reads an item, searches the queue, generates a pick ticket and confirms it. See
 * README.md.
 */
import createClient from 'openapi-fetch';
import type { paths } from '../../contract/client.d.ts';

export interface Settings {
  /** URL of the service, for example http://127.0.0.1:8080. */
  url: string;
  apiKey: string;
  /** `username:password` of the same credential. */
  basic: string;
}

const storeId = 'TOWN_US';
const nodeId = 'TOWN-Store001';
const queueId = 'WAITING_FOR_PICK_ISPU';
const associate = 'mara';

/** Reports each step in a line. @throws Error with the error of the service, if the service rejects a request. */
export async function pick(settings: Settings, tell: (line: string) => void): Promise<void> {
  const client = createClient<paths>({ baseUrl: settings.url, headers: { apiKey: settings.apiKey } });

  const item = await client.GET('/item-service/stores/{storeId}/items/{itemId}', {
    params: { path: { storeId, itemId: '21-MUG-WHT' } },
    headers: { Authorization: `Basic ${btoa(settings.basic)}` },
  });
  if (item.error) throw refused(item.error);
  tell(`${item.data.itemId}: ${item.data.description ?? ''}`);

  const queue = await client.POST('/stores/{storeId}/nodes/{nodeId}/fulfillmentOrders', {
    params: { path: { storeId, nodeId }, query: { queueId } },
    body: { storeId, nodeId, queueId },
  });
  if (queue.error) throw refused(queue.error);
  const waiting = queue.data.fulfillmentOrders.filter((order) => order.pickTicketId === undefined);
  tell(`${waiting.length} orders wait on ${queueId}`);
  const order = waiting[0];
  if (order === undefined) return;

  const generated = await client.POST('/stores/{storeId}/nodes/{nodeId}/pickTicket/generate', {
    params: { path: { storeId, nodeId }, header: { 'Idempotency-Key': crypto.randomUUID() } },
    body: {
      storeId,
      nodeId,
      queueId,
      userId: associate,
      fulfillmentOrderIds: [order.fulfillmentOrderId],
      modifyAssociateId: associate,
    },
  });
  if (generated.error) throw refused(generated.error);
  const ticket = generated.data.pickTicketDetails[0];
  if (ticket === undefined) throw new Error('the response has no ticket');
  const { pickTicketId, holdLocation, totalQuantity } = ticket;
  const items = ticket.pickTicketItems;
  tell(
    `ticket ${pickTicketId} for order ${order.fulfillmentOrderId}: ${items.length} items, ${totalQuantity} units, hold location ${holdLocation}`,
  );

  const confirmed = await client.PUT('/stores/{storeId}/nodes/{nodeId}/pickTicket/update', {
    params: { path: { storeId, nodeId } },
    body: {
      modifyAssociateId: associate,
      pickTicketDetails: {
        pickTicketId,
        action: 'CONFIRM',
        storeId,
        nodeId,
        userId: associate,
        holdLocation,
        // All units were found, so the picked quantity is the whole quantity.
        pickTicketItems: items.map(({ id, itemDetails, quantity }) => ({
          id,
          itemId: itemDetails.itemId,
          pickedQuantity: quantity,
        })),
      },
    },
  });
  if (confirmed.error) throw refused(confirmed.error);
  tell('confirmed');
}

function refused(error: { code: string; description: string; requestId: string }): Error {
  return new Error(`${error.code}: ${error.description} (request ${error.requestId})`);
}

if (import.meta.main) {
  const { BASE: url = 'http://127.0.0.1:8080', API_KEY: apiKey = '', BASIC: basic = '' } = process.env;
  await pick({ url, apiKey, basic }, console.log);
}
