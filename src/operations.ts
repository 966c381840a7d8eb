/**
 * The route table, grouped by who calls. The router, the OpenAPI document, the typed client and the coverage tests are made
 * from it.
 */

import { confirmCheckIn } from './checkin/confirm.ts';
import { readCheckIn } from './checkin/details.ts';
import { checkinSchemas } from './checkin/schema.ts';
import type { Operation } from './http/operation.ts';
import { deleteItem } from './items/delete.ts';
import { ItemHistory, ItemHistoryEntry, readItemHistory } from './items/history.ts';
import { putItem } from './items/put.ts';
import { readItem } from './items/read.ts';
import { itemSchemas } from './items/schema.ts';
import { UploadResult, uploadItems } from './items/upload.ts';
import { searchQueue } from './orders/by-queue.ts';
import { createFulfillmentOrders } from './orders/intake.ts';
import { intakeSchemas } from './orders/intake-schema.ts';
import { searchFulfillmentOrders } from './orders/search.ts';
import { searchSchemas } from './orders/search-schema.ts';
import { generatePackSlip } from './packing/generate.ts';
import { packingSchemas } from './packing/schema.ts';
import { generatePickTicket } from './picking/generate.ts';
import { pickingSchemas } from './picking/schema.ts';
import { updatePickTicket } from './picking/update.ts';
import { createCredential } from './provisioning/create-credential.ts';
import { getClient } from './provisioning/get-client.ts';
import { getCredential } from './provisioning/get-credential.ts';
import { getNode } from './provisioning/get-node.ts';
import { getNodeItem } from './provisioning/get-node-item.ts';
import { getStore } from './provisioning/get-store.ts';
import { getUser } from './provisioning/get-user.ts';
import { listClients } from './provisioning/list-clients.ts';
import { listCredentials } from './provisioning/list-credentials.ts';
import { listNodes } from './provisioning/list-nodes.ts';
import { listStores } from './provisioning/list-stores.ts';
import { listUsers } from './provisioning/list-users.ts';
import { putClient } from './provisioning/put-client.ts';
import { putNode } from './provisioning/put-node.ts';
import { putNodeItem } from './provisioning/put-node-item.ts';
import { putStore } from './provisioning/put-store.ts';
import { putUser } from './provisioning/put-user.ts';
import { revokeCredential } from './provisioning/revoke-credential.ts';
import { provisioningSchemas } from './provisioning/schema.ts';
import { listInbound } from './receiving/list.ts';
import { readInbound } from './receiving/read.ts';
import { receivingSchemas } from './receiving/schema.ts';
import { transmitInbound } from './receiving/transmit.ts';
import { voidInbound } from './receiving/void.ts';
import type { TSchema } from './schema.ts';

/** Named schemas, in the order of the document. */
export const schemas: readonly TSchema[] = [
  ...itemSchemas,
  UploadResult,
  ItemHistory,
  ItemHistoryEntry,
  ...provisioningSchemas,
  ...receivingSchemas,
  ...intakeSchemas,
  ...searchSchemas,
  ...pickingSchemas,
  ...packingSchemas,
  ...checkinSchemas,
];

export const operations: readonly Operation[] = [
  // Integration engineers of the retailer: item master
  readItem,
  deleteItem,
  putItem,
  uploadItems,
  // Integration engineers of the retailer: inbound shipments
  transmitInbound,
  // Integration engineers of the retailer: order intake
  createFulfillmentOrders,
  // Store associates: fulfillment
  searchQueue,
  searchFulfillmentOrders,
  generatePickTicket,
  updatePickTicket,
  generatePackSlip,
  readCheckIn,
  confirmCheckIn,
  // The operator: provisioning and upkeep
  putClient,
  getClient,
  listClients,
  putStore,
  getStore,
  listStores,
  putNode,
  getNode,
  listNodes,
  putNodeItem,
  getNodeItem,
  createCredential,
  getCredential,
  listCredentials,
  revokeCredential,
  putUser,
  getUser,
  listUsers,
  voidInbound,
  readInbound,
  listInbound,
  readItemHistory,
];
