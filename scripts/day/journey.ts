/**
 * Plays orders to their end, through the HTTP interface only. A hash of the order's id selects its outcome: canceled
 * early or late, not collected, rejected by the customer, collected in two parts, or broken at packing. The same data
 * therefore gives the same outcome.
 */
import { createHash } from 'node:crypto';
import {
  confirmBody,
  GENERATE,
  generateBody,
  pathOf,
  type Ticket,
  type TicketItem,
  ticketIn,
  UPDATE,
} from '../../town/tickets.ts';
import type { Caller } from './http.ts';

const ASSOCIATE = 'day-associate';
const CUSTOMER_REASON = 'CancelCustomerInitiated';
const TICKET_ORDERS = 10;
const PAGE_SIZE = 500;
/** Every tenth ticket is short. */
const SHORT_EVERY = 10;
/**
 * Number of hash values for the outcome of an order. Each special outcome below has one value; all other orders are
 * fulfilled normally.
 */
const FATES = 40;
/** Number of times that declined units are re-sourced. After that, the owner cancels them. */
const RESOURCES_MAX = 2;

type Fate =
  | 'canceledWaiting'
  | 'canceledPicking'
  | 'canceledPicked'
  | 'notCollected'
  | 'collectedInTwo'
  | 'refused'
  | 'brokenAtPacking'
  | 'straight';

const BY_WAYS: readonly Fate[] = [
  'canceledWaiting',
  'canceledPicking',
  'canceledPicked',
  'notCollected',
  'collectedInTwo',
  'refused',
  'brokenAtPacking',
];

function fateOf(orderId: string): Fate {
  return BY_WAYS[hash(`fate ${orderId}`) % FATES] ?? 'straight';
}

/** Units by outcome, summed from the messages that the day sent. */
export interface Said {
  pickedUp: number;
  shipped: number;
  delivered: number;
  refused: number;
  /** Declined units that were re-sourced to another node as a new order. */
  resourced: number;
}

export interface OrderLine {
  webLineId: string;
  itemId: string;
  orderedQuantity: number;
  openQuantity: number;
  pickedQuantity: number;
  heldQuantity: number;
  declinedQuantity: number;
  canceledQuantity: number;
  cancelingQuantity: number;
  handedOverQuantity: number;
  refusedQuantity: number;
  returnedQuantity: number;
  missingQuantity: number;
  leftQuantity: number;
}

export interface Order {
  fulfillmentOrderId: string;
  nodeId: string;
  fulfillmentType: string;
  status: string;
  queueId?: string;
  lines: OrderLine[];
}

interface ResourceRequest {
  requestId: string;
  fulfillmentOrderId: string;
  excludedNodeIds: string[];
  lines: { quantity: number }[];
}

const wantedOf = (line: OrderLine): number => line.heldQuantity - line.cancelingQuantity;

export class Journey {
  readonly said: Said = { pickedUp: 0, shipped: 0, delivered: 0, refused: 0, resourced: 0 };
  /** All orders: the orders of the intake, and the orders from re-sourcing. */
  readonly orderIds: string[];
  readonly #caller: Caller;
  readonly #storeId: string;
  readonly #nodeIds: readonly string[];
  #tickets = 0;
  /** Orders whose special outcome has happened. From then on they are fulfilled normally. */
  readonly #past = new Set<string>();

  constructor(caller: Caller, storeId: string, nodeIds: readonly string[], orderIds: readonly string[]) {
    this.#caller = caller;
    this.#storeId = storeId;
    this.#nodeIds = nodeIds;
    this.orderIds = [...orderIds];
  }

  /**
   * Processes the queues of these nodes, and of the nodes to which units are re-sourced, until only uncollected orders
   * remain.
   */
  async work(nodeIds: Iterable<string>, onNode: (nodeId: string) => void): Promise<void> {
    for (let nodes = new Set(nodeIds); nodes.size > 0; nodes = await this.#answerRequests()) {
      for (const nodeId of nodes) {
        await this.#workNode(nodeId);
        onNode(nodeId);
      }
    }
  }

  /** Processes the reverse pick tickets of these nodes. */
  async bringBack(nodeIds: Iterable<string>): Promise<void> {
    for (const nodeId of nodeIds) await this.#bringBack(nodeId);
  }

  read(orderId: string): Promise<Order> {
    return this.#caller.send('GET', `/operator/v1/stores/${this.#storeId}/fulfillmentOrders/${orderId}`);
  }

  async #workNode(nodeId: string): Promise<void> {
    for (const queueId of ['WAITING_FOR_PICK_ISPU', 'WAITING_FOR_PICK_SFS', 'WAITING_FOR_PICK_DEL']) {
      for (const orderId of await this.#queue(nodeId, queueId)) await this.#cancelIf(orderId, 'canceledWaiting');
      await this.#pick(nodeId, queueId);
    }
    await this.#checkIn(nodeId, 'WAITING_FOR_CHECKIN_STS');
    await this.#pack(nodeId, 'WAITING_FOR_PACK_SFS');
    await this.#pack(nodeId, 'WAITING_FOR_PACK_DEL');
    await this.#deliver(nodeId);
    await this.#handOver(nodeId);
    await this.#bringBack(nodeId);
  }

  /** Returns all orders on a queue, read page by page. */
  async #queue(nodeId: string, queueId: string): Promise<string[]> {
    const path = `/stores/${this.#storeId}/nodes/${nodeId}/fulfillmentOrders?queueId=${queueId}`;
    const ids: string[] = [];
    for (;;) {
      const lastRecordId = ids.at(-1);
      const body = {
        storeId: this.#storeId,
        nodeId,
        queueId,
        pageSize: PAGE_SIZE,
        ...(lastRecordId && { lastRecordId }),
      };
      const page = await this.#caller.send<{ fulfillmentOrders: { fulfillmentOrderId: string }[] }>('POST', path, body);
      ids.push(...page.fulfillmentOrders.map((order) => order.fulfillmentOrderId));
      if (page.fulfillmentOrders.length < PAGE_SIZE) return ids;
    }
  }

  /** Cancels an order once, if `fate` is its outcome. Returns whether it canceled the order. */
  async #cancelIf(orderId: string, fate: Fate): Promise<boolean> {
    if (fateOf(orderId) !== fate || this.#past.has(orderId)) return false;
    this.#past.add(orderId);
    const path = `/operator/v1/stores/${this.#storeId}/fulfillmentOrders/${orderId}/cancel`;
    await this.#caller.send('POST', path, { reasonCode: CUSTOMER_REASON });
    return true;
  }

  async #pick(nodeId: string, queueId: string): Promise<void> {
    const orders = await this.#queue(nodeId, queueId);
    for (let at = 0; at < orders.length; at += TICKET_ORDERS) {
      const batch = orders.slice(at, at + TICKET_ORDERS);
      const place = { storeId: this.#storeId, nodeId };
      const wish = generateBody(place, queueId, batch, ASSOCIATE);
      const ticket = ticketIn(await this.#caller.send('POST', pathOf(place) + GENERATE, wish));
      for (const orderId of batch) await this.#cancelIf(orderId, 'canceledPicking');
      const isShort = this.#tickets++ % SHORT_EVERY === 0;
      const shortItem = hash(`short ${batch[0]!}`) % ticket.pickTicketItems.length;
      await this.#confirm(nodeId, ticket, isShort ? shortItem : -1);
    }
  }

  /** Confirms a ticket. One unit of the item at the index `shortItem` is reported as not found. */
  async #confirm(nodeId: string, ticket: Ticket, shortItem = -1): Promise<void> {
    const place = { storeId: this.#storeId, nodeId };
    const found = ({ quantity }: TicketItem, index: number) => quantity - (index === shortItem ? 1 : 0);
    await this.#caller.send('PUT', pathOf(place) + UPDATE, confirmBody(place, ticket, ASSOCIATE, found));
  }

  async #checkIn(nodeId: string, queueId: string): Promise<void> {
    for (const orderId of await this.#queue(nodeId, queueId)) {
      await this.#cancelIf(orderId, 'canceledWaiting');
      const path = `/stores/${this.#storeId}/nodes/${nodeId}/fulfillmentOrders/${orderId}/checkin`;
      const { fulfillmentOrder } = await this.#caller.send<{ fulfillmentOrder: { checkInPackages: CheckInPackage[] } }>(
        'GET',
        path,
      );
      const isDamaged = hash(`damaged ${orderId}`) % 8 === 0;
      const checkInPackages = fulfillmentOrder.checkInPackages.map(
        ({ checkInPackageId, checkInPackageItems }, index) => ({
          checkInPackageId,
          checkInPackageItems: checkInPackageItems.map(({ itemId, webLineId, quantity }, at) => {
            const lost = isDamaged && index === 0 && at === 0 ? 1 : 0;
            return {
              itemId,
              webLineId,
              quantity,
              checkInQuantity: quantity - lost,
              checkInCanceledQuantity: lost,
              ...(lost > 0 && { checkInCancellationReasonCode: 'STSProductReceivedDamagedInterior' }),
            };
          }),
        }),
      );
      const place = { storeId: this.#storeId, nodeId, fulfillmentOrderId: orderId };
      await this.#caller.send('POST', path, {
        modifyAssociateId: ASSOCIATE,
        fulfillmentOrder: { action: 'CONFIRM', ...place, holdLocation: 'STAGING', checkInPackages },
      });
    }
  }

  async #pack(nodeId: string, queueId: string): Promise<void> {
    for (const orderId of await this.#queue(nodeId, queueId)) {
      if (await this.#cancelIf(orderId, 'canceledPicked')) continue;
      if (fateOf(orderId) === 'brokenAtPacking' && !this.#past.has(orderId)) await this.#decline(nodeId, orderId);
      const order = await this.read(orderId);
      const lines = order.lines.filter((line) => wantedOf(line) > 0);
      if (order.status !== '1200' || lines.length === 0) continue;
      // An order with several lines is packed in two boxes.
      const boxes = lines.length > 1 ? [lines.slice(0, 1), lines.slice(1)] : [lines];
      const measure = (unit: string, value: number) => ({ unit, value });
      const place = { storeId: this.#storeId, nodeId, fulfillmentOrderId: orderId };
      await this.#caller.send('PUT', `/stores/${this.#storeId}/fulfillmentOrders/${orderId}/package/update`, {
        modifyAssociateId: ASSOCIATE,
        packDetails: {
          ...place,
          packages: boxes.map((box, index) => ({
            action: 'CREATE',
            boxId: String(index + 1),
            trackingNumber: `TRK${orderId}-${index + 1}`,
            boxWeight: measure('LBS', 2.5),
            packingMaterialWeight: measure('LBS', 0.25),
            length: measure('IN', 12),
            height: measure('IN', 6),
            width: measure('IN', 8),
            packageItems: box.map((line) => ({
              itemId: line.itemId,
              webLineId: line.webLineId,
              quantity: wantedOf(line),
            })),
          })),
        },
      });
      if (order.fulfillmentType === 'SHIP_TO_HOME') this.said.shipped += sum(lines, wantedOf);
    }
  }

  /**
   * Declines one unit of the first line that has units for the customer, as if the unit was found broken at packing.
   */
  async #decline(nodeId: string, orderId: string): Promise<void> {
    this.#past.add(orderId);
    const { lines } = await this.read(orderId);
    const line = lines.find((one) => wantedOf(one) > 0);
    if (line === undefined) return;
    await this.#caller.send('POST', `/operator/v1/stores/${this.#storeId}/fulfillmentOrders/${orderId}/decline`, {
      nodeId,
      modifyAssociateId: ASSOCIATE,
      lines: [{ webLineId: line.webLineId, quantity: 1, reasonCode: 'CancelMXPickDecline' }],
    });
  }

  async #deliver(nodeId: string): Promise<void> {
    for (const orderId of await this.#queue(nodeId, 'WAITING_FOR_DELIVERY')) {
      if (await this.#cancelIf(orderId, 'canceledPicked')) continue;
      const { lines } = await this.read(orderId);
      const refuses = fateOf(orderId) === 'refused';
      const answers = lines
        .filter((line) => wantedOf(line) > 0)
        .map((line, index) => {
          const canceledQuantity = refuses && index === 0 ? 1 : 0;
          this.said.refused += canceledQuantity;
          this.said.delivered += wantedOf(line) - canceledQuantity;
          return {
            webLineId: line.webLineId,
            deliveredQuantity: wantedOf(line) - canceledQuantity,
            canceledQuantity,
            ...(canceledQuantity > 0 && { cancellationReasonCode: 'CancelMXCreditCustomerRefusal' }),
          };
        });
      const path = `/operator/v1/stores/${this.#storeId}/fulfillmentOrders/${orderId}/deliver`;
      await this.#caller.send('POST', path, { nodeId, modifyAssociateId: ASSOCIATE, lines: answers });
    }
  }

  async #handOver(nodeId: string): Promise<void> {
    for (const orderId of await this.#queue(nodeId, 'WAITING_FOR_CUSTOMER_PICK')) {
      if (await this.#cancelIf(orderId, 'canceledPicked')) continue;
      const fate = fateOf(orderId);
      if (fate === 'notCollected') continue;
      const { lines } = await this.read(orderId);
      const wanted = lines.filter((line) => wantedOf(line) > 0);
      if (fate === 'collectedInTwo' && wanted.length > 1) {
        await this.#collect(nodeId, orderId, wanted.slice(0, 1), 0, 'first');
        await this.#collect(nodeId, orderId, wanted.slice(1), 0, 'second');
      } else await this.#collect(nodeId, orderId, wanted, fate === 'refused' ? 1 : 0, 'all');
    }
  }

  async #collect(nodeId: string, orderId: string, lines: readonly OrderLine[], refused: number, handOverId: string) {
    const place = { storeId: this.#storeId, nodeId, fulfillmentOrderId: orderId };
    const customerPickUpItems = lines.map((line, index) => {
      const canceledQuantity = index === 0 ? refused : 0;
      this.said.refused += canceledQuantity;
      this.said.pickedUp += wantedOf(line) - canceledQuantity;
      return {
        webLineId: line.webLineId,
        itemId: line.itemId,
        customerPickedQuantity: wantedOf(line) - canceledQuantity,
        canceledQuantity,
        ...(canceledQuantity > 0 && { cancellationReasonCode: 'IPD' }),
        backroomPickedQuantity: line.pickedQuantity,
      };
    });
    await this.#caller.send('PUT', `/stores/${this.#storeId}/nodes/${nodeId}/customerPickUp/confirm`, {
      modifyAssociateId: ASSOCIATE,
      customerPickUpDetails: { ...place, handOverId, customerPickUpItems },
    });
  }

  async #bringBack(nodeId: string): Promise<void> {
    const place = { storeId: this.#storeId, nodeId };
    const base = `/stores/${this.#storeId}/nodes/${nodeId}`;
    for (;;) {
      const { pickTickets } = await this.#caller.send<{ pickTickets: { pickTicketId: string }[] }>(
        'POST',
        `${base}/pickTicket/search`,
        {
          ...place,
          queueId: 'WAITING_FOR_REVERSE_PICK',
          userId: ASSOCIATE,
          pickTicket: { statuses: ['NEW', 'IN_PROGRESS'] },
          pageId: 1,
          pageSize: PAGE_SIZE,
        },
      );
      for (const { pickTicketId } of pickTickets) {
        const { pickTicketDetails } = await this.#caller.send<{ pickTicketDetails: Ticket }>(
          'POST',
          `${base}/pickTickets/${pickTicketId}`,
          { ...place, pickTicketId, userId: ASSOCIATE },
        );
        await this.#confirm(nodeId, pickTicketDetails);
      }
      if (pickTickets.length < PAGE_SIZE) return;
    }
  }

  /**
   * Decides re-source requests: re-sources the units to another node. If no other node is left, or after
   * `RESOURCES_MAX` times, cancels the units. Returns the nodes that got an order.
   */
  async #answerRequests(): Promise<Set<string>> {
    const path = `/operator/v1/stores/${this.#storeId}/resourceRequests`;
    const { resourceRequests } = await this.#caller.send<{ resourceRequests: ResourceRequest[] }>(
      'GET',
      `${path}?status=OPEN&limit=${PAGE_SIZE}`,
    );
    const nodes = new Set<string>();
    for (const { requestId, fulfillmentOrderId, excludedNodeIds, lines } of resourceRequests) {
      const others = this.#nodeIds.filter((nodeId) => !excludedNodeIds.includes(nodeId));
      const nodeId = others[hash(`node ${fulfillmentOrderId}`) % others.length];
      if (nodeId === undefined || excludedNodeIds.length > RESOURCES_MAX) {
        await this.#caller.send('POST', `${path}/${requestId}/answer`, {
          outcome: 'CANCEL',
          reasonCode: 'CancelGeneric',
        });
        continue;
      }
      const newId = `${fulfillmentOrderId}-R${this.orderIds.length}`;
      await this.#caller.send('POST', `${path}/${requestId}/answer`, {
        outcome: 'RESOURCE',
        nodeId,
        fulfillmentOrderId: newId,
      });
      this.orderIds.push(newId);
      this.said.resourced += sum(lines, (line) => line.quantity);
      nodes.add(nodeId);
    }
    return nodes;
  }
}

interface CheckInPackage {
  checkInPackageId: string;
  checkInPackageItems: { itemId: string; webLineId: string; quantity: number }[];
}

export function sum<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((total, one) => total + of(one), 0);
}

function hash(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}
