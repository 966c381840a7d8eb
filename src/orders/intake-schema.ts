/** Schema of an order at intake. The interface specifies no lengths; the limits are Backroom's. */

import {
  dateTime,
  exact,
  flag,
  identifier,
  ignored,
  integer,
  list,
  named,
  object,
  oneOf,
  ref,
  type Static,
  Type,
  text,
} from '../platform/schema.ts';
import { FULFILLMENT_TYPES } from '../shared/client-settings.ts';
import { DESTINATIONS_MAX, INSTRUCTIONS_MAX, LINES_MAX, PACKAGES_MAX } from '../shared/limits.ts';
import {
  Currency,
  Destination,
  DestinationReference,
  ID_MAX,
  id,
  Measure,
  SentContact,
  units,
} from '../shared/shapes.ts';
import { statusFields } from '../shared/status.ts';

/** Maximum number of orders in one call (docs/interface.md#order-intake). */
const INTAKE_MAX = 500;

/** A price or charge in the form of the interface's Price. Four decimals allow unit prices in parts of a cent. */
export const amount = (description: string, min?: number) =>
  exact({ integer: 19, fraction: 4, ...(min !== undefined && { min }) }, { description });

const Instruction = object({
  type: text(1, 40, { description: 'Type of the instruction, for example GIFT_MESSAGE' }),
  text: Type.Optional(text(0, 1000, { description: 'The text; default: "" (empty)', 'x-secret': true })),
});

const Line = object({
  webLineId: id('Line of the web order; unique in the order'),
  itemId: id('Item of the client: `<catalogId>-<clientItemId>`'),
  quantity: units('Units ordered', 1),
  unitPrice: amount('Price of one unit', 0),
  charges: Type.Optional(amount('Charges for the whole line; default 0')),
  tax: Type.Optional(amount('Tax for the whole line; default 0')),
  instructions: Type.Optional(list(Instruction, { max: INSTRUCTIONS_MAX })),
});

const PackageItem = object({
  webLineId: id('Line of the order. List a line only once in a package'),
  quantity: units('Units of the line in this package', 1),
});

const Package = object({
  checkInPackageId: Type.Optional(
    id('Number of the package, unique in the order; default: the next free number, counted from 1'),
  ),
  trackingNumber: id('Tracking number of the carrier'),
  weight: Type.Optional(Measure),
  volume: Type.Optional(Measure),
  items: list(PackageItem, { min: 1, max: LINES_MAX }, { description: 'Contents of the package' }),
});

/** One fulfillment order from the order management system. */
export const OrderIntake = named(
  'OrderIntake',
  object({
    fulfillmentOrderId: id('Id of the order, unique among the orders of the client'),
    omsOrderId: id('Identifier of the order in the order management system'),
    webOrderId: id('Identifier of the order in the web store'),
    externalOrderNumber: Type.Optional(id('A further number of the order')),
    externalOrderNumber2: Type.Optional(id('A further number of the order')),
    storeId: Type.Optional(Type.String({ minLength: 1, description: 'Must be the storeId of the path' })),
    nodeId: id('Node that fulfills the order; it must fulfill orders of this fulfillmentType'),
    fulfillmentType: oneOf(FULFILLMENT_TYPES),
    orderDate: dateTime({ description: 'Time at which the customer ordered; not later than fulfillmentOrderDate' }),
    fulfillmentOrderDate: Type.Optional(
      dateTime({
        description:
          'Time at which the fulfillment order was created. Default: the time of intake, or orderDate if that is later',
      }),
    ),
    expectedDeliveryDate: Type.Optional(dateTime()),
    currency: Currency,
    carrier: Type.Optional(
      text(0, ID_MAX, { description: 'Carrier. Required for SHIP_TO_HOME; default for other types: "" (empty)' }),
    ),
    service: Type.Optional(
      text(0, ID_MAX, { description: 'Service level. Required for SHIP_TO_HOME; default for other types: "" (empty)' }),
    ),
    shipMethod: Type.Optional(
      text(0, 2 * ID_MAX + 1, { description: 'Carrier and service level in one text; default: `<carrier>_<service>`' }),
    ),
    customer: SentContact,
    proxyDetails: Type.Optional(SentContact),
    pinNumber: Type.Optional(identifier(20, { description: 'PIN of the hand-over', 'x-secret': true })),
    destinations: list(
      Destination,
      { min: 1, max: DESTINATIONS_MAX },
      { description: 'Destinations with different destinationIds' },
    ),
    billToAddress: DestinationReference,
    shippingAddress: DestinationReference,
    shipFromAddress: Type.Optional(DestinationReference),
    lines: list(Line, { min: 1, max: LINES_MAX }),
    headerCharges: Type.Optional(
      amount('Charges for the whole order, in addition to the charges of its lines; default 0'),
    ),
    headerTax: Type.Optional(amount('Tax for the whole order, in addition to the tax of its lines; default 0')),
    cashOnDelivery: Type.Optional(amount('Cash to collect from the customer for the whole order', 0)),
    carrierException: Type.Optional(
      flag({
        description:
          'true: the carrier has a problem with this order, according to the order management system. Packing shows the problem. Default false',
      }),
    ),
    inStore: Type.Optional(
      flag({ description: 'true: the goods of this SHIP_TO_STORE order are already in the store; default false' }),
    ),
    exchangeOf: Type.Optional(
      object(
        {
          returnNumber: id('Number of a return of this store'),
          line: integer(1, 1_000_000, { description: 'Line of the return for which this order is the exchange' }),
        },
        {
          description:
            'Line of a return for which this order is the exchange. A line of a return has at most one exchange order',
        },
      ),
    ),
    packages: Type.Optional(
      list(
        Package,
        { min: 1, max: PACKAGES_MAX },
        { description: 'Packages in which the goods arrive at the store. Allowed only for SHIP_TO_STORE' },
      ),
    ),
    status: ignored(),
    queueId: ignored(),
  }),
);
export type OrderIntake = Static<typeof OrderIntake>;

/** One order, or a list of them. */
export const IntakeBody = Type.Union([
  ref<OrderIntake>('OrderIntake'),
  list(ref<OrderIntake>('OrderIntake'), { min: 1, max: INTAKE_MAX }),
]);

/** State and queue of each order of a call, in the order of the call. */
export const IntakeReply = named(
  'IntakeReply',
  object({
    fulfillmentOrders: list(
      object({
        fulfillmentOrderId: id('Fulfillment order, as sent'),
        ...statusFields,
        queueId: Type.Optional(id('Queue of the order; absent while the order is held and after it has ended')),
        heldUntil: Type.Optional(
          dateTime({
            description: 'End of the hold: the latest street date of the items. Present only in status 1000',
          }),
        ),
      }),
      { min: 1, max: INTAKE_MAX },
    ),
  }),
);

/** Named schemas of intake, for the OpenAPI document. */
export const intakeSchemas = [OrderIntake, IntakeReply];
