/** Events of pick tickets and of reverse pick tickets. */
import { clockMembers } from '../../shared/device-time.ts';
import { by, event, id, integer, object, optional, reasonCode, some, text, units } from './members.ts';

const scan = object({
  scanId: id(),
  id: integer(1, 100_000, { description: 'Number of the item on the ticket' }),
  pickedQuantity: optional(units()),
  canceledQuantity: optional(units()),
  undoes: optional(id()),
  cancellationReasonCode: optional(reasonCode()),
  at: optional(
    text(1, 40, {
      description:
        'Time of the scan as the device sent it, or the time of the service if the clock of the device is wrong',
    }),
  ),
  ...clockMembers,
});
const generatedFor = id();

export const ticketEvents = {
  'pickTicket.generated': event('A pick ticket was generated.', {
    ...by,
    queueId: text(1, 40),
    holdLocation: text(1, 40),
    fulfillmentOrderIds: some(id()),
    totalQuantity: units(),
  }),
  'pickTicket.opened': event('A user began to work on a ticket.', { userId: id() }),
  'pickTicket.progressSaved': event('Scans were saved or undone.', { userId: id(), scans: some(scan) }),
  'pickTicket.takenOver': event('Another user took the ticket over.', { fromUserId: id(), ...by }),
  'pickTicket.confirmed': event('A ticket was confirmed. Each order has a separate event with the result.', {
    ...by,
    generatedFor,
    holdLocation: text(1, 40),
    pickedQuantity: units(),
    canceledQuantity: units(),
  }),
  'pickTicket.corrected': event(
    'A mistake in the confirmation of a ticket was corrected. Each order has a separate event with the result.',
    {
      correctionId: id('Id of the correction, chosen by the caller'),
      userId: id(),
      reason: text(1, 200, { description: 'Reason, in the words of the user' }),
      holdLocation: text(1, 40),
      pickedQuantity: units('Units of the ticket that were found'),
      canceledQuantity: units('Units of the ticket that were not found'),
      items: some(
        object({
          id: integer(1, 100_000, { description: 'Number of the item on the ticket' }),
          pickedBefore: units('Units found according to the CONFIRM or the previous correction'),
          pickedQuantity: units(),
        }),
        { description: 'The items that were corrected' },
      ),
    },
  ),
  'pickTicket.reset': event('A ticket was reset; its orders wait for pick again.', { ...by, generatedFor }),
  'pickTicket.reverseGenerated': event('A reverse pick ticket was generated.', {
    fulfillmentOrderId: id(),
    queueId: text(1, 40),
    holdLocation: text(1, 40),
    totalQuantity: units(),
  }),
  'pickTicket.reverseConfirmed': event('A reverse pick ticket was confirmed.', {
    ...by,
    holdLocation: text(1, 40),
    returnedQuantity: units(),
    missingQuantity: units(),
  }),
  'pickTicket.moved': event('The goods of a reverse pick ticket were moved to another location.', {
    userId: id(),
    from: text(1, 40, { description: 'Previous location' }),
    holdLocation: text(1, 40),
  }),
  'pickTicket.givenBack': event('A reverse pick ticket was released and waits for another user.', {
    ...by,
    generatedFor,
  }),
} as const;
