/**
 * The published parts of customer pickup details and confirm, operations of the interface's family
 * (docs/interface.md#operations-of-the-same-family).
 */
import type { Statement } from './statement.ts';

const DETAILS = 'test/handover/pin.test.ts > pickup details';
const MESSAGE = 'test/handover/confirm.test.ts > the pickup confirm message';
const HAND_OVER = 'test/handover/confirm.test.ts > the hand-over';
const STATUSES = 'test/handover/confirm.test.ts > statuses of the hand-over';

type Row = readonly [member: string, says: string, test: string];
const rows = (section: string, list: readonly Row[]): Statement[] =>
  list.map(([member, says, test]) => ({ section, member, says, test }));

const SHOW = `${DETAILS} > show the goods that wait, their place, the collector, and the units handed over line by line`;
const ABSENT = `${DETAILS} > leave out a PIN and a proxy that the order does not have`;
const EITHER = `${MESSAGE} > one or both of customerPickedQuantity and canceledQuantity must be set`;
const REASON = `${MESSAGE} > cancellationReasonCode is mandatory if a canceled quantity is present, and must be known`;

const asked = (name: string): Row => [name, 'required', `${DETAILS} > ${name} is required in the request`];
const shown = (name: string, says = 'field of customerPickUpDetails'): Row => [name, says, SHOW];
const frame = (name: string): Row => [name, 'required', `${MESSAGE} > customerPickUpDetails.${name} is required`];
const item = (name: string, says = 'required'): Row => [
  `customerPickUpItems.${name}`,
  says,
  `${MESSAGE} > customerPickUpItems[].${name} is required`,
];
const whole = (name: string): Row => [
  `customerPickUpItems.${name}`,
  'a quantity',
  `${MESSAGE} > ${name} is a whole number from 0 to 99999`,
];

export const pickupStatements: Statement[] = [
  ...rows('Customer pickup details, request', [asked('storeId'), asked('nodeId'), asked('fulfillmentOrderId')]),
  ...rows('Customer pickup details, response', [
    shown('customerPickUpDetails', '200 body'),
    shown('fulfillmentOrderId'),
    shown('nodeId'),
    shown('storeId'),
    shown('webOrderId'),
    shown('omsOrderId'),
    shown('orderDate'),
    shown('currency'),
    shown('holdLocation', 'required'),
    shown('totalCustomerPickQuantity', 'optional'),
    shown('pinNumber', 'only with the PIN feature'),
    ['pinNumber', 'optional', ABSENT],
    shown('customerPickUpItems', '1 to n'),
    shown('customerPickUpItems.id'),
    shown('customerPickUpItems.webLineId'),
    shown('customerPickUpItems.itemId'),
    shown('customerPickUpItems.itemDesc'),
    shown('customerPickUpItems.upcs', '{type, value}'),
    shown('customerPickUpItems.orderedQuantity'),
  ]),
  ...rows('Customer pickup confirm, request', [
    ['modifyAssociateId', 'required', `${MESSAGE} > modifyAssociateId is required`],
    ['customerPickUpDetails', 'required', `${MESSAGE} > customerPickUpDetails is required`],
    frame('fulfillmentOrderId'),
    frame('storeId'),
    frame('nodeId'),
    frame('customerPickUpItems'),
    item('webLineId'),
    item('itemId'),
    item('backroomPickedQuantity', 'required; quantity originally picked'),
    [
      'customerPickUpItems.backroomPickedQuantity',
      'quantity originally picked',
      `${MESSAGE} > backroomPickedQuantity is the quantity originally picked`,
    ],
    whole('customerPickedQuantity'),
    whole('canceledQuantity'),
    whole('backroomPickedQuantity'),
    ['customerPickUpItems.customerPickedQuantity', 'one or both', EITHER],
    ['customerPickUpItems.canceledQuantity', 'one or both', EITHER],
    ['customerPickUpItems.cancellationReasonCode', 'mandatory if a cancelled quantity is present', REASON],
    [
      'customerPickUpItems.cancellationReasonCode',
      'with canceled 0 in the example',
      `${MESSAGE} > a reason code with canceled 0 is tolerated and dropped`,
    ],
  ]),
  ...rows('Customer pickup confirm', [
    ['204', 'no body', `${STATUSES} > are 204, 404 and 409 beside those common to all operations`],
    [
      'customerPickedQuantity, canceledQuantity',
      'at most what is still wanted',
      `${HAND_OVER} > takes at most the units still wanted, picked and canceled together, now and over all hand-overs`,
    ],
  ]),
];
