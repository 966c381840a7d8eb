/**
 * The small town: one client with its stores, nodes, items and one order per state, for the demo, the tests and the
 * examples of the documentation. It is loaded through the HTTP interface only, which shows that the interface is enough
 * to set up a service. The same clock and randomness give the same town.
 */
import type { Role } from '../../platform/roles.ts';
import type { Secrets, TownCall } from './call.ts';
import { loadEdi, type TownEdi } from './edi.ts';
import { itemId, type TownItem, townItems, townShelves } from './items.ts';
import {
  EARLIER_DAYS,
  earlierOrderBodies,
  handedOverBody,
  neighbourOrderBodies,
  neighbourOrders,
  TAKEN_HOME,
  townOrderBodies,
  townOrders,
  UNCOLLECTED,
} from './orders.ts';
import { withPicture } from './pictures.ts';
import { makeReturns, NO_RETURNS, requestExpiring, type TownReturns } from './returns.ts';

export type { Secrets, TownCall } from './call.ts';

export interface TownOptions {
  /** The present time in epoch milliseconds. The orders are dated within the hour before it. */
  now: number;
  /** Whether to load the client OTHER too. Some resources of OTHER have the same ids as resources of TOWN. */
  neighbours?: boolean;
  /** Returns the password of a user; default: fixed passwords, for tests. */
  password?: (userId: string) => string;
  /** Whether to add drawings to the items, so that a console has pictures without another server. */
  pictures?: boolean;
  /**
   * If present, orders of earlier days are loaded too: an order that was not collected, an order whose return expired,
   * and orders whose pick is late. The function sets the clock of the service back by `days`, runs the work that has
   * become due, and returns the time. The last call has `days` 0.
   */
  goBack?: (days: number) => Promise<number>;
  /**
   * The last step to load; default: all. The steps are places, catalog, orders, work on some of the orders, and a
   * handed-over order with its returns.
   */
  upTo?: 'places' | 'catalog' | 'orders' | 'work' | 'returns';
}

/** A user of the town. */
interface TownPerson {
  role: Role;
  /** Absent for a user of the operator. */
  clientId?: 'TOWN';
  userId: string;
  name: string;
  password: string;
  nodeIds: readonly string[];
}

export interface Town extends TownReturns {
  clientId: 'TOWN';
  storeId: 'TOWN_US';
  nodeId: 'TOWN-Store001';
  /** A credential of the client TOWN with all groups. */
  credential: Secrets;
  /** A credential of the client OTHER. Present only with `neighbours`. */
  neighbour: Secrets | undefined;
  orders: typeof townOrders;
  neighbourOrders: typeof neighbourOrders;
  /** The open ticket is of the order `onTicket`. The closed tickets have the names of their orders. */
  tickets: { open: string; ready: string; canceled: string; picked: string; returned: string; handedOver: string };
  /** One user for each role. */
  people: Record<Role, TownPerson>;
  /** The open re-source request of the order `returned`. */
  requests: { returned: string };
  /** Interchanges of the supplier that sends X12. */
  edi: TownEdi;
}

const person = (role: Role, userId: string, name: string, nodeIds: readonly string[] = []): TownPerson => ({
  role,
  ...(role !== 'operator' && { clientId: 'TOWN' as const }),
  userId,
  name,
  password: `harbour-street-${userId}`,
  nodeIds,
});

/** One user for each role. The manager works at every node; the associate and the lead work at one node. */
const PEOPLE: Readonly<Record<Role, TownPerson>> = {
  associate: person('associate', 'ana', 'Ana Ruiz', ['TOWN-Store001']),
  lead: person('lead', 'leo', 'Leo Marsh', ['TOWN-Store001']),
  manager: person('manager', 'mara', 'Mara Quinn'),
  clerk: person('clerk', 'cleo', 'Cleo Hart', ['TOWN-Store001', 'TOWN-DC001']),
  support: person('support', 'sami', 'Sami Aalto'),
  integrator: person('integrator', 'igor', 'Igor Novak'),
  operator: person('operator', 'opal', 'Opal Reed'),
};

/** Login of the user who works on the tickets of the town. */
const TOWN_ASSOCIATE = 'UserId001';

const CLIENT = '/operator/v1/clients/TOWN';
const NEIGHBOUR = '/operator/v1/clients/OTHER';
const QUEUE = { ispu: 'WAITING_FOR_PICK_ISPU', sfs: 'WAITING_FOR_PICK_SFS' } as const;

const everyDay = (opens: string, closes: string) =>
  ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'].map((dayOfWeek) => ({
    dayOfWeek,
    opens,
    closes,
  }));

const address = (line1: string, city: string, postalCode: string) => ({
  line1,
  city,
  mainDivisionCode: 'RI',
  postalCode,
  countryCode: 'US',
});

const ALL_TYPES = ['STORE_PICK_UP', 'SHIP_TO_HOME', 'SHIP_TO_STORE', 'ASSOCIATE_DELIVERY'];

/** The main node, as sent with PUT. */
export const harbourStreet = {
  name: 'Harbour Street',
  nodeType: 'STORE',
  timeZone: 'America/New_York',
  address: address('1 Harbour Street', 'Newport', '02840'),
  phone: '+1 401 555 0001',
  openingHours: [...everyDay('09:00', '21:00'), { dayOfWeek: 'SUNDAY', opens: '11:00', closes: '18:00' }],
  holdLocations: ['A1', 'A2', 'B1', 'B2', 'C1'],
  fulfillmentTypes: ALL_TYPES,
};

const places: readonly (readonly [path: string, body: Record<string, unknown>])[] = [
  [CLIENT, { name: 'Town Outfitters', catalogIds: ['21'] }],
  [
    `${CLIENT}/stores/TOWN_US`,
    {
      name: 'Town Outfitters online',
      catalogId: '21',
      sellerId: 'TOWNS',
      storeCode: '988',
      currency: 'USD',
      returnsLabel: true,
    },
  ],
  [
    `${CLIENT}/stores/TOWN_CA`,
    { name: 'Town Outfitters Canada', catalogId: '21', sellerId: 'TOWNS', storeCode: '989', currency: 'CAD' },
  ],
  [`${CLIENT}/nodes/TOWN-Store001`, harbourStreet],
  [
    `${CLIENT}/nodes/TOWN-Store002`,
    {
      name: 'Mill Lane',
      nodeType: 'STORE',
      timeZone: 'America/New_York',
      address: address('40 Mill Lane', 'Providence', '02903'),
      phone: '+1 401 555 0002',
      openingHours: [],
      holdLocations: [],
      fulfillmentTypes: ['STORE_PICK_UP', 'SHIP_TO_STORE'],
    },
  ],
  [
    `${CLIENT}/nodes/TOWN-DC001`,
    {
      name: 'Warehouse',
      nodeType: 'WAREHOUSE',
      timeZone: 'America/New_York',
      address: address('9 Depot Road', 'Warwick', '02886'),
      phone: '+1 401 555 0009',
      openingHours: everyDay('06:00', '22:00'),
      holdLocations: [],
      fulfillmentTypes: ['SHIP_TO_HOME'],
      receivingWarehouseId: 'DC001',
    },
  ],
];

const neighbourPlaces: typeof places = [
  [NEIGHBOUR, { name: 'Other Traders', catalogIds: ['21', '77'] }],
  [
    `${NEIGHBOUR}/stores/OTHER_US`,
    { name: 'Other Traders online', catalogId: '21', sellerId: 'OTHERS', storeCode: '988', currency: 'USD' },
  ],
  ...['OTHER-Store001', 'TOWN-Store001'].map(
    (nodeId) =>
      [
        `${NEIGHBOUR}/nodes/${nodeId}`,
        {
          name: 'Other side of the street',
          nodeType: 'STORE',
          timeZone: 'UTC',
          address: address('2 Harbour Street', 'Newport', '02840'),
          phone: '+1 401 555 0901',
          openingHours: [],
          holdLocations: ['X1'],
          fulfillmentTypes: ALL_TYPES,
        },
      ] as const,
  ),
  [
    `${NEIGHBOUR}/nodes/OTHER-DC001`,
    {
      name: 'Other depot',
      nodeType: 'WAREHOUSE',
      timeZone: 'UTC',
      address: address('10 Depot Road', 'Warwick', '02886'),
      phone: '+1 401 555 0909',
      openingHours: [],
      holdLocations: [],
      fulfillmentTypes: [],
      receivingWarehouseId: 'DC001',
    },
  ],
];

/** Items of the client OTHER: an item with the id of an item of the town, and an item with another id. */
const neighbourItems: readonly TownItem[] = ['MUG-WHT', 'OTHER-ONLY'].map((clientItemId) => ({
  clientItemId,
  type: 'MERCH',
  salesClass: 'stock',
  description: `Neighbour's ${clientItemId}`,
  styleId: '',
  taxCode: '',
}));

/** Loads the town. @throws Error with the first error response. */
export async function loadTown(call: TownCall, options: TownOptions): Promise<Town> {
  const steps = ['places', 'catalog', 'orders', 'work', 'returns'].indexOf(options.upTo ?? 'returns');
  const send = sender(call);
  const put = (path: string, body: unknown, as: 'operator' | Secrets = 'operator') => send('PUT', path, { as, body });
  for (const [path, body] of places) await put(path, body);
  const people = await makePeople(put, options.password);
  const credential = await makeCredential(send, CLIENT);
  let neighbour: Secrets | undefined;
  if (options.neighbours === true) {
    for (const [path, body] of neighbourPlaces) await put(path, body);
    neighbour = await makeCredential(send, NEIGHBOUR);
  }
  if (steps >= 1) {
    const items = options.pictures === true ? townItems.map(withPicture) : townItems;
    await putItems(put, 'TOWN', items, credential);
    for (const [sku, retailPrice, pickLocation, onHand] of townShelves) {
      await put(`${CLIENT}/nodes/TOWN-Store001/items/${itemId(sku)}`, {
        ...(retailPrice !== undefined && { retailPrice }),
        ...(pickLocation !== undefined && { pickLocation }),
        onHand,
      });
    }
    if (neighbour !== undefined) await putItems(put, 'OTHER', neighbourItems, neighbour);
  }
  if (steps >= 3 && options.goBack !== undefined) await loadEarlier(send, credential, options.goBack);
  if (steps >= 2) {
    await takeOrders(send, townOrderBodies(options.now), credential);
    if (neighbour !== undefined) await takeOrders(send, neighbourOrderBodies(options.now), neighbour);
  }
  const tickets =
    steps >= 3 ? await work(send, credential) : { open: '', ready: '', canceled: '', picked: '', returned: '' };
  const handedOver = steps >= 4 ? await handOver(send, credential, options.now) : '';
  const back = steps >= 4 ? await makeReturns(send, credential) : NO_RETURNS;
  const requests = { returned: steps >= 3 ? await requestOf(call, credential, townOrders.returned) : '' };
  const edi = steps >= 3 ? await loadEdi(send, credential) : { interchange: '', rejected: '', answer: '' };
  return {
    clientId: 'TOWN',
    storeId: 'TOWN_US',
    nodeId: 'TOWN-Store001',
    credential,
    neighbour,
    orders: townOrders,
    neighbourOrders,
    people,
    tickets: { ...tickets, handedOver },
    requests,
    edi,
    ...back,
  };
}

/**
 * Takes in the orders of earlier days, picks two of them, and hands over one. No goods arrive for the return of the
 * handed-over order, so the return expires.
 */
async function loadEarlier(send: TownCall, as: Secrets, goBack: (days: number) => Promise<number>): Promise<void> {
  const then = await goBack(EARLIER_DAYS.uncollected);
  await takeOrders(send, earlierOrderBodies('uncollected', then), as);
  await pick(send, as, QUEUE.ispu, UNCOLLECTED, 'all');
  await pick(send, as, QUEUE.ispu, TAKEN_HOME, 'all');
  await giveOver(send, as, TAKEN_HOME, 'till-1-0000', [['1', 'SOAP-LAV', 2]]);
  await requestExpiring(send, as, TAKEN_HOME, then);
  await takeOrders(send, earlierOrderBodies('late', await goBack(EARLIER_DAYS.late)), as);
  await goBack(0);
}

/** Creates the users of the town. */
async function makePeople(
  put: (path: string, body: unknown) => Promise<unknown>,
  passwordOf: TownOptions['password'],
): Promise<Town['people']> {
  const made = { ...PEOPLE };
  for (const each of Object.values(PEOPLE)) {
    const password = passwordOf?.(each.userId) ?? each.password;
    made[each.role] = { ...each, password };
    const { role, userId, name, nodeIds } = each;
    if (role === 'operator') await put(`/operator/v1/people/${userId}`, { name, password });
    else await put(`${CLIENT}/users/${userId}`, { name, role, password, nodeIds });
  }
  return made;
}

function sender(call: TownCall): TownCall {
  return async (method, path, options) => {
    const response = await call(method, path, options);
    if (response.status >= 300)
      throw new Error(`${method} ${path} gave ${response.status}: ${JSON.stringify(response.body)}`);
    return response;
  };
}

async function makeCredential(send: TownCall, client: string): Promise<Secrets> {
  const made = await send('POST', `${client}/credentials`, { as: 'operator', body: { label: 'Integration' } });
  return made.body as Secrets;
}

async function putItems(
  put: (path: string, body: unknown, as: Secrets) => Promise<unknown>,
  clientId: string,
  items: readonly TownItem[],
  as: Secrets,
): Promise<void> {
  for (const item of items) {
    const id = itemId(item.clientItemId);
    await put(`/item-service/clients/${clientId}/items/${id}`, { catalogId: '21', clientId, itemId: id, ...item }, as);
  }
}

async function takeOrders(send: TownCall, bodies: Record<string, unknown[]>, as: Secrets): Promise<void> {
  for (const [storeId, body] of Object.entries(bodies)) {
    await send('POST', `/operator/v1/stores/${storeId}/fulfillmentOrders`, { as, body });
  }
}

/**
 * Confirms four tickets, generates a ticket that remains open, and checks a package in. Returns the numbers of the
 * tickets.
 */
async function work(send: TownCall, as: Secrets): Promise<Omit<Town['tickets'], 'handedOver'>> {
  const { ready, canceled, picked, returned, checkedIn, onTicket } = townOrders;
  const tickets = {
    ready: await pick(send, as, QUEUE.ispu, ready, 'all'),
    canceled: await pick(send, as, QUEUE.ispu, canceled, 'none'),
    picked: await pick(send, as, QUEUE.sfs, picked, 'all'),
    returned: await pick(send, as, QUEUE.sfs, returned, 'none'),
    open: (await generate(send, as, QUEUE.ispu, onTicket)).pickTicketId,
  };
  await checkIn(send, as, checkedIn);
  return tickets;
}

/** Takes in the order whose units are returned later, picks it and hands it over. Returns its ticket. */
async function handOver(send: TownCall, as: Secrets, now: number): Promise<string> {
  const fulfillmentOrderId = townOrders.handedOver;
  await send('POST', '/operator/v1/stores/TOWN_US/fulfillmentOrders', { as, body: handedOverBody(now) });
  const ticket = await pick(send, as, QUEUE.ispu, fulfillmentOrderId, 'all');
  await giveOver(send, as, fulfillmentOrderId, 'till-1-0001', [
    ['1', 'SOAP-LAV', 12],
    ['2', 'MUG-WHT', 6],
  ]);
  return ticket;
}

/** Hands all units of an order over. */
async function giveOver(
  send: TownCall,
  as: Secrets,
  fulfillmentOrderId: string,
  handOverId: string,
  items: readonly (readonly [webLineId: string, sku: string, quantity: number])[],
): Promise<void> {
  const customerPickUpItems = items.map(([webLineId, sku, quantity]) => ({
    webLineId,
    itemId: itemId(sku),
    customerPickedQuantity: quantity,
    canceledQuantity: 0,
    backroomPickedQuantity: quantity,
  }));
  const customerPickUpDetails = { ...WHERE, fulfillmentOrderId, handOverId, customerPickUpItems };
  await send('PUT', `${NODE}/customerPickUp/confirm`, {
    as,
    body: { modifyAssociateId: TOWN_ASSOCIATE, customerPickUpDetails },
  });
}

/** Returns the open re-source request of an order. */
async function requestOf(call: TownCall, as: Secrets, orderId: string): Promise<string> {
  const { body } = await call('GET', '/operator/v1/stores/TOWN_US/resourceRequests?status=OPEN', { as });
  const { resourceRequests } = body as { resourceRequests: { requestId: string; fulfillmentOrderId: string }[] };
  return resourceRequests.find((request) => request.fulfillmentOrderId === orderId)!.requestId;
}

const NODE = '/stores/TOWN_US/nodes/TOWN-Store001';
const WHERE = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001' };

interface Ticket {
  pickTicketId: string;
  holdLocation: string;
  pickTicketItems: { id: number; itemDetails: { itemId: string }; quantity: number }[];
}

async function generate(send: TownCall, as: Secrets, queueId: string, fulfillmentOrderId: string): Promise<Ticket> {
  const response = await send('POST', `${NODE}/pickTicket/generate`, {
    as,
    body: {
      ...WHERE,
      queueId,
      userId: TOWN_ASSOCIATE,
      fulfillmentOrderIds: [fulfillmentOrderId],
      modifyAssociateId: TOWN_ASSOCIATE,
    },
  });
  return (response.body as { pickTicketDetails: [Ticket] }).pickTicketDetails[0];
}

async function pick(
  send: TownCall,
  as: Secrets,
  queueId: string,
  orderId: string,
  found: 'all' | 'none',
): Promise<string> {
  const { pickTicketId, holdLocation, pickTicketItems } = await generate(send, as, queueId, orderId);
  const items = pickTicketItems.map(({ id, itemDetails, quantity }) => ({
    id,
    itemId: itemDetails.itemId,
    quantity,
    ...(found === 'all'
      ? { pickedQuantity: quantity }
      : { canceledQuantity: quantity, cancellationReasonCode: 'CancelMXOutOfStock' }),
  }));
  const details = {
    pickTicketId,
    action: 'CONFIRM',
    ...WHERE,
    userId: TOWN_ASSOCIATE,
    holdLocation,
    pickTicketItems: items,
  };
  await send('PUT', `${NODE}/pickTicket/update`, {
    as,
    body: { modifyAssociateId: TOWN_ASSOCIATE, pickTicketDetails: details },
  });
  return pickTicketId;
}

async function checkIn(send: TownCall, as: Secrets, fulfillmentOrderId: string): Promise<void> {
  const item = {
    itemId: itemId('MUG-WHT'),
    webLineId: '1',
    quantity: 4,
    checkInQuantity: 3,
    checkInCanceledQuantity: 1,
    checkInCancellationReasonCode: 'STSProductReceivedDamagedInterior',
  };
  const checkInPackages = [{ checkInPackageId: '100131680', checkInPackageItems: [item] }];
  const fulfillmentOrder = { action: 'CONFIRM', ...WHERE, fulfillmentOrderId, holdLocation: 'C1', checkInPackages };
  await send('POST', `${NODE}/fulfillmentOrders/${fulfillmentOrderId}/checkin`, {
    as,
    body: { modifyAssociateId: TOWN_ASSOCIATE, fulfillmentOrder },
  });
}
