/** Events of fulfillment orders: changes of state, and notes. */
import { dateTime } from '../../platform/schema.ts';
import { CONTACT_KINDS, CONTACT_WAYS } from '../../shared/client-settings.ts';
import { QUANTITY_MAX } from '../../shared/limits.ts';
import { orderTotal } from '../../shared/money-schema.ts';
import { TRACKING_STATES } from '../../shared/tracking-states.ts';
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
const requestedQuantity = optional(units('Declined units whose open re-source requests the cancellation closed'));
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
  description: 'RESOURCE: another node fulfills the units; CANCEL: no node fulfills them',
});

const given = {
  ...associate,
  handOverId: text(1, 64),
  ...state,
  collectedBy: oneOf(['CUSTOMER', 'PROXY']),
  verificationMethod: orNull(text(1, 40)),
  proof: optional(
    oneOf(['SIGNATURE', 'PHOTO'], { description: 'Kind of the proof, which `readHandOverProof` returns' }),
  ),
  handedOverQuantity: units(),
  refusedQuantity: units(),
  toHandOverQuantity: units(),
  orderTotal: optional(orderTotal()),
};

export const orderEvents = {
  'order.received': event('An order was received.', {
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
    'The date of a held order changed: the street date of an item moved, or the item with the latest street date was canceled.',
    {
      ...state,
      itemId: id(),
      heldUntil: text(20, 40),
    },
  ),
  'order.released': event(
    'A held order became ready for pick: its street date was reached, or the item with the street date was canceled.',
    {
      ...state,
      queueId: orNull(text(1, 40)),
      nodeId: id(),
    },
  ),
  'order.pickStarted': event('The order was put on a pick ticket (1150).', { pickTicketId: id(), ...by, ...state }),
  'order.pickReset': event('The pick ticket of the order was reset; the order waits for pick again (1100).', {
    pickTicketId: id(),
    ...by,
    ...state,
  }),
  'order.picked': event('The pick ticket of the order was confirmed.', {
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
    'A mistake in the confirmation of the pick ticket was corrected. The event has the new quantities of the whole order.',
    {
      pickTicketId: id(),
      correctionId: id('Id of the correction, chosen by the caller'),
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
    voided: units('Packages that were voided'),
  }),
  'order.shipped': event('Every unit is packed, and every package has a tracking number (3700).', {
    ...state,
    carrier: text(0, 40),
    service: text(0, 40),
    trackingNumbers: some(text(1, 100)),
    shippedQuantity: units(),
    orderTotal: optional(orderTotal()),
  }),
  'order.handedOver': event('The customer took units in the store, or did not accept them.', given),
  'order.delivered': event('An associate delivered units, or the customer did not accept them.', given),
  'order.notAtHome': event(
    'An associate could not deliver because the customer was not at home; the goods are on their way back to the store.',
    associate,
  ),
  'order.pinRefused': event('The customer gave a wrong PIN at the hand-over; too many wrong PINs lock the PIN.', {
    ...associate,
    attempts: units(),
    attemptsLeft: units(),
    isLocked: Type.Boolean(),
  }),
  'order.pinUnlocked': event('The count of wrong PINs of an order was reset.', {
    ...associate,
    attempts: units(),
    unlocks: optional(units()),
  }),
  'order.checkInSaved': event('The progress of a check-in was saved.', {
    ...associate,
    ...state,
    lines: units('Number of package lines whose counts this message changed'),
    checkedIn: units('Units in these lines that arrived correct and undamaged'),
    canceled: units('Units in these lines that are missing, damaged or wrong'),
    holdLocation: optional(text(1, 40)),
  }),
  'order.checkedIn': event('The check-in was confirmed.', {
    ...associate,
    ...state,
    lines: units('Number of order lines with units in the packages'),
    checkedIn: units('Units that arrived correct and undamaged'),
    canceled: units('Units that are missing, damaged or wrong'),
    customerCanceledQuantity: optional(
      units(
        'Units that the customer canceled on the way, if above 0. On each line, missing units count first for them; the lines of the order have the numbers. A reverse pick ticket brings the other canceled units back.',
      ),
    ),
    reversePickTicketId: optional(id()),
  }),
  'order.canceled': event(
    'Units that the customer canceled left the order, or the customer canceled units that the node had declined and whose re-source request was open. Units that leave at the CONFIRM of a pick or check-in, or with a reverse pick ticket, have no event of this type.',
    {
      reasonCode: optional(reasonCode()),
      ...state,
      canceledQuantity: units(
        'Units that left the order. Units that leave it at the CONFIRM of a pick or check-in are not counted here: `order.picked` and `order.checkedIn` count them in `customerCanceledQuantity`.',
      ),
      requestedQuantity,
    },
  ),
  'order.cancelRequested': event(
    'The customer canceled units that are being picked, on their way, or picked; the units leave the order later.',
    {
      reasonCode: reasonCode(),
      cancelingQuantity: units(),
      requestedQuantity,
      reversePickTicketId: optional(id()),
      ...maybePacked,
    },
  ),
  'order.expired': event('The customer did not collect the order in time; its units go back to the shelf.', {
    reasonCode: reasonCode(),
    expiredQuantity: units(),
    reversePickTicketId: id(),
    ...state,
  }),
  'order.declined': event(
    'Units were missing or broken at packing, or the node declined the whole order before the pick.',
    {
      ...associate,
      declinedQuantity: units(),
      ...maybePacked,
    },
  ),
  'order.broughtBack': event('A reverse pick ticket was confirmed: the units are back on their shelf.', {
    pickTicketId: id(),
    ...by,
    ...state,
    returnedQuantity: units(),
    missingQuantity: units(),
  }),
  'order.pickupReminder': event('The customer has not collected the order; it expires at expiresAt.', {
    ...state,
    storeId: id(),
    nodeId: id(),
    expiresAt: text(20, 40),
  }),
  'order.contactRequested': event(
    'A caller requested a message to the customer. If `sentBy` is EVENTS, your system must send the message.',
    {
      messageId: text(1, 64, { description: 'Id of the message to the customer, chosen by the caller' }),
      kind: oneOf(CONTACT_KINDS, { description: 'Kind of the message' }),
      userId: id(),
      sentBy: oneOf(CONTACT_WAYS, { description: 'EVENTS: your system sends it; MAIL: this service' }),
      ...state,
    },
  ),
  'order.contacted': event('A mail to the customer was sent, or failed permanently.', {
    messageId: text(1, 64, {
      description: 'Id of the message to the customer: chosen by the caller, or by the service for its own messages',
    }),
    kind: oneOf(CONTACT_KINDS, { description: 'Kind of the message' }),
    outcome: oneOf(['SENT', 'FAILED'], {
      description: 'SENT: the mail server accepted the mail; FAILED: the mail was not sent, or the outcome is unknown',
    }),
    failure: optional(text(1, 60, { description: 'Reason of the failure; never contains an address' })),
    ...state,
  }),
  'order.changed': event(
    'Fields of the order were changed, or a note was added. The event has the names of the fields, never the new values.',
    {
      changeId: id('Id of the change, chosen by the caller'),
      userId: id(),
      fields: some(text(1, 40), { description: 'Names of the changed fields' }),
      ...state,
    },
  ),
  'order.moved': event('The goods of the order were moved to another location.', {
    moveId: id('Id of the move, chosen by the caller'),
    userId: id(),
    from: orNull(text(1, 40), { description: 'Previous location' }),
    holdLocation: text(1, 40),
    ...state,
  }),
  'order.tracked': event('The carrier reported about a package of the order.', {
    trackingEventId: id('Id of the report, chosen by the caller'),
    trackingNumber: text(1, 40),
    tracking: oneOf(TRACKING_STATES, { description: 'State of the transport' }),
    at: dateTime({ description: 'Time of `tracking`, as reported by the carrier' }),
    ...state,
  }),
  'order.forgotten': plain('The customer’s data was anonymized.'),
  'order.resourced': event(
    'The last re-source request of an order was decided, and the order has no other units. Its status is 9200, or 9000 if no node fulfills any of the units.',
    {
      requestId: text(1, 128, { description: 'Re-source request' }),
      outcome: OUTCOME,
      ...state,
    },
  ),
  'resource.requested': event('Declined units wait for a decision by the owner of the order.', {
    fulfillmentOrderId: id(),
    storeId: id(),
    nodeId: id(),
    excludedNodeIds: some(id()),
    lines: some(
      object({
        webLineId: id(),
        itemId: id(),
        quantity: integer(1, QUANTITY_MAX, { description: 'Units that were declined' }),
        reasonCode: reasonCode(),
      }),
      { description: 'Declined units by line of the order' },
    ),
  }),
  'resource.answered': event(
    'A re-source request was decided, or closed because the customer canceled or the node found units.',
    {
      fulfillmentOrderId: id(),
      outcome: OUTCOME,
      by: oneOf(['OWNER', 'CUSTOMER', 'NODE'], {
        description:
          'OWNER: the owner decided; CUSTOMER: the customer canceled the order; NODE: a corrected pick found declined units, and a new request has the units that are still declined',
      }),
      newNodeId: optional(id()),
      newFulfillmentOrderId: optional(id()),
      reasonCode: optional(reasonCode()),
    },
  ),
} as const;
