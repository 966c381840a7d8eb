/** Messages of pack slips (interface, endpoint 5). */
import { itemExtras } from '../orders/extras.ts';
import { DESTINATIONS_MAX, LINES_MAX, PACKAGES_MAX } from '../orders/intake-schema.ts';
import { Currency, DESTINATION_TYPES, DestinationReference, id, login } from '../orders/shapes.ts';
import { dateTime, exact, flag, integer, list, named, object, oneOf, type Static, Type, text } from '../schema.ts';

export const PackSlipGenerate = named(
  'PackSlipGenerate',
  object({
    storeId: id('As in the path'),
    nodeId: id('Node of the order'),
    modifyAssociateId: login('Associate who packs'),
    modifyAssociatedId: Type.Optional(login('Other spelling of modifyAssociateId; both must say the same')),
    fulfillmentOrderId: id('As in the path'),
  }),
);
export type PackSlipGenerate = Static<typeof PackSlipGenerate>;

const part = (description: string) => text(0, 120, { description, 'x-secret': true });

/** A Destination as a pack slip answers it; intake takes no ship-to-home order whose destinations lack these members. */
const PackSlipDestination = object({
  destinationId: text(1, 40),
  destinationType: Type.Optional(oneOf(DESTINATION_TYPES)),
  personName: object({
    firstName: part('First name'),
    middleName: Type.Optional(part('Middle name')),
    lastName: part('Last name'),
  }),
  address: object({
    line1: part('First line'),
    line2: Type.Optional(part('Second line')),
    line3: Type.Optional(part('Third line')),
    line4: Type.Optional(part('Fourth line')),
    city: part('City'),
    mainDivisionCode: part('State or province'),
    postalCode: part('Postal code'),
    countryCode: text(2, 2, { description: 'ISO 3166 alpha-2' }),
  }),
  phone: text(0, 40, { 'x-secret': true }),
  email: text(0, 255, { 'x-secret': true }),
});

/** Sums of at most 2000 lines of 99,999 units at 19 + 4 digits have at most 28 + 4. */
const amount = (description: string) => exact({ integer: 28, fraction: 4 }, { description });
const quantity = (min: number, description: string) => integer(min, 99_999, { description });

const PackSlipOrder = object({
  fulfillmentOrderId: id('Fulfillment order'),
  omsOrderId: id('Identifier of the order management system'),
  webOrderId: Type.Optional(id('Identifier of the web store')),
  externalOrderNumber: Type.Optional(id('A further number of the order')),
  externalOrderNumber2: Type.Optional(id('A further number of the order')),
  fulfillmentType: oneOf(['SHIP_TO_HOME']),
  currency: Currency,
  carrier: text(0, 40),
  service: text(0, 40),
  fulfillmentOrderDate: dateTime(),
  orderDate: dateTime({ description: 'Same as or earlier than fulfillmentOrderDate' }),
  status: text(4, 4, { description: 'Status code' }),
  packages: list(
    object({
      packageId: text(1, 40),
      packageItems: list(object({ webLineId: id('Line of the web order'), quantity: quantity(1, 'Units in it') }), {
        min: 1,
        max: LINES_MAX,
      }),
    }),
    { min: 1, max: PACKAGES_MAX },
    { description: 'The recorded packages; before there are any, one package "1" with all picked units' },
  ),
  fulfillmentOrderItems: list(
    object({
      id: integer(1, LINES_MAX, { description: 'Number of the line on the slip, 1 to n' }),
      webLineId: id('Line of the web order'),
      itemDetails: object({ itemId: id('Item of the line') }),
      orderedQuantity: quantity(1, 'Units ordered'),
      itemTotal: object({
        unitPrice: amount('Price of one unit'),
        extendedPrice: amount('unitPrice times units picked'),
        charges: amount('Charges of the units picked'),
        tax: amount('Tax of the units picked'),
      }),
      instructions: Type.Optional(
        list(
          object({
            type: text(1, 40, { description: 'For example GIFT_MESSAGE' }),
            text: text(0, 1000, { description: 'The text', 'x-secret': true }),
          }),
          { max: 20 },
        ),
      ),
      ...itemExtras,
    }),
    { min: 1, max: LINES_MAX },
    { description: 'Every line of the order; one with nothing picked has totals of 0' },
  ),
  destinations: list(PackSlipDestination, { min: 1, max: DESTINATIONS_MAX }),
  billToAddress: DestinationReference,
  shippingAddress: DestinationReference,
  orderTotal: object({
    grandTotal: amount('Extended prices + grandCharges + grandTax'),
    grandTax: amount('Taxes of the lines + hdrTax'),
    grandCharges: amount('Charges of the lines + hdrCharges'),
    hdrTax: amount('Tax of the order as a whole'),
    hdrCharges: amount('Charges of the order as a whole'),
    cashOnDelivery: Type.Optional(amount('Amount to collect')),
  }),
});

export const PackSlip = named(
  'PackSlip',
  object({
    packSlipId: text(1, 20, { description: 'The same while nothing on the slip has changed' }),
    storeId: id('Seller organization'),
    nodeId: id('Ship node'),
    orderSource: id('The storeId'),
    orderSourceType: id('The nodeId'),
    hfrEligible: flag({ description: 'The slip includes a returns label (a setting of the store)' }),
    carrierException: flag(),
    fulfillmentOrder: PackSlipOrder,
  }),
);
export type PackSlip = Static<typeof PackSlip>;

export const PackSlipReply = named('PackSlipReply', object({ packSlipDetails: list(PackSlip, { min: 1, max: 1 }) }));
export type PackSlipReply = Static<typeof PackSlipReply>;

/** Named schemas of packing, for the document. */
export const packingSchemas = [PackSlipGenerate, PackSlip, PackSlipReply];
