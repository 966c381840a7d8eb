/** A small installation for orders: one client with two stores and nodes, and another client. */

import type { OrderIntake } from '../../src/orders/intake-schema.ts';
import { GROUPS } from '../../src/platform/ctx.ts';
import type { Json } from '../../src/platform/json-column.ts';
import { stringifyJson } from '../../src/platform/message/json.ts';
import type { FulfillmentOrderRow } from '../../src/platform/storage/tables.ts';
import type { Destination } from '../../src/shared/shapes.ts';
import { type Answer, type Backroom, NOON, OPERATOR_KEY, openBackroom } from '../support/backroom.ts';

const ALL_TYPES = ['STORE_PICK_UP', 'SHIP_TO_HOME', 'SHIP_TO_STORE', 'ASSOCIATE_DELIVERY'];

export interface Place extends Backroom {
  /** Three keys: of client C1 for all groups, of C1 limited to node N1, and of client C2. */
  keys: { all: string; onlyN1: string; other: string };
  intake: (body: unknown, apiKey?: string) => Promise<Answer>;
  search: (body: Record<string, unknown>) => Promise<Answer>;
  queue: (queueId: string, body?: Record<string, unknown>) => Promise<Answer>;
  putItem: (itemId: string, members?: Record<string, unknown>, clientId?: string) => Promise<void>;
  /** Writes columns of an order of C1 to the database, without checks. */
  setOrder: (orderId: string, columns: Partial<FulfillmentOrderRow>) => Promise<void>;
  row: (orderId: string) => Promise<FulfillmentOrderRow>;
}

const address = (countryCode: string) => ({
  line1: '1 Main St',
  city: 'Town',
  mainDivisionCode: 'PA',
  postalCode: '19406',
  countryCode,
});

/** Opens the installation. Items 1-A, 1-B and 1-C are eligible for every type; 1-B has no country of origin. */
export async function openPlace(): Promise<Place> {
  const room = await openBackroom();
  const put = async (path: string, body: unknown) => {
    const answer = await room.operator('PUT', `/operator/v1/clients/${path}`, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
  };
  const store = (storeCode: string, sellerId: string) => ({
    name: 'Web store',
    catalogId: '1',
    sellerId,
    storeCode,
    currency: 'USD',
  });
  const node = (fulfillmentTypes: string[]) => ({
    name: 'Store',
    nodeType: 'STORE',
    timeZone: 'America/New_York',
    address: address('US'),
    phone: '2155550100',
    openingHours: [],
    holdLocations: [],
    fulfillmentTypes,
  });
  await put('C1', { name: 'First', catalogIds: ['1'] });
  await put('C2', { name: 'Second', catalogIds: ['2'] });
  await put('C1/stores/S1', store('A', 'SELLER1'));
  await put('C1/stores/S2', store('B', 'SELLER1'));
  await put('C2/stores/S9', { ...store('A', 'SELLER2'), catalogId: '2' });
  await put('C1/nodes/N1', node(ALL_TYPES));
  await put('C1/nodes/N2', node(['STORE_PICK_UP']));
  await put('C2/nodes/N9', node(ALL_TYPES));
  const credential = async (clientId: string, narrowing: object) => {
    const path = `/operator/v1/clients/${clientId}/credentials`;
    return (await room.operator('POST', path, { label: 'test', ...narrowing })).body.apiKey as string;
  };
  const keys = {
    all: await credential('C1', {}),
    onlyN1: await credential('C1', { nodeIds: ['N1'], groups: GROUPS }),
    other: await credential('C2', {}),
  };
  const putItem = async (itemId: string, members: Record<string, unknown> = {}, clientId = 'C1') => {
    const doc = stringifyJson({ ...itemDoc(itemId, clientId), ...members }) as Json<never>;
    const row = {
      client_id: clientId,
      item_id: itemId,
      revision: 1,
      doc,
      created_at: NOON,
      updated_at: NOON,
      term_form: 0,
    };
    await room.store.write((tx) =>
      tx
        .insertInto('items')
        .values(row)
        .onConflict((conflict) => conflict.columns(['client_id', 'item_id']).doUpdateSet({ doc }))
        .execute(),
    );
  };
  await putItem('1-A', { countryOfOrigin: 'US' });
  await putItem('1-B');
  await putItem('1-C', { countryOfOrigin: 'PT' });
  const client = (path: string, body: unknown, apiKey = keys.all) =>
    room.call({ method: 'POST', path, body, headers: { apiKey } });
  return {
    ...room,
    keys,
    putItem,
    intake: (body, apiKey) =>
      room.call({
        method: 'POST',
        path: '/operator/v1/stores/S1/fulfillmentOrders',
        body,
        headers: apiKey === undefined ? { authorization: `Bearer ${OPERATOR_KEY}` } : { apiKey },
      }),
    setOrder: async (orderId, columns) => {
      await room.store.write((tx) =>
        tx
          .updateTable('fulfillment_orders')
          .set(columns)
          .where('client_id', '=', 'C1')
          .where('fulfillment_order_id', '=', orderId)
          .execute(),
      );
    },
    row: (orderId) =>
      room.store.read((db) =>
        db
          .selectFrom('fulfillment_orders')
          .selectAll()
          .where('client_id', '=', 'C1')
          .where('fulfillment_order_id', '=', orderId)
          .executeTakeFirstOrThrow(),
      ),
    search: (body) => client('/stores/S1/fulfillmentOrder/search', { storeId: 'S1', nodeId: 'N1', ...body }),
    queue: (queueId, body = {}) =>
      client(`/stores/S1/nodes/N1/fulfillmentOrders?queueId=${queueId}`, {
        storeId: 'S1',
        nodeId: 'N1',
        queueId,
        ...body,
      }),
  };
}

function itemDoc(itemId: string, clientId: string) {
  const [catalogId, clientItemId] = itemId.split('-');
  return {
    catalogId,
    clientId,
    clientItemId,
    itemId,
    type: 'MERCH',
    salesClass: 'stock',
    styleId: 'ST1',
    taxCode: 'T1',
    description: `Item ${clientItemId}`,
    color: { code: '07', descriptions: [{ locale: 'en_US', description: 'Blue' }] },
    sizes: [{ code: 'M', description: 'Medium' }],
    upcs: [{ upcType: 'UPC', upc: '036000291452' }],
    shippingMassDimensions: { unit: 'lb', weight: 1.5 },
    shippingPackagingDimensions: { unit: 'in', width: 1, length: 2, height: 3 },
    sfsEligible: true,
    ispuEligible: true,
    stsEligible: true,
    associateDeliveryEligible: true,
  };
}

export const destination = (destinationId: string, members: Partial<Destination> = {}): Destination => ({
  destinationId,
  destinationType: 'SHIPPING_ADDRESS',
  personName: { firstName: 'Ada', middleName: 'B', lastName: 'Byron' },
  address: address('US'),
  phone: '215-555-0199',
  email: 'ada@example.com',
  ...members,
});

/** Returns a valid order for collection in the store. */
export function pickupOrder(fulfillmentOrderId: string, members: Partial<OrderIntake> = {}): OrderIntake {
  return {
    fulfillmentOrderId,
    omsOrderId: `OMS-${fulfillmentOrderId}`,
    webOrderId: `WEB-${fulfillmentOrderId}`,
    nodeId: 'N1',
    fulfillmentType: 'STORE_PICK_UP',
    orderDate: '2026-03-02T09:00:00+00:00',
    fulfillmentOrderDate: '2026-03-02T10:00:00+00:00',
    currency: 'USD',
    carrier: '',
    service: '',
    customer: { name: 'Ada Byron', email: 'ada@example.com', phone: '+1 215-555-0199' },
    destinations: [destination('D1'), destination('D2', { destinationType: 'NODE_ADDRESS' })],
    billToAddress: { destinationId: 'D1' },
    shippingAddress: { destinationId: 'D2' },
    lines: [{ webLineId: '1', itemId: '1-A', quantity: 2, unitPrice: 10.5 }],
    ...members,
  };
}

/** Returns a valid order that the node ships to a home. */
export function homeOrder(fulfillmentOrderId: string, members: Partial<OrderIntake> = {}): OrderIntake {
  return pickupOrder(fulfillmentOrderId, {
    fulfillmentType: 'SHIP_TO_HOME',
    carrier: 'UPS',
    service: 'GROUND',
    shippingAddress: { destinationId: 'D1' },
    ...members,
  });
}

/** Returns a valid order on its way to the store in two packages. */
export function storeOrder(fulfillmentOrderId: string, members: Partial<OrderIntake> = {}): OrderIntake {
  return pickupOrder(fulfillmentOrderId, {
    fulfillmentType: 'SHIP_TO_STORE',
    shipFromAddress: { destinationId: 'D1' },
    lines: [
      { webLineId: '1', itemId: '1-A', quantity: 3, unitPrice: 10 },
      { webLineId: '2', itemId: '1-B', quantity: 1, unitPrice: 5 },
    ],
    packages: [
      { trackingNumber: `T1-${fulfillmentOrderId}`, items: [{ webLineId: '1', quantity: 2 }] },
      {
        trackingNumber: `T2-${fulfillmentOrderId}`,
        items: [
          { webLineId: '1', quantity: 1 },
          { webLineId: '2', quantity: 1 },
        ],
      },
    ],
    ...members,
  });
}

/** Returns fields of an order with a shipping address in a postal code. */
export const goingTo = (postalCode: string) => ({
  destinations: [
    {
      destinationId: 'D1',
      personName: { firstName: 'J', lastName: 'N' },
      address: { line1: '1', city: 'T', mainDivisionCode: 'PA', postalCode, countryCode: 'US' },
      email: 'j@n',
      phone: '1',
    },
  ],
  billToAddress: { destinationId: 'D1' },
  shippingAddress: { destinationId: 'D1' },
  shipFromAddress: { destinationId: 'D1' },
});
/** Returns fields of an order in one package. */
export const trackedBy = (number: string) => ({
  lines: [{ webLineId: '1', itemId: '1-A', quantity: 1, unitPrice: 1 }],
  packages: [{ trackingNumber: number, items: [{ webLineId: '1', quantity: 1 }] }],
});

/** Returns the stored packages of an order with their content. */
export async function packagesOf(place: Place, id: string) {
  return place.store.read(
    async (db) =>
      [
        await db.selectFrom('checkin_packages').selectAll().where('fulfillment_order_id', '=', id).execute(),
        await db.selectFrom('checkin_package_items').selectAll().where('fulfillment_order_id', '=', id).execute(),
      ] as const,
  );
}
