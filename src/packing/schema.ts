/** Messages of pack slips (docs/interface.md#generate-a-pack-slip). */

import { dateTime, flag, integer, list, named, object, oneOf, type Static, Type, text } from '../platform/schema.ts';
import { itemExtras } from '../shared/extras.ts';
import { DESTINATIONS_MAX, LINES_MAX, PACKAGES_MAX } from '../shared/limits.ts';
import { itemTotal, orderTotal } from '../shared/money-schema.ts';
import {
  associate,
  Currency,
  DESTINATION_TYPES,
  DestinationReference,
  Instructions,
  id,
  part,
  shownPart,
  units,
  WholeAddress,
} from '../shared/shapes.ts';

export const PackSlipGenerate = named(
  'PackSlipGenerate',
  object({
    storeId: id('As in the path'),
    nodeId: id('Node of the order'),
    ...associate('Associate who packs'),
    fulfillmentOrderId: id('As in the path'),
  }),
);
export type PackSlipGenerate = Static<typeof PackSlipGenerate>;

/**
 * A Destination on a pack slip. Intake of ship-to-home orders requires only the main fields and stores absent fields as
 * empty text. The slip therefore always has every field that is required here.
 */
const PackSlipDestination = object({
  destinationId: text(1, 40),
  destinationType: Type.Optional(oneOf(DESTINATION_TYPES)),
  personName: object({
    firstName: shownPart('First name'),
    middleName: part('Middle name'),
    lastName: shownPart('Last name'),
  }),
  address: WholeAddress,
  phone: text(0, 40, { 'x-secret': true }),
  email: text(0, 255, { 'x-secret': true }),
});

const PackSlipOrder = object({
  fulfillmentOrderId: id('Fulfillment order'),
  omsOrderId: id('Identifier of the order in the order management system'),
  webOrderId: Type.Optional(id('Identifier of the order in the web store')),
  externalOrderNumber: Type.Optional(id('A further number of the order')),
  externalOrderNumber2: Type.Optional(id('A further number of the order')),
  fulfillmentType: oneOf(['SHIP_TO_HOME']),
  currency: Currency,
  carrier: text(0, 40),
  service: text(0, 40),
  fulfillmentOrderDate: dateTime(),
  orderDate: dateTime({ description: 'Time at which the customer ordered; not later than fulfillmentOrderDate' }),
  status: text(4, 4, { description: 'Status code' }),
  packages: list(
    object({
      packageId: text(1, 40),
      packageItems: list(
        object({ webLineId: id('Line of the web order'), quantity: units('Units in the package', 1) }),
        {
          min: 1,
          max: LINES_MAX,
        },
      ),
    }),
    { min: 1, max: PACKAGES_MAX },
    { description: 'The recorded packages. If no package is recorded: one package "1" with all picked units' },
  ),
  fulfillmentOrderItems: list(
    object({
      id: integer(1, LINES_MAX, { description: 'Number of the line on the slip, 1 to n' }),
      webLineId: id('Line of the web order'),
      itemDetails: object({ itemId: id('Item of the line') }),
      orderedQuantity: units('Units ordered', 1),
      itemTotal: itemTotal('the units in the packages shown'),
      instructions: Type.Optional(Instructions),
      ...itemExtras,
    }),
    { min: 1, max: LINES_MAX },
    { description: 'Every line of the order; a line without units in the packages has totals of 0' },
  ),
  destinations: list(PackSlipDestination, { min: 1, max: DESTINATIONS_MAX }),
  billToAddress: DestinationReference,
  shippingAddress: DestinationReference,
  orderTotal: orderTotal(),
});

export const PackSlip = named(
  'PackSlip',
  object({
    packSlipId: text(1, 20, { description: 'Id of the pack slip; it changes only if the content of the slip changes' }),
    storeId: id('Web store'),
    nodeId: id('Node that fulfills the order'),
    orderSource: id('The storeId'),
    orderSourceType: id('The nodeId'),
    hfrEligible: flag({ description: 'true: the slip includes a returns label (setting returnsLabel of the store)' }),
    carrierException: flag(),
    fulfillmentOrder: PackSlipOrder,
  }),
);
export type PackSlip = Static<typeof PackSlip>;

export const PackSlipReply = named('PackSlipReply', object({ packSlipDetails: list(PackSlip, { min: 1, max: 1 }) }));
export type PackSlipReply = Static<typeof PackSlipReply>;

/** Named schemas of packing, for the OpenAPI document. */
export const packingSchemas = [PackSlipGenerate, PackSlip, PackSlipReply];
