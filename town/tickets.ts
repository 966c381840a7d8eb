/** Messages and responses of pick tickets, for all scenarios. */

export interface Place {
  storeId: string;
  nodeId: string;
}

export interface TicketItem {
  id: number;
  itemDetails: { itemId: string };
  quantity: number;
}

export interface Ticket {
  pickTicketId: string;
  holdLocation: string;
  pickTicketItems: TicketItem[];
}

/** Returns the path of a node. The paths of all operations for the node's associates begin with this path. */
export function pathOf({ storeId, nodeId }: Place): string {
  return `/stores/${storeId}/nodes/${nodeId}`;
}

/** The operations that generate and update tickets, as paths below `pathOf`. */
export const GENERATE = '/pickTicket/generate';
export const UPDATE = '/pickTicket/update';

export function generateBody(
  { storeId, nodeId }: Place,
  queueId: string,
  fulfillmentOrderIds: readonly string[],
  userId: string,
) {
  return { storeId, nodeId, queueId, userId, fulfillmentOrderIds, modifyAssociateId: userId };
}

/** Returns the ticket in the response to `generate`. */
export function ticketIn<T = Ticket>(body: unknown): T {
  return (body as { pickTicketDetails: [T] }).pickTicketDetails[0];
}

/** Returns a CONFIRM with the found units of each item (default: all). The other units are canceled with a reason. */
export function confirmBody(
  place: Place,
  { pickTicketId, holdLocation, pickTicketItems }: Ticket,
  userId: string,
  found: (item: TicketItem, index: number) => number = ({ quantity }) => quantity,
  cancellationReasonCode = 'CancelMXOutOfStock',
) {
  const items = pickTicketItems.map((item, index) => {
    const { id, quantity, itemDetails } = item;
    const pickedQuantity = found(item, index);
    const canceledQuantity = quantity - pickedQuantity;
    const reason = canceledQuantity > 0 && { cancellationReasonCode };
    return { id, itemId: itemDetails.itemId, quantity, pickedQuantity, canceledQuantity, ...reason };
  });
  return updateBody(place, pickTicketId, userId, { action: 'CONFIRM', holdLocation, pickTicketItems: items });
}

/** Returns a RESET, which moves the orders back to the queue. */
export function resetBody(place: Place, pickTicketId: string, userId: string) {
  return updateBody(place, pickTicketId, userId, { action: 'RESET' });
}

function updateBody<T extends object>({ storeId, nodeId }: Place, pickTicketId: string, userId: string, details: T) {
  return { modifyAssociateId: userId, pickTicketDetails: { pickTicketId, storeId, nodeId, userId, ...details } };
}
