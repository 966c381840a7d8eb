/**
 * The published parts of pack details and package update, operations of the interface's family
 * (docs/interface.md#operations-of-the-same-family).
 */
import type { Statement } from './statement.ts';

const UPDATE = 'test/packing/package-message.test.ts > the package update message';
const REQUEST = 'test/packing/package-message.test.ts > the pack details request';
const STATUSES = 'test/packing/package-message.test.ts > statuses of packing';
const DETAILS = 'test/packing/packages.test.ts > pack details';

type Row = readonly [member: string, says: string, test: string];
const rows = (section: string, list: readonly Row[]): Statement[] =>
  list.map(([member, says, test]) => ({ section, member, says, test }));

const FRESH = `${DETAILS} > show the units to pack and the measures of their items before a package is recorded`;
const SHOWN = `${DETAILS} > show the packages in the order of their boxes, each with its number, measures and items`;
const EXTRAS = `${UPDATE} > packageItems[].instructions with type and text and customAttributes with key and value are kept`;
const LATER = `${UPDATE} > packages[].trackingNumber, from the shipper, can be sent later`;

const asked = (name: string): Row => [name, 'required', `${REQUEST} > ${name} is required`];
const shown = (name: string, says = 'field of packDetail[]'): Row => [name, says, FRESH];
const frame = (name: string): Row => [name, 'required', `${UPDATE} > packDetails.${name} is required`];
const measured = (name: string): Row[] => [
  [name, 'required; {unit, value}', `${UPDATE} > packages[].${name} is required for CREATE`],
  [name, '{unit, value}', `${UPDATE} > packages[].${name} has a unit and a value of 14 + 4 digits`],
];
const item = (name: string): Row => [
  `packageItems.${name}`,
  'required',
  `${UPDATE} > packageItems[].${name} is required`,
];

export const packageStatements: Statement[] = [
  ...rows('Pack details, request', [
    asked('storeId'),
    asked('nodeId'),
    asked('fulfillmentOrderId'),
    [
      'nodeId',
      'in the query',
      `${REQUEST} > nodeId is needed in the body only; in the query it is deprecated, and must be that of the body`,
    ],
  ]),
  ...rows('Pack details', [
    ['200', 'pack details', `${STATUSES} > pack details are 200, 400 or 500 beside those common to all operations`],
    ['400', 'bad request', `${STATUSES} > a missing order and one of another store, node or client look the same`],
    ['500', 'error', `${STATUSES} > pack details are 200, 400 or 500 beside those common to all operations`],
  ]),
  ...rows('Pack details, response', [
    shown('storeId'),
    shown('nodeId'),
    shown('omsOrderId'),
    shown('fulfillmentOrderId'),
    shown('fulfillmentType', 'SHIP_TO_HOME'),
    shown('currency'),
    shown('carrier'),
    shown('service'),
    shown('fulfillmentOrderDate'),
    shown('orderDate'),
    shown('status', 'internal'),
    shown('totalVolume', '{unit, value}'),
    shown('totalWeight', '{unit, value}'),
    ['totalWeight', 'sum of the packages', `${DETAILS} > add up weight and volume in the unit of the first package`],
    ['pickTicketId', 'optional', `${DETAILS} > name the ticket that the order was picked with, if there was one`],
    ['packages', 'packages[]', SHOWN],
    ['packages.packageId', 'internal', SHOWN],
    ['packages.trackingNumber', 'optional', SHOWN],
  ]),
  ...rows('Pack update, request', [
    ['modifyAssociateId', 'required', `${UPDATE} > modifyAssociateId is required`],
    ['modifyAssociatedId', 'other spelling', `${UPDATE} > modifyAssociatedId is read as modifyAssociateId`],
    ['packDetails', 'required', `${UPDATE} > packDetails is required`],
    frame('storeId'),
    frame('nodeId'),
    frame('fulfillmentOrderId'),
    frame('packages'),
    ['packages.action', 'required', `${UPDATE} > packages[].action is required`],
    ['packages.action', 'CREATE or MODIFY', `${UPDATE} > packages[].action is CREATE, MODIFY or VOID`],
    ['packages.trackingNumber', 'from the shipper', LATER],
    ['packages.boxId', 'required', `${UPDATE} > packages[].boxId is required`],
    ...measured('boxWeight'),
    ...measured('packingMaterialWeight'),
    ...measured('length'),
    ...measured('height'),
    ...measured('width'),
    [
      'unit',
      'LBS in the example',
      `${UPDATE} > an unknown unit, or one of another kind, is a 400 that lists the known ones`,
    ],
    ['packageItems', 'required', `${UPDATE} > packages[].packageItems is required for CREATE`],
    item('itemId'),
    item('webLineId'),
    item('quantity'),
    ['packageItems.instructions', '{type, text}', EXTRAS],
    ['packageItems.customAttributes', '{key, value}', EXTRAS],
  ]),
  ...rows('Pack update', [
    ['204', 'likely', `${STATUSES} > package update is 204, 404 or 409 beside those common to all operations`],
  ]),
];
