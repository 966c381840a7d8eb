/** Constants of the requests of clerks: the store, the nodes, paths, the user and the reasons. */
export const STORE_ID = 'TOWN_US';
export const NODE_ID = 'TOWN-Store001';
/** The node that serves units declined by the first node. */
export const OTHER_NODE_ID = 'TOWN-DC001';
export const WHERE = { storeId: STORE_ID, nodeId: NODE_ID };
export const NODE = `/stores/${STORE_ID}/nodes/${NODE_ID}`;
export const OWN = '/operator/v1';
export const CLIENT = `${OWN}/clients/TOWN`;
export const WHO = 'campaign';

export const MISSING = 'CancelMXOutOfStock';
export const DAMAGED = 'STSProductReceivedDamagedInterior';
export const REFUSED = 'CancelMXCreditCustomerRefusal';
export const BROKEN = 'CancelInventoryDiscrepancy';
export const BY_CUSTOMER = 'CancelCustomerInitiated';

/** Returns the path of an operation on an order. */
export const orderPath = (id: string, what: string) => `${OWN}/stores/${STORE_ID}/fulfillmentOrders/${id}/${what}`;
