/**
 * Statements about pick tickets, and about the states of orders and tickets in the section "States" of the interface.
 */
import type { Statement } from './statement.ts';

const GENERATE_ERRORS = 'test/picking/generate-refusals.test.ts';
const UPDATE_ERRORS = 'test/picking/update-refusals.test.ts';

const ASKED = `${GENERATE_ERRORS} > the request of generate`;
const ORDERS = `${GENERATE_ERRORS} > the orders of a ticket`;
const TICKET = 'test/picking/generate.test.ts > the ticket that generate returns';
const DOES = 'test/picking/generate.test.ts > the effects of generate';
const UPDATE = `${UPDATE_ERRORS} > the request of update`;
const ANSWERS = `${UPDATE_ERRORS} > the quantities of CONFIRM`;
const REFUSAL = `${UPDATE_ERRORS} > the order of errors of update`;
const CONFIRM = 'test/picking/confirm.test.ts';
const RESET = 'test/picking/reset.test.ts > RESET';
const STATES = 'test/picking/lifecycle.test.ts > pick ticket states';

type Row = readonly [member: string, says: string, test: string];
const rows = (section: string, list: readonly Row[]): Statement[] =>
  list.map(([member, says, test]) => ({ section, member, says, test }));

const required = (member: string): Row => [member, 'required', `${ASKED} > ${member} is required`];
const string = (member: string): Row => [member, 'string', `${ASKED} > ${member} is a string`];
/** A field of the ticket with the value that the test asserts. The value is part of the name of the test. */
const shown = (member: string, value: unknown, says: string): Row => [
  member,
  says,
  `${TICKET} > has ${member} ${JSON.stringify(value)}`,
];
const ofItem = (member: string, values: string, says: string): Row => [
  member,
  says,
  `${TICKET} > has items with ${member} ${values}`,
];
const detail = (member: string, value: unknown, says: string): Row => [
  `itemDetails.${member}`,
  says,
  `${TICKET} > has itemDetails.${member} ${JSON.stringify(value)}`,
];
const confirmNeeds = (member: string): Row => [
  member,
  'required',
  `${UPDATE} > CONFIRM: pickTicketDetails.${member} is required`,
];
const resetNeeds = (member: string): Row => [
  member,
  'required for RESET too',
  `${UPDATE} > RESET: pickTicketDetails.${member} is required`,
];
const wholeNumber = (member: string): Row => [
  `pickTicketItems.${member}`,
  'a number',
  `${UPDATE} > ${member} is a whole number from 0`,
];
const LEAVES_OUT = `${CONFIRM} > quantities that CONFIRM can leave out`;
const EVENTS = `${DOES} > include one event for the ticket and one for each order, with the user`;
const UPCS = [{ type: 'UPC', value: '400000000015' }];

const states = rows('States', [
  ['PickTicket.status', 'NEW after generate', `${TICKET} > has status "NEW"`],
  [
    'PickTicket.status',
    'CONFIRM closes the ticket',
    `${STATES} > NEW: CONFIRM returns 204 and leaves the ticket CONFIRMED`,
  ],
  ['PickTicket.status', 'RESET closes the ticket', `${STATES} > NEW: RESET returns 204 and leaves the ticket RESET`],
  [
    'generate',
    'the orders are on the given queue',
    `${ORDERS} > a queue that the orders are not on is an error that names the orders and their queue`,
  ],
  ['generate', 'next state: pick ticket with status NEW', `${TICKET} > has status "NEW"`],
  ['generate', 'the ticket has a hold location', `${TICKET} > has holdLocation "B2"`],
  ['generate', 'the ticket has a pick SLA date', `${DOES} > include a due time: that of the earliest order`],
  ['generate', 'the ticket has totals', `${TICKET} > has totalQuantity 10`],
  [
    'generate',
    'the orders are on the ticket',
    `${DOES} > are orders on the ticket: status 1150, same queue and hold location, due for COMPLETE_PICK`,
  ],
]);

const generateRequest = rows('Generate a pick ticket, request', [
  ...['storeId', 'nodeId', 'queueId', 'userId', 'fulfillmentOrderIds', 'modifyAssociateId'].map(required),
  ...['storeId', 'nodeId', 'queueId', 'userId', 'modifyAssociateId'].map(string),
  ['storeId', 'as in the path', `${ASKED} > storeId and nodeId must agree with the path`],
  ['nodeId', 'as in the path', `${ASKED} > storeId and nodeId must agree with the path`],
  [
    'queueId',
    'queue the orders are already on',
    `${ORDERS} > a queue that the orders are not on is an error that names the orders and their queue`,
  ],
  ['userId', 'login of the user', EVENTS],
  ['fulfillmentOrderIds', 'list of orders', `${ASKED} > fulfillmentOrderIds is a list of 1 to 50 order ids`],
  [
    'fulfillmentOrderIds',
    'orders that are there',
    `${ORDERS} > an unknown order is an error; one of another store, node or client looks the same`,
  ],
  ['modifyAssociateId', 'the associate who makes the change', EVENTS],
]);

const generateReply = rows('Generate a pick ticket, response', [
  ['201', 'success', `${TICKET} > has status 201 and is the only element of pickTicketDetails`],
  ['pickTicketDetails', 'list, required', `${TICKET} > has status 201 and is the only element of pickTicketDetails`],
  shown('pickTicketId', '100006', 'string, required'),
  shown('storeId', 'TOWN_US', 'required'),
  shown('nodeId', 'TOWN-Store001', 'required'),
  shown('queueId', 'WAITING_FOR_PICK_ISPU', 'required'),
  shown('userId', 'picker', 'required'),
  shown('status', 'NEW', 'NEW, required'),
  shown('holdLocation', 'B2', 'required'),
  [
    'holdLocation',
    'required, also for a node without any',
    'test/picking/generate.test.ts > the suggested hold location > is STAGING for a node without hold locations',
  ],
  shown('fulfillmentType', 'STORE_PICK_UP', 'required'),
  ['fulfillmentType', 'that of the orders', `${DOES} > are the same for SHIP_TO_HOME on its own queue`],
  shown('pickTicketType', 'PICK_TICKET', 'PICK_TICKET, required'),
  shown('pickTicketDate', '2026-03-02T16:10:00+00:00', 'date-time with UTC offset, required'),
  shown('pickSLADate', '2026-03-02T17:30:00+00:00', 'date-time with UTC offset, required'),
  shown('currency', 'USD', 'required'),
  shown('totalFulfillmentOrders', 2, 'integer, required'),
  shown('totalSKUs', 3, 'integer, required'),
  shown('totalQuantity', 10, 'integer, required'),
  [
    'pickTicketItems',
    'list, required',
    `${TICKET} > has pickTicketItems, merged over the orders, sorted by pick location, with those without a location last`,
  ],
  ['pickTicketDetails', 'these fields', `${TICKET} > has the documented fields, and its orders with their totes`],
]);

const item = rows('Pick ticket item', [
  ofItem('id', '[1,2,3]', 'sequential 1 to n, required'),
  ['itemDetails', 'required', `${TICKET} > has itemDetails.itemId "21-TEE-RED-M"`],
  detail('itemId', '21-TEE-RED-M', 'required'),
  detail('itemDesc', 'Harbour tee, signal red, M', 'required'),
  detail('color', 'Signal red', 'required'),
  detail('colorCode', '600', 'required'),
  detail('size', 'Medium', 'required'),
  detail('sizeCode', 'M', 'required'),
  detail('style', 'HTEE', 'required'),
  detail('upcs', UPCS, 'list of objects, required'),
  ['itemDetails', 'fields required also where the item lacks them', `${TICKET} > has "" for missing fields of an item`],
  ['upcs.type', 'type, may be ignored', `${TICKET} > has itemDetails.upcs ${JSON.stringify(UPCS)}`],
  ['upcs.value', 'value', `${TICKET} > has itemDetails.upcs ${JSON.stringify(UPCS)}`],
  ofItem('quantity', '[3,3,4]', 'required'),
  ofItem('unitPrice', '[19.99,4.25,1.2]', 'numeric, required'),
  ['unitPrice', 'digits kept', `${DOES} > keep unit prices to the last digit, and separate when they differ`],
  ofItem('retailPrice', '[19.99,null,1.2]', 'only where the node item feed has one, then above 0'),
  ofItem('pickLocation', '["A-01-2","D-01-1",null]', 'optional'),
  ofItem('pickedQuantity', '[null,null,null]', 'absent or 0 on a new ticket'),
  ofItem('canceledQuantity', '[null,null,null]', 'absent or 0 on a new ticket'),
  ofItem('cancellationReasonCode', '[null,null,null]', 'absent unless canceledQuantity is above 0'),
]);

const updateRequest = rows('Update a pick ticket, request', [
  ['modifyAssociateId', 'required', `${UPDATE} > modifyAssociateId is required`],
  ['modifyAssociateId', 'string', `${UPDATE} > modifyAssociateId is a string of 1 to 64 characters`],
  ['pickTicketDetails', 'required', `${UPDATE} > pickTicketDetails is required`],
  [
    'pickTicketDetails',
    'an object',
    `${UPDATE} > pickTicketDetails is an object, or a list of one as generate returns it`,
  ],
  ...['pickTicketId', 'action', 'storeId', 'nodeId', 'userId', 'holdLocation', 'pickTicketItems'].map(confirmNeeds),
  ...['pickTicketId', 'storeId', 'nodeId', 'userId'].map(resetNeeds),
  ['pickTicketId', 'a ticket that is there', `${REFUSAL} > CONFIRM of an unknown ticket is 404`],
  ['action', 'CONFIRM or RESET', `${UPDATE} > an action "FROB" is rejected, naming CONFIRM and RESET`],
  [
    'action',
    'CONFIRM',
    `${CONFIRM} > CONFIRM with every unit picked > returns 204 without a body and closes the ticket as confirmed`,
  ],
  ['storeId', 'as in the path', `${UPDATE} > storeId and nodeId must agree with the path`],
  ['nodeId', 'as in the path', `${UPDATE} > storeId and nodeId must agree with the path`],
  [
    'userId',
    'recorded',
    `${CONFIRM} > the user who confirms > can differ from the ticket’s user; the event has both, and the associate`,
  ],
  [
    'holdLocation',
    'where the goods were put',
    `${CONFIRM} > holdLocation of CONFIRM > takes 1 to 40 characters, also one that the node does not have`,
  ],
  ['pickTicketItems', 'list', `${UPDATE} > pickTicketItems is a list of at least one item`],
  ['pickTicketItems', 'every item of the ticket', `${ANSWERS} > a missing item is an error that names it`],
  ['pickTicketItems.id', 'required', `${UPDATE} > CONFIRM: id of an item is required`],
  [
    'pickTicketItems.id',
    'number of the item on the ticket',
    `${ANSWERS} > an item that the ticket does not have is an error`,
  ],
  ['pickTicketItems.itemId', 'required', `${UPDATE} > CONFIRM: itemId of an item is required`],
  [
    'pickTicketItems.itemId',
    'item of that number',
    `${ANSWERS} > an itemId of another number is an error for each item`,
  ],
  ...['quantity', 'pickedQuantity', 'canceledQuantity'].map(wholeNumber),
  ['pickTicketItems.quantity', 'optional', `${LEAVES_OUT} > pickedQuantity alone can be the whole quantity`],
  [
    'pickTicketItems.quantity',
    'that of the ticket',
    `${ANSWERS} > a quantity that differs from the ticket’s is an error`,
  ],
  [
    'pickTicketItems.pickedQuantity',
    'optional',
    `${LEAVES_OUT} > canceledQuantity alone implies that the rest is picked`,
  ],
  [
    'pickTicketItems.canceledQuantity',
    'optional',
    `${LEAVES_OUT} > pickedQuantity alone implies that the rest is canceled`,
  ],
  [
    'pickTicketItems.cancellationReasonCode',
    'required when canceledQuantity > 0',
    `${ANSWERS} > cancellationReasonCode is required where canceled units are given`,
  ],
  [
    'pickTicketItems.cancellationReasonCode',
    'optional otherwise',
    `${LEAVES_OUT} > a reason "" is dropped when nothing is canceled`,
  ],
  ['RESET', 'carries only the common fields', `${RESET} > needs only the common fields and ignores the others`],
]);

const update = rows('Update a pick ticket', [
  [
    '204',
    'no body, after CONFIRM',
    `${CONFIRM} > CONFIRM with every unit picked > returns 204 without a body and closes the ticket as confirmed`,
  ],
  ['204', 'no body, after RESET', `${RESET} > returns 204 without a body and closes the ticket with the outcome RESET`],
]);

export const pickingStatements: Statement[] = [
  ...states,
  ...generateRequest,
  ...generateReply,
  ...item,
  ...updateRequest,
  ...update,
];
