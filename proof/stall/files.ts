/**
 * Valid messages of the maximum size, invalid messages and CSV files, reads of the created data, and query parameters.
 */
import type { Call } from '../../town/call.ts';
import type { Candidate } from './bodies.ts';

const MIB = 1024 * 1024;
/** Maximum size of the file. The form around the file also needs some bytes. */
const FILE_BYTES = 8 * MIB - 1_024;
const ORDER_LINES = 20_000;

/** A request. `make` returns a new request for each attempt. */
export interface Special {
  operationId: string;
  name: string;
  /**
   * The caller. By default the request has the town's credential or the operator's key. `person` is a user who has just
   * signed in; `nobody` sends no credential.
   */
  as?: 'person' | 'nobody';
  make: (turn: string) => Pick<Call, 'method' | 'path'> & Partial<Call>;
}

type Cells = (row: number, column: number, turn: string) => string;

const FIXED = ['clientId', 'catalogId', 'clientItemId', 'itemId', 'type', 'salesClass', 'styleId', 'taxCode'];
const HEADERS = { 'content-type': 'multipart/form-data; boundary=b' };

/** Returns a CSV upload with `rows` records, up to the size limit. It has the required columns and `columns`. */
function upload(name: string, columns: readonly string[], rows: number, cells: Cells): Special {
  const make = (turn: string) => {
    const lines = [[...FIXED, ...columns].join(',')];
    let bytes = lines[0]!.length;
    for (let row = 0; row < rows; row += 1) {
      const id = `W${row}`;
      const own = columns.map((_column, index) => cells(row, index, turn));
      const line = ['TOWN', '21', id, `21-${id}`, 'MERCH', 'stock', '', '', ...own].join(',');
      bytes += Buffer.byteLength(line) + 1;
      if (bytes > FILE_BYTES) break;
      lines.push(line);
    }
    return form(lines.join('\n'));
  };
  return { operationId: 'uploadItems', name, make };
}

function form(text: string): ReturnType<Special['make']> {
  const head = '--b\r\nContent-Disposition: form-data; name="filename"; filename="items.csv"\r\n\r\n';
  return {
    method: 'POST',
    path: '/item-service/clients/TOWN/upload',
    headers: HEADERS,
    raw: `${head}${text}\r\n--b--\r\n`,
  };
}

const attributes = (count: number) =>
  Array.from({ length: count }, (_, index) => [
    `customDynamicAttributes.${index}.name`,
    `customDynamicAttributes.${index}.value`,
  ]).flat();

const listed = (turn: string) => (column: number) => `${turn.slice(-1)}${column}`;

const UPLOADS: readonly Special[] = [
  upload('8 MiB, all good', attributes(240), 1_000, (_row, column, turn) => listed(turn)(column)),
  upload('8 MiB, all good, all changed', attributes(240), 1_000, (_row, column, turn) =>
    column % 2 === 0 ? `n${column}` : `${turn}${column}`,
  ),
  upload('3,996 known columns', attributes(1_000).slice(0, 1_988), 1_000, () => ''),
  upload(
    'unknown columns',
    Array.from({ length: 480 }, (_, index) => `upcs.${index}.upcs`),
    1_000,
    () => 'x',
  ),
  upload(
    'an error in every cell',
    ['bundle', 'giftWrap', 'hazmat', 'unitCost.value', 'streetDate'],
    1_000,
    () => '"x"',
  ),
  upload('line breaks in every cell', ['description'], 1_000, () => `"${'a\n'.repeat(4_000)}"`),
  upload(
    'bundles of bundles',
    ['bundle', ...Array.from({ length: 450 }, (_, i) => `bundleItems.${i}.itemId`)],
    1_000,
    (row, column) => (column === 0 ? 'TRUE' : `21-W${(row + column) % 1_000}`),
  ),
  { operationId: 'uploadItems', name: '8 MiB of commas', make: () => form(','.repeat(FILE_BYTES)) },
  { operationId: 'uploadItems', name: '8 MiB of quotes', make: () => form('"'.repeat(FILE_BYTES)) },
  { operationId: 'uploadItems', name: '8 MiB of empty lines', make: () => form('\n'.repeat(FILE_BYTES)) },
  {
    operationId: 'uploadItems',
    name: '8 MiB of records',
    make: () => form(`itemId\n${'x\n'.repeat(FILE_BYTES / 2 - 5)}`),
  },
];

const INBOUND = '/poasn-manager-service/sellers/TOWNS/poasn/create';

interface LineOptions {
  cost?: string;
  more?: string;
  item?: (index: number) => string;
  warehouse?: string;
}

function asn(
  number: string,
  count: number,
  { cost = '3.75', more = '', item = () => 'MUG-WHT', warehouse = 'DC001' }: LineOptions = {},
): string {
  const lines: string[] = [];
  let bytes = 1_000;
  for (let index = 0; index < count; index += 1) {
    const line =
      `{"asnNumber":"${number}","cartonId":"C${index}","clientItemId":"${item(index)}","itemCost":${cost},"lineNumber":"${index}",` +
      `"receivingWarehouseId":"${warehouse}","shippedQuantity":${1 + (index % 9)},"trailerNumber":"T7"${more}}`;
    bytes += line.length + 1;
    if (bytes > 8 * MIB) break;
    lines.push(line);
  }
  const header =
    `{"asnNumber":"${number}","receivingType":"A","receivingWarehouseId":"DC001","shipmentReceiptDate":"2026-03-20",` +
    '"shipperName":"Quayside","storeCode":"988"}';
  return `{"asnData":[{"header":${header},"details":{"detail":[${lines.join(',')}]}}]}`;
}

const shipment = (name: string, text: (turn: string) => string): Special => ({
  operationId: 'transmitInbound',
  name,
  make: (turn) => ({ method: 'POST', path: INBOUND, raw: text(turn), headers: { 'content-type': 'application/json' } }),
});

const COMMENT = `,"shippingComments":"${'é'.repeat(60)}"`;
const ATTRIBUTES = `,"detailExtendedAttributes":[${Array.from({ length: 9 }, (_, index) => `{"name":"a${index}","value":"v"}`).join(',')}]`;

const SHIPMENTS: readonly Special[] = [
  shipment('20,000 good lines', (turn) => asn(`G${turn}`, ORDER_LINES, { more: COMMENT })),
  shipment('20,000 good lines in capitals', (turn) =>
    asn(`P${turn}`, ORDER_LINES, { more: COMMENT }).replace(/"([a-z])(\w*)":/g, (_all, first: string, rest: string) =>
      rest === 'snNumber' ? '"ASNNumber":' : `"${first.toUpperCase()}${rest}":`,
    ),
  ),
  shipment('as many attributes as fit', (turn) => asn(`A${turn}`, ORDER_LINES, { more: ATTRIBUTES })),
  shipment('20,000 costs past doubles', (turn) => asn(`D${turn}`, ORDER_LINES, { cost: `1.${'1'.repeat(60)}` })),
  shipment('20,000 lines of other items', (turn) => asn(`I${turn}`, ORDER_LINES, { item: (index) => `NO-${index}` })),
  shipment('20,000 lines of another warehouse', (turn) => asn(`W${turn}`, ORDER_LINES, { warehouse: 'DC002' })),
  shipment('the same again', () => asn('SAME', ORDER_LINES, { more: COMMENT })),
  shipment('the same number with other lines', (turn) =>
    asn('SAME', ORDER_LINES, { more: COMMENT, cost: `7.${turn.length}5` }),
  ),
  shipment('an invalid last line', (turn) =>
    asn(`L${turn}`, ORDER_LINES, { more: COMMENT }).replace(/"T7"([^}]*\}\]\}\}\]\})$/, '7$1'),
  ),
  shipment('490,000 fields in a line', (turn) =>
    asn(`M${turn}`, 1, { more: Array.from({ length: 490_000 }, (_, index) => `,"m${index}":1`).join('') }),
  ),
  shipment(
    '990,000 empty lines',
    () => `{"asnData":[{"header":{},"details":{"detail":[${'[],'.repeat(990_000)}[]]}}]}`,
  ),
  shipment('990,000 empty containers', () => `{"asnData":[{"header":{},"details":[${'[],'.repeat(990_000)}[]]}]}`),
  shipment('400,000 empty shipments', () => `{"asnData":[${'{},'.repeat(400_000)}{}]}`),
];

function orders(count: number, lines: number, turn: string, more: Record<string, unknown> = {}): unknown[] {
  return Array.from({ length: count }, (_, index) => ({
    fulfillmentOrderId: `S${turn}-${index}`,
    omsOrderId: `O${turn}-${index}`,
    webOrderId: `W${turn}-${index}`,
    nodeId: 'TOWN-Store001',
    orderDate: '2026-03-02T11:00:00+00:00',
    fulfillmentOrderDate: '2026-03-02T11:20:00+00:00',
    currency: 'USD',
    customer: { name: 'Ada Lovelace', email: 'ada@mail.example', phone: '+1 401 555 0101' },
    fulfillmentType: 'STORE_PICK_UP',
    carrier: '',
    service: '',
    pinNumber: '4711',
    destinations: [],
    lines: Array.from({ length: lines }, (_line, at) => ({
      webLineId: `${at}`,
      itemId: '21-MUG-WHT',
      quantity: 2,
      unitPrice: 9.5,
      tax: 1.33,
    })),
    ...more,
  }));
}

const intake = (name: string, body: (turn: string) => unknown): Special => ({
  operationId: 'createFulfillmentOrders',
  name,
  make: (turn) => ({
    method: 'POST',
    path: '/operator/v1/stores/TOWN_US/fulfillmentOrders',
    headers: { 'content-type': 'application/json' },
    raw: JSON.stringify(body(turn)),
  }),
});

const INTAKES: readonly Special[] = [
  intake('500 good orders', (turn) => orders(500, 40, turn)),
  intake('500 small orders', (turn) => orders(500, 1, turn)),
  intake('the same 500 again', () => orders(500, 40, 'same')),
  intake('500 orders with other content', (turn) => orders(500, 40, 'same', { webOrderId: `W${turn}` })),
  intake('an order of the most lines', (turn) => orders(1, 1_000, turn)),
  intake('500 invalid orders', (turn) => orders(500, 40, turn, { nodeId: 'TOWN-Store002', currency: 'XXX' })),
];

const NODE = '/stores/TOWN_US/nodes/TOWN-Store001';
const WHERE = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001' };
const ALL_LETTERS = 'a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9';

/** Reads of the data that the requests above created. */
const READS: readonly Special[] = [
  read('readInbound', '/operator/v1/clients/TOWN/inbound/ASN/SAME'),
  read('listInbound', '/operator/v1/clients/TOWN/inbound?limit=500'),
  read('listEvents', '/operator/v1/events?limit=500'),
  read('listEvents', '/operator/v1/clients/TOWN/events?limit=500'),
  read('readItemHistory', '/operator/v1/clients/TOWN/items/21-W0/history?limit=500'),
  read('readItem', '/item-service/stores/TOWN_US/items/21-W0'),
  read('readFulfillmentOrder', '/operator/v1/stores/TOWN_US/fulfillmentOrders/Ssame-0'),
  search('500 of a queue', { pageSize: 500 }),
  search('a name of twenty letters', { pageSize: 500, customer: contact(ALL_LETTERS.slice(0, 39)) }),
  search('a name of every letter', { pageSize: 500, customer: contact(ALL_LETTERS) }),
];

function contact(name: string) {
  return { name, email: '', phone: '' };
}

function read(operationId: string, path: string): Special {
  return { operationId, name: `GET ${path}`, make: () => ({ method: 'GET', path }) };
}

function search(name: string, more: object): Special {
  const queueId = 'WAITING_FOR_PICK_ISPU';
  return {
    operationId: 'searchQueue',
    name,
    make: () => ({
      method: 'GET',
      path: `${NODE}/fulfillmentOrders?queueId=${queueId}`,
      headers: { 'content-type': 'application/json' },
      raw: JSON.stringify({ ...WHERE, queueId, ...more }),
    }),
  };
}

export const SPECIALS: readonly Special[] = [...UPLOADS, ...SHIPMENTS, ...INTAKES, ...READS];

/** Returns requests for a path with these query parameters. */
export function queries(names: readonly string[]): Candidate[] {
  const long = (value: string) => names.map((name) => `${name}=${value}`).join('&');
  return [
    { name: 'query: longest digits', make: () => long('9'.repeat(400)) },
    {
      name: 'query: a thousand parameters',
      make: () => Array.from({ length: 1_000 }, (_, index) => `q${index}=1`).join('&'),
    },
    { name: 'query: as many as there are', make: () => long('500') },
    { name: 'query: commas', make: () => long(','.repeat(2_000)) },
  ];
}
