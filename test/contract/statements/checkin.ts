/** Statements about the check-in of ship-to-store orders. */
import type { Statement } from './statement.ts';

const DETAILS = 'test/checkin/details.test.ts > check-in details response';
const REFUSALS = 'test/checkin/details.test.ts > check-in details errors';
const STATUSES = 'test/checkin/details.test.ts > check-in details statuses';
const MEMBERS = 'test/checkin/confirm-message.test.ts > check-in request fields';
const CONFIRM_STATUSES = 'test/checkin/confirm-message.test.ts > check-in confirm statuses';
const CONFIRM = 'test/checkin/confirm.test.ts > check-in CONFIRM';
const UPDATE = 'test/checkin/confirm.test.ts > check-in UPDATE';

type Row = readonly [member: string, says: string, test: string];
const rows = (section: string, list: readonly Row[]): Statement[] =>
  list.map(([member, says, test]) => ({ section, member, says, test }));

const order = (name: string, says = 'required'): Row => [name, says, `${DETAILS} > fulfillmentOrder.${name}`];
const item = (name: string, says = 'required'): Row => [
  `checkInPackageItems.${name}`,
  says,
  `${DETAILS} > checkInPackageItems[].${name}`,
];
const place = (name: string, path: string, says: string): Row => [name, says, `${DETAILS} > destinations[].${path}`];

const PACKAGES = `${DETAILS} > checkInPackages[] have checkInPackageId, trackingNumber and checkInPackageItems`;
const ABSENT = `${DETAILS} > middleName, lastName, phone and line2 are left out when the order has none`;
const ROOT = '/fulfillmentOrder';
const ITEMS = `${ROOT}/checkInPackages/0/checkInPackageItems`;

const required = (name: string, pointer: string, says = 'required'): Row => [
  name,
  says,
  `${MEMBERS} > ${pointer} is required`,
];
const typed = (name: string, pointer: string): Row => [
  name,
  'has a type',
  `${MEMBERS} > ${pointer} of another type is rejected`,
];
const both = (name: string, pointer: string, says?: string): Row[] => [
  required(name, pointer, says),
  typed(name, pointer),
];

export const checkinStatements: Statement[] = [
  ...rows('Check-in details', [
    [
      'path.storeId',
      'required string',
      `${REFUSALS} > a store or node that is not the caller’s is 403, whether it exists or not`,
    ],
    [
      'path.nodeId',
      'required string',
      `${REFUSALS} > a store or node that is not the caller’s is 403, whether it exists or not`,
    ],
    [
      'path.fulfillmentOrderId',
      'required string',
      `${REFUSALS} > a missing order and one of another store, node or client look the same: 404`,
    ],
    ['200', 'check-in details', `${STATUSES} > are 200, 400, 404 and 500 beside those common to all operations`],
    ['400', 'listed status', `${REFUSALS} > an order of another fulfillment type is a 400 that names its type`],
    [
      '404',
      'listed status',
      `${REFUSALS} > a missing order and one of another store, node or client look the same: 404`,
    ],
    ['500', 'listed status', `${STATUSES} > an error of the service itself is 500 with an error record`],
  ]),
  ...rows('Check-in details, response', [
    ['fulfillmentOrder', 'required', `${DETAILS} > fulfillmentOrder has no other fields before CONFIRM`],
    order('storeId'),
    order('nodeId'),
    order('omsOrderId'),
    order('fulfillmentOrderId'),
    order('webOrderId'),
    order('fulfillmentType', 'required; SHIP_TO_STORE'),
    order('currency'),
    order('carrier'),
    order('service'),
    order('fulfillmentOrderDate'),
    order('orderDate'),
    order('totalVolume', 'required; {unit, value}'),
    ['totalVolume.unit', 'required', `${DETAILS} > fulfillmentOrder.totalVolume`],
    ['totalVolume.value', 'required', `${DETAILS} > fulfillmentOrder.totalVolume`],
    order('totalWeight', 'required; {unit, value}'),
    ['totalWeight.unit', 'required', `${DETAILS} > fulfillmentOrder.totalWeight`],
    ['totalWeight.value', 'required', `${DETAILS} > fulfillmentOrder.totalWeight`],
    ['checkInPackages', 'required', PACKAGES],
    ['destinations', 'required', `${DETAILS} > the three addresses refer to destinations of the same response`],
    order('billToAddress', 'required; Destination reference'),
    order('shippingAddress', 'required; pickup store and person'),
    order('shipFromAddress', 'required; Destination reference'),
    [
      'holdLocation',
      'optional; set only after check-in confirm',
      `${DETAILS} > holdLocation is present only after CONFIRM`,
    ],
    ['checkInPackages.checkInPackageId', 'required', PACKAGES],
    ['checkInPackages.trackingNumber', 'required', PACKAGES],
    ['checkInPackages.checkInPackageItems', 'required', PACKAGES],
    item('itemId'),
    item('webLineId'),
    item('quantity'),
    item('checkInQuantity'),
    item('checkInCanceledQuantity'),
    [
      'checkInPackageItems.checkInQuantity, checkInPackageItems.checkInCanceledQuantity',
      'ignored before confirm',
      `${DETAILS} > quantities are 0 before anything is saved`,
    ],
    item('checkInCancellationReasonCode', 'required when canceled quantity > 0'),
    [
      'checkInPackageItems.checkInCancellationReasonCode',
      'required when canceled quantity > 0',
      `${DETAILS} > checkInCancellationReasonCode is present only where units are canceled`,
    ],
    place('destinations.personName', 'personName.firstName', 'required'),
    place('personName.firstName', 'personName.firstName', 'required'),
    place('personName.middleName', 'personName.middleName', 'optional'),
    ['personName.middleName', 'optional', ABSENT],
    place('personName.lastName', 'personName.lastName', 'optional'),
    ['personName.lastName', 'optional', ABSENT],
    place('destinations.address', 'address.line1', 'required'),
    place('address.line1', 'address.line1', 'required'),
    place('address.line2', 'address.line2', 'optional'),
    ['address.line2', 'optional', ABSENT],
    place('address.city', 'address.city', 'required'),
    place('address.mainDivisionCode', 'address.mainDivisionCode', 'required'),
    place('address.postalCode', 'address.postalCode', 'required'),
    place('address.countryCode', 'address.countryCode', 'required'),
    place('destinations.email', 'email', 'required'),
    place('destinations.phone', 'phone', 'optional'),
    ['destinations.phone', 'optional', ABSENT],
  ]),
  ...rows('Destination reference', [
    [
      'shipFromAddress',
      'a Destination reference',
      `${DETAILS} > the three addresses refer to destinations of the same response`,
    ],
  ]),
  ...rows('Check-in confirm', [
    ['204', 'no content', `${CONFIRM} > of everything makes the order ready for customer pickup at its hold location`],
    ['204', 'listed status', `${CONFIRM_STATUSES} > are 204, 400 and 500 beside those common to all operations`],
    ['400', 'listed status', `${MEMBERS} > broken, deeply nested and malicious bodies are rejected`],
    [
      '500',
      'listed status',
      `${CONFIRM_STATUSES} > an error of the service itself is 500 with an error record, and nothing is saved`,
    ],
  ]),
  ...rows('Check-in confirm, request', [
    ...both('modifyAssociateId', '/modifyAssociateId'),
    [
      'modifyAssociateId',
      'the definition table spells it modifyAssociatedId',
      `${MEMBERS} > modifyAssociatedId is read as modifyAssociateId`,
    ],
    ...both('fulfillmentOrder', ROOT),
    ...both('action', `${ROOT}/action`, 'required; CONFIRM'),
    ...both('storeId', `${ROOT}/storeId`),
    ...both('nodeId', `${ROOT}/nodeId`),
    ...both('fulfillmentOrderId', `${ROOT}/fulfillmentOrderId`),
    ...both('holdLocation', `${ROOT}/holdLocation`, 'required for CONFIRM'),
    ...both('checkInPackages', `${ROOT}/checkInPackages`),
    ...both('checkInPackages.checkInPackageId', `${ROOT}/checkInPackages/0/checkInPackageId`),
    [
      'checkInPackages.checkInPackageId',
      'from the details call',
      `${MEMBERS} > the response of the details can be sent back`,
    ],
    ...both('checkInPackages.checkInPackageItems', ITEMS),
    ...both('checkInPackageItems.itemId', `${ITEMS}/0/itemId`),
    ...both('checkInPackageItems.webLineId', `${ITEMS}/0/webLineId`),
    ...both('checkInPackageItems.quantity', `${ITEMS}/0/quantity`),
    ...both('checkInPackageItems.checkInQuantity', `${ITEMS}/0/checkInQuantity`),
    ...both('checkInPackageItems.checkInCanceledQuantity', `${ITEMS}/0/checkInCanceledQuantity`),
    [
      'checkInPackageItems.checkInCancellationReasonCode',
      'required when canceled quantity > 0',
      'test/checkin/confirm.test.ts > check-in reasons > a canceled unit needs a reason, and the error lists the known ones',
    ],
    [
      'UPDATE',
      'the example also shows UPDATE',
      `${UPDATE} > saves what has arrived so far and leaves the order waiting for check-in`,
    ],
  ]),
];
