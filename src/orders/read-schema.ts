/** Wire shape of an order as our own read answers it; the interface reads no single order. */

import { allowedActions } from '../kernel/allowed.ts';
import { dateTime, flag, integer, list, named, object, oneOf, type Static, Type, text } from '../platform/schema.ts';
import { FULFILLMENT_TYPES } from '../shared/client-settings.ts';
import { hazards, itemExtras } from '../shared/extras.ts';
import { DESTINATIONS_MAX, LINES_MAX, NOTES_MAX, PACKAGES_MAX } from '../shared/limits.ts';
import { charged, itemTotal, orderTotal } from '../shared/money-schema.ts';
import {
  Contact,
  Currency,
  Destination,
  DestinationReference,
  ID_MAX,
  Instructions,
  Measure,
} from '../shared/shapes.ts';
import { statusFields } from '../shared/status.ts';
import { allowedChanges } from './change-rules.ts';
import { amount } from './intake-schema.ts';

const { Optional } = Type;
const id = (description: string) => text(1, ID_MAX, { description });
const units = (description: string) => integer(0, 1_000_000_000, { description });
const reason = (description: string) => Optional(text(1, 40, { description }));

const OrderLine = object({
  webLineId: id('Line of the web store’s order'),
  itemId: id('Item'),
  itemDesc: text(0, 4000, { description: 'Description of the item when the order came in' }),
  unitPrice: amount('Price of one unit', 0),
  charges: amount('Charges for the whole line'),
  tax: amount('Tax for the whole line'),
  instructions: Optional(Instructions),
  orderedQuantity: units('Units ordered: open + picked + declined + canceled'),
  openQuantity: units('Units nobody has answered for yet'),
  pickedQuantity: units('Units picked or checked in: held + handed over + refused + returned + missing'),
  heldQuantity: units('Picked units that are in the store'),
  declinedQuantity: units('Units that the node could not give'),
  declineReasonCode: reason('Only where units are declined'),
  canceledQuantity: units('Units canceled before they were picked'),
  cancelingQuantity: units('Units canceled, but still on a ticket, on their way, or to be brought back'),
  cancelReasonCode: reason('Only where units are canceled'),
  handedOverQuantity: units('Units that went to the customer or the carrier'),
  refusedQuantity: units('Units that the customer did not take'),
  refuseReasonCode: reason('Only where units are refused'),
  returnedQuantity: units('Picked units that were brought back to the shelf'),
  missingQuantity: units('Picked units that were to be brought back and were not found'),
  leftQuantity: units('Units still to be handed on to the customer; the totals of the queue search count them'),
  itemTotal: itemTotal('the remaining units'),
  ...itemExtras,
});

const packageItem = object({ webLineId: id('Line'), quantity: units('Units in the package') });

/** Where an order is, unit by unit, and what may be done next. */
export const OrderDetails = named(
  'OrderDetails',
  object({
    fulfillmentOrderId: id('Order'),
    fulfillmentId: text(1, 20, { description: 'The service’s own number of the order' }),
    storeId: id('Web store'),
    nodeId: id('Node that works on it'),
    omsOrderId: id('Order of the order management system'),
    webOrderId: id('Order of the web store'),
    externalOrderNumber: Optional(id('A further number of the order')),
    externalOrderNumber2: Optional(id('A further number of the order')),
    fulfillmentType: oneOf(FULFILLMENT_TYPES),
    ...statusFields,
    revision: integer(1, 2_147_483_647, { description: 'Grows with every change' }),
    queueId: Optional(id('Queue it stands on')),
    queuedDate: Optional(dateTime({ description: 'When it entered that queue' })),
    slaDate: Optional(
      object({ slaTypeId: id('Step whose time runs'), value: dateTime({ description: 'When it is due' }) }),
    ),
    heldUntil: Optional(dateTime({ description: 'Street date of an item until which it is held; only at 1000' })),
    fulfillmentOrderDate: dateTime(),
    orderDate: dateTime(),
    expectedDeliveryDate: Optional(dateTime({ description: 'When the customer expects it' })),
    currency: Currency,
    carrier: text(0, ID_MAX, { description: 'Carrier' }),
    service: text(0, ID_MAX, { description: 'Service level' }),
    shipMethod: text(0, 2 * ID_MAX + 1, { description: 'Carrier and service in one' }),
    inStore: Optional(flag({ description: 'SHIP_TO_STORE only: the goods were in the store already' })),
    headerCharges: amount('Charges of the order as a whole, charged once for all orders that serve its units'),
    headerTax: amount('Tax of the order as a whole, charged once alike'),
    cashOnDelivery: Optional(amount('Cash that was sent to be collected, once for all orders that serve its units', 0)),
    endedDate: Optional(dateTime({ description: 'When nothing more was to be done for the customer' })),
    holdLocation: Optional(id('Where the goods wait')),
    pickTicketId: Optional(id('Ticket that picked it or picks it; at 8000 the open reverse pick ticket, the oldest')),
    reversePickTicketIds: Optional(
      list(id('Ticket'), { min: 1, max: 10_000 }, { description: 'Open tickets that bring units of it back' }),
    ),
    resourcedFrom: Optional(id('Order whose declined units this one serves')),
    carrierException: flag({ description: 'The carrier has a problem with the order, as intake said' }),
    customer: Optional(Contact),
    proxyDetails: Optional(Contact),
    destinations: Optional(list(Destination, { min: 1, max: DESTINATIONS_MAX })),
    billToAddress: Optional(DestinationReference),
    shippingAddress: Optional(DestinationReference),
    shipFromAddress: Optional(DestinationReference),
    lines: list(OrderLine, { min: 1, max: LINES_MAX }),
    orderTotal: orderTotal(),
    charged: Optional(
      Type.Array(charged(), { description: 'Amounts of shipments, hand-overs and deliveries so far, first to last' }),
    ),
    packages: Optional(
      list(
        object({
          boxId: id('The box'),
          trackingNumber: Optional(id('The carrier’s number')),
          packageItems: list(packageItem, { min: 1, max: LINES_MAX }),
          hazardousMaterialCodes: hazards,
          allowedActions,
        }),
        { min: 1, max: PACKAGES_MAX },
      ),
    ),
    checkIn: Optional(
      object({
        savedHoldLocation: Optional(
          id('Where an UPDATE said that the goods wait; the CONFIRM takes it unless it names another place'),
        ),
        checkInPackages: list(
          object({
            checkInPackageId: id('Package'),
            trackingNumber: id('The carrier’s number'),
            weight: Optional(Measure),
            volume: Optional(Measure),
            checkInPackageItems: list(packageItem, { max: LINES_MAX }),
          }),
          { max: PACKAGES_MAX },
        ),
        allowedActions,
      }),
    ),
    notes: Optional(
      list(
        object({
          changeId: text(1, 64, { description: 'The change that added it' }),
          notedDate: dateTime({ description: 'When it was noted, in UTC' }),
          userId: text(1, 64, { description: 'Who noted it' }),
          note: text(1, 1000, { description: 'The note', 'x-secret': true }),
        }),
        { min: 1, max: NOTES_MAX },
        { description: 'What was noted of the order, the oldest first' },
      ),
    ),
    allowedActions,
    allowedChanges,
  }),
);
export type OrderDetails = Omit<Static<typeof OrderDetails>, 'fulfillmentType'> & { fulfillmentType: string };
