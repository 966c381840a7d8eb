/**
 * Simulates a store through the API, day by day: orders with every outcome, receipts of goods, manual moves,
 * credentials, and a reader of the feed.
 */

import { loadConfig } from '../../src/platform/config.ts';
import { createLog } from '../../src/platform/log.ts';
import { seededPorts } from '../../src/platform/ports.ts';
import { openStore, type Store } from '../../src/platform/storage/db.ts';
import { formatDateTime } from '../../src/platform/time.ts';
import { loadTown, type Secrets } from '../../src/service/demo/town.ts';
import { createServer, type Server } from '../../src/service/server.ts';
import { clientHeaders, type Method, operatorHeaders, townCall } from '../../town/call.ts';
import { inject } from '../../town/in-process.ts';
import { OPERATOR_KEY, SECRET } from '../../town/service-process.ts';
import { confirmBody, GENERATE, generateBody, ticketIn, UPDATE } from '../../town/tickets.ts';

type Body = Record<string, unknown>;
interface Answer {
  status: number;
  body: Body;
}

const HOUR_S = 3_600;
const WHERE = { storeId: 'TOWN_US', nodeId: 'TOWN-Store001' };
const STORE = '/operator/v1/stores/TOWN_US';
const NODE = '/stores/TOWN_US/nodes/TOWN-Store001';
const CLIENT = '/operator/v1/clients/TOWN';
const DC = `${CLIENT}/nodes/TOWN-DC001`;
const QUEUE = { STORE_PICK_UP: 'WAITING_FOR_PICK_ISPU', SHIP_TO_HOME: 'WAITING_FOR_PICK_SFS' } as const;
const MUG = '21-MUG-WHT';
const SOAP = '21-SOAP-LAV';

/** The outcomes that orders get in turn. As in a real store, most orders are collected or shipped. */
const FATES = [
  'collected',
  'collected',
  'sent',
  'collected',
  'uncollected',
  'sent',
  'canceled',
  'collected',
  'declined',
  'sent',
] as const;
type Fate = (typeof FATES)[number];

const isSent = (fate: Fate) => fate === 'sent' || fate === 'declined';

/** 2026-01-05, 9:00 in the time zone of the town. */
const START = Date.UTC(2026, 0, 5, 14);

/** The service in this process. Its clock advances only by `POST /operator/v1/sandbox/clock`. */
export class YearStore {
  readonly store: Store;
  readonly #server: Server;
  readonly #clock: { now: number };
  readonly #secrets: Secrets;
  #orders = 0;
  #after = 0;

  private constructor(store: Store, server: Server, clock: { now: number }, secrets: Secrets) {
    this.store = store;
    this.#server = server;
    this.#clock = clock;
    this.#secrets = secrets;
  }

  /** Opens the town on a migrated database. `env` has the settings of the service. */
  static async open(url: string, env: Record<string, string>, seed: number): Promise<YearStore> {
    const clock = { now: START };
    const config = loadConfig({
      DATABASE_URL: url,
      BACKROOM_OPERATOR_KEY: OPERATOR_KEY,
      BACKROOM_SECRET: SECRET,
      ...env,
    });
    const ports = seededPorts(`year ${seed}`, clock, createLog('error'));
    const store = await openStore(url);
    const server = await createServer(config, ports, store, { clock });
    const call = townCall((request) => inject(server, request), OPERATOR_KEY);
    const town = await loadTown(call, { now: clock.now, upTo: 'catalog' });
    const year = new YearStore(store, server, clock, town.credential);
    const nodePath = `${CLIENT}/nodes/TOWN-Store001`;
    const node = await year.operator('GET', nodePath);
    await year.operator('PUT', nodePath, { ...node.body, stock: 'KEPT' });
    return year;
  }

  get now(): number {
    return this.#clock.now;
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  /**
   * Simulates a day with this number of orders, and then advances the clock to the next day. `day` starts at 0. If
   * `waits` is false, every customer collects. Returns the number of events that were read.
   */
  async day(day: number, orders: number, waits: boolean): Promise<number> {
    const made: { id: string; fate: Fate }[] = [];
    for (let index = 0; index < orders; index += 1) {
      const turn = FATES[(day * orders + index) % FATES.length]!;
      const fate = turn === 'uncollected' && !waits ? 'collected' : turn;
      made.push({ id: await this.#takeIn(fate), fate });
    }
    for (const { id, fate } of made) if (fate === 'canceled') await this.#cancel(id);
    await this.#pass(2 * HOUR_S);
    for (const isSentBy of [false, true]) {
      const own = made.filter(({ fate }) => fate !== 'canceled' && isSent(fate) === isSentBy);
      for (let at = 0; at < own.length; at += 10) {
        await this.#pick(own.slice(at, at + 10), isSentBy ? QUEUE.SHIP_TO_HOME : QUEUE.STORE_PICK_UP);
      }
    }
    await this.#receive(day);
    await this.#pass(3 * HOUR_S);
    for (const { id, fate } of made) {
      if (fate === 'collected') await this.#handOver(id);
      if (fate === 'sent') await this.#pack(id);
      if (fate === 'declined') await this.#resource(id);
    }
    await this.#bringBack();
    if (day % 7 === 0) await this.#weekly(day);
    const read = await this.#readFeed();
    await this.#pass(19 * HOUR_S);
    return read;
  }

  /** Sends an operator's request, which must succeed. */
  operator(method: Method, path: string, body?: unknown): Promise<Answer> {
    return this.#ask(method, path, operatorHeaders(OPERATOR_KEY), body);
  }

  #client(method: Method, path: string, body?: unknown): Promise<Answer> {
    return this.#ask(method, path, clientHeaders(this.#secrets), body);
  }

  async #pass(seconds: number): Promise<void> {
    await this.operator('POST', '/operator/v1/sandbox/clock', { advanceBy: seconds });
  }

  async #takeIn(fate: Fate): Promise<string> {
    this.#orders += 1;
    const id = `Y${String(this.#orders).padStart(7, '0')}`;
    const type = isSent(fate) ? 'SHIP_TO_HOME' : 'STORE_PICK_UP';
    const place = {
      destinationId: 'home',
      destinationType: 'SHIPPING_ADDRESS',
      personName: { firstName: 'Pat', lastName: 'Kim' },
      address: { line1: '1 Pier', city: 'Newport', mainDivisionCode: 'RI', postalCode: '02840', countryCode: 'US' },
      phone: '+1 401 555 0199',
      email: 'pat@mail.example',
    };
    await this.#client('POST', `${STORE}/fulfillmentOrders`, {
      fulfillmentOrderId: id,
      omsOrderId: `OMS-${id}`,
      webOrderId: `WEB-${id}`,
      nodeId: WHERE.nodeId,
      fulfillmentType: type,
      orderDate: formatDateTime(this.now),
      currency: 'USD',
      carrier: isSent(fate) ? 'UPS' : '',
      service: isSent(fate) ? 'GROUND' : '',
      customer: { name: 'Pat Kim', email: 'pat@mail.example', phone: '+1 401 555 0199' },
      destinations: [place],
      billToAddress: { destinationId: 'home' },
      shippingAddress: { destinationId: 'home' },
      lines: [
        { webLineId: '1', itemId: SOAP, quantity: 2, unitPrice: 5 },
        { webLineId: '2', itemId: MUG, quantity: 1, unitPrice: 8 },
      ],
    });
    return id;
  }

  async #cancel(id: string): Promise<void> {
    await this.#client('POST', `${STORE}/fulfillmentOrders/${id}/cancel`, { reasonCode: 'CancelCustomerInitiated' });
  }

  /**
   * Picks orders with all units found. Orders with the outcome `declined` have separate tickets, on which no unit is
   * found.
   */
  async #pick(orders: readonly { id: string; fate: Fate }[], queueId: string): Promise<void> {
    for (const isDeclined of [false, true]) {
      const ids = orders.filter(({ fate }) => (fate === 'declined') === isDeclined).map(({ id }) => id);
      if (ids.length === 0) continue;
      const made = await this.#client('POST', NODE + GENERATE, generateBody(WHERE, queueId, ids, 'picker'));
      const found = isDeclined ? () => 0 : undefined;
      await this.#client('PUT', NODE + UPDATE, confirmBody(WHERE, ticketIn(made.body), 'picker', found));
    }
  }

  async #handOver(id: string): Promise<void> {
    const units = [
      ['1', SOAP, 2],
      ['2', MUG, 1],
    ] as const;
    await this.#client('PUT', `${NODE}/customerPickUp/confirm`, {
      modifyAssociateId: 'bo',
      customerPickUpDetails: {
        ...WHERE,
        fulfillmentOrderId: id,
        customerPickUpItems: units.map(([webLineId, itemId, quantity]) => ({
          webLineId,
          itemId,
          customerPickedQuantity: quantity,
          canceledQuantity: 0,
          backroomPickedQuantity: quantity,
        })),
      },
    });
  }

  async #pack(id: string): Promise<void> {
    const inches = { unit: 'IN', value: 4 };
    const pounds = { unit: 'LBS', value: 1 };
    await this.#client('PUT', `/stores/TOWN_US/fulfillmentOrders/${id}/package/update`, {
      modifyAssociateId: 'bo',
      packDetails: {
        ...WHERE,
        fulfillmentOrderId: id,
        packages: [
          {
            action: 'CREATE',
            boxId: '1',
            trackingNumber: `1Z${id}`,
            boxWeight: pounds,
            packingMaterialWeight: pounds,
            length: inches,
            height: inches,
            width: inches,
            packageItems: [
              { itemId: SOAP, webLineId: '1', quantity: 2 },
              { itemId: MUG, webLineId: '2', quantity: 1 },
            ],
          },
        ],
      },
    });
  }

  /** Lets the warehouse serve units that the store declined. Then the customer cancels them. */
  async #resource(id: string): Promise<void> {
    const { body } = await this.#client('GET', `${STORE}/resourceRequests?status=OPEN&limit=500`);
    const request = (body['resourceRequests'] as Body[]).find((one) => one['fulfillmentOrderId'] === id)!;
    const again = `${id}-A`;
    await this.#client('POST', `${STORE}/resourceRequests/${String(request['requestId'])}/answer`, {
      outcome: 'RESOURCE',
      nodeId: 'TOWN-DC001',
      fulfillmentOrderId: again,
    });
    await this.#cancel(again);
  }

  /** Brings uncollected units back to the shelf. */
  async #bringBack(): Promise<void> {
    const tickets = await this.store.read(async (db) => {
      const open = await db
        .selectFrom('pick_tickets')
        .select(['pick_ticket_id', 'hold_location'])
        .where('client_id', '=', 'TOWN')
        .where('pick_ticket_type', '=', 'REVERSE_PICK_TICKET')
        .where('status', '<>', 'CLOSED')
        .execute();
      const items = await db.selectFrom('pick_ticket_items').selectAll().where('client_id', '=', 'TOWN').execute();
      return open.map((ticket) => ({
        ...ticket,
        items: items.filter((item) => item.pick_ticket_id === ticket.pick_ticket_id),
      }));
    });
    for (const { pick_ticket_id: id, hold_location: location, items } of tickets) {
      const pickTicketItems = items.map((item) => ({ ...item, itemDetails: { itemId: item.item_id } }));
      const ticket = { pickTicketId: id, holdLocation: location, pickTicketItems };
      await this.#client('PUT', NODE + UPDATE, confirmBody(WHERE, ticket, 'picker'));
    }
  }

  /** Announces, receives and closes an ASN of the warehouse. */
  async #receive(day: number): Promise<void> {
    const number = `A-${day}`;
    await this.#client('POST', '/poasn-manager-service/sellers/TOWNS/poasn/create', {
      asnData: [
        {
          header: {
            asnNumber: number,
            receivingType: 'A',
            receivingWarehouseId: 'DC001',
            shipmentReceiptDate: formatDateTime(this.now).slice(0, 10),
            orderDate: formatDateTime(this.now - 86_400_000),
            shipperName: 'Fine Goods Ltd',
            storeCode: '988',
          },
          details: {
            detail: ['1', '2'].map((carton) => ({
              asnNumber: number,
              cartonId: `C-${day}-${carton}`,
              clientItemId: 'MUG-WHT',
              itemCost: 12.5,
              receivingWarehouseId: 'DC001',
              shippedQuantity: 24,
              trailerNumber: 'TR-7',
            })),
          },
        },
      ],
    });
    for (const carton of ['1', '2']) {
      const lines = [{ cartonId: `C-${day}-${carton}`, itemId: MUG, good: 24 }];
      await this.#client('POST', `${DC}/inbound/ASN/${number}/receipts`, {
        receiptId: `R-${day}-${carton}`,
        userId: 'ann',
        lines,
      });
    }
    await this.#client('POST', `${DC}/inbound/ASN/${number}/close`, { closeId: `C-${day}`, userId: 'lee' });
  }

  /** Adds units to the shelf by a manual move, and creates and deletes a credential. */
  async #weekly(day: number): Promise<void> {
    await this.#client('POST', `${CLIENT}/nodes/TOWN-Store001/stock/moves`, {
      moveId: `M-${day}`,
      userId: 'leo',
      lines: [SOAP, MUG].map((itemId) => ({ itemId, from: 'COUNT', to: 'SHELF', quantity: 50, reason: 'DELIVERY' })),
    });
    const { body } = await this.operator('POST', `${CLIENT}/credentials`, { label: `Week ${day / 7}` });
    await this.operator('DELETE', `${CLIENT}/credentials/${String(body['credentialId'])}`);
  }

  async #ask(method: Method, path: string, headers: Record<string, string>, body?: unknown): Promise<Answer> {
    const answer = await inject<Body | undefined>(this.#server, { method, path, headers, body });
    if (answer.status >= 300) throw new Error(`${method} ${path} returned ${answer.status}: ${answer.text}`);
    return { status: answer.status, body: answer.body ?? {} };
  }

  /** Reads the feed from the last position. Every position must appear once. */
  async #readFeed(): Promise<number> {
    const began = this.#after;
    for (;;) {
      const { body } = await this.#client('GET', `/operator/v1/events?after=${this.#after}&limit=500`);
      const events = body['events'] as { position: number }[];
      for (const { position } of events) {
        if (position !== this.#after + 1) throw new Error(`event ${position} follows ${this.#after}`);
        this.#after = position;
      }
      if (this.#after === body['head']) return this.#after - began;
    }
  }
}
