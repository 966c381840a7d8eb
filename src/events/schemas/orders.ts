/** Events of fulfillment orders: whatever changes where one stands, and what is noted of it. */
import { orderTotal } from '../../shared/money-schema.ts';
import {
  by,
  event,
  id,
  integer,
  object,
  oneOf,
  optional,
  orNull,
  plain,
  reasonCode,
  some,
  state,
  Type,
  text,
  units,
} from './members.ts';

const associate = { modifyAssociateId: id() };
const counted = {
  ...associate,
  ...state,
  lines: units('Number of lines in packages'),
  checkedIn: units('Units that arrived in order'),
  canceled: units('Units that are missing, damaged or wrong'),
};
const packed = {
  ...state,
  packages: units('Number of packages'),
  packedQuantity: units(),
  toPackQuantity: units(),
};
const maybePacked = {
  ...state,
  packages: optional(units('Number of packages')),
  packedQuantity: optional(units()),
  toPackQuantity: optional(units()),
};

const OUTCOME = oneOf(['RESOURCE', 'CANCEL'], {
  description: 'RESOURCE: another node serves the units; CANCEL: nobody does',
});

const given = {
  ...associate,
  handOverId: text(1, 64),
  ...state,
  collectedBy: oneOf(['CUSTOMER', 'PROXY']),
  verificationMethod: orNull(text(1, 40)),
  handedOverQuantity: units(),
  refusedQuantity: units(),
  toHandOverQuantity: units(),
  orderTotal: optional(orderTotal()),
};

export const orderEvents = {
  'order.received': event('An order came in.', {
    storeId: id(),
    nodeId: id(),
    fulfillmentType: text(1, 40),
    ...state,
    queueId: orNull(text(1, 40)),
    heldUntil: optional(text(20, 40)),
    carrierException: optional(Type.Boolean()),
    lines: units('Number of lines'),
    units: units('Units of all lines'),
    resourcedFrom: optional(id()),
  }),
  'order.held': event(
    'A held order waits for another date: an item has moved its street date, or the one with the latest was canceled.',
    {
      ...state,
      itemId: id(),
      heldUntil: text(20, 40),
    },
  ),
  'order.released': event('The street date of a held order has come, or its item was canceled: the work begins.', {
    ...state,
    queueId: orNull(text(1, 40)),
    nodeId: id(),
  }),
  'order.pickStarted': event('The order was put on a pick ticket: 1150.', { pickTicketId: id(), ...by, ...state }),
  'order.pickReset': event('Its pick ticket was reset; the order waits for pick as before: 1100.', {
    pickTicketId: id(),
    ...by,
    ...state,
  }),
  'order.picked': event('Its pick ticket was confirmed.', {
    pickTicketId: orNull(id()),
    ...by,
    ...state,
    holdLocation: orNull(text(1, 40)),
    pickedQuantity: units(),
    canceledQuantity: units(),
    customerCanceledQuantity: optional(units()),
    reversePickTicketId: optional(id()),
  }),
  'order.pickCorrected': event(
    'A mis-keyed CONFIRM of its pick ticket was corrected: quantities of the whole order as they are now.',
    {
      pickTicketId: id(),
      correctionId: id('The caller’s id of the correction'),
      userId: id(),
      ...state,
      holdLocation: orNull(text(1, 40)),
      pickedQuantity: units(),
      declinedQuantity: units(),
      customerCanceledQuantity: optional(units()),
      reversePickTicketId: optional(id()),
    },
  ),
  'order.packSlipGenerated': event('A pack slip was made for new content.', { packSlipId: id(), ...associate }),
  'order.packed': event('Packages were recorded, changed or voided.', {
    ...associate,
    ...packed,
    created: units('Packages that were recorded'),
    modified: units('Packages that were changed'),
    voided: units('Packages that were taken back'),
  }),
  'order.shipped': event('Every unit is packed and every package tracked: 3700.', {
    ...state,
    carrier: text(0, 40),
    service: text(0, 40),
    trackingNumbers: some(text(1, 100)),
    shippedQuantity: units(),
    orderTotal: optional(orderTotal()),
  }),
  'order.handedOver': event('Units went to the customer in the store, or were refused there.', given),
  'order.delivered': event('An associate delivered units, or the customer refused them.', given),
  'order.notAtHome': event(
    'An associate came to deliver and met nobody; the goods are on their way back to the store.',
    associate,
  ),
  'order.pinRefused': event('A wrong PIN was said at the hand-over; after too many it is locked.', {
    ...associate,
    attempts: units(),
    attemptsLeft: units(),
    isLocked: Type.Boolean(),
  }),
  'order.pinUnlocked': event('The wrong PINs of an order were forgotten.', {
    ...associate,
    attempts: units(),
    unlocks: optional(units()),
  }),
  'order.checkInSaved': event('What has arrived so far was saved.', {
    ...counted,
    holdLocation: optional(text(1, 40)),
  }),
  'order.checkedIn': event('The check-in was confirmed.', { ...counted, reversePickTicketId: optional(id()) }),
  'order.canceled': event('Units that the customer canceled left the order.', {
    reasonCode: optional(reasonCode()),
    ...state,
    canceledQuantity: units(),
  }),
  'order.cancelRequested': event(
    'The customer canceled units that are being picked, on their way, or picked: they leave the order later.',
    {
      reasonCode: reasonCode(),
      cancelingQuantity: units(),
      reversePickTicketId: optional(id()),
      ...maybePacked,
    },
  ),
  'order.expired': event('Nobody came for the order: what is held is brought back.', {
    reasonCode: reasonCode(),
    expiredQuantity: units(),
    reversePickTicketId: id(),
    ...state,
  }),
  'order.declined': event(
    'Units turned out to be missing or broken while the order was packed, or its node declined all of it before the pick.',
    {
      ...associate,
      declinedQuantity: units(),
      ...maybePacked,
    },
  ),
  'order.broughtBack': event('A reverse pick ticket was confirmed: units are back on their shelf.', {
    pickTicketId: id(),
    ...by,
    ...state,
    returnedQuantity: units(),
    missingQuantity: units(),
  }),
  'order.pickupReminder': event('The customer has not come yet; the wait ends at expiresAt.', {
    ...state,
    storeId: id(),
    nodeId: id(),
    expiresAt: text(20, 40),
  }),
  'order.changed': event(
    'What came in with the order was changed, or a note was added; names what, never the new values.',
    {
      changeId: id('The caller’s id of the change'),
      userId: id(),
      fields: some(text(1, 40), { description: 'What was changed, by the names of the message' }),
      ...state,
    },
  ),
  'order.moved': event('The goods of the order lie in another place now.', {
    moveId: id('The caller’s id of the move'),
    userId: id(),
    from: orNull(text(1, 40), { description: 'Where they lay' }),
    holdLocation: text(1, 40),
    ...state,
  }),
  'order.forgotten': plain('The customer’s data was blanked.'),
  'order.resourced': event(
    'The last declined units of an order without others were answered for: 9200, or 9000 where no node serves any.',
    {
      requestId: text(1, 128, { description: 'Re-source request' }),
      outcome: OUTCOME,
      ...state,
    },
  ),
  'resource.requested': event('Declined units wait for the owner of the order to say where they come from.', {
    fulfillmentOrderId: id(),
    storeId: id(),
    nodeId: id(),
    excludedNodeIds: some(id()),
    lines: some(
      object({
        webLineId: id(),
        itemId: id(),
        quantity: integer(1, 99_999, { description: 'Units that were declined' }),
        reasonCode: reasonCode(),
      }),
    ),
  }),
  'resource.answered': event(
    'A re-source request was answered, or closed because the customer canceled or the node found units after all.',
    {
      fulfillmentOrderId: id(),
      outcome: OUTCOME,
      by: oneOf(['OWNER', 'CUSTOMER', 'NODE'], {
        description:
          'OWNER answered it; CUSTOMER: the customer canceled the order; NODE: a corrected pick found units, and another request asks for the rest',
      }),
      newNodeId: optional(id()),
      newFulfillmentOrderId: optional(id()),
      reasonCode: optional(reasonCode()),
    },
  ),
} as const;
