/** The tour of orders: in, through the store, to the customer, and to another node. */
import { formatDateTime } from '../../../platform/time.ts';
import { harbourStreet, TOWN_ASSOCIATE } from '../town.ts';
import { type Held, NODE, type Stop, TOWN, WHERE } from './stop.ts';

/** An order comes in, changes, moves, and loses a unit. */
export function orderStops(town: Held, now: number): Stop[] {
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

/** Orders are searched, picked, packed and checked in at a store. */
export function storeStops(town: Held): Stop[] {
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
export function deliveryStops(town: Held): Stop[] {
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
export function pickupStops(town: Held): Stop[] {
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

/** A unit turns out broken while it is packed; the owner of another order that lacks units finds them elsewhere. */
export function sourcingStops(town: Held): Stop[] {
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
