/**
 * Request and response schemas of the two order searches (docs/interface.md#search-a-queue and
 * docs/interface.md#search-fulfillment-orders).
 */
import { lastPageId, PAGE_SIZE_MAX, pageEcho, pageMembers, totalsEcho } from '../platform/http/page.ts';
import {
  dateTime,
  identifier,
  integer,
  list,
  named,
  object,
  oneOf,
  type Static,
  Type,
  text,
} from '../platform/schema.ts';
import { FULFILLMENT_TYPES } from '../shared/client-settings.ts';
import { DESTINATIONS_MAX, PACKAGES_MAX } from '../shared/limits.ts';
import {
  Contact,
  ContactFilter,
  Currency,
  DateRange,
  Destination,
  DestinationReference,
  ID_MAX,
  id,
  login,
  OrderText,
} from '../shared/shapes.ts';

const { Optional } = Type;

const ZipCodeRange = object({
  from: text(1, 20, { description: 'First postal code of the range. Spaces, hyphens and case do not matter' }),
  to: text(1, 20, { description: 'Last postal code of the range. Codes that start with this code are included' }),
});

/** Filters of the queue search. */
export const QueueSearch = named(
  'QueueSearch',
  object({
    storeId: id('Must be the storeId of the path'),
    nodeId: id('Must be the nodeId of the path; the field may be spelled modeId instead'),
    modeId: Optional(id('Other spelling of nodeId')),
    queueId: id('Must be the queueId of the query'),
    fulfillmentType: Optional(oneOf(FULFILLMENT_TYPES)),
    carrier: Optional(text(1, ID_MAX, { description: 'Carrier of the order, exactly as sent at intake' })),
    service: Optional(text(1, ID_MAX, { description: 'Service level of the order, exactly as sent at intake' })),
    shipMethod: Optional(
      text(1, 2 * ID_MAX + 1, { description: 'Ship method of the order, exactly as sent at intake' }),
    ),
    pickTicketId: Optional(id('Ticket of the order')),
    fulfillmentOrderId: Optional(id('Only this order')),
    webOrderId: Optional(id('Identifier of the order in the web store')),
    zipCodeRange: Optional(ZipCodeRange),
    orderDateRange: Optional(DateRange),
    fulfillmentOrderDateRange: Optional(DateRange),
    expectedDeliveryDateRange: Optional(DateRange),
    customer: Optional(ContactFilter),
    proxyDetails: Optional(ContactFilter),
    trackingNumber: Optional(id('Tracking number of a package of the order')),
    pinNumber: Optional(
      identifier(20, {
        description: 'The whole PIN. Rejected if the client’s setting pin.required is on',
        'x-secret': true,
      }),
    ),
    ...pageMembers,
    lastPageId,
  }),
);
export type QueueSearch = Static<typeof QueueSearch>;

const digits = (description: string) => text(1, 12, { description, pattern: '^[0-9]+$' });

const common = {
  fulfillmentOrderId: id('Order'),
  storeId: id('Web store of the order'),
  nodeId: id('Node that fulfills the order'),
  omsOrderId: id('Identifier of the order in the order management system'),
  fulfillmentType: oneOf(FULFILLMENT_TYPES),
  carrier: text(0, ID_MAX),
  service: text(0, ID_MAX),
  fulfillmentOrderDate: dateTime(),
  orderDate: dateTime(),
};

const QueuedOrder = object({
  ...common,
  holdLocation: Optional(id('Hold location of the goods')),
  expectedDeliveryDate: Optional(dateTime()),
  shipMethod: text(0, 2 * ID_MAX + 1),
  pickTicketId: Optional(id('Ticket of the order')),
  status: text(1, 60, { description: 'Description of the state' }),
  currency: Currency,
  totalNoOfItems: digits('Lines with units that the customer can still get'),
  totalQuantity: digits('Units that the customer can still get'),
  totalNoOfPackages: digits('Packages recorded'),
  pinNumber: Optional(
    text(1, 20, {
      description: 'PIN of the order. Absent if the order has no PIN, or if the client’s setting pin.required is on',
    }),
  ),
  trackingNumbers: Optional(list(id('Tracking number'), { min: 1, max: PACKAGES_MAX })),
  customer: Optional(Contact),
  proxyDetails: Optional(Contact),
  slaDate: object(
    {
      slaTypeId: text(1, ID_MAX, { description: 'SLA step of the order' }),
      value: dateTime({ description: 'Time at which the step is due' }),
    },
    { description: 'SLA of the current step' },
  ),
  shippingAddress: DestinationReference,
  destinations: list(Destination, { min: 1, max: DESTINATIONS_MAX }),
});

/** An order in a result of the queue search. */
export interface QueuedOrder extends Omit<Static<typeof QueuedOrder>, 'fulfillmentType'> {
  fulfillmentType: string;
}

export const QueueSearchReply = named(
  'QueueSearchReply',
  object({ fulfillmentOrders: list(QueuedOrder, { max: PAGE_SIZE_MAX }), ...pageEcho }),
);

const statusCode = (description: string) => integer(0, 99_999, { description });

/** Filters of the order search. */
export const OrderSearch = named(
  'OrderSearch',
  object({
    storeId: id('Must be the storeId of the path'),
    nodeId: id('Node that fulfills the order'),
    userId: Optional(login('Login of the user who searches. Does not filter the result')),
    webOrderId: Optional(id('Identifier of the order in the web store')),
    omsOrderId: Optional(id('Identifier of the order in the order management system')),
    orderDateRange: Optional(DateRange),
    fulfillmentOrder: Optional(
      object({
        fulfillmentOrderId: Optional(id('Only this order')),
        fulfillmentTypes: Optional(
          list(
            oneOf(FULFILLMENT_TYPES),
            { min: 1, max: FULFILLMENT_TYPES.length },
            { description: 'Only orders of these types' },
          ),
        ),
        statuses: Optional(
          object(
            { from: statusCode('First code'), to: statusCode('Last code, included') },
            {
              description:
                'Range of status codes; both codes are included. Not recommended, because codes can change between releases',
            },
          ),
        ),
        customer: Optional(ContactFilter),
        proxyDetails: Optional(ContactFilter),
        fulfillmentOrderDateRange: Optional(DateRange),
        text: OrderText,
      }),
    ),
    ...pageMembers,
  }),
);
export type OrderSearch = Static<typeof OrderSearch>;

const FoundOrder = object({
  fulfillmentId: digits('The service’s own number of the order'),
  ...common,
  webOrderId: id('Identifier of the order in the web store'),
  status: text(1, 8, { description: 'Status code' }),
  customer: Contact,
  proxyDetails: Optional(Contact),
});

/** An order in a result of the order search. */
export interface FoundOrder extends Omit<Static<typeof FoundOrder>, 'fulfillmentType'> {
  fulfillmentType: string;
}

export const OrderSearchReply = named(
  'OrderSearchReply',
  object({
    fulfillmentOrders: list(FoundOrder, { max: PAGE_SIZE_MAX }),
    ...pageEcho,
    ...totalsEcho,
  }),
);

/** Named schemas of the searches, for the OpenAPI document. */
export const searchSchemas = [QueueSearch, QueueSearchReply, OrderSearch, OrderSearchReply];
