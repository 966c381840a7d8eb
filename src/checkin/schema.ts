/**
 * Messages of ship-to-store check-in (docs/interface.md#read-check-in-details and docs/interface.md#confirm-check-in).
 */

import { dateTime, ignoredFields, list, named, object, oneOf, type Static, Type, text } from '../platform/schema.ts';
import { DESTINATIONS_MAX, LINES_MAX, PACKAGES_MAX } from '../shared/limits.ts';
import {
  associate,
  Currency,
  DESTINATION_TYPES,
  DestinationReference,
  id,
  ifGiven,
  measureTotals,
  part,
  shownPart,
  units,
  WholeAddress,
} from '../shared/shapes.ts';

const REASON_MAX = 40;

/**
 * A Destination in check-in details. Intake of ship-to-store orders requires only the main fields. If another field
 * that is required here is absent, intake stores an empty text.
 */
const CheckInDestination = object({
  destinationId: text(1, 40),
  destinationType: Type.Optional(oneOf(DESTINATION_TYPES)),
  personName: object({
    firstName: shownPart('First name'),
    middleName: part('Middle name'),
    lastName: part('Last name'),
  }),
  address: WholeAddress,
  phone: Type.Optional(text(0, 40, { 'x-secret': true })),
  email: text(0, 255, { 'x-secret': true }),
});

const line = {
  itemId: id('Item of the line'),
  webLineId: id('Line of the web order'),
  quantity: units('Units of the line in this package', 1),
  checkInQuantity: units('Units that arrived correct and undamaged'),
  checkInCanceledQuantity: units('Units that are missing, damaged or wrong'),
};

/**
 * The check-in of a ship-to-store order (docs/interface.md#read-check-in-details). Before the first save, the
 * checked-in and canceled quantities are 0.
 */
export const CheckInDetails = named(
  'CheckInDetails',
  object({
    fulfillmentOrder: object({
      storeId: id('Web store'),
      nodeId: id('Node that fulfills the order'),
      omsOrderId: id('Identifier of the order in the order management system'),
      fulfillmentOrderId: id('Fulfillment order'),
      webOrderId: id('Identifier of the order in the web store'),
      fulfillmentType: oneOf(['SHIP_TO_STORE']),
      currency: Currency,
      carrier: text(0, 40),
      service: text(0, 40),
      fulfillmentOrderDate: dateTime(),
      orderDate: dateTime(),
      holdLocation: Type.Optional(
        text(1, 40, { description: 'Hold location of the goods. Present only after CONFIRM' }),
      ),
      ...measureTotals,
      checkInPackages: list(
        object({
          checkInPackageId: text(1, 40),
          trackingNumber: text(1, 40),
          checkInPackageItems: list(
            object({
              ...line,
              checkInCancellationReasonCode: Type.Optional(
                text(1, REASON_MAX, {
                  description: 'Reason of the canceled units. Present only if units are canceled',
                }),
              ),
            }),
            { max: LINES_MAX },
          ),
        }),
        { max: PACKAGES_MAX },
      ),
      destinations: list(CheckInDestination, { min: 1, max: DESTINATIONS_MAX }),
      billToAddress: DestinationReference,
      shippingAddress: DestinationReference,
      shipFromAddress: DestinationReference,
    }),
  }),
);
export type CheckInDetails = Static<typeof CheckInDetails>;

/**
 * The message that saves or confirms the counts of arrived units; each count replaces the saved count
 * (docs/interface.md#check-in-quantities). The response with the details is also a valid message
 * (docs/interface.md#fields-sent-back).
 */
export const CheckInConfirm = named(
  'CheckInConfirm',
  object({
    ...associate('Associate who checks in'),
    fulfillmentOrder: object({
      action: oneOf(['CONFIRM', 'UPDATE'], {
        description: 'UPDATE saves the units that have arrived so far; CONFIRM ends the check-in',
      }),
      storeId: id('As in the path'),
      nodeId: id('As in the path'),
      fulfillmentOrderId: id('As in the path'),
      holdLocation: Type.Optional(
        id(
          'Hold location of the goods. UPDATE saves the location. CONFIRM needs a location unless an UPDATE has saved one',
        ),
      ),
      checkInPackages: list(
        object({
          checkInPackageId: id('Id of the package in the check-in details'),
          checkInPackageItems: list(
            object({
              ...line,
              checkInCancellationReasonCode: Type.Optional(
                text(0, REASON_MAX, { description: 'Reason of the canceled units. Required if units are canceled' }),
              ),
            }),
            { min: 1, max: LINES_MAX },
          ),
          trackingNumber: ifGiven('the value in the package'),
        }),
        { max: PACKAGES_MAX },
        { description: 'Packages. A package that is left out keeps the counts that were saved last' },
      ),
      omsOrderId: ifGiven('the value in the order'),
      webOrderId: ifGiven('the value in the order'),
      fulfillmentType: Type.Optional(oneOf(['SHIP_TO_STORE'])),
      ...ignoredFields('currency', 'carrier', 'service', 'fulfillmentOrderDate', 'orderDate', 'totalVolume'),
      ...ignoredFields('totalWeight', 'unknownUnits', 'destinations', 'billToAddress', 'shippingAddress'),
      ...ignoredFields('shipFromAddress'),
    }),
  }),
);
export type CheckInConfirm = Static<typeof CheckInConfirm>;

/** Named schemas of check-in, for the OpenAPI document. */
export const checkinSchemas = [CheckInDetails, CheckInConfirm];
