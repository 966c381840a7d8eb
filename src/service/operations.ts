/**
 * The route table, grouped by job. The router, the OpenAPI document, the typed client and the coverage tests are made
 * from it.
 */

import { listAccessEvents, listAllAccessEvents } from '../access/list.ts';
import { accessSchemas } from '../access/schema.ts';
import { alertSchemas } from '../alerts/schema.ts';
import { searchFulfillmentAlerts } from '../alerts/search.ts';
import { confirmCheckIn } from '../checkin/confirm.ts';
import { readCheckIn } from '../checkin/details.ts';
import { checkinSchemas } from '../checkin/schema.ts';
import { listEvents } from '../events/feed.ts';
import { EventPage, FeedEvent } from '../events/schema.ts';
import { confirmCustomerPickup } from '../handover/confirm.ts';
import { deliverFulfillmentOrder } from '../handover/deliver.ts';
import { deliverySchemas } from '../handover/delivery-schema.ts';
import { readCustomerPickup } from '../handover/details.ts';
import { pickupSchemas } from '../handover/schema.ts';
import { unlockPin } from '../handover/unlock-pin.ts';
import { deleteItem } from '../items/delete.ts';
import { ItemHistory, ItemHistoryEntry, readItemHistory } from '../items/history.ts';
import { ItemPage, ListedItem, listItems } from '../items/list.ts';
import { putItem } from '../items/put.ts';
import { readItem } from '../items/read.ts';
import { itemSchemas } from '../items/schema.ts';
import { UploadResult, uploadItems } from '../items/upload.ts';
import { searchQueue } from '../orders/by-queue.ts';
import { cancelFulfillmentOrder } from '../orders/cancel.ts';
import { cancelSchemas } from '../orders/cancel-schema.ts';
import { changeFulfillmentOrder } from '../orders/change.ts';
import { changeSchemas } from '../orders/change-schema.ts';
import { OrderHistory, OrderHistoryEvent, readOrderHistory } from '../orders/history.ts';
import { createFulfillmentOrders } from '../orders/intake.ts';
import { intakeSchemas } from '../orders/intake-schema.ts';
import { moveFulfillmentOrder } from '../orders/move.ts';
import { readFulfillmentOrder } from '../orders/read.ts';
import { OrderDetails } from '../orders/read-schema.ts';
import { searchFulfillmentOrders } from '../orders/search.ts';
import { searchSchemas } from '../orders/search-schema.ts';
import { readPackDetails } from '../packing/details.ts';
import { generatePackSlip } from '../packing/generate.ts';
import { packageSchemas } from '../packing/package-schema.ts';
import { packingSchemas } from '../packing/schema.ts';
import { updatePackages } from '../packing/update.ts';
import { createDeviceCode, enrollDevice, listDevices, revokeDevice, unlockDevice } from '../people/enroll.ts';
import { endUserSessions, giveBadge, givePin } from '../people/givers.ts';
import { listSignInProviders } from '../people/list-providers.ts';
import { lockSession } from '../people/lock.ts';
import { changePassword, changePin, changePreferences } from '../people/own.ts';
import { deletePasskey, listPasskeys } from '../people/passkeys/own.ts';
import { addPasskey, registerPasskey } from '../people/passkeys/register.ts';
import { passkeySchemas } from '../people/passkeys/schema.ts';
import { challengePasskey, signInWithPasskey } from '../people/passkeys/sign-in.ts';
import { deletePerson, getPerson, listPeople } from '../people/people.ts';
import { putPerson } from '../people/put-person.ts';
import { readSession } from '../people/read-session.ts';
import { peopleSchemas } from '../people/schema.ts';
import { signIn } from '../people/sign-in.ts';
import { signOut } from '../people/sign-out.ts';
import { unlockSession } from '../people/unlock.ts';
import { correctPickTicket } from '../picking/correct.ts';
import { generatePickTicket } from '../picking/generate.ts';
import { openPickTicket } from '../picking/open.ts';
import { savePickProgress } from '../picking/progress.ts';
import { pickingSchemas } from '../picking/schema.ts';
import { searchPickTickets } from '../picking/search.ts';
import { takeOverPickTicket } from '../picking/take-over.ts';
import { ticketSchemas } from '../picking/ticket-schema.ts';
import { updatePickTicket } from '../picking/update.ts';
import { isOperation, type Job, type Operation } from '../platform/http/operation.ts';
import type { TSchema } from '../platform/schema.ts';
import { createCredential } from '../provisioning/create-credential.ts';
import { deleteIdentityProvider } from '../provisioning/delete-identity-provider.ts';
import { getClient } from '../provisioning/get-client.ts';
import { getCredential } from '../provisioning/get-credential.ts';
import { getIdentityProvider } from '../provisioning/get-identity-provider.ts';
import { getNode } from '../provisioning/get-node.ts';
import { getNodeItem } from '../provisioning/get-node-item.ts';
import { getStore } from '../provisioning/get-store.ts';
import { getUser } from '../provisioning/get-user.ts';
import { listClients } from '../provisioning/list-clients.ts';
import { listCredentials } from '../provisioning/list-credentials.ts';
import { listIdentityProviders } from '../provisioning/list-identity-providers.ts';
import { listNodes } from '../provisioning/list-nodes.ts';
import { listStores } from '../provisioning/list-stores.ts';
import { listUsers } from '../provisioning/list-users.ts';
import { readMe } from '../provisioning/me.ts';
import { getPrinters, printerSchemas, putPrinters } from '../provisioning/printers.ts';
import { putClient } from '../provisioning/put-client.ts';
import { putIdentityProvider } from '../provisioning/put-identity-provider.ts';
import { putNode } from '../provisioning/put-node.ts';
import { putNodeItem } from '../provisioning/put-node-item.ts';
import { putStore } from '../provisioning/put-store.ts';
import { putUser } from '../provisioning/put-user.ts';
import { revokeCredential } from '../provisioning/revoke-credential.ts';
import { provisioningSchemas } from '../provisioning/schema.ts';
import { readWorkSettings } from '../provisioning/work-settings.ts';
import { approveInbound } from '../receiving/approve.ts';
import { arriveInbound } from '../receiving/arrive.ts';
import { openBlindInbound } from '../receiving/blind.ts';
import { closeInbound } from '../receiving/close.ts';
import { listInbound } from '../receiving/list.ts';
import { matchInbound } from '../receiving/match.ts';
import { readInbound } from '../receiving/read.ts';
import { receiptSchemas } from '../receiving/receipt-schema.ts';
import { receiveInbound } from '../receiving/receive.ts';
import { reopenInbound } from '../receiving/reopen.ts';
import { receivingSchemas } from '../receiving/schema.ts';
import { readNodeInbound } from '../receiving/show.ts';
import { transmitInbound } from '../receiving/transmit.ts';
import { voidInbound } from '../receiving/void.ts';
import { listNodeInbound } from '../receiving/worklist.ts';
import { extrasSchemas } from '../shared/extras.ts';
import { answerResourceRequest } from '../sourcing/answer.ts';
import { declineOrderUnits } from '../sourcing/decline-order.ts';
import { declineOrders } from '../sourcing/decline-orders.ts';
import { listResourceRequests } from '../sourcing/list.ts';
import { listNodeItemHolds } from '../sourcing/list-holds.ts';
import { readResourceRequest } from '../sourcing/read.ts';
import { releaseNodeItem } from '../sourcing/release.ts';
import { sourcingSchemas } from '../sourcing/schema.ts';
import { approveCount } from '../stock/approve-count.ts';
import { listStockOfItem } from '../stock/by-node.ts';
import { countStock } from '../stock/count.ts';
import { listStock } from '../stock/list.ts';
import { listCounts } from '../stock/list-counts.ts';
import { moveStock } from '../stock/move.ts';
import { listStockMoves } from '../stock/moves-of-item.ts';
import { stockSchemas } from '../stock/schema.ts';
import { listStockTransactions } from '../stock/transactions.ts';
import { listWantedCounts } from '../stock/wanted.ts';
import { deleteWebhook } from '../webhooks/delete.ts';
import { listWebhookDeliveries } from '../webhooks/deliveries.ts';
import { getWebhook } from '../webhooks/get.ts';
import { listWebhooks } from '../webhooks/list.ts';
import { putWebhook } from '../webhooks/put.ts';
import { replayWebhook } from '../webhooks/replay.ts';
import { rotateWebhookSecret } from '../webhooks/rotate.ts';
import { webhookSchemas } from '../webhooks/schema.ts';
import { readBoards } from '../work/boards.ts';
import { boardsSchemas } from '../work/boards-schema.ts';
import { printLabels, printSchemas } from '../work/print.ts';
import { readNodeWork } from '../work/read.ts';
import { scanCode } from '../work/scan.ts';
import { scanSchemas } from '../work/scan-schema.ts';
import { workSchemas } from '../work/schema.ts';
import { advanceClock } from './sandbox/advance-clock.ts';
import { readClock } from './sandbox/read-clock.ts';
import { sandboxSchemas } from './sandbox/schema.ts';
import { endTraining } from './training/end.ts';
import { startTraining } from './training/start.ts';

/** Named schemas, in the order of the document. */
export const schemas: readonly TSchema[] = [
  ...itemSchemas,
  UploadResult,
  ItemHistory,
  ItemHistoryEntry,
  ...provisioningSchemas,
  ...receivingSchemas,
  ...receiptSchemas,
  ...extrasSchemas,
  ...intakeSchemas,
  ...searchSchemas,
  OrderDetails,
  ...cancelSchemas,
  ...changeSchemas,
  ...pickingSchemas,
  ...ticketSchemas,
  ...packingSchemas,
  ...packageSchemas,
  ...pickupSchemas,
  ...deliverySchemas,
  ...checkinSchemas,
  ...alertSchemas,
  ...sandboxSchemas,
  ...sourcingSchemas,
  ...accessSchemas,
  OrderHistory,
  OrderHistoryEvent,
  ...workSchemas,
  ...peopleSchemas,
  ...passkeySchemas,
  ...scanSchemas,
  ...stockSchemas,
  ...boardsSchemas,
  ...printerSchemas,
  ...printSchemas,
  ListedItem,
  ItemPage,
  FeedEvent,
  EventPage,
  ...webhookSchemas,
];

/** Jobs of a reader, each before its operations, as the document has them. */
export const contents: readonly (Job | Operation)[] = [
  { name: 'Items', description: 'The item master: read, write, upload and delete items; who changed what.' },
  readItem,
  deleteItem,
  putItem,
  uploadItems,
  listItems,
  readItemHistory,
  {
    name: 'Inbound shipments',
    description: 'What arrives at a warehouse: transmit an ASN or a purchase order, read it, void a wrong one.',
  },
  transmitInbound,
  readInbound,
  listInbound,
  voidInbound,
  {
    name: 'Goods in',
    description:
      'Receive what arrives at a node, by carton, by item or without papers; correct it, close it with a statement, decide what is held.',
  },
  listNodeInbound,
  readNodeInbound,
  arriveInbound,
  receiveInbound,
  openBlindInbound,
  matchInbound,
  closeInbound,
  reopenInbound,
  approveInbound,
  {
    name: 'Orders',
    description:
      'Take in fulfillment orders, read where each unit is, change them, move their goods, cancel for the customer or decline for the node.',
  },
  createFulfillmentOrders,
  readFulfillmentOrder,
  readOrderHistory,
  changeFulfillmentOrder,
  moveFulfillmentOrder,
  cancelFulfillmentOrder,
  declineOrders,
  { name: 'Re-source requests', description: 'Units that a node could not give: say which node serves them instead.' },
  listResourceRequests,
  readResourceRequest,
  answerResourceRequest,
  { name: 'Events', description: 'The feed of everything that happened to a client, in order and without gaps.' },
  listEvents,
  {
    name: 'Webhooks',
    description: 'Have events sent to you: subscriptions, their secrets, and what became of each delivery.',
  },
  putWebhook,
  getWebhook,
  listWebhooks,
  deleteWebhook,
  rotateWebhookSecret,
  replayWebhook,
  listWebhookDeliveries,
  { name: 'Work at a node', description: 'For people: what there is to do, what a code means, numbers of a day.' },
  readNodeWork,
  scanCode,
  readBoards,
  printLabels,
  {
    name: 'Stock',
    description: 'What nodes that keep stock have of each item: levels, the ledger behind them, counts and moves.',
  },
  listStock,
  listStockMoves,
  listStockOfItem,
  listStockTransactions,
  moveStock,
  countStock,
  approveCount,
  listCounts,
  listWantedCounts,
  { name: 'Order search', description: 'Find the orders of a queue, or of a node in any state.' },
  searchQueue,
  searchFulfillmentOrders,
  { name: 'Picking', description: 'Pick tickets: generate, find, open, scan, take over, confirm or reset.' },
  generatePickTicket,
  updatePickTicket,
  searchPickTickets,
  openPickTicket,
  savePickProgress,
  takeOverPickTicket,
  correctPickTicket,
  { name: 'Packing', description: 'Pack picked orders: pack slip, packages, units that turn out broken.' },
  generatePackSlip,
  readPackDetails,
  updatePackages,
  declineOrderUnits,
  { name: 'Customer pickup', description: 'Hand a ready order over to its customer, with or without a PIN.' },
  readCustomerPickup,
  confirmCustomerPickup,
  unlockPin,
  { name: 'Delivery', description: 'An associate brings an order to its customer.' },
  deliverFulfillmentOrder,
  { name: 'Check-in', description: 'Packages of ship-to-store orders that arrive at the store.' },
  readCheckIn,
  confirmCheckIn,
  { name: 'Alerts', description: 'Steps of orders that are approaching their time or past it.' },
  searchFulfillmentAlerts,
  {
    name: 'Clients, stores and nodes',
    description: 'Set up a client, its web stores, and its nodes (physical stores and warehouses).',
  },
  putClient,
  getClient,
  listClients,
  putStore,
  getStore,
  listStores,
  putNode,
  getNode,
  listNodes,
  readWorkSettings,
  putPrinters,
  getPrinters,
  { name: 'Node items', description: 'What a node knows of an item: price, place, stock, and whether it is held.' },
  putNodeItem,
  getNodeItem,
  listNodeItemHolds,
  releaseNodeItem,
  {
    name: 'Sessions',
    description: 'People sign in. A session is a credential for every operation that its person’s role allows.',
  },
  signIn,
  readSession,
  signOut,
  listSignInProviders,
  challengePasskey,
  signInWithPasskey,
  registerPasskey,
  addPasskey,
  listPasskeys,
  deletePasskey,
  lockSession,
  unlockSession,
  changePassword,
  changePin,
  changePreferences,
  enrollDevice,
  startTraining,
  endTraining,
  { name: 'Credentials and users', description: 'Who may call, and who may use the console.' },
  readMe,
  listAccessEvents,
  listAllAccessEvents,
  createCredential,
  getCredential,
  listCredentials,
  revokeCredential,
  putUser,
  getUser,
  listUsers,
  givePin,
  giveBadge,
  endUserSessions,
  createDeviceCode,
  listDevices,
  revokeDevice,
  unlockDevice,
  putPerson,
  getPerson,
  listPeople,
  deletePerson,
  putIdentityProvider,
  getIdentityProvider,
  listIdentityProviders,
  deleteIdentityProvider,
  { name: 'Sandbox', description: 'The clock of a sandbox, which stands still until it is moved.' },
  readClock,
  advanceClock,
];

export const operations: readonly Operation[] = contents.filter(isOperation);
