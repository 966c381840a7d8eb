/**
 * Messages of packages: pack details and package update (docs/interface.md#operations-of-the-same-family and
 * docs/interface.md#packages).
 */

import { allowedActions } from '../kernel/allowed.ts';
import { UNIT_MAX } from '../platform/measures.ts';
import {
  dateTime,
  exact,
  flag,
  ignoredFields,
  list,
  named,
  object,
  oneOf,
  ref,
  type Static,
  sentence,
  TRIMMED_OR_EMPTY,
  Type,
  text,
} from '../platform/schema.ts';
import { hazards, itemExtras } from '../shared/extras.ts';
import { LINES_MAX, PACKAGES_MAX } from '../shared/limits.ts';
import { associate, Currency, ID_MAX, Instructions, id, ifGiven, measureTotals, units } from '../shared/shapes.ts';
import { statusFields } from '../shared/status.ts';

/** CREATE records a package, MODIFY changes fields of a recorded package, VOID removes a package. */
const PACKAGE_ACTIONS = ['CREATE', 'MODIFY', 'VOID'] as const;

/** Types of orders that are packed. */
export const PACKED_TYPES = ['SHIP_TO_HOME', 'ASSOCIATE_DELIVERY'] as const;

const measure = (description: string, min: number) =>
  object(
    {
      unit: text(1, UNIT_MAX, {
        description: 'Unit that the client allows, by any of its common names, in upper or lower case',
      }),
      value: exact({ integer: 14, fraction: 4, min }, { description: 'Amount, in the unit' }),
    },
    { description },
  );
const LEAST = 0.0001;
export const boxWeight = measure('Weight of the packed box, with packing material', LEAST);
const packingMaterialWeight = measure('Weight of the packing material in boxWeight', 0);
const size = (name: string) => measure(`${name} of the box`, LEAST);
const dimensions = { length: size('Length'), height: size('Height'), width: size('Width') };

const packageItem = {
  itemId: id('Item of the line'),
  webLineId: id('Line of the web order. List a line only once in a package'),
  quantity: units('Units of the line in this package', 1),
  instructions: Type.Optional(Instructions),
  customAttributes: Type.Optional(
    list(
      object({
        key: text(1, 50, { description: 'Name of the attribute' }),
        value: text(0, 255, { description: 'Value of the attribute' }),
      }),
      { max: 50 },
      { description: 'Attributes as pairs of name and value, kept as sent' },
    ),
  ),
};
const packageItems = list(object(packageItem), { min: 1, max: LINES_MAX });

/** A package in a message. `box-rules.ts` checks the fields that each action needs. */
export const PackageChange = named(
  'PackageChange',
  object({
    action: oneOf(PACKAGE_ACTIONS, {
      description:
        'CREATE records a package and needs every measure and the items. MODIFY changes a package; fields that you leave out do not change. VOID removes a package and uses only `boxId`',
    }),
    boxId: id('Number of the box, unique in the order; typically counted from 1'),
    trackingNumber: Type.Optional(
      text(0, 40, {
        ...TRIMMED_OR_EMPTY,
        description: 'Tracking number of the carrier. Leave it out or send "" if the number is not known yet',
      }),
    ),
    boxWeight: Type.Optional(boxWeight),
    packingMaterialWeight: Type.Optional(packingMaterialWeight),
    length: Type.Optional(dimensions.length),
    height: Type.Optional(dimensions.height),
    width: Type.Optional(dimensions.width),
    packageItems: Type.Optional(packageItems),
    packageId: ifGiven('the value in the package'),
    ...ignoredFields('hazardousMaterialCodes', 'allowedActions'),
  }),
);
export type PackageChange = Static<typeof PackageChange>;

/**
 * Packages to record, change or void. One error rejects the whole message. The response with the pack details is also a
 * valid message (docs/interface.md#fields-sent-back).
 */
export const PackageUpdate = named(
  'PackageUpdate',
  object({
    ...associate('Associate who packs'),
    packDetails: object({
      storeId: id('As in the path'),
      nodeId: id('Node of the order'),
      fulfillmentOrderId: id('As in the path'),
      packages: list(
        ref<PackageChange>('PackageChange'),
        { min: 1, max: PACKAGES_MAX },
        { description: 'Packages; each boxId occurs once' },
      ),
      omsOrderId: ifGiven('the value in the order'),
      fulfillmentType: Type.Optional(oneOf(PACKED_TYPES)),
      ...ignoredFields('currency', 'carrier', 'service', 'fulfillmentOrderDate', 'orderDate', 'status', 'statusName'),
      ...ignoredFields('totalVolume', 'totalWeight', 'unknownUnits', 'pickTicketId', 'webOrderId'),
      ...ignoredFields('externalOrderNumber', 'externalOrderNumber2', 'shipMethod', 'expectedDeliveryDate'),
      ...ignoredFields('packLines', 'carrierException', 'warnings', 'allowedActions'),
    }),
  }),
);
export type PackageUpdate = Static<typeof PackageUpdate>;

export const PackDetailsRead = named(
  'PackDetailsRead',
  object({
    storeId: id('As in the path'),
    nodeId: id('Node of the order'),
    fulfillmentOrderId: id('As in the path'),
  }),
);

const PackDetail = object({
  storeId: id('Web store'),
  nodeId: id('Node that fulfills the order'),
  omsOrderId: id('Identifier of the order in the order management system'),
  fulfillmentOrderId: id('Fulfillment order'),
  fulfillmentType: oneOf(PACKED_TYPES),
  currency: Currency,
  carrier: text(0, 40),
  service: text(0, 40),
  fulfillmentOrderDate: dateTime(),
  orderDate: dateTime(),
  ...statusFields,
  ...measureTotals,
  pickTicketId: Type.Optional(id('Pick ticket of the order')),
  webOrderId: id('Identifier of the order in the web store'),
  externalOrderNumber: Type.Optional(id('A further number of the order')),
  externalOrderNumber2: Type.Optional(id('A further number of the order')),
  shipMethod: text(0, 2 * ID_MAX + 1, { description: 'Carrier and service level in one text' }),
  expectedDeliveryDate: Type.Optional(dateTime({ description: 'Date on which the customer expects the delivery' })),
  packages: list(
    object({
      packageId: id('The service’s own number of the package'),
      boxId: id('Number of the box'),
      trackingNumber: Type.Optional(id('Tracking number of the carrier')),
      boxWeight,
      packingMaterialWeight,
      ...dimensions,
      packageItems,
      hazardousMaterialCodes: hazards,
      allowedActions,
    }),
    { max: PACKAGES_MAX },
    { description: 'Recorded packages, in the order of their creation' },
  ),
  packLines: list(
    object({
      webLineId: id('Line of the web order'),
      itemId: id('Item of the line'),
      itemDesc: Type.String({ description: 'Description of the item' }),
      upcs: Type.Array(
        object({
          type: Type.String({ description: 'Type of the bar code' }),
          value: Type.String({ description: 'The scanned code' }),
        }),
      ),
      orderedQuantity: units('Units ordered', 1),
      wantedQuantity: units('Picked units that are for the customer'),
      packedQuantity: units('Units in packages'),
      toPackQuantity: units('Wanted units that are in no package yet'),
      instructions: Type.Optional(Instructions),
      ...itemExtras,
    }),
    { min: 1, max: LINES_MAX },
    { description: 'Every line of the order' },
  ),
  carrierException: flag({ description: 'true: the carrier has a problem with the order, as sent at intake' }),
  warnings: Type.Optional(
    list(
      sentence(1, 4000),
      { min: 1, max: 10 },
      { description: 'Warnings, for example that items that ship together are in several packages' },
    ),
  ),
  allowedActions,
});
export type PackDetail = Static<typeof PackDetail>;

/** Response with the packages of an order and, for each line, its packed and unpacked units. */
export const PackDetailsReply = named('PackDetailsReply', object({ packDetail: list(PackDetail, { min: 1, max: 1 }) }));
export type PackDetailsReply = Static<typeof PackDetailsReply>;

/** Named schemas of packages, for the OpenAPI document. */
export const packageSchemas = [PackageChange, PackageUpdate, PackDetailsRead, PackDetailsReply];
