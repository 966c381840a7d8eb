/** Statements about the pack slip. */
import type { Statement } from './statement.ts';

const REQUEST = 'test/packing/generate.test.ts > pack slip request';
const STATUSES = 'test/packing/generate.test.ts > pack slip statuses';
const REPLY_TEST = 'test/packing/reply.test.ts';
const REPLY = `${REPLY_TEST} > pack slip response`;

type Row = readonly [member: string, says: string, test: string];
const rows = (section: string, list: readonly Row[]): Statement[] =>
  list.map(([member, says, test]) => ({ section, member, says, test }));

const member = (name: string, says: string): Row => [name, says, `${REPLY} > packSlipDetails[].${name}`];
const order = (name: string, says: string): Row => [name, says, `${REPLY} > fulfillmentOrder.${name}`];
const total = (name: string, says: string): Row => [`orderTotal.${name}`, says, `${REPLY} > orderTotal.${name}`];
const place = (name: string, path: string, says: string): Row => [name, says, `${REPLY} > destinations[].${path}`];

const PACKAGES = `${REPLY} > packages[] is one package "1" with webLineId and quantity of all picked units`;
const ITEMS = `${REPLY} > fulfillmentOrderItems[] has id 1 to n, webLineId, itemDetails.itemId, orderedQuantity and itemTotal`;
const INSTRUCTIONS = `${REPLY} > instructions[] with type and text are present only where the line has some`;
const REFERENCES = `${REPLY} > billToAddress and shippingAddress refer to destinations of the same slip`;
const OPTIONAL = `${REPLY} > leaves out optional fields that the order does not have`;
const ONE_ENTRY = `${REPLY} > packSlipDetails has no other fields`;

export const packingStatements: Statement[] = [
  ...rows('Generate a pack slip, request', [
    ['storeId', 'required', `${REQUEST} > storeId is required`],
    ['storeId', 'string', `${REQUEST} > storeId is a string`],
    ['nodeId', 'required', `${REQUEST} > nodeId is required`],
    ['nodeId', 'string', `${REQUEST} > nodeId is a string`],
    ['modifyAssociateId', 'required', `${REQUEST} > modifyAssociateId is required`],
    ['modifyAssociateId', 'string', `${REQUEST} > modifyAssociateId is a string`],
    ['fulfillmentOrderId', 'required', `${REQUEST} > fulfillmentOrderId is required`],
    ['fulfillmentOrderId', 'string', `${REQUEST} > fulfillmentOrderId is a string`],
  ]),
  ...rows('Generate a pack slip', [
    ['200', 'pack slip result', `${STATUSES} > are 200, 400 and 500 beside those common to all operations`],
    ['400', 'bad request', `${REQUEST} > a body that is no object, empty or broken is rejected`],
    [
      '500',
      'internal server error',
      `${STATUSES} > an error of the service itself is 500 with an error record, and no slip is made`,
    ],
  ]),
  ...rows('Generate a pack slip, response', [
    ['packSlipDetails', '200 body packSlipDetails[]', ONE_ENTRY],
    member('packSlipId', 'required; internal'),
    member('storeId', 'required'),
    member('nodeId', 'required'),
    member('orderSource', 'required; equals storeId'),
    member('orderSourceType', 'required; equals nodeId'),
    member('hfrEligible', 'required boolean: slip includes a returns label'),
    ['hfrEligible', 'slip includes a returns label', `${REPLY} > hfrEligible is the store’s setting returnsLabel`],
    member('carrierException', 'required boolean'),
    ['fulfillmentOrder', 'required object', `${REPLY} > fulfillmentOrder has no other fields`],
  ]),
  ...rows('Pack slip fulfillmentOrder', [
    order('fulfillmentOrderId', 'required'),
    order('omsOrderId', 'required'),
    order('fulfillmentType', 'required; SHIP_TO_HOME'),
    [
      'fulfillmentType',
      'SHIP_TO_HOME',
      'test/packing/generate.test.ts > pack slip and the state of the order > only SHIP_TO_HOME orders have a pack slip',
    ],
    order('currency', 'required'),
    order('carrier', 'required'),
    order('service', 'required'),
    order('fulfillmentOrderDate', 'required'),
    order('orderDate', 'required; same as or earlier than fulfillmentOrderDate'),
    order('status', 'required; internal; a code string'),
    order('webOrderId', 'optional'),
    order('externalOrderNumber', 'optional'),
    ['externalOrderNumber', 'optional', OPTIONAL],
    order('externalOrderNumber2', 'optional'),
    ['externalOrderNumber2', 'optional', OPTIONAL],
    ['packages', 'required', PACKAGES],
    ['packages.packageId', 'field of packages[]', PACKAGES],
    ['packages.packageItems', 'field of packages[]', PACKAGES],
    ['packageItems.webLineId', 'field of packageItems[]', PACKAGES],
    ['packageItems.quantity', 'field of packageItems[]', PACKAGES],
    ['fulfillmentOrderItems', 'required', ITEMS],
    ['fulfillmentOrderItems.id', 'field of fulfillmentOrderItems[]', ITEMS],
    ['fulfillmentOrderItems.webLineId', 'field of fulfillmentOrderItems[]', ITEMS],
    ['fulfillmentOrderItems.itemDetails', '{itemId}', ITEMS],
    ['itemDetails.itemId', 'field of itemDetails', ITEMS],
    ['fulfillmentOrderItems.orderedQuantity', 'field of fulfillmentOrderItems[]', ITEMS],
    ['fulfillmentOrderItems.itemTotal', '{unitPrice, extendedPrice, charges, tax}', ITEMS],
    ['itemTotal.unitPrice', 'numeric', ITEMS],
    ['itemTotal.extendedPrice', 'numeric', ITEMS],
    ['itemTotal.charges', 'numeric', ITEMS],
    ['itemTotal.tax', 'numeric', ITEMS],
    ['fulfillmentOrderItems.instructions', 'optional', INSTRUCTIONS],
    ['instructions.type', 'field of instructions[]', INSTRUCTIONS],
    ['instructions.text', 'field of instructions[]', INSTRUCTIONS],
    ['destinations', 'required', REFERENCES],
    place('destinations.personName', 'personName.firstName', 'required'),
    place('personName.firstName', 'personName.firstName', 'required'),
    place('personName.lastName', 'personName.lastName', 'required'),
    place('destinations.phone', 'phone', 'required'),
    place('destinations.email', 'email', 'required'),
    place('destinations.address', 'address.line1', 'required'),
    place('address.line1', 'address.line1', 'required'),
    place('address.city', 'address.city', 'required'),
    place('address.mainDivisionCode', 'address.mainDivisionCode', 'required'),
    place('address.postalCode', 'address.postalCode', 'required'),
    place('address.countryCode', 'address.countryCode', 'required'),
    place('address.line2', 'address.line2', 'optional'),
    ['address.line2', 'optional', `${REPLY} > destinations[].address.line2 is left out when there is none`],
    order('billToAddress', 'required; Destination reference'),
    order('shippingAddress', 'required; Destination reference'),
    total('grandTotal', 'required numeric'),
    ['orderTotal', 'required', `${REPLY} > orderTotal.grandTotal`],
    total('grandTax', 'required numeric'),
    total('grandCharges', 'required numeric'),
    total('hdrTax', 'required numeric'),
    total('hdrCharges', 'required numeric'),
    total('cashOnDelivery', 'optional numeric'),
    ['orderTotal.cashOnDelivery', 'optional', OPTIONAL],
  ]),
  ...rows('PersonName', [
    place('firstName', 'personName.firstName', 'field of PersonName'),
    place('middleName', 'personName.middleName', 'field of PersonName'),
    place('lastName', 'personName.lastName', 'field of PersonName'),
  ]),
  ...rows(
    'Address',
    ['line1', 'line2', 'line3', 'line4', 'city', 'mainDivisionCode', 'postalCode', 'countryCode'].map((name) =>
      place(name, `address.${name}`, 'field of Address'),
    ),
  ),
  ...rows('Destination', [
    place('destinationId', 'destinationId', 'field of Destination'),
    place('destinationType', 'destinationType', 'MAILING_ADDRESS, SHIPPING_ADDRESS or NODE_ADDRESS'),
    place('personName', 'personName.firstName', 'a PersonName'),
    place('address', 'address.line1', 'an Address'),
    place('phone', 'phone', 'field of Destination'),
    place('email', 'email', 'field of Destination'),
  ]),
  ...rows('Destination reference', [
    ['destinationId', 'cross-references a Destination in the same response', REFERENCES],
    ['billToAddress', 'a Destination reference', REFERENCES],
    ['shippingAddress', 'a Destination reference', REFERENCES],
  ]),
];
