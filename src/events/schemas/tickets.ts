/** Events of pick tickets, those that bring units back included. */
import { by, event, id, integer, object, optional, reasonCode, some, text, units } from './members.ts';

const scan = object({
  scanId: id(),
  id: integer(1, 100_000, { description: 'Number of the item on the ticket' }),
  pickedQuantity: optional(units()),
  canceledQuantity: optional(units()),
  undoes: optional(id()),
  cancellationReasonCode: optional(reasonCode()),
});
const generatedFor = id();

export const ticketEvents = {
  'pickTicket.generated': event('A pick ticket was made.', {
    ...by,
    queueId: text(1, 40),
    holdLocation: text(1, 40),
    fulfillmentOrderIds: some(id()),
    totalQuantity: units(),
  }),
  'pickTicket.opened': event('Somebody began to work on a ticket.', { userId: id() }),
  'pickTicket.progressSaved': event('Scans were saved or undone.', { userId: id(), scans: some(scan) }),
  'pickTicket.takenOver': event('Another user took the ticket over.', { fromUserId: id(), ...by }),
  'pickTicket.confirmed': event('A ticket was confirmed; what became of each order is an event of the order.', {
    ...by,
    generatedFor,
    holdLocation: text(1, 40),
    pickedQuantity: units(),
    canceledQuantity: units(),
  }),
  'pickTicket.corrected': event(
    'A confirmed ticket was corrected, because its CONFIRM was mis-keyed; what became of each order is an event of the order.',
    {
      correctionId: id('The caller’s id of the correction'),
      userId: id(),
      reason: text(1, 200, { description: 'Why, in the words of who corrected it' }),
      holdLocation: text(1, 40),
      pickedQuantity: units('Units found in all'),
      canceledQuantity: units('Units not found in all'),
      items: some(
        object({
          id: integer(1, 100_000, { description: 'Number of the item on the ticket' }),
          pickedBefore: units('Units that the CONFIRM, or an earlier correction, had found'),
          pickedQuantity: units(),
        }),
        { description: 'The items that were corrected' },
      ),
    },
  ),
  'pickTicket.reset': event('A ticket was reset; its orders wait for pick as before.', { ...by, generatedFor }),
  'pickTicket.reverseGenerated': event('A ticket was made that brings picked units back.', {
    fulfillmentOrderId: id(),
    queueId: text(1, 40),
    holdLocation: text(1, 40),
    totalQuantity: units(),
  }),
  'pickTicket.reverseConfirmed': event('A ticket that brings units back was confirmed.', {
    ...by,
    holdLocation: text(1, 40),
    returnedQuantity: units(),
    missingQuantity: units(),
  }),
  'pickTicket.moved': event('The goods that a ticket brings back lie in another place now.', {
    userId: id(),
    from: text(1, 40, { description: 'Where they lay' }),
    holdLocation: text(1, 40),
  }),
  'pickTicket.givenBack': event('A ticket that brings units back was given back and waits for another user.', {
    ...by,
    generatedFor,
  }),
} as const;
