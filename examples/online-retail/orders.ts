/**
 * Makes a fulfillment order of each invoice. A row is a line of the order. A bad row is rejected, and the other rows
 * of its invoice are imported. A hash of the invoice number selects what the data lacks: node, fulfillment type, name,
 * address.
 */
import type { FulfillmentType, MappedNode, Mapping, Reason } from 'backroom-fulfillment/mapping';
import { COUNTRIES, type Country } from './countries.ts';
import { hash, type InvoiceLine, isGood, notGoods, oneBy } from './goods.ts';

/** Tax of the retailer's country in 2010, in thousandths. */
const TAX_THOUSANDTHS = 175;
const FREE_SHIPPING_PENCE = 5000;
const SHIPPING = 3.95;
/** Maximum number of lines in a package that is on its way to a store. */
const PACKAGE_LINES = 25;

export const mapping: Mapping<InvoiceLine> = {
  kind: 'orders',
  group: (row) => row.InvoiceNo,
  refuse: (row, first) => [...reasons(row, first)],
  build: (rows, { nodes, catalogId }) => order(rows, nodes, catalogId),
};

function* reasons(row: InvoiceLine, first: InvoiceLine): Generator<Reason> {
  const quantity = Number(row.Quantity);
  const price = Number(row.UnitPrice);
  if (row.InvoiceNo.startsWith('C') || quantity < 0) {
    yield { code: 'CANCELLATION', message: `the line takes back ${Math.abs(quantity)} units` };
  }
  if (price <= 0) yield { code: 'NO_PRICE', message: `the price is ${row.UnitPrice || 'missing'}` };
  if (!isGood(row.StockCode)) yield notGoods(row.StockCode);
  if (!/^-?[1-9]\d*$/.test(row.Quantity)) {
    yield { code: 'NO_QUANTITY', message: `the quantity ${JSON.stringify(row.Quantity)} is no number of units` };
  }
  if (!/^-?\d+(?:\.\d+)?$/.test(row.UnitPrice)) {
    yield { code: 'BAD_PRICE', message: `the price ${JSON.stringify(row.UnitPrice)} is no number` };
  }
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(row.InvoiceDate)) {
    yield { code: 'BAD_DATE', message: `the date ${JSON.stringify(row.InvoiceDate)} cannot be read` };
  }
  if (!Object.hasOwn(COUNTRIES, row.Country)) {
    yield { code: 'NO_COUNTRY', message: `${JSON.stringify(row.Country)} is no country` };
  }
  if (row.CustomerID !== first.CustomerID || row.Country !== first.Country) {
    yield { code: 'OTHER_CUSTOMER', message: 'customer or country differs from the first line of the invoice' };
  }
}

/**
 * Returns the fulfillment type of an invoice. Half of the orders are picked up, 30 % shipped home, 12 % shipped to a
 * store, 8 % delivered by an associate.
 */
export function fulfillmentTypeOf(invoice: string): FulfillmentType {
  const share = hash(`type ${invoice}`) % 100;
  if (share < 50) return 'STORE_PICK_UP';
  if (share < 80) return 'SHIP_TO_HOME';
  return share < 92 ? 'SHIP_TO_STORE' : 'ASSOCIATE_DELIVERY';
}

/**
 * Returns a store, chosen by the hash of the invoice. The fourth power gives most orders to the first stores, because
 * real stores are not equally busy.
 */
export function nodeOf(invoice: string, nodes: readonly MappedNode[]): MappedNode {
  const stores = nodes.filter((node) => node.nodeType === 'STORE');
  if (stores.length === 0) throw new Error('the client has no stores; import nodes first');
  return stores[Math.floor((hash(`node ${invoice}`) / 2 ** 32) ** 4 * stores.length)]!;
}

function order(rows: readonly InvoiceLine[], nodes: readonly MappedNode[], catalogId: string) {
  const { InvoiceNo: invoice, InvoiceDate, CustomerID, Country: countryName } = rows[0]!;
  const country = COUNTRIES[countryName]!;
  const node = nodeOf(invoice, nodes);
  const fulfillmentType = fulfillmentTypeOf(invoice);
  const isShipped = fulfillmentType === 'SHIP_TO_HOME';
  const person = personOf(invoice, CustomerID);
  const lines = rows.map((row, index) => line(row, index, country, catalogId));
  const pence = rows.reduce((sum, row) => sum + penceOf(row), 0);
  const home = {
    destinationId: 'HOME',
    destinationType: 'MAILING_ADDRESS',
    ...addressOf(invoice, country),
    ...person.reach,
  };
  return {
    fulfillmentOrderId: invoice,
    omsOrderId: `OMS-${invoice}`,
    webOrderId: `WEB-${invoice}`,
    nodeId: node.nodeId,
    fulfillmentType,
    orderDate: londonTime(InvoiceDate),
    fulfillmentOrderDate: londonTime(InvoiceDate),
    currency: 'GBP',
    carrier: isShipped ? 'ROYALMAIL' : '',
    service: isShipped ? (country.code === 'GB' ? 'STANDARD' : 'INTERNATIONAL') : '',
    customer: person.contact,
    destinations: [
      { ...home, ...(isShipped && { destinationType: 'SHIPPING_ADDRESS' }) },
      ...(isShipped ? [] : [{ ...atNode('STORE', node), ...person.reach }]),
      ...(fulfillmentType === 'SHIP_TO_STORE' ? [WAREHOUSE] : []),
    ],
    billToAddress: { destinationId: 'HOME' },
    shippingAddress: { destinationId: isShipped ? 'HOME' : 'STORE' },
    ...(fulfillmentType === 'SHIP_TO_STORE' && { shipFromAddress: { destinationId: 'WAREHOUSE' } }),
    lines,
    ...(isShipped && pence < FREE_SHIPPING_PENCE && { headerCharges: SHIPPING }),
    ...(fulfillmentType === 'SHIP_TO_STORE' && { packages: packages(invoice, lines) }),
  };
}

function line(row: InvoiceLine, index: number, country: Country, catalogId: string) {
  return {
    webLineId: String(index + 1),
    itemId: `${catalogId}-${row.StockCode}`,
    quantity: Number(row.Quantity),
    unitPrice: Number(row.UnitPrice),
    // Rounded half up to whole pence.
    ...(country.taxed && { tax: Math.floor((penceOf(row) * TAX_THOUSANDTHS + 500) / 1000) / 100 }),
  };
}

function penceOf(row: InvoiceLine): number {
  return Math.round(Number(row.UnitPrice) * 100) * Number(row.Quantity);
}

function packages(invoice: string, lines: readonly { webLineId: string; quantity: number }[]) {
  const count = Math.ceil(lines.length / PACKAGE_LINES);
  return Array.from({ length: count }, (_, index) => ({
    checkInPackageId: `${invoice}-${index + 1}`,
    trackingNumber: `TRK${invoice}${String(index + 1).padStart(3, '0')}`,
    items: lines
      .slice(index * PACKAGE_LINES, (index + 1) * PACKAGE_LINES)
      .map(({ webLineId, quantity }) => ({ webLineId, quantity })),
  }));
}

const FIRST = [
  'Alex',
  'Bea',
  'Chris',
  'Dana',
  'Eli',
  'Fran',
  'Gale',
  'Hana',
  'Ivo',
  'Jo',
  'Kit',
  'Lee',
  'Max',
  'Nia',
  'Oli',
  'Pat',
];
const LAST = [
  'Ash',
  'Brook',
  'Cole',
  'Dale',
  'Ellis',
  'Ford',
  'Grant',
  'Hill',
  'Irving',
  'Jones',
  'Knox',
  'Lane',
  'Moss',
  'North',
  'Owen',
  'Price',
];
const STREETS = [
  'Mill Lane',
  'Station Road',
  'High Street',
  'Church Walk',
  'Park Avenue',
  'Bridge Street',
  'Market Place',
];

function personOf(invoice: string, customerId: string) {
  const personName = { firstName: oneBy(`first ${invoice}`, FIRST), lastName: oneBy(`last ${invoice}`, LAST) };
  const number = customerId.replace(/\.0$/, '');
  // Besides the country, the data has only the number of the customer.
  const email = number === '' ? `guest-${invoice}@example.com` : `customer-${number}@example.com`;
  const phone = `+44 20 7946 ${String(hash(`phone ${invoice}`) % 1000).padStart(4, '0')}`;
  const name = `${personName.firstName} ${personName.lastName}`;
  return { contact: { name, email, phone }, reach: { personName, email, phone } };
}

function addressOf(invoice: string, country: Country) {
  const [city, pattern] = oneBy(`city ${invoice}`, country.cities);
  let at = 0;
  return {
    address: {
      line1: `${(hash(`house ${invoice}`) % 150) + 1} ${oneBy(`street ${invoice}`, STREETS)}`,
      city,
      mainDivisionCode: '',
      postalCode: pattern.replace(/#/g, () => String((hash(`code ${invoice} ${at++}`) % 9) + 1)),
      countryCode: country.code,
    },
  };
}

function atNode(destinationId: string, node: MappedNode) {
  const { line1, line2, city, mainDivisionCode, postalCode, countryCode } = node.address;
  const address = { line1, ...(line2 && { line2 }), city, mainDivisionCode, postalCode, countryCode };
  return { destinationId, destinationType: 'NODE_ADDRESS', address };
}

const WAREHOUSE = {
  destinationId: 'WAREHOUSE',
  destinationType: 'NODE_ADDRESS',
  personName: { firstName: 'Warehouse' },
  address: { line1: '1 Dock Road', city: 'London', mainDivisionCode: '', postalCode: 'E16 2QR', countryCode: 'GB' },
  phone: '+44 20 7946 0000',
  email: 'warehouse@example.com',
};

/** Adds the UTC offset of London to a local time such as `2010-12-01 08:26:00`. */
function londonTime(text: string): string {
  const local = text.replace(' ', 'T');
  return `${local}${isSummer(local) ? '+01:00' : '+00:00'}`;
}

const LONDON = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', hour: '2-digit', hourCycle: 'h23' });

function isSummer(local: string): boolean {
  return LONDON.format(Date.parse(`${local}+01:00`)) === local.slice(11, 13);
}
