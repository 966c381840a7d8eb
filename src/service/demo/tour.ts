/**
 * A tour of the small town: one curl line for every operation, in an order in which each works, but for passkeys, which need
 * an authenticator. The demo prints it, a test runs it. The lines use the shell variables that `tourVariables` names.
 */
import type { Auth } from '../../platform/http/operation.ts';
import { formatDateTime } from '../../platform/time.ts';
import { operations } from '../operations.ts';
import { townOrders } from './orders.ts';
import { harbourStreet, type Secrets, TOWN_ASSOCIATE, type Town } from './town.ts';

/** One stop of the tour. */
export interface Stop {
  operationId: string;
  path: string;
  body?: unknown;
  /** CSV text of an upload, lines parted by `\n`. */
  csv?: string;
}

/** What the stops need to know of the town. */
type Held = Pick<Town, 'orders' | 'tickets' | 'requests'>;

/** Shell variables that the printed lines use. */
export function tourVariables(
  address: string,
  credential: Secrets,
  operatorKey: string,
  cookies: string,
): Record<string, string> {
  return {
    BASE: address,
    COOKIES: cookies,
    API_KEY: credential.apiKey,
    BASIC: `${credential.username}:${credential.password}`,
    OPERATOR_KEY: operatorKey,
  };
}

const NODE = '/stores/TOWN_US/nodes/TOWN-Store001';
const WHERE = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001' };
const TOWN = '/operator/v1/clients/TOWN';
const NEXT = '/operator/v1/clients/NEXT';

/**
 * The stops, by what the town holds when it is freshly loaded. `now` dates a new order; `spare` is a credential that the
 * tour may revoke; the clock is moved in a sandbox only.
 */
export function tourStops(town: Held, now: number, spare: Secrets, isSandbox = false): Stop[] {
  return [
    ...itemStops(),
    ...inboundStops(),
    ...goodsInStops(),
    ...orderStops(town, now),
    ...storeStops(town),
    ...deliveryStops(town),
    ...pickupStops(town),
    ...sourcingStops(town),
    ...stockStops(),
    ...operatorStops(spare),
    ...peopleStops(),
    ...lastStops(),
    ...(isSandbox ? clockStops() : []),
  ];
}

/** The stops as a reader of the documentation sees them: of a town whose numbers and dates never change. */
export function tourToRead(): Stop[] {
  const spare = { credentialId: '5f2c81d0', apiKey: '', username: '', password: '' };
  const [ready, canceled, open, picked, returned] = ['100001', '100002', '100003', '100004', '100005'] as const;
  const town = {
    orders: townOrders,
    tickets: { open, ready, canceled, picked, returned },
    requests: { returned: '019ca8c1-7000-7000-8000-000000000001' },
  };
  const devices = { code: '7K3M9QW2X4ZB5N8R', deviceId: '019ca8c1-7000-7000-8000-000000000002' };
  return [...tourStops(town, Date.UTC(2026, 2, 2, 12), spare, true), ...sessionStops(devices), ...readerStops()];
}

function itemStops(): Stop[] {
  const item = {
    catalogId: '21',
    clientId: 'TOWN',
    clientItemId: 'DEMO-1',
    itemId: '21-DEMO-1',
    description: 'Enamel pot',
    salesClass: 'stock',
    styleId: 'POT',
    taxCode: '76800',
    type: 'MERCH',
    unitCost: { currency: 'USD', value: 12.5 },
  };
  const csv =
    'catalogId,clientId,clientItemId,itemId,salesClass,styleId,taxCode,type,upcs.0.upcType,upcs.0.upc\\n21,TOWN,DEMO-2,21-DEMO-2,stock,POT,76800,MERCH,UPC,400638133393\\n';
  return [
    { operationId: 'readItem', path: '/item-service/stores/TOWN_US/items/21-MUG-WHT' },
    { operationId: 'putItem', path: '/item-service/clients/TOWN/items/21-DEMO-1', body: item },
    { operationId: 'uploadItems', path: '/item-service/clients/TOWN/upload', csv },
    { operationId: 'listItems', path: `${TOWN}/items?q=mug` },
    { operationId: 'readItemHistory', path: `${TOWN}/items/21-DEMO-1/history` },
  ];
}

function inboundStops(): Stop[] {
  const poData = {
    header: {
      storeCode: '988',
      receivingType: 'P',
      shipmentNumber: 'PO-1001',
      shipmentReceiptDate: '2030-01-15',
      shipperName: 'Pottery Ltd',
      receivingWarehouseId: 'DC001',
    },
    details: {
      detail: [
        {
          clientItemId: 'MUG-WHT',
          shippedQuantity: 24,
          itemCost: 3.75,
          trailerNumber: 'T-7',
          receivingWarehouseId: 'DC001',
        },
      ],
    },
  };
  return [
    {
      operationId: 'transmitInbound',
      path: '/poasn-manager-service/sellers/TOWNS/poasn/create',
      body: { poData: [poData] },
    },
    { operationId: 'listEvents', path: '/operator/v1/events?types=order.*&limit=3' },
    {
      operationId: 'putWebhook',
      path: `${TOWN}/webhooks/orders`,
      body: { url: 'https://hooks.example.com/backroom', types: ['order.*'], enabled: false },
    },
    { operationId: 'getWebhook', path: `${TOWN}/webhooks/orders` },
    { operationId: 'listWebhooks', path: `${TOWN}/webhooks` },
    { operationId: 'rotateWebhookSecret', path: `${TOWN}/webhooks/orders/secret`, body: { overlapSeconds: 3600 } },
    { operationId: 'replayWebhook', path: `${TOWN}/webhooks/orders/replay`, body: { from: 1, to: 20 } },
    { operationId: 'listWebhookDeliveries', path: `${TOWN}/webhooks/orders/deliveries` },
    { operationId: 'deleteWebhook', path: `${TOWN}/webhooks/orders` },
    { operationId: 'listInbound', path: `${TOWN}/inbound` },
    { operationId: 'readInbound', path: `${TOWN}/inbound/PO/PO-1001` },
    { operationId: 'voidInbound', path: `${TOWN}/inbound/PO/PO-1001` },
  ];
}

/** An ASN of one carton that brings one mug more than it says. */
function goodsInStops(): Stop[] {
  const inbound = `${TOWN}/nodes/TOWN-DC001/inbound`;
  const [cartonId, itemId, userId] = ['003400000000000017', '21-MUG-WHT', TOWN_ASSOCIATE] as const;
  const asnData = {
    header: {
      storeCode: '988',
      receivingType: 'A',
      asnNumber: 'ASN-1001',
      shipmentReceiptDate: '2030-01-15',
      shipperName: 'Pottery Ltd',
      receivingWarehouseId: 'DC001',
    },
    details: {
      detail: [
        {
          asnNumber: 'ASN-1001',
          cartonId,
          clientItemId: 'MUG-WHT',
          shippedQuantity: 24,
          itemCost: 3.75,
          trailerNumber: 'T-7',
          receivingWarehouseId: 'DC001',
        },
      ],
    },
  };
  return [
    {
      operationId: 'transmitInbound',
      path: '/poasn-manager-service/sellers/TOWNS/poasn/create',
      body: { asnData: [asnData] },
    },
    { operationId: 'listNodeInbound', path: `${inbound}?type=ASN` },
    { operationId: 'readNodeInbound', path: `${inbound}/ASN/ASN-1001` },
    { operationId: 'arriveInbound', path: `${inbound}/ASN/ASN-1001/arrive`, body: { userId } },
    {
      operationId: 'receiveInbound',
      path: `${inbound}/ASN/ASN-1001/receipts`,
      body: { receiptId: 'dock-1-0001', userId, lines: [{ cartonId, itemId, good: 25 }] },
    },
    {
      operationId: 'approveInbound',
      path: `${inbound}/ASN/ASN-1001/approve`,
      body: { approvalId: 'ok-1', userId, lines: [{ cartonId, itemId, good: 1 }] },
    },
    {
      operationId: 'closeInbound',
      path: `${inbound}/ASN/ASN-1001/close`,
      body: { closeId: 'close-1', userId, reasons: [{ itemId, reason: 'ONE MORE' }] },
    },
    {
      operationId: 'reopenInbound',
      path: `${inbound}/ASN/ASN-1001/reopen`,
      body: { userId, reason: 'ANOTHER CARTON' },
    },
    {
      operationId: 'openBlindInbound',
      path: `${inbound}/BLIND`,
      body: { number: 'B-1001', userId, sellerId: 'TOWNS' },
    },
    {
      operationId: 'matchInbound',
      path: `${inbound}/BLIND/B-1001/match`,
      body: { type: 'ASN', number: 'ASN-1001' },
    },
  ];
}

function orderStops(town: Held, now: number): Stop[] {
  const address = {
    line1: '12 Engine Row',
    city: 'Newport',
    mainDivisionCode: 'RI',
    postalCode: '02840',
    countryCode: 'US',
  };
  const ada = { phone: '+1 401 555 0101', email: 'ada.lovelace@mail.example' };
  const order = {
    fulfillmentOrderId: '100000000901001',
    omsOrderId: '100000000901',
    webOrderId: '25255000901',
    nodeId: 'TOWN-Store001',
    fulfillmentType: 'STORE_PICK_UP',
    orderDate: formatDateTime(now),
    currency: 'USD',
    carrier: '',
    service: '',
    customer: { name: 'Ada Lovelace', ...ada },
    destinations: [{ destinationId: 'home', personName: { firstName: 'Ada', lastName: 'Lovelace' }, address, ...ada }],
    billToAddress: { destinationId: 'home' },
    shippingAddress: { destinationId: 'home' },
    lines: [{ webLineId: '1', itemId: '21-MUG-WHT', quantity: 2, unitPrice: 9.5 }],
  };
  return [
    { operationId: 'createFulfillmentOrders', path: '/operator/v1/stores/TOWN_US/fulfillmentOrders', body: order },
    { operationId: 'readFulfillmentOrder', path: '/operator/v1/stores/TOWN_US/fulfillmentOrders/100000000901001' },
    {
      operationId: 'readOrderHistory',
      path: '/operator/v1/stores/TOWN_US/fulfillmentOrders/100000000901001/history',
    },
    {
      operationId: 'changeFulfillmentOrder',
      path: `/operator/v1/stores/TOWN_US/fulfillmentOrders/${town.orders.ready}/change`,
      body: { changeId: 'call-4711', userId: 'mara', note: 'Comes on Saturday' },
    },
    {
      operationId: 'moveFulfillmentOrder',
      path: `/operator/v1/stores/TOWN_US/fulfillmentOrders/${town.orders.ready}/move`,
      body: { moveId: 'phone-7-0002', userId: TOWN_ASSOCIATE, holdLocation: 'B2' },
    },
    {
      operationId: 'cancelFulfillmentOrder',
      path: '/operator/v1/stores/TOWN_US/fulfillmentOrders/100000000901001/cancel',
      body: { lines: [{ webLineId: '1', quantity: 1 }], reasonCode: 'CancelCustomerInitiated' },
    },
  ];
}

function storeStops(town: Held): Stop[] {
  const { toShip, arriving } = town.orders;
  const queueId = 'WAITING_FOR_PICK_SFS';
  // Ticket numbers count up, so the next one is known before it is asked for.
  const pickTicketId = String(Number(town.tickets.open) + 1);
  const associate = { modifyAssociateId: TOWN_ASSOCIATE };
  const confirmation = {
    ...associate,
    pickTicketDetails: {
      pickTicketId,
      action: 'CONFIRM',
      ...WHERE,
      userId: TOWN_ASSOCIATE,
      holdLocation: 'A2',
      pickTicketItems: [
        { id: 1, itemId: '21-TEE-BLU-M', pickedQuantity: 1, canceledQuantity: 0 },
        {
          id: 2,
          itemId: '21-SOAP-LAV',
          pickedQuantity: 3,
          canceledQuantity: 1,
          cancellationReasonCode: 'CancelMXOutOfStock',
        },
      ],
    },
  };
  const arrived = {
    ...associate,
    fulfillmentOrder: {
      action: 'UPDATE',
      ...WHERE,
      fulfillmentOrderId: arriving,
      holdLocation: 'B1',
      checkInPackages: [
        {
          checkInPackageId: '100131672',
          checkInPackageItems: [
            { itemId: '21-TEE-BLU-M', webLineId: '2', quantity: 2, checkInQuantity: 2, checkInCanceledQuantity: 0 },
          ],
        },
      ],
    },
  };
  return [
    { operationId: 'searchQueue', path: `${NODE}/fulfillmentOrders?queueId=${queueId}`, body: { ...WHERE, queueId } },
    {
      operationId: 'searchFulfillmentOrders',
      path: '/stores/TOWN_US/fulfillmentOrder/search',
      body: { ...WHERE, webOrderId: '25255000901' },
    },
    {
      operationId: 'searchFulfillmentAlerts',
      path: '/stores/TOWN_US/alert/fulfillment/search',
      body: { ...WHERE, statuses: ['OPEN'] },
    },
    {
      operationId: 'generatePickTicket',
      path: `${NODE}/pickTicket/generate`,
      body: { ...WHERE, queueId, userId: TOWN_ASSOCIATE, fulfillmentOrderIds: [toShip], ...associate },
    },
    {
      operationId: 'searchPickTickets',
      path: `${NODE}/pickTicket/search`,
      body: { ...WHERE, queueId, userId: TOWN_ASSOCIATE, pickTicket: { statuses: ['NEW'] } },
    },
    { operationId: 'readNodeWork', path: `${TOWN}/nodes/TOWN-Store001/work?userId=${TOWN_ASSOCIATE}` },
    { operationId: 'scanCode', path: `${TOWN}/nodes/TOWN-Store001/scan`, body: { code: '400000000084' } },
    { operationId: 'readBoards', path: `${TOWN}/nodes/TOWN-Store001/boards` },
    {
      operationId: 'openPickTicket',
      path: `${NODE}/pickTickets/${pickTicketId}`,
      body: { ...WHERE, pickTicketId, userId: TOWN_ASSOCIATE },
    },
    {
      operationId: 'savePickProgress',
      path: `/operator/v1${NODE}/pickTickets/${pickTicketId}/scans`,
      body: { userId: TOWN_ASSOCIATE, scans: [{ scanId: 'phone-7-0001', code: '21-TEE-BLU-M' }] },
    },
    {
      operationId: 'takeOverPickTicket',
      path: `/operator/v1${NODE}/pickTickets/${pickTicketId}/takeOver`,
      body: { userId: 'UserId002', fromUserId: TOWN_ASSOCIATE, modifyAssociateId: 'UserId002' },
    },
    { operationId: 'updatePickTicket', path: `${NODE}/pickTicket/update`, body: confirmation },
    {
      operationId: 'generatePackSlip',
      path: `/stores/TOWN_US/fulfillmentOrders/${toShip}/packslip/generate`,
      body: { ...WHERE, ...associate, fulfillmentOrderId: toShip },
    },
    ...packingStops(toShip, [{ itemId: '21-TEE-BLU-M', webLineId: '1', quantity: 1 }]),
    { operationId: 'readCheckIn', path: `${NODE}/fulfillmentOrders/${arriving}/checkin` },
    { operationId: 'confirmCheckIn', path: `${NODE}/fulfillmentOrders/${arriving}/checkin`, body: arrived },
  ];
}

interface Packed {
  itemId: string;
  webLineId: string;
  quantity: number;
}

/** Units of an order are packed in a box. */
function packingStops(orderId: string, packageItems: readonly Packed[]): Stop[] {
  const order = `/stores/TOWN_US/fulfillmentOrders/${orderId}`;
  const box = {
    action: 'CREATE',
    boxId: '1',
    boxWeight: { unit: 'LBS', value: 6.5 },
    packingMaterialWeight: { unit: 'LBS', value: 0.3 },
    length: { unit: 'IN', value: 14 },
    height: { unit: 'IN', value: 6 },
    width: { unit: 'IN', value: 10 },
    packageItems,
  };
  return [
    {
      operationId: 'readPackDetails',
      path: `${order}/packages?nodeId=TOWN-Store001`,
      body: { ...WHERE, fulfillmentOrderId: orderId },
    },
    {
      operationId: 'updatePackages',
      path: `${order}/package/update`,
      body: {
        modifyAssociateId: TOWN_ASSOCIATE,
        packDetails: { ...WHERE, fulfillmentOrderId: orderId, packages: [box] },
      },
    },
  ];
}

/** An order is picked and packed, and an associate brings it to its customer. */
function deliveryStops(town: Held): Stop[] {
  const { delivery } = town.orders;
  const associate = { modifyAssociateId: TOWN_ASSOCIATE };
  const pickTicketId = String(Number(town.tickets.open) + 2);
  const pickTicketItems = [
    { id: 1, itemId: '21-LAMP-BRS', pickedQuantity: 1 },
    { id: 2, itemId: '21-SOAP-LAV', pickedQuantity: 2 },
  ];
  const picked = { pickTicketId, action: 'CONFIRM', ...WHERE, userId: TOWN_ASSOCIATE, holdLocation: 'A1' };
  const queueId = 'WAITING_FOR_PICK_DEL';
  return [
    {
      operationId: 'generatePickTicket',
      path: `${NODE}/pickTicket/generate`,
      body: { ...WHERE, queueId, userId: TOWN_ASSOCIATE, fulfillmentOrderIds: [delivery], ...associate },
    },
    {
      operationId: 'updatePickTicket',
      path: `${NODE}/pickTicket/update`,
      body: { ...associate, pickTicketDetails: { ...picked, pickTicketItems } },
    },
    ...packingStops(delivery, [
      { itemId: '21-LAMP-BRS', webLineId: '1', quantity: 1 },
      { itemId: '21-SOAP-LAV', webLineId: '2', quantity: 2 },
    ]),
    {
      operationId: 'deliverFulfillmentOrder',
      path: `/operator/v1/stores/TOWN_US/fulfillmentOrders/${delivery}/deliver`,
      body: { nodeId: WHERE.nodeId, ...associate, deliveryId: 'van-2-0001' },
    },
  ];
}

/** A customer takes two of three and comes for the third another day. */
function pickupStops(town: Held): Stop[] {
  const { checkedIn, proxy } = town.orders;
  const order = { ...WHERE, fulfillmentOrderId: checkedIn };
  const mugs = { webLineId: '1', itemId: '21-MUG-WHT', customerPickedQuantity: 2, canceledQuantity: 0 };
  return [
    { operationId: 'readCustomerPickup', path: `${NODE}/customerPickUps/${checkedIn}`, body: order },
    {
      operationId: 'confirmCustomerPickup',
      path: `${NODE}/customerPickUp/confirm`,
      body: {
        modifyAssociateId: TOWN_ASSOCIATE,
        customerPickUpDetails: {
          ...order,
          handOverId: 'till-3-0001',
          verificationMethod: 'PHOTO_ID',
          customerPickUpItems: [{ ...mugs, backroomPickedQuantity: 3 }],
        },
      },
    },
    {
      operationId: 'unlockPin',
      path: `/operator/v1/stores/TOWN_US/fulfillmentOrders/${proxy}/pin/unlock`,
      body: { nodeId: WHERE.nodeId, modifyAssociateId: TOWN_ASSOCIATE },
    },
  ];
}

/** A node keeps its stock: what is on the shelf is counted, one mug is broken, and a second count waits for a lead. */
function stockStops(): Stop[] {
  const node = `${TOWN}/nodes/TOWN-Store001`;
  const mug = '21-MUG-WHT';
  const count = (countId: string, counted: number) => ({
    operationId: 'countStock',
    path: `${node}/counts`,
    body: { countId, userId: 'cleo', lines: [{ itemId: mug, counted, revision: 1 }] },
  });
  const broken = { itemId: mug, from: 'SHELF', to: 'DAMAGED', quantity: 1, reason: 'Broken' };
  return [
    { operationId: 'putNode', path: node, body: { ...harbourStreet, stock: 'KEPT' } },
    count('monday-1', 12),
    { operationId: 'moveStock', path: `${node}/stock/moves`, body: { moveId: 'm-1', userId: 'leo', lines: [broken] } },
    count('monday-2', 11),
    { operationId: 'listCounts', path: `${node}/counts?state=WAITING` },
    { operationId: 'approveCount', path: `${node}/counts/monday-2/approve`, body: { userId: 'leo' } },
    { operationId: 'listStock', path: `${node}/stock?itemId=${mug}` },
    { operationId: 'listStockMoves', path: `${node}/stock/${mug}/moves` },
    { operationId: 'listStockTransactions', path: `${node}/stock/transactions` },
    { operationId: 'listStockOfItem', path: `${TOWN}/stock?itemId=${mug}` },
    { operationId: 'listWantedCounts', path: `${node}/counts/wanted` },
  ];
}

/** A unit turns out broken while it is packed; the owner of another order that lacks units finds them elsewhere. */
function sourcingStops(town: Held): Stop[] {
  const STORE = '/operator/v1/stores/TOWN_US';
  const node = `${TOWN}/nodes/TOWN-Store001`;
  const declined = { webLineId: '2', quantity: 1, reasonCode: 'CancelInventoryDiscrepancy' };
  const request = `${STORE}/resourceRequests/${town.requests.returned}`;
  const answer = { outcome: 'RESOURCE', nodeId: 'TOWN-DC001', fulfillmentOrderId: '100000000203002' };
  return [
    { operationId: 'putNode', path: node, body: { ...harbourStreet, declinePolicy: 'HOLD_UNTIL_RELEASED' } },
    {
      operationId: 'declineOrderUnits',
      path: `${STORE}/fulfillmentOrders/${town.orders.picked}/decline`,
      body: { nodeId: 'TOWN-Store001', modifyAssociateId: TOWN_ASSOCIATE, lines: [declined] },
    },
    { operationId: 'readWorkSettings', path: `${node}/settings` },
    { operationId: 'listNodeItemHolds', path: `${node}/holds` },
    { operationId: 'releaseNodeItem', path: `${node}/items/21-MUG-WHT/hold` },
    { operationId: 'listResourceRequests', path: `${STORE}/resourceRequests?status=OPEN` },
    { operationId: 'readResourceRequest', path: request },
    { operationId: 'answerResourceRequest', path: `${request}/answer`, body: answer },
    {
      operationId: 'correctPickTicket',
      path: `/operator/v1${NODE}/pickTickets/${town.tickets.canceled}/correct`,
      body: {
        correctionId: 'phone-7-0003',
        userId: 'mara',
        reason: 'Found behind the shelf',
        pickTicketItems: [{ id: 1, pickedQuantity: 1 }],
      },
    },
    {
      operationId: 'declineOrders',
      path: `${node}/decline`,
      body: {
        declineId: 'evening-1',
        userId: 'mara',
        reasonCode: 'CancelMXOutOfStock',
        fulfillmentOrderIds: [town.orders.waitingToo],
      },
    },
  ];
}

function operatorStops(spare: Secrets): Stop[] {
  const address = { line1: '5 Quay', city: 'Bristol', mainDivisionCode: 'RI', postalCode: '02809', countryCode: 'US' };
  const node = {
    name: 'Quay',
    nodeType: 'STORE',
    timeZone: 'America/New_York',
    address,
    phone: '+1 401 555 0303',
    openingHours: [{ dayOfWeek: 'MONDAY', opens: '09:00', closes: '18:00' }],
    holdLocations: ['A1'],
    fulfillmentTypes: ['STORE_PICK_UP'],
  };
  const store = { name: 'Next online', catalogId: '31', sellerId: 'NEXTS', storeCode: '001', currency: 'USD' };
  return [
    { operationId: 'putClient', path: NEXT, body: { name: 'Next Retailer', catalogIds: ['31'] } },
    { operationId: 'getClient', path: NEXT },
    { operationId: 'listClients', path: '/operator/v1/clients' },
    { operationId: 'putStore', path: `${NEXT}/stores/NEXT_US`, body: store },
    { operationId: 'getStore', path: `${NEXT}/stores/NEXT_US` },
    { operationId: 'listStores', path: `${NEXT}/stores` },
    { operationId: 'putNode', path: `${NEXT}/nodes/NEXT-Store001`, body: node },
    { operationId: 'getNode', path: `${NEXT}/nodes/NEXT-Store001` },
    { operationId: 'listNodes', path: `${NEXT}/nodes` },
    {
      operationId: 'putNodeItem',
      path: `${TOWN}/nodes/TOWN-Store001/items/21-DEMO-1`,
      body: { retailPrice: 24.99, pickLocation: 'AISLE-4', onHand: 6 },
    },
    { operationId: 'getNodeItem', path: `${TOWN}/nodes/TOWN-Store001/items/21-DEMO-1` },
    {
      operationId: 'createCredential',
      path: `${NEXT}/credentials`,
      body: { label: 'Order system', groups: ['intake'] },
    },
    { operationId: 'readMe', path: '/operator/v1/me' },
    { operationId: 'listAccessEvents', path: `${TOWN}/accessEvents?limit=5` },
    { operationId: 'listAllAccessEvents', path: '/operator/v1/accessEvents?limit=5' },
    { operationId: 'listCredentials', path: `${TOWN}/credentials` },
    { operationId: 'getCredential', path: `${TOWN}/credentials/${spare.credentialId}` },
    { operationId: 'revokeCredential', path: `${TOWN}/credentials/${spare.credentialId}` },
    {
      operationId: 'putUser',
      path: `${TOWN}/users/noor`,
      body: { name: 'Noor', password: 'tide-and-sand-7', role: 'associate', nodeIds: ['TOWN-Store001'] },
    },
    { operationId: 'getUser', path: `${TOWN}/users/noor` },
    { operationId: 'listUsers', path: `${TOWN}/users` },
  ];
}

function clockStops(): Stop[] {
  const path = '/operator/v1/sandbox/clock';
  return [
    { operationId: 'readClock', path },
    { operationId: 'advanceClock', path, body: { advanceBy: 3_600 } },
  ];
}

/** What leads, managers and the operator do for people, with an operator key. */
function peopleStops(): Stop[] {
  const person = { name: 'Otto Lind', password: 'correct horse battery' };
  const provider = `${TOWN}/identityProviders/entra`;
  const realm = {
    issuer: 'https://login.example.com/realms/shop',
    oidcClientId: 'backroom',
    clientSecret: 'a secret of the provider',
    roleClaim: '/roles',
    roles: { 'backroom-lead': 'lead', 'backroom-associate': 'associate' },
    createUsers: true,
    nodeIds: ['TOWN-Store001'],
  };
  return [
    { operationId: 'putPerson', path: '/operator/v1/people/otto', body: person },
    { operationId: 'getPerson', path: '/operator/v1/people/otto' },
    { operationId: 'listPeople', path: '/operator/v1/people' },
    { operationId: 'deletePerson', path: '/operator/v1/people/otto' },
    { operationId: 'givePin', path: `${TOWN}/users/ana/pin` },
    { operationId: 'giveBadge', path: `${TOWN}/users/ana/badge` },
    { operationId: 'endUserSessions', path: `${TOWN}/users/ana/sessions` },
    { operationId: 'createDeviceCode', path: `${TOWN}/nodes/TOWN-Store001/deviceCodes` },
    {
      operationId: 'putPrinters',
      path: `${TOWN}/nodes/TOWN-Store001/printers`,
      body: { printers: [{ printerId: 'desk', name: 'Packing desk', host: '192.168.20.7', dpi: 203 }] },
    },
    { operationId: 'getPrinters', path: `${TOWN}/nodes/TOWN-Store001/printers` },
    { operationId: 'listDevices', path: `${TOWN}/devices` },
    { operationId: 'putIdentityProvider', path: provider, body: realm },
    { operationId: 'getIdentityProvider', path: provider },
    { operationId: 'listIdentityProviders', path: `${TOWN}/identityProviders` },
    { operationId: 'deleteIdentityProvider', path: provider },
  ];
}

/** A browser that may be enrolled, and one that is. */
export interface Devices {
  code: string;
  deviceId: string;
}

/**
 * What a browser does with its cookies: the stops of a person, whom the tour has made before. They come after those of
 * `tourStops`, because who signs in with a cookie is not who calls with a key.
 */
export function sessionStops({ code, deviceId }: Devices): Stop[] {
  const device = `${TOWN}/devices/${deviceId}`;
  const noor = { clientId: 'TOWN', userId: 'noor', password: 'tide-and-sand-7' };
  return [
    { operationId: 'listSignInProviders', path: '/session/providers?clientId=TOWN' },
    { operationId: 'signIn', path: '/session', body: noor },
    { operationId: 'readSession', path: '/session' },
    { operationId: 'changePreferences', path: '/session/preferences', body: { language: 'de-CH' } },
    {
      operationId: 'changePassword',
      path: '/session/password',
      body: { old: noor.password, new: 'rain-on-the-quay-9' },
    },
    { operationId: 'changePin', path: '/session/pin', body: { pin: '2580' } },
    { operationId: 'listPasskeys', path: '/session/passkeys' },
    { operationId: 'startTraining', path: '/session/training' },
    { operationId: 'endTraining', path: '/session/training' },
    { operationId: 'enrollDevice', path: '/session/device', body: { code, name: 'Handheld 7' } },
    { operationId: 'unlockSession', path: '/session/unlock', body: { userId: 'noor', pin: '2580' } },
    { operationId: 'lockSession', path: '/session/lock' },
    { operationId: 'signOut', path: '/session' },
    { operationId: 'unlockDevice', path: `${device}/unlock` },
    { operationId: 'revokeDevice', path: device },
  ];
}

/** For readers only, because a printer must stand there, or an authenticator must sign: what it signs is cut short here, such a text is made anew for each use. */
function readerStops(): Stop[] {
  const made = { id: 'pT9wq2Jm5Yk', rawId: 'pT9wq2Jm5Yk', type: 'public-key' };
  const signed = {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4',
    authenticatorData: 'SZYN5YgOjGh0',
    signature: 'MEUCIQDq',
  };
  const attested = {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4',
    attestationObject: 'o2NmbXRkbm9uZQ',
    transports: ['internal'],
  };
  return [
    {
      operationId: 'printLabels',
      path: `${TOWN}/nodes/TOWN-Store001/print`,
      body: { printId: '4f1c2a', userId: 'ana', printerId: 'desk', zpl: '^XA^FO20,20^A0N,40,40^FDA-04-2^FS^XZ' },
    },
    {
      operationId: 'addPasskey',
      path: '/session/passkeys',
      body: { registration: 'v1.c2VhbGVk', name: 'Handheld 7', response: { ...made, response: attested } },
    },
    {
      operationId: 'signInWithPasskey',
      path: '/session/passkeys/signIn',
      body: { challenge: 'v1.c2VhbGVk', response: { ...made, response: signed } },
    },
    { operationId: 'deletePasskey', path: '/session/passkeys/019ca8c1-7000-7000-8000-000000000003' },
  ];
}

function lastStops(): Stop[] {
  return [{ operationId: 'deleteItem', path: '/item-service/clients/TOWN/items/21-DEMO-1' }];
}

const HEADERS: Record<Auth, string[]> = {
  basic: ['-u "$BASIC"', '-H "apiKey: $API_KEY"'],
  apiKey: ['-H "apiKey: $API_KEY"'],
  operator: ['-H "Authorization: Bearer $OPERATOR_KEY"'],
  operatorOrApiKey: ['-H "apiKey: $API_KEY"'],
  session: ['-b "$COOKIES"', '-c "$COOKIES"', '-H "Origin: $BASE"'],
  browser: ['-b "$COOKIES"', '-c "$COOKIES"', '-H "Origin: $BASE"'],
  none: [],
};

/** The curl line of a stop. It prints the answer and its status, and fails when the answer is a refusal. */
export function curlLine(stop: Stop): string {
  const operation = operations.find((each) => each.id === stop.operationId);
  if (operation === undefined) throw new Error(`there is no operation ${stop.operationId}`);
  const parts = ['curl -sS --fail-with-body', "-w ' %{http_code}\\n'", ...HEADERS[operation.auth]];
  if (operation.method !== 'GET' && !(operation.method === 'POST' && stop.body !== undefined))
    parts.push(`-X ${operation.method}`);
  if (stop.body !== undefined)
    parts.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(stop.body))}`);
  if (stop.csv !== undefined) parts.push("-F 'filename=@-;filename=items.csv;type=text/csv'");
  parts.push(`"$BASE${stop.path}"`);
  const line = parts.join(' ').replace(/ -X POST(?=.* -F )/, '');
  return stop.csv === undefined ? line : `printf ${quoted(stop.csv)} | ${line}`;
}

/** One line of the tour as the demo prints it: what it is for, and how to call it. */
export function titleOf(stop: Stop): string {
  const operation = operations.find((each) => each.id === stop.operationId);
  return `${stop.operationId}: ${operation?.summary ?? ''}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
