/** The orders of the small town, by their purpose. The work in `town.ts` changes the state of some of them. */
import { formatDateTime, MINUTE_MS } from '../../platform/time.ts';
import { itemId } from './items.ts';

interface Person {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  line1: string;
  city: string;
  mainDivisionCode: string;
  postalCode: string;
}

const person = (
  firstName: string,
  lastName: string,
  phone: string,
  line1: string,
  city: string,
  mainDivisionCode: string,
  postalCode: string,
): Person => ({
  firstName,
  lastName,
  email: `${firstName}.${lastName}@mail.example`.toLowerCase(),
  phone,
  line1,
  city,
  mainDivisionCode,
  postalCode,
});

/** The customers of the town. */
const townPeople = {
  ada: person('Ada', 'Lovelace', '+1 401 555 0101', '12 Engine Row', 'Newport', 'RI', '02840'),
  bo: person('Bo', 'Diaz', '+1 401 555 0102', '7 Mast Street', 'Providence', 'RI', '02903-1105'),
  cleo: person('Cleo', 'Marsh', '+1 617 555 0103', '3 Tide Lane', 'Boston', 'MA', '02110'),
  dan: person('Dan', 'Okafor', '+1 401 555 0104', '88 Hill Road', 'Warwick', 'RI', '02886'),
  eve: person('Ève', 'Tremblay', '+1 514 555 0105', '5 rue du Port', 'Montréal', 'QC', 'H2Y 1C6'),
} satisfies Record<string, Person>;

type Line = readonly [clientItemId: string, quantity: number, unitPrice: number, more?: Record<string, unknown>];

interface DemoOrder {
  id: string;
  who: Person;
  type: 'STORE_PICK_UP' | 'SHIP_TO_HOME' | 'SHIP_TO_STORE' | 'ASSOCIATE_DELIVERY';
  /** Minutes between the date of the order and the loading of the town. */
  ago: number;
  lines: readonly Line[];
  storeId?: string;
  nodeId?: string;
  currency?: string;
  more?: Record<string, unknown>;
}

/**
 * Ids of the town's orders by their purpose. The comment of each id has the type, the state and the customer of the
 * order.
 */
export const townOrders = {
  /** STORE_PICK_UP, 1100, Ada: two red tees and a mug. */
  waiting: '100000000101001',
  /** STORE_PICK_UP, 1100, Bo: three mugs and a tee of the same kind as Ada's. */
  waitingToo: '100000000102001',
  /** STORE_PICK_UP, 1100, Cleo, to be collected by Bo with a PIN. */
  proxy: '100000000103001',
  /** STORE_PICK_UP, 1100, Dan, in TOWN-Store002: two bundles. */
  millLane: '100000000104001',
  /** STORE_PICK_UP, 1100, Ève, of the web store TOWN_CA in Canadian dollars. */
  canadian: '100000000105001',
  /** SHIP_TO_HOME, 1100, Ada. */
  toShip: '100000000201001',
  /** SHIP_TO_HOME, 1200, Bo: picked, waiting for pack. */
  picked: '100000000202001',
  /** SHIP_TO_HOME, 9100, Cleo: every unit declined, with an open re-source request. */
  returned: '100000000203001',
  /** SHIP_TO_STORE, 1300, Ada: two packages on their way. */
  arriving: '100000000301001',
  /** SHIP_TO_STORE, 1300, Dan: the goods are in the store already. */
  inStore: '100000000302001',
  /** SHIP_TO_STORE, 1400, Bo: checked in, one unit damaged. */
  checkedIn: '100000000303001',
  /** ASSOCIATE_DELIVERY, 1100, Cleo. */
  delivery: '100000000401001',
  /** STORE_PICK_UP, 1400, Bo: ready for pickup. */
  ready: '100000000501001',
  /** STORE_PICK_UP, 9000, Dan: every unit declined. */
  canceled: '100000000502001',
  /** STORE_PICK_UP, 1150, Cleo: on the open ticket. */
  onTicket: '100000000503001',
  /** STORE_PICK_UP, 3800, Ada: handed over; some units were returned. */
  handedOver: '100000000601001',
} as const;

/** The PIN of the order `proxy`. */
export const PROXY_PIN = '4711';

const ORDERS: readonly DemoOrder[] = [
  {
    id: townOrders.waiting,
    who: townPeople.ada,
    type: 'STORE_PICK_UP',
    ago: 50,
    lines: [
      ['TEE-RED-M', 2, 19.99, { tax: 2.8, instructions: [{ type: 'GIFT_MESSAGE', text: 'For the crew' }] }],
      ['MUG-WHT', 1, 9.5, { tax: 0.67 }],
    ],
  },
  {
    id: townOrders.waitingToo,
    who: townPeople.bo,
    type: 'STORE_PICK_UP',
    ago: 48,
    lines: [
      ['MUG-WHT', 3, 9.5, { tax: 2 }],
      ['TEE-RED-M', 1, 19.99, { tax: 1.4 }],
    ],
  },
  {
    id: townOrders.proxy,
    who: townPeople.cleo,
    type: 'STORE_PICK_UP',
    ago: 46,
    lines: [['UMBR-NAV', 1, 34.25]],
    more: { proxyDetails: contact(townPeople.bo), pinNumber: PROXY_PIN },
  },
  {
    id: townOrders.millLane,
    who: townPeople.dan,
    type: 'STORE_PICK_UP',
    ago: 44,
    nodeId: 'TOWN-Store002',
    lines: [['SET-BATH', 2, 17.5]],
  },
  {
    id: townOrders.canadian,
    who: townPeople.eve,
    type: 'STORE_PICK_UP',
    ago: 42,
    storeId: 'TOWN_CA',
    currency: 'CAD',
    lines: [['TEE-BLU-M', 1, 26.5]],
  },
  {
    id: townOrders.toShip,
    who: townPeople.ada,
    type: 'SHIP_TO_HOME',
    ago: 40,
    lines: [
      ['TEE-BLU-M', 1, 19.99, { charges: 1.5, tax: 1.4 }],
      ['SOAP-LAV', 4, 4.25, { tax: 1.19 }],
    ],
    more: { headerCharges: 5.95, headerTax: 0.42 },
  },
  {
    id: townOrders.picked,
    who: townPeople.bo,
    type: 'SHIP_TO_HOME',
    ago: 38,
    lines: [
      ['TEE-RED-L', 3, 19.99, { charges: 1, tax: 4.2 }],
      ['MUG-WHT', 2, 9.5, { tax: 1.33, instructions: [{ type: 'GIFT_MESSAGE', text: 'Enjoy' }] }],
    ],
    more: { headerCharges: 7.5, headerTax: 0.53, externalOrderNumber: 'EXT-202' },
  },
  {
    id: townOrders.returned,
    who: townPeople.cleo,
    type: 'SHIP_TO_HOME',
    ago: 36,
    lines: [['BOOT-BRN-42', 1, 129.9, { tax: 9.09 }]],
  },
  {
    id: townOrders.arriving,
    who: townPeople.ada,
    type: 'SHIP_TO_STORE',
    ago: 34,
    lines: [
      ['LAMP-BRS', 1, 89],
      ['TEE-BLU-M', 3, 19.99],
    ],
    more: {
      packages: [
        {
          checkInPackageId: '100131671',
          trackingNumber: '100047839154001998',
          weight: { unit: 'lb', value: 7.4 },
          volume: { unit: 'in3', value: 2200 },
          items: [
            { webLineId: '1', quantity: 1 },
            { webLineId: '2', quantity: 1 },
          ],
        },
        {
          checkInPackageId: '100131672',
          trackingNumber: '100047839154001999',
          weight: { unit: 'lb', value: 0.9 },
          volume: { unit: 'in3', value: 216 },
          items: [{ webLineId: '2', quantity: 2 }],
        },
      ],
    },
  },
  {
    id: townOrders.inStore,
    who: townPeople.dan,
    type: 'SHIP_TO_STORE',
    ago: 32,
    lines: [['SOAP-LAV', 5, 4.25]],
    more: { inStore: true },
  },
  {
    id: townOrders.checkedIn,
    who: townPeople.bo,
    type: 'SHIP_TO_STORE',
    ago: 30,
    lines: [['MUG-WHT', 4, 9.5]],
    more: {
      packages: [
        {
          checkInPackageId: '100131680',
          trackingNumber: '100047839154002001',
          items: [{ webLineId: '1', quantity: 4 }],
        },
      ],
    },
  },
  {
    id: townOrders.delivery,
    who: townPeople.cleo,
    type: 'ASSOCIATE_DELIVERY',
    ago: 28,
    lines: [
      ['LAMP-BRS', 1, 89],
      ['SOAP-LAV', 2, 4.25],
    ],
  },
  { id: townOrders.ready, who: townPeople.bo, type: 'STORE_PICK_UP', ago: 26, lines: [['UMBR-NAV', 1, 34.25]] },
  { id: townOrders.canceled, who: townPeople.dan, type: 'STORE_PICK_UP', ago: 24, lines: [['BOOT-BRN-42', 1, 129.9]] },
  {
    id: townOrders.onTicket,
    who: townPeople.cleo,
    type: 'STORE_PICK_UP',
    ago: 22,
    lines: [
      ['MATCH-100', 2, 1.2],
      ['SOAP-LAV', 1, 4.25],
    ],
  },
];

/** The order whose units are returned. The step that creates the returns also takes in this order. */
const HANDED_OVER: DemoOrder = {
  id: townOrders.handedOver,
  who: townPeople.ada,
  type: 'STORE_PICK_UP',
  ago: 20,
  lines: [
    ['SOAP-LAV', 12, 4.25, { tax: 3.57 }],
    ['MUG-WHT', 6, 9.5, { tax: 3.99 }],
  ],
};

/** Orders of the client OTHER. The first has the same id as an order of the town. */
export const neighbourOrders = { sameId: townOrders.waiting, own: '200000000101001' } as const;

const NEIGHBOUR_ORDERS: readonly DemoOrder[] = [neighbourOrders.sameId, neighbourOrders.own].map((id, index) => ({
  id,
  who: townPeople.dan,
  type: 'STORE_PICK_UP',
  ago: 20 - index,
  storeId: 'OTHER_US',
  nodeId: 'OTHER-Store001',
  lines: [['MUG-WHT', 1, 12]],
}));

/** Days between the intake of earlier orders and the loading of the town. */
export const EARLIER_DAYS = { uncollected: 9, late: 1.2 } as const;

/** Order that was picked nine days ago and not collected. */
export const UNCOLLECTED = '100000000606001';

/** Order that was collected nine days ago, and whose return expired. */
export const TAKEN_HOME = '100000000607001';

/**
 * Orders of earlier days: an order that was not collected, an order that was collected, and orders whose pick is late.
 */
const EARLIER: Record<keyof typeof EARLIER_DAYS, readonly DemoOrder[]> = {
  uncollected: [
    { id: UNCOLLECTED, who: townPeople.dan, type: 'STORE_PICK_UP', ago: 20, lines: [['BOOT-BRN-42', 1, 129.9]] },
    { id: TAKEN_HOME, who: townPeople.bo, type: 'STORE_PICK_UP', ago: 15, lines: [['SOAP-LAV', 2, 4.25]] },
  ],
  late: [
    {
      id: '100000000602001',
      who: townPeople.cleo,
      type: 'STORE_PICK_UP',
      ago: 12,
      lines: [
        ['MUG-WHT', 2, 9.5],
        ['SOAP-LAV', 4, 4.25],
      ],
    },
    {
      id: '100000000603001',
      who: townPeople.ada,
      type: 'SHIP_TO_HOME',
      ago: 10,
      lines: [
        ['TEE-BLU-M', 1, 19.99],
        ['TEE-RED-L', 1, 19.99],
      ],
    },
    { id: '100000000604001', who: townPeople.bo, type: 'SHIP_TO_HOME', ago: 8, lines: [['LAMP-BRS', 1, 89]] },
    {
      id: '100000000605001',
      who: townPeople.eve,
      type: 'STORE_PICK_UP',
      ago: 6,
      lines: [
        ['TEE-RED-M', 1, 19.99],
        ['UMBR-NAV', 1, 34.25],
        ['SOAP-LAV', 2, 4.25],
      ],
    },
  ],
};

/** Returns the intake bodies of earlier orders; `now` is the time at which they are taken in. */
export function earlierOrderBodies(day: keyof typeof EARLIER_DAYS, now: number): Record<string, unknown[]> {
  return byStore(EARLIER[day], now);
}

/** Returns the intake bodies by store. The orders were placed before `now` (epoch milliseconds). */
export function townOrderBodies(now: number): Record<string, unknown[]> {
  return byStore(ORDERS, now);
}

/** Intake body of the order `handedOver`. */
export function handedOverBody(now: number) {
  return orderBody(HANDED_OVER, now);
}

/** Returns the intake bodies of the orders of the client OTHER. */
export function neighbourOrderBodies(now: number): Record<string, unknown[]> {
  return byStore(NEIGHBOUR_ORDERS, now);
}

function byStore(demoOrders: readonly DemoOrder[], now: number): Record<string, unknown[]> {
  const stores = Object.groupBy(demoOrders, (demoOrder) => demoOrder.storeId ?? 'TOWN_US');
  return Object.fromEntries(
    Object.entries(stores).map(([storeId, own]) => [
      storeId,
      (own ?? []).map((demoOrder) => orderBody(demoOrder, now)),
    ]),
  );
}

function contact(who: Person) {
  return { name: `${who.firstName} ${who.lastName}`, email: who.email, phone: who.phone };
}

function orderBody(demoOrder: DemoOrder, now: number) {
  const { id, who, type } = demoOrder;
  const ships = type === 'SHIP_TO_HOME';
  const atStore = type === 'STORE_PICK_UP' || type === 'SHIP_TO_STORE';
  const travels = type === 'SHIP_TO_STORE' && demoOrder.more?.['inStore'] !== true;
  const at = (minutes: number) => formatDateTime(now - minutes * MINUTE_MS);
  return {
    fulfillmentOrderId: id,
    omsOrderId: id.slice(0, 12),
    webOrderId: `25255${id.slice(6, 12)}`,
    nodeId: demoOrder.nodeId ?? 'TOWN-Store001',
    fulfillmentType: type,
    orderDate: at(demoOrder.ago + 5),
    fulfillmentOrderDate: at(demoOrder.ago),
    expectedDeliveryDate: formatDateTime(now + 3 * 24 * 60 * MINUTE_MS),
    currency: demoOrder.currency ?? 'USD',
    carrier: ships ? 'UPS' : '',
    service: ships ? 'GROUND' : '',
    customer: contact(who),
    destinations: [home(who), atStore ? pickupPlace(who) : delivery(who), ...(travels ? [WAREHOUSE] : [])],
    billToAddress: { destinationId: 'home' },
    shippingAddress: { destinationId: 'ship' },
    ...(travels && { shipFromAddress: { destinationId: 'from' } }),
    lines: demoOrder.lines.map(([sku, quantity, unitPrice, more], index) => ({
      webLineId: String(index + 1),
      itemId: itemId(sku),
      quantity,
      unitPrice,
      ...more,
    })),
    ...demoOrder.more,
  };
}

function home(who: Person) {
  const { firstName, lastName, phone, email, line1, city, mainDivisionCode, postalCode } = who;
  return {
    destinationId: 'home',
    destinationType: 'MAILING_ADDRESS',
    personName: { firstName, lastName },
    address: { line1, city, mainDivisionCode, postalCode, countryCode: mainDivisionCode === 'QC' ? 'CA' : 'US' },
    phone,
    email,
  };
}

function delivery(who: Person) {
  return { ...home(who), destinationId: 'ship', destinationType: 'SHIPPING_ADDRESS' };
}

function pickupPlace(who: Person) {
  return {
    ...home(who),
    destinationId: 'ship',
    destinationType: 'NODE_ADDRESS',
    address: {
      line1: '1 Harbour Street',
      city: 'Newport',
      mainDivisionCode: 'RI',
      postalCode: '02840',
      countryCode: 'US',
    },
  };
}

const WAREHOUSE = {
  destinationId: 'from',
  destinationType: 'NODE_ADDRESS',
  personName: { firstName: 'Warehouse', lastName: 'Warwick' },
  address: { line1: '9 Depot Road', city: 'Warwick', mainDivisionCode: 'RI', postalCode: '02886', countryCode: 'US' },
  phone: '+1 401 555 0009',
  email: 'depot@town.example',
};
