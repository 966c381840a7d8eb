/** Response schema of a single order. The interface defines no such operation. */

import { allowedActions } from '../kernel/allowed.ts';
import { returnMembers } from '../kernel/returns/of-order.ts';
import { PageQuery } from '../platform/http/list-page.ts';
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
  itemDesc: text(0, 4000, { description: 'Description of the item at order intake' }),
  unitPrice: amount('Price of one unit', 0),
  charges: amount('Charges for the whole line'),
  tax: amount('Tax for the whole line'),
  instructions: Optional(Instructions),
  orderedQuantity: units('Units ordered: `openQuantity` + `pickedQuantity` + `declinedQuantity` + `canceledQuantity`'),
  openQuantity: units('Units that are neither picked, declined nor canceled yet'),
  pickedQuantity: units(
    'Units picked or checked in: `heldQuantity` + `handedOverQuantity` + `refusedQuantity` + `returnedQuantity` + `missingQuantity`',
  ),
  heldQuantity: units('Picked units that are in the store'),
  declinedQuantity: units('Units that the node declined'),
  declineReasonCode: reason('Reason of the decline. Present only if units are declined'),
  canceledQuantity: units('Units canceled before they were picked'),
  cancelingQuantity: units(
    'Canceled units that are still on a ticket, on their way to the store, or waiting to be brought back',
  ),
  cancelReasonCode: reason('Reason of the cancellation. Present only if units are canceled'),
  handedOverQuantity: units('Units handed over to the customer or the carrier'),
  refusedQuantity: units('Units that the customer did not take'),
  refuseReasonCode: reason(
    'Reason why the customer did not take units. Present only if `refusedQuantity` is more than 0',
  ),
  returnedQuantity: units('Picked units that were brought back to the shelf'),
  missingQuantity: units('Picked units that could not be brought back because they were not found'),
  cameBackQuantity: units('Handed-over units that were returned'),
  comingBackQuantity: units('Handed-over units that open returns expect'),
  leftQuantity: units('Units that the customer can still get; the totals of the queue search count them'),
  itemTotal: itemTotal('the remaining units'),
  ...itemExtras,
});

const packageItem = object({ webLineId: id('Line'), quantity: units('Units in the package') });

/** An order with the counts of its units and its allowed actions. */
export const OrderDetails = named(
  'OrderDetails',
  object({
    fulfillmentOrderId: id('Order'),
    fulfillmentId: text(1, 20, { description: 'The service’s own number of the order' }),
    storeId: id('Web store'),
    nodeId: id('Node that works on the order'),
    omsOrderId: id('Identifier of the order in the order management system'),
    webOrderId: id('Identifier of the order in the web store'),
    externalOrderNumber: Optional(id('A further number of the order')),
    externalOrderNumber2: Optional(id('A further number of the order')),
    fulfillmentType: oneOf(FULFILLMENT_TYPES),
    ...statusFields,
    revision: integer(1, 2_147_483_647, {
      description: 'Revision of the order; increases with every change, except for returns',
    }),
    queueId: Optional(id('Queue of the order')),
    queuedDate: Optional(dateTime({ description: 'Time at which the order entered its queue' })),
    slaDate: Optional(
      object({ slaTypeId: id('The current step'), value: dateTime({ description: 'Time at which the step is due' }) }),
    ),
    heldUntil: Optional(
      dateTime({ description: 'End of the hold: the latest street date of the items. Present only in status 1000' }),
    ),
    fulfillmentOrderDate: dateTime(),
    orderDate: dateTime(),
    expectedDeliveryDate: Optional(dateTime({ description: 'Date on which the customer expects the delivery' })),
    currency: Currency,
    carrier: text(0, ID_MAX, { description: 'Carrier' }),
    service: text(0, ID_MAX, { description: 'Service level' }),
    shipMethod: text(0, 2 * ID_MAX + 1, { description: 'Carrier and service level in one text' }),
    inStore: Optional(
      flag({ description: 'true: the goods of this SHIP_TO_STORE order were already in the store at intake' }),
    ),
    headerCharges: amount(
      'Charges for the whole order. If a re-source splits the order into several fulfillment orders, the amount is charged only once',
    ),
    headerTax: amount(
      'Tax for the whole order. If a re-source splits the order into several fulfillment orders, the amount is charged only once',
    ),
    cashOnDelivery: Optional(
      amount(
        'Cash to collect for the whole order. If a re-source splits the order into several fulfillment orders, together they collect at most this amount',
        0,
      ),
    ),
    endedDate: Optional(dateTime({ description: 'Time at which the work for the customer ended' })),
    holdLocation: Optional(id('Hold location of the goods. Present only while units of the order are in the store')),
    pickTicketId: Optional(
      id('Pick ticket of the order. In status 8000: the oldest open reverse pick ticket of the order'),
    ),
    reversePickTicketIds: Optional(
      list(
        id('Reverse pick ticket'),
        { min: 1, max: 10_000 },
        { description: 'Open reverse pick tickets with units of the order' },
      ),
    ),
    resourcedFrom: Optional(id('Order whose declined units this order fulfills')),
    hasPin: flag({
      description: 'true: the order has a PIN for its hand-over; this response never has the PIN itself',
    }),
    carrierException: flag({ description: 'true: the carrier has a problem with the order, as sent at intake' }),
    customer: Optional(Contact),
    proxyDetails: Optional(Contact),
    destinations: Optional(list(Destination, { min: 1, max: DESTINATIONS_MAX })),
    billToAddress: Optional(DestinationReference),
    shippingAddress: Optional(DestinationReference),
    shipFromAddress: Optional(DestinationReference),
    lines: list(OrderLine, { min: 1, max: LINES_MAX }),
    orderTotal: orderTotal(),
    charged: Optional(
      Type.Array(charged(), {
        description: 'Amounts of shipments, hand-overs and deliveries so far, the earliest first',
      }),
    ),
    ...returnMembers,
    packages: Optional(
      list(
        object({
          boxId: id('Number of the box'),
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
          id('Hold location that an UPDATE saved; CONFIRM uses this location unless CONFIRM names another'),
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
          changeId: text(1, 64, { description: 'Id of the change that added the note' }),
          notedDate: dateTime({ description: 'Time at which the note was added, in UTC' }),
          userId: text(1, 64, { description: 'Login of the user who added the note' }),
          note: text(1, 1000, { description: 'The note', 'x-secret': true }),
        }),
        { min: 1, max: NOTES_MAX },
        { description: 'Notes of the order, the oldest first' },
      ),
    ),
    allowedActions,
    allowedChanges,
  }),
);
export type OrderDetails = Omit<Static<typeof OrderDetails>, 'fulfillmentType'> & { fulfillmentType: string };

/** An order in the list of a store's orders. */
export const ListedOrder = named(
  'ListedOrder',
  object(
    {
      fulfillmentOrderId: id('Order'),
      nodeId: id('Node that works on the order'),
      webOrderId: id('Identifier of the order in the web store'),
      omsOrderId: id('Identifier of the order in the order management system'),
      fulfillmentType: text(1, 40, { description: 'How the goods reach the customer' }),
      ...statusFields,
      revision: integer(1, 2_147_483_647, {
        description: 'Revision of the order; increases with every change, except for returns',
      }),
      fulfillmentOrderDate: dateTime(),
      changedDate: dateTime({ description: 'Time of the last change' }),
      endedDate: Optional(dateTime({ description: 'Time at which the work for the customer ended' })),
    },
    { description: 'An order in the list of orders' },
  ),
);
export type ListedOrder = Static<typeof ListedOrder>;

const orderFilters = {
  status: Optional(
    text(1, 200, {
      description: 'Only orders in these states: codes such as `1100`, separated by commas; see the table of states',
    }),
  ),
  changedSince: Optional(dateTime({ description: 'Only orders that have changed at or after this time' })),
};

/** Query of the list of orders. */
export const OrdersQuery = object({
  ...PageQuery.properties,
  ...orderFilters,
  webOrderId: Optional(id('Only fulfillment orders of this order of the web store')),
  omsOrderId: Optional(id('Only fulfillment orders of this order of the order management system')),
});

/** Query of the export of orders. */
export const OrderExportQuery = object({
  after: Optional(text(1, 64, { description: 'Begins after this record. Send the last `next` that you have' })),
  ...orderFilters,
});
