/**
 * The requests of load measurements: orders with two lines. All requests are of one kind, because the high throughput
 * of cheap requests would hide rejected orders.
 */
import { townOrderBodies, townOrders } from '../src/service/demo/orders.ts';
import type { Credential } from './small-town.ts';

/** The store and node where the orders are picked. */
export const WHERE = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001' };
export const QUEUE = 'WAITING_FOR_PICK_ISPU';

const SKUS = ['TEE-RED-M', 'MUG-WHT', 'UMBR-NAV', 'SOAP-LAV', 'MATCH-100'];

export class Requests {
  readonly #headers: string;
  readonly #name: string;
  readonly #random: () => number;
  readonly #pattern: Record<string, unknown>;
  #count = 0;

  /** `name` must be unique within a database. `now` is the time of the service. */
  constructor(credential: Credential, name: string, random: () => number, now = Date.now()) {
    const lines = Object.entries({ host: 'localhost', ...credential }).map(
      ([header, value]) => `${header}: ${value}\r\n`,
    );
    this.#headers = lines.join('');
    this.#name = name;
    this.#random = random;
    const bodies = townOrderBodies(now)['TOWN_US'] as Record<string, unknown>[];
    this.#pattern = bodies.find((body) => body['fulfillmentOrderId'] === townOrders.waiting)!;
  }

  /** Returns the bytes of the next request, with one order or an array of `orders` orders. */
  next(orders = 1): string {
    const body = JSON.stringify(orders === 1 ? this.order() : Array.from({ length: orders }, () => this.order()));
    return (
      `POST /operator/v1/stores/TOWN_US/fulfillmentOrders HTTP/1.1\r\n${this.#headers}content-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    );
  }

  /** Returns the body of the next order. */
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
    return { ...this.#pattern, fulfillmentOrderId: id, omsOrderId: id, webOrderId: id, lines };
  }

  #sku(): string {
    return SKUS[Math.floor(this.#random() * SKUS.length)]!;
  }
}
