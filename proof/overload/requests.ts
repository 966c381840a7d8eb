/** What the flood consists of: orders of two lines. Cheap requests among them would make up for those that are refused. */
import { townOrderBodies, townOrders } from '../../src/service/demo/orders.ts';
import type { Credential } from '../support/town.ts';

export const NODE = '/stores/TOWN_US/nodes/TOWN-Store001';
export const WHERE = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001' };

const SKUS = ['TEE-RED-M', 'MUG-WHT', 'UMBR-NAV', 'SOAP-LAV', 'MATCH-100'];
const bodies = townOrderBodies(Date.now())['TOWN_US'] as Record<string, unknown>[];
const pattern = bodies.find((body) => body['fulfillmentOrderId'] === townOrders.waiting)!;

export class Requests {
  readonly #headers: string;
  readonly #name: string;
  readonly #random: () => number;
  #count = 0;

  /** `name` is never used twice on one database. */
  constructor(credential: Credential, name: string, random: () => number) {
    const lines = Object.entries({ host: 'backroom', ...credential }).map(
      ([header, value]) => `${header}: ${value}\r\n`,
    );
    this.#headers = lines.join('');
    this.#name = name;
    this.#random = random;
  }

  /** The bytes of the next request, which brings one order, or an array of `orders`. */
  next(orders = 1): string {
    const body = JSON.stringify(orders === 1 ? this.order() : Array.from({ length: orders }, () => this.order()));
    return (
      `POST /operator/v1/stores/TOWN_US/fulfillmentOrders HTTP/1.1\r\n${this.#headers}content-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    );
  }

  /** The body of the next order. */
  order(): Record<string, unknown> {
    this.#count += 1;
    const skus = [this.#sku(), this.#sku()];
    const id = `${this.#name}-${this.#count}`;
    const lines = skus.map((sku, index) => ({
      webLineId: String(index + 1),
      itemId: `21-${sku}`,
      quantity: 2,
      unitPrice: 9.5,
    }));
    return { ...pattern, fulfillmentOrderId: id, omsOrderId: id, webOrderId: id, lines };
  }

  #sku(): string {
    return SKUS[Math.floor(this.#random() * SKUS.length)]!;
  }
}

interface Ticket {
  pickTicketId: string;
  pickTicketItems: { id: number; itemDetails: { itemId: string }; quantity: number }[];
}

/** The body that generates a ticket of orders for pickup. */
export function ticketOf(fulfillmentOrderIds: readonly string[]): Record<string, unknown> {
  const queueId = 'WAITING_FOR_PICK_ISPU';
  return { ...WHERE, userId: 'capacity', modifyAssociateId: 'capacity', queueId, fulfillmentOrderIds };
}

/** The body that confirms it with all of its units, made of the response. */
export function allPicked(generated: unknown): Record<string, unknown> {
  const [ticket] = (generated as { pickTicketDetails: [Ticket] }).pickTicketDetails;
  const pickTicketItems = ticket.pickTicketItems.map(({ id, itemDetails: { itemId }, quantity }) => ({
    id,
    itemId,
    quantity,
    pickedQuantity: quantity,
    canceledQuantity: 0,
  }));
  const { pickTicketId } = ticket;
  const whole = { pickTicketId, action: 'CONFIRM', ...WHERE, userId: 'capacity', holdLocation: 'A1', pickTicketItems };
  return { modifyAssociateId: 'capacity', pickTicketDetails: whole };
}
