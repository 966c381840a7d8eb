/** The two order searches, and the shapes, identifiers and types that the interface's fulfillment messages share. */
import type { Statement } from './statement.ts';

const QUEUE = 'test/orders/by-queue.test.ts';
const SEARCH = 'test/orders/search.test.ts';
const QUEUE_FILTER =
  'test/orders/filters.test.ts > each filter of the queue search finds the order that matches and not the one that differs in it only';
const SEARCH_FILTER =
  'test/orders/filters.test.ts > each filter of the order search finds the order that matches and not the one that differs in it only';
const QUEUE_PAGES = 'test/orders/paging.test.ts > pages of the queue search';
const SEARCH_PAGES = 'test/orders/paging.test.ts > pages of the order search';
const INTAKE_RULES = 'test/orders/intake-rules.test.ts > rules of intake';
const INTAKE_MEMBERS = 'test/orders/intake-fields.test.ts > fields of an order';

type Row = readonly [member: string, says: string, test: string];
const rows = (section: string, list: readonly Row[]): Statement[] =>
  list.map(([member, says, test]) => ({ section, member, says, test }));

const asked = (title: string) => `${QUEUE} > request of the queue search > ${title}`;
const queued = (title: string) => `${QUEUE} > response of the queue search > ${title}`;
const wanted = (title: string) => `${SEARCH} > request of the order search > ${title}`;
const found = (title: string) => `${SEARCH} > response of the order search > ${title}`;
const inQueue = (filter: string) => `${QUEUE_FILTER} > ${filter}`;
const inSearch = (filter: string) => `${SEARCH_FILTER} > ${filter}`;

const required = (member: string): Row => [member, 'required', asked(`${member} is required`)];
const optional = (member: string): Row => [member, 'not required', asked(`${member} is optional`)];
const integer = (member: string): Row => [member, 'integer, not required', asked(`${member} is an optional integer`)];
const filters = (member: string, filter: string): Row => [member, 'a filter', inQueue(filter)];
const rangePart = (member: string): Row => [
  member,
  'required in its range',
  asked(`${member.replace('.', '/')} is required whenever its object is present`),
];

const AGREE = asked(
  'storeId, nodeId and queueId of the body must equal those of path and query; the response lists all errors',
);
const DENIED = `${QUEUE} > access to the queue search > another client's store and node are rejected like missing ones`;
const NO_PATH = 'a required string; must be the caller’s';

const QUEUE_FILTERS: readonly (readonly [member: string, filter: string])[] = [
  ['fulfillmentType', 'fulfillmentType "SHIP_TO_STORE"'],
  ['carrier', 'carrier "UPS"'],
  ['service', 'service "GROUND"'],
  ['shipMethod', 'shipMethod "UPS_GROUND"'],
  ['pickTicketId', 'pickTicketId'],
  ['fulfillmentOrderId', 'fulfillmentOrderId'],
  ['webOrderId', 'webOrderId "WEB1"'],
  ['zipCodeRange', 'zipCodeRange {"from":"19406","to":"19406"}'],
  ['zipCodeRange', 'zipCodeRange {"from":"19406-1230","to":"19406-1240"}'],
  ['zipCodeRange', 'zipCodeRange {"from":"19406-1234","to":"2"}'],
  ['orderDateRange', 'orderDateRange {"from":"2026-03-02T09:00:00+00:00","to":"2026-03-02T09:00:00+00:00"}'],
  [
    'fulfillmentOrderDateRange',
    'fulfillmentOrderDateRange {"from":"2026-03-02T11:00:00+01:00","to":"2026-03-02T11:00:00+01:00"}',
  ],
  [
    'expectedDeliveryDateRange',
    'expectedDeliveryDateRange {"from":"2026-03-06T00:00:00+00:00","to":"2026-03-06T00:00:00+00:00"}',
  ],
  ['customer', 'customer {"name":"jose nun","email":"","phone":""}'],
  ['customer', 'customer {"name":"","email":"JOSE@example.com","phone":""}'],
  ['customer', 'customer {"name":"","email":"","phone":"5550199"}'],
  ['proxyDetails', 'proxyDetails {"name":"diaz","email":"","phone":""}'],
  ['proxyDetails', 'proxyDetails {"name":"","email":"bo@example.com","phone":""}'],
  ['proxyDetails', 'proxyDetails {"name":"","email":"","phone":"4015550102"}'],
  ['trackingNumber', 'trackingNumber'],
  ['pinNumber', 'pinNumber "4711"'],
];

const queueRequest = rows('Queue assignment, request', [
  ['path.storeId', NO_PATH, DENIED],
  ['path.nodeId', NO_PATH, DENIED],
  [
    'query.queueId',
    'a required string',
    asked('a search without queueId in the query, or with an empty one, is rejected'),
  ],
  required('storeId'),
  required('nodeId'),
  required('queueId'),
  ['storeId', 'the seller', AGREE],
  ['nodeId', 'the ship node', AGREE],
  ['queueId', 'the fulfillment queue', AGREE],
  [
    'nodeId',
    'the definition table spells it modeId, the example nodeId',
    asked('modeId is an accepted spelling of nodeId'),
  ],
  filters('storeId', 'storeId and nodeId'),
  filters('nodeId', 'storeId and nodeId'),
  filters('queueId', 'queueId'),
  ...[...new Set(QUEUE_FILTERS.map(([member]) => member))].map(optional),
  ...QUEUE_FILTERS.map(([member, filter]) => filters(member, filter)),
  rangePart('zipCodeRange.from'),
  rangePart('zipCodeRange.to'),
  ...['pageId', 'pageSize', 'lastPageId', 'maxRecordsCount', 'lastRecordId'].map(integer),
  [
    'a search filter',
    'all filters that are sent hold together',
    'test/orders/any-filters.test.ts > any combination of filters finds what a plain filter over the orders finds > queue search',
  ],
]);

const hasQueued = (member: string, says = 'required'): Row => [member, says, queued(`an order has ${member}`)];
const mayHaveQueued = (member: string): Row[] => [
  hasQueued(member, 'present where there is one'),
  [member, 'not required', queued('fields without a value are omitted')],
];
const QUEUE_ECHO = queued('fulfillmentOrders has the orders on the queue; pageId and pageSize repeat the request');

const queueReply = rows('Queue assignment, response', [
  ['200', 'response', QUEUE_ECHO],
  ['fulfillmentOrders', 'required array', QUEUE_ECHO],
  ...['fulfillmentOrderId', 'storeId', 'nodeId', 'omsOrderId'].map((member) => hasQueued(member)),
  ...['fulfillmentOrderDate', 'orderDate'].map((member) => hasQueued(member, 'required date-time')),
  ...mayHaveQueued('holdLocation'),
  ...mayHaveQueued('expectedDeliveryDate'),
  hasQueued('fulfillmentType'),
  ...['carrier', 'service', 'shipMethod'].map((member) =>
    hasQueued(member, 'required; not useful for in-store pickup'),
  ),
  ...mayHaveQueued('pickTicketId'),
  hasQueued('status', 'required description'),
  ...['totalNoOfItems', 'totalQuantity', 'totalNoOfPackages'].map((member) =>
    hasQueued(member, 'required; digit string'),
  ),
  ...mayHaveQueued('pinNumber'),
  ...mayHaveQueued('trackingNumbers'),
  hasQueued('customer', 'Contact'),
  ...mayHaveQueued('proxyDetails'),
  hasQueued('slaDate', 'required; next SLA'),
  ['slaDate.slaTypeId', 'the step whose time runs', queued('an order has slaDate')],
  ['slaDate.value', 'when it is due', queued('an order has slaDate')],
  hasQueued('shippingAddress', 'required Destination reference'),
  hasQueued('destinations', 'required list of Destination'),
  ['pageId', 'required integer', QUEUE_ECHO],
  ['pageSize', 'required integer', QUEUE_ECHO],
]);

const wish = (member: string, says = 'optional'): Row => [member, says, wanted(`${member} is ${says}`)];
const innerWish = (member: string): Row => [
  `fulfillmentOrder.${member}`,
  'optional',
  wanted(`fulfillmentOrder.${member} is optional`),
];
const finds = (member: string, filter = member): Row => [member, 'a filter', inSearch(filter)];

const searchRequest = rows('Search fulfillment orders, request', [
  wish('storeId', 'required'),
  wish('nodeId', 'required'),
  ...['userId', 'webOrderId', 'omsOrderId', 'orderDateRange', 'fulfillmentOrder'].map((member) => wish(member)),
  ...['pageId', 'pageSize', 'maxRecordsCount'].map((member) => wish(member)),
  ...[
    'fulfillmentOrderId',
    'fulfillmentTypes',
    'statuses',
    'customer',
    'proxyDetails',
    'fulfillmentOrderDateRange',
  ].map(innerWish),
  ['statuses.from', 'numeric', wanted('fulfillmentOrder.statuses/from is optional')],
  ['statuses.to', 'numeric', wanted('fulfillmentOrder.statuses/to is optional')],
  ['statuses.from', 'required in its range', wanted('from and to of statuses are both required')],
  ['statuses.to', 'required in its range', wanted('from and to of statuses are both required')],
  finds('storeId', 'storeId and nodeId'),
  finds('nodeId', 'storeId and nodeId'),
  ['userId', 'login of the user', inSearch('userId filters nothing')],
  ...['webOrderId', 'omsOrderId', 'orderDateRange'].map((member) => finds(member)),
  ...['fulfillmentOrderId', 'fulfillmentTypes', 'customer', 'proxyDetails', 'fulfillmentOrderDateRange'].map((member) =>
    finds(`fulfillmentOrder.${member}`, member),
  ),
  finds('statuses.from', 'statuses from'),
  finds('statuses.to', 'statuses to'),
  [
    'query',
    'no path or query parameters',
    wanted('query parameters and unknown fields are rejected, a field with the nearest known one'),
  ],
  [
    'all filters',
    'hold together',
    'test/orders/any-filters.test.ts > any combination of filters finds what a plain filter over the orders finds > order search',
  ],
]);

const hasFound = (member: string, says = 'required'): Row => [member, says, found(`an order has ${member}`)];
const SEARCH_ECHO = found('pageId, pageSize and totalRecords describe the page');

const searchReply = rows('Search fulfillment orders, response', [
  ['200', 'response', SEARCH_ECHO],
  ['fulfillmentOrders', 'list', SEARCH_ECHO],
  ...['fulfillmentId', 'fulfillmentOrderId', 'storeId', 'nodeId', 'omsOrderId', 'webOrderId'].map((member) =>
    hasFound(member),
  ),
  hasFound('fulfillmentType'),
  [
    'fulfillmentType',
    'always STORE_PICK_UP for in-store pickup',
    found('a STORE_PICK_UP order is returned with its type and its status code'),
  ],
  ...['carrier', 'service', 'fulfillmentOrderDate', 'orderDate', 'status'].map((member) => hasFound(member)),
  hasFound('customer', 'required Contact'),
  hasFound('proxyDetails', 'Contact'),
  ['proxyDetails', 'optional', found('an order has no other fields, and no proxyDetails without a proxy')],
  ['pageId', 'optional', SEARCH_ECHO],
  ['pageSize', 'optional', SEARCH_ECHO],
  ['totalRecords', 'optional', SEARCH_ECHO],
]);

const ranges = ['orderDateRange', 'fulfillmentOrderDateRange', 'expectedDeliveryDateRange'];
const part = (object: string, member: string) =>
  asked(`${object}/${member} is required whenever its object is present`);

const taken = (path: string, isRequired: boolean) =>
  `${INTAKE_MEMBERS} > ${path} is required: ${isRequired}, and keeps its limits`;

const shapes = [
  ...rows(
    'DateRange',
    ranges.flatMap((range): Row[] => [
      ['from', 'required; date-time with UTC offset', part(range, 'from')],
      ['to', 'required; date-time with UTC offset', part(range, 'to')],
      ['from, to', 'a range', asked(`${range} includes both ends and must not end before it begins`)],
    ]),
  ),
  ...rows(
    'Contact',
    ['name', 'email', 'phone'].flatMap((member): Row[] => [
      [member, 'required whenever the object is present', part('customer', member)],
      [member, 'required whenever the object is present', part('proxyDetails', member)],
      member === 'name'
        ? [member, 'required of an order that comes in', taken('customer/name', true)]
        : [member, 'may be left out of an order that comes in, shown blank', taken(`customer/${member}`, false)],
    ]),
  ),
  ...rows(
    'PersonName',
    ['firstName', 'middleName', 'lastName'].map(
      (member): Row => [member, 'member', queued(`a personName is returned with its ${member}`)],
    ),
  ),
  ...rows(
    'Address',
    ['line1', 'line2', 'line3', 'line4', 'city', 'mainDivisionCode', 'postalCode', 'countryCode'].map(
      (member): Row => [member, 'member', queued(`an address is returned with its ${member}`)],
    ),
  ),
  ...rows('Address', [['countryCode', '2 letters', taken('destinations/0/address/countryCode', true)]]),
  ...rows('Destination', [
    ...['destinationId', 'destinationType', 'personName', 'address', 'phone', 'email'].map(
      (member): Row => [member, 'member', queued(`a destination is returned with its ${member}`)],
    ),
    ...['MAILING_ADDRESS', 'SHIPPING_ADDRESS', 'NODE_ADDRESS'].map(
      (type): Row => ['destinationType', type, queued(`a destination may be a ${type}`)],
    ),
    ['destinationType', 'one of three', taken('destinations/0/destinationType', false)],
  ]),
  ...rows('Destination reference', [
    [
      'destinationId',
      'refers to a Destination of the same response',
      queued('shippingAddress names a destination of the same order'),
    ],
    ...['billToAddress', 'shippingAddress', 'shipFromAddress'].map(
      (member): Row => [
        member,
        'cross-references a Destination',
        `${INTAKE_RULES} > ${member} names one of the destinations`,
      ],
    ),
  ]),
];

const identifiers = rows('Fulfillment order identifiers', [
  ['fulfillmentOrderId', 'identifies the order', found('an order has fulfillmentOrderId')],
  ['omsOrderId', 'order management system identifier', found('an order has omsOrderId')],
  ['webOrderId', 'web store order identifier', found('an order has webOrderId')],
  ['storeId', 'seller organization', found('an order has storeId')],
  ['nodeId', 'ship node', found('an order has nodeId')],
]);

const types = rows(
  'Fulfillment types',
  ['STORE_PICK_UP', 'SHIP_TO_HOME', 'SHIP_TO_STORE'].map(
    (type): Row => [type, 'a fulfillment type', found(`a ${type} order is returned with its type and its status code`)],
  ),
);

const limits = rows('Limits', [
  ...['pageId', 'pageSize', 'maxRecordsCount', 'lastRecordId'].map(
    (member): Row => [
      `queue assignment: ${member}`,
      'pagination input',
      `${QUEUE_PAGES} > ${member} is a whole number within its limits`,
    ],
  ),
  [
    'queue assignment: pageId, pageSize, lastPageId, maxRecordsCount, lastRecordId',
    'pagination inputs',
    `${QUEUE_PAGES} > continue after lastRecordId, and together have at most maxRecordsCount orders`,
  ],
  ['queue assignment: lastPageId', 'pagination input', asked('lastPageId is an optional integer')],
  [
    'order search: pageId, pageSize, maxRecordsCount',
    'pagination inputs',
    `${SEARCH_PAGES} > together have at most maxRecordsCount orders`,
  ],
  ...['pageId', 'pageSize', 'maxRecordsCount'].map(
    (member): Row => [
      `order search: ${member}`,
      'pagination input',
      `${SEARCH_PAGES} > ${member} is a whole number within its limits`,
    ],
  ),
  [
    'order search: totalRecords',
    'order search also returns totalRecords',
    found('totalRecords counts all matches, at most maxRecordsCount'),
  ],
  ...[QUEUE_PAGES, SEARCH_PAGES].map(
    (pages): Row => [
      'echo of pageId and pageSize',
      'responses echo pageId and pageSize',
      `${pages} > have 50 orders by default, and pageId counts from 1`,
    ],
  ),
]);

const states = rows('States', [
  [
    'FulfillmentOrder.status',
    'a human-readable description in the queue assignment response',
    queued('an order has status'),
  ],
  ['FulfillmentOrder.status', 'a numeric-looking code string in search responses', found('an order has status')],
]);

export const ordersStatements: Statement[] = [
  ...queueRequest,
  ...queueReply,
  ...searchRequest,
  ...searchReply,
  ...shapes,
  ...identifiers,
  ...types,
  ...limits,
  ...states,
];
