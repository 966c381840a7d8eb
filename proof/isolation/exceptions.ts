/** Cells that differ from the rules of `table.ts`, by operation, place and situation. */
import type { Table } from './cells.ts';

export const EXCEPTIONS: Table = {
  readItem: { 'path:storeId': { otherStore: '200' } },
  deleteItem: { 'path:clientId': { asOther: '204' } },
  putItem: {
    'path:clientId': { asOther: '400 INVALID_REQUEST' },
    'path:itemId': {
      otherClient: '400 INVALID_REQUEST',
      missing: '400 INVALID_REQUEST',
      narrowedStore: '400 INVALID_REQUEST',
    },
  },
  readItemHistory: { 'path:clientId': { otherClient: '200' } },
  // The message names a warehouse, a store and items. Each unknown id has a separate error code.
  transmitInbound: {
    '': { narrowedStore: '400 STORE_NOT_FOUND', narrowedNode: '400 WAREHOUSE_NOT_FOUND' },
    'path:sellerId': { asOther: '400 ITEM_NOT_FOUND' },
    '/ReceivingDetail/ASNData/0/Header/ReceivingWarehouseId': {
      otherClient: '400 WAREHOUSE_NOT_FOUND',
      missing: '400 WAREHOUSE_NOT_FOUND',
      narrowedStore: '400 STORE_NOT_FOUND',
      narrowedNode: '400 WAREHOUSE_NOT_FOUND',
    },
    '/ReceivingDetail/ASNData/0/Header/StoreCode': {
      otherClient: '400 STORE_NOT_FOUND',
      missing: '400 STORE_NOT_FOUND',
      narrowedStore: '400 STORE_NOT_FOUND',
      narrowedNode: '400 STORE_NOT_FOUND',
    },
    '/ReceivingDetail/ASNData/0/Details/Detail/0/ClientItemId': {
      otherClient: '400 ITEM_NOT_FOUND',
      missing: '400 ITEM_NOT_FOUND',
      narrowedStore: '400 STORE_NOT_FOUND',
      narrowedNode: '400 WAREHOUSE_NOT_FOUND',
    },
    '/ReceivingDetail/ASNData/0/Details/Detail/0/ReceivingWarehouseId': {
      otherClient: '400 FILE_VALIDATION_FAILED',
      missing: '400 FILE_VALIDATION_FAILED',
      narrowedStore: '400 STORE_NOT_FOUND',
      narrowedNode: '400 WAREHOUSE_NOT_FOUND',
    },
    '/ReceivingDetail/ASNData/0/Details/Detail/1/ClientItemId': {
      otherClient: '400 ITEM_NOT_FOUND',
      missing: '400 ITEM_NOT_FOUND',
      narrowedStore: '400 STORE_NOT_FOUND',
      narrowedNode: '400 WAREHOUSE_NOT_FOUND',
    },
    '/ReceivingDetail/ASNData/0/Details/Detail/1/ReceivingWarehouseId': {
      otherClient: '400 FILE_VALIDATION_FAILED',
      missing: '400 FILE_VALIDATION_FAILED',
      narrowedStore: '400 STORE_NOT_FOUND',
      narrowedNode: '400 WAREHOUSE_NOT_FOUND',
    },
  },
  readInbound: { '': { narrowedNode: '404 NOT_FOUND' } },
  listInbound: { 'query:sellerId': { otherClient: '200', missing: '200', narrowedStore: '200', narrowedNode: '200' } },
  listNodeInbound: { 'path:clientId': { asOther: '403 ACCESS_DENIED' } },
  readNodeInbound: { 'path:nodeId': { otherNode: '404 NOT_FOUND' } },
  // A shipment without papers can be opened under any number.
  openBlindInbound: {
    '': { narrowedStore: '403 ACCESS_DENIED' },
    'path:nodeId': { otherNode: '201' },
    '/number': { otherClient: '201', missing: '201', narrowedStore: '403 ACCESS_DENIED' },
    '/sellerId': { narrowedStore: '403 ACCESS_DENIED' },
  },
  matchInbound: { '/number': { otherClient: '404 NOT_FOUND', missing: '404 NOT_FOUND' } },
  approveInbound: { '/lines/0/itemId': { otherClient: '400 BELOW_ZERO', missing: '400 BELOW_ZERO' } },
  // A new order can have any id that the client has not used. The message also names the node.
  createFulfillmentOrders: {
    '': { narrowedNode: '400 INVALID_REQUEST' },
    'path:storeId': { otherStore: '201', asOther: '201' },
    '/fulfillmentOrderId': {
      otherStore: '409 CONFLICT',
      otherNode: '409 CONFLICT',
      narrowedNode: '400 INVALID_REQUEST',
    },
    '/nodeId': {
      otherClient: '400 INVALID_REQUEST',
      missing: '400 INVALID_REQUEST',
      otherNode: '201',
      narrowedNode: '400 INVALID_REQUEST',
    },
  },
  // These paths have no node, so the service finds the order of any node.
  readFulfillmentOrder: { 'path:fulfillmentOrderId': { otherNode: '200' } },
  readOrderHistory: { 'path:fulfillmentOrderId': { otherNode: '200' } },
  changeFulfillmentOrder: { 'path:storeId': { asOther: '200' }, 'path:fulfillmentOrderId': { otherNode: '200' } },
  moveFulfillmentOrder: { 'path:fulfillmentOrderId': { otherNode: '409 CONFLICT' } },
  cancelFulfillmentOrder: { 'path:storeId': { asOther: '200' }, 'path:fulfillmentOrderId': { otherNode: '200' } },
  // The response to `declineOrders` has a separate result for each order.
  declineOrders: { 'path:clientId': { asOther: '200' }, 'path:nodeId': { otherNode: '200' } },
  readResourceRequest: { '': { narrowedNode: '404 NOT_FOUND' } },
  // The body names the node and the order that will serve the request.
  answerResourceRequest: {
    '': { narrowedNode: '404 NOT_FOUND' },
    '/nodeId': {
      otherClient: '400 INVALID_REQUEST',
      missing: '400 INVALID_REQUEST',
      otherNode: '400 INVALID_REQUEST',
      narrowedNode: '404 NOT_FOUND',
    },
    '/fulfillmentOrderId': { otherStore: '409 CONFLICT', otherNode: '409 CONFLICT', narrowedNode: '404 NOT_FOUND' },
  },
  // In this cell, the other client reads its own events.
  listEvents: { 'query:clientId': { asOther: '200' } },
  // A PUT with an unused id creates a webhook.
  putWebhook: { 'path:clientId': { asOther: '201' }, 'path:webhookId': { otherClient: '201', missing: '201' } },
  scanCode: { 'path:clientId': { asOther: '200' }, 'path:nodeId': { otherNode: '200' } },
  listStockMoves: { 'path:clientId': { asOther: '404 NOT_FOUND' } },
  moveStock: { 'path:clientId': { asOther: '400 INVALID_REQUEST' }, 'path:nodeId': { otherNode: '409 CONFLICT' } },
  countStock: { 'path:clientId': { asOther: '400 INVALID_REQUEST' }, 'path:nodeId': { otherNode: '409 CONFLICT' } },
  approveCount: { 'path:clientId': { asOther: '404 NOT_FOUND' } },
  rejectCount: { 'path:clientId': { asOther: '404 NOT_FOUND' } },
  // A count plan needs a node that keeps stock. The other client and the other node keep none.
  createCountPlan: { 'path:clientId': { asOther: '409 CONFLICT' }, 'path:nodeId': { otherNode: '409 CONFLICT' } },
  changePlannedLines: { 'path:clientId': { asOther: '409 CONFLICT' }, 'path:nodeId': { otherNode: '409 CONFLICT' } },
  openCountPlan: { 'path:clientId': { asOther: '409 CONFLICT' }, 'path:nodeId': { otherNode: '409 CONFLICT' } },
  recordPlannedCount: { 'path:clientId': { asOther: '409 CONFLICT' }, 'path:nodeId': { otherNode: '409 CONFLICT' } },
  recountPlannedLines: { 'path:clientId': { asOther: '409 CONFLICT' }, 'path:nodeId': { otherNode: '409 CONFLICT' } },
  approveCountPlan: { 'path:clientId': { asOther: '409 CONFLICT' }, 'path:nodeId': { otherNode: '409 CONFLICT' } },
  readCountPlan: { 'path:clientId': { asOther: '404 NOT_FOUND' }, 'path:nodeId': { otherNode: '404 NOT_FOUND' } },
  discardCountPlan: { 'path:clientId': { asOther: '404 NOT_FOUND' } },
  searchQueue: { 'query:queueId': { missing: '400 INVALID_REQUEST' } },
  searchFulfillmentOrders: { '/nodeId': { otherNode: '200' } },
  updatePickTicket: { '/pickTicketDetails/pickTicketId': { otherClient: '404 NOT_FOUND', missing: '404 NOT_FOUND' } },
  generatePackSlip: { '/nodeId': { otherNode: '400 NOT_FOUND' } },
  readPackDetails: {
    'query:nodeId': {
      narrowedNode: '400 INVALID_REQUEST',
      otherClient: '400 INVALID_REQUEST',
      missing: '400 INVALID_REQUEST',
    },
    '/storeId': { narrowedNode: '400 INVALID_REQUEST' },
    'path:fulfillmentOrderId': { narrowedNode: '400 INVALID_REQUEST' },
    '/fulfillmentOrderId': { narrowedNode: '400 INVALID_REQUEST' },
    '/nodeId': {
      narrowedNode: '400 INVALID_REQUEST',
      otherClient: '400 INVALID_REQUEST',
      missing: '400 INVALID_REQUEST',
    },
  },
  updatePackages: { '/packDetails/nodeId': { otherNode: '404 NOT_FOUND' } },
  // The body names the node, so the service rejects a key that has no access to this node.
  declineOrderUnits: {
    '': { narrowedNode: '403 ACCESS_DENIED' },
    'path:fulfillmentOrderId': { narrowedNode: '403 ACCESS_DENIED' },
    '/nodeId': { narrowedNode: '403 ACCESS_DENIED' },
  },
  confirmCustomerPickup: {
    '/customerPickUpDetails/fulfillmentOrderId': {
      otherClient: '404 NOT_FOUND',
      missing: '404 NOT_FOUND',
      otherStore: '404 NOT_FOUND',
      otherNode: '404 NOT_FOUND',
    },
  },
  unlockPin: {
    '': { narrowedNode: '403 ACCESS_DENIED' },
    'path:fulfillmentOrderId': { narrowedNode: '403 ACCESS_DENIED' },
    '/nodeId': { narrowedNode: '403 ACCESS_DENIED' },
  },
  deliverFulfillmentOrder: {
    '': { narrowedNode: '403 ACCESS_DENIED' },
    'path:fulfillmentOrderId': { narrowedNode: '403 ACCESS_DENIED' },
    '/nodeId': { narrowedNode: '403 ACCESS_DENIED' },
  },
  // The request of `readCheckIn` has no body, so no field can contradict the path.
  readCheckIn: {
    'path:storeId': { otherStore: '404 NOT_FOUND', asOther: '404 NOT_FOUND' },
    'path:nodeId': { otherNode: '404 NOT_FOUND' },
    'path:fulfillmentOrderId': {
      otherClient: '404 NOT_FOUND',
      missing: '404 NOT_FOUND',
      otherStore: '404 NOT_FOUND',
      otherNode: '404 NOT_FOUND',
    },
  },
  searchFulfillmentAlerts: { '/nodeId': { otherNode: '200' } },
  // A PUT creates the resource, unless another client has the id.
  putClient: {
    'path:clientId': { otherClient: '409 CONFLICT', missing: '201' },
    '/catalogIds/0': { otherClient: '201', missing: '201' },
    '/catalogIds/1': { otherClient: '201', missing: '201' },
  },
  putStore: {
    'path:clientId': { otherClient: '409 CONFLICT' },
    'path:storeId': { otherClient: '409 CONFLICT', missing: '201', otherStore: '409 CONFLICT' },
    '/sellerId': { otherClient: '409 CONFLICT', missing: '201' },
    '/storeCode': { otherClient: '201', missing: '201' },
  },
  putNode: {
    'path:clientId': { otherClient: '201' },
    'path:nodeId': { otherClient: '201', missing: '201', otherNode: '200' },
  },
  getStore: {
    'path:clientId': { asOther: '403 ACCESS_DENIED' },
    'path:storeId': {
      otherClient: '403 ACCESS_DENIED',
      missing: '403 ACCESS_DENIED',
      otherStore: '200',
      asOther: '403 ACCESS_DENIED',
    },
  },
  getNode: { 'path:nodeId': { otherClient: '403 ACCESS_DENIED', missing: '403 ACCESS_DENIED' } },
  putPrinters: { 'path:clientId': { otherClient: '200' } },
  getNodeItem: { 'path:nodeId': { otherNode: '404 NOT_FOUND' } },
  releaseNodeItem: { '': { narrowedStore: '404 NOT_FOUND' }, 'path:clientId': { asOther: '404 NOT_FOUND' } },
  signIn: { '/clientId': { otherClient: '401 SIGN_IN_FAILED', missing: '401 SIGN_IN_FAILED' } },
  readMe: { '': { asOther: '200' } },
  putUser: { 'path:clientId': { otherClient: '201' }, 'path:userId': { otherClient: '201', missing: '201' } },
  createDeviceCode: { 'path:clientId': { otherClient: '201' } },
  // No device has the id in the path, which is the placeholder of the example.
  revokeDevice: { '': { own: '404 NOT_FOUND' } },
  unlockDevice: { '': { own: '404 NOT_FOUND' } },
  putPerson: { 'path:userId': { otherClient: '201', missing: '201' } },
  putIdentityProvider: { 'path:clientId': { otherClient: '201' } },
  // Only a sandbox has a clock that requests can read and move. This service is not a sandbox.
  readClock: { '': { own: '409 CONFLICT' } },
  advanceClock: { '': { own: '409 CONFLICT' } },
  // A return can have any number that the store has not used. Each order in the message has a separate error.
  createReturn: {
    '/lines/0/fulfillmentOrderId': {
      otherNode: '409 NOT_RETURNABLE',
      otherStore: '409 NOT_RETURNABLE',
      missing: '400 INVALID_REQUEST',
      narrowedNode: '400 INVALID_REQUEST',
      otherClient: '400 INVALID_REQUEST',
    },
    'path:storeId': { otherStore: '409 NOT_RETURNABLE', asOther: '400 INVALID_REQUEST' },
    '/number': { missing: '201', otherClient: '201', narrowedNode: '201' },
  },
  // The response leaves out orders and returns that the client does not have. It lists orders and returns of another
  // store with a reason.
  checkReturn: {
    'path:storeId': { otherStore: '200', asOther: '200' },
  },
  readCustomerContact: {
    'path:fulfillmentOrderId': { otherNode: '200' },
  },
  putNodeItems: {
    'path:clientId': { asOther: '400 INVALID_REQUEST' },
    'path:nodeId': { otherNode: '200' },
  },
  reopenReturn: {
    '': { narrowedStore: '404 NOT_FOUND' },
    'path:clientId': { asOther: '404 NOT_FOUND' },
    'path:nodeId': { otherNode: '200' },
  },
  // Any node of the client can receive a parcel. The store that sold the goods can find the return.
  closeReturn: {
    'path:nodeId': { otherNode: '200' },
    'path:clientId': { asOther: '404 NOT_FOUND' },
    '': { narrowedStore: '404 NOT_FOUND' },
  },
  putEdiPartner: {
    'path:clientId': { asOther: '400 INVALID_REQUEST' },
  },
  searchReturns: {
    'path:storeId': { otherStore: '200', asOther: '200' },
  },
  voidInbound: {
    '': { narrowedNode: '404 NOT_FOUND' },
  },
  // The service checks the message as in `transmitInbound`: each unknown id has a separate error code.
  replaceInbound: {
    '/poData/0/details/detail/0/clientItemId': {
      missing: '400 ITEM_NOT_FOUND',
      narrowedNode: '404 NOT_FOUND',
      otherClient: '400 ITEM_NOT_FOUND',
    },
    '/poData/0/header/receivingWarehouseId': {
      narrowedNode: '400 FILE_VALIDATION_FAILED',
      otherClient: '400 WAREHOUSE_NOT_FOUND',
      narrowedStore: '400 FILE_VALIDATION_FAILED',
      missing: '400 WAREHOUSE_NOT_FOUND',
    },
    '/poData/0/header/storeCode': {
      otherClient: '400 STORE_NOT_FOUND',
      narrowedNode: '404 NOT_FOUND',
      missing: '400 STORE_NOT_FOUND',
    },
    '/poData/0/details/detail/0/receivingWarehouseId': {
      narrowedStore: '400 FILE_VALIDATION_FAILED',
      missing: '400 FILE_VALIDATION_FAILED',
      narrowedNode: '400 FILE_VALIDATION_FAILED',
      otherClient: '400 FILE_VALIDATION_FAILED',
    },
    'path:number': {
      narrowedStore: '400 FILE_VALIDATION_FAILED',
      narrowedNode: '400 FILE_VALIDATION_FAILED',
      missing: '400 FILE_VALIDATION_FAILED',
      otherClient: '400 FILE_VALIDATION_FAILED',
    },
    '': { narrowedNode: '404 NOT_FOUND' },
  },
  listStockOfItem: {
    'query:itemId': {
      otherClient: '400 INVALID_REQUEST',
      narrowedNode: '400 INVALID_REQUEST',
      missing: '400 INVALID_REQUEST',
    },
    'path:clientId': { asOther: '400 INVALID_REQUEST' },
  },
  disposeReturn: {
    'path:clientId': { asOther: '404 NOT_FOUND' },
    '': { narrowedStore: '404 NOT_FOUND' },
    'path:nodeId': { otherNode: '400 BELOW_ZERO' },
  },
  receiveReturn: {
    'path:clientId': { asOther: '404 NOT_FOUND' },
    'path:nodeId': { otherNode: '201' },
    '': { narrowedStore: '404 NOT_FOUND' },
  },
  // A filter with an unknown item is an error.
  listStock: {
    'path:clientId': { asOther: '400 INVALID_REQUEST' },
    'query:itemId': { otherClient: '400 INVALID_REQUEST', missing: '400 INVALID_REQUEST' },
  },
  matchReturn: {
    '/lines/0/fulfillmentOrderId': {
      otherClient: '400 INVALID_REQUEST',
      otherNode: '400 INVALID_REQUEST',
      otherStore: '400 INVALID_REQUEST',
      missing: '400 INVALID_REQUEST',
      narrowedStore: '400 INVALID_REQUEST',
    },
    'path:clientId': { asOther: '404 NOT_FOUND' },
    'path:nodeId': { otherNode: '200' },
    '': { narrowedStore: '404 NOT_FOUND' },
  },
  answerRefund: {
    '': { narrowedStore: '404 NOT_FOUND' },
  },
  // The operation finds and rejects the same orders as `takeReturn`.
  previewReturn: {
    '/storeId': { otherStore: '409 NOT_RETURNABLE' },
    '/lines/0/fulfillmentOrderId': {
      otherStore: '409 NOT_RETURNABLE',
      missing: '400 INVALID_REQUEST',
      otherClient: '400 INVALID_REQUEST',
      otherNode: '409 NOT_RETURNABLE',
      narrowedStore: '403 ACCESS_DENIED',
    },
    'path:nodeId': { otherNode: '200' },
    'path:clientId': { asOther: '400 INVALID_REQUEST' },
    '': { narrowedStore: '403 ACCESS_DENIED' },
  },
  takeReturn: {
    '/storeId': { otherStore: '409 NOT_RETURNABLE' },
    '/lines/0/fulfillmentOrderId': {
      otherStore: '409 NOT_RETURNABLE',
      missing: '400 INVALID_REQUEST',
      otherClient: '400 INVALID_REQUEST',
      otherNode: '409 NOT_RETURNABLE',
      narrowedStore: '403 ACCESS_DENIED',
    },
    'path:nodeId': { otherNode: '201' },
    'path:clientId': { asOther: '400 INVALID_REQUEST' },
    '': { narrowedStore: '403 ACCESS_DENIED' },
  },
  contactCustomer: {
    'path:fulfillmentOrderId': { otherNode: '409 CONFLICT' },
  },
};
