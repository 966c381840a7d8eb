/**
 * The delivery before a day. The items of the day's orders are announced to the stores in cartons, and received there.
 * Some cartons are short, over, damaged, rejected, counted by pieces, missing or sent to another store. Every second
 * store keeps stock. The kind of a carton depends only on its position in the delivery, so the same data gives the same
 * delivery.
 */
import { sql } from 'kysely';
import type { Store } from '../../src/platform/storage/db.ts';
import type { Caller } from './http.ts';
import { sum } from './journey.ts';

const CLERK = 'day-clerk';
const LEAD = 'day-lead';
/** Number of lines per carton. */
const CARTON_LINES = 3;
/** Number of units in excess of the announced units in a carton of the kind `over`. */
const OVER = 2;
/** Maximum number of entries of a receipt. */
const ENTRIES_MAX = 1000;
/** Maximum number of characters of an item in an inbound line. */
const ITEM_MAX = 15;

/** The kinds of cartons, in the order in which they repeat in the delivery. */
const KINDS = [
  'over',
  'short',
  'elsewhere',
  'damaged',
  'good',
  'missing',
  'good',
  'refused',
  'pieces',
  'good',
] as const;
type Kind = (typeof KINDS)[number];

interface Carton {
  cartonId: string;
  kind: Kind;
  lines: { itemId: string; quantity: number }[];
}

/** A store that receives goods. */
interface Stop {
  nodeId: string;
  asn: string;
  warehouse: string;
  keepsStock: boolean;
  cartons: Carton[];
}

const MEMBERS = ['announced', 'good', 'damaged', 'refused', 'held', 'short', 'over'] as const;
/** Units of statements: `announced + over = good + damaged + refused + held + short`. */
type Received = Record<(typeof MEMBERS)[number], number>;
const NONE: Received = { announced: 0, good: 0, damaged: 0, refused: 0, held: 0, short: 0, over: 0 };

export interface Delivery {
  /** `stores`: number of stores that received goods; `keeping`: ids of the stores that keep stock. */
  stores: number;
  keeping: readonly string[];
  cartons: number;
  /** Sums of all statements. */
  received: Received;
  /** The clerk's sums by node and item (`placeOf`): units on the shelf, and damaged units. */
  shelf: ReadonlyMap<string, number>;
  damaged: ReadonlyMap<string, number>;
  /** One sentence for each statement that does not add up or differs from the delivered cartons. */
  faults: string[];
}

export const placeOf = (nodeId: string, itemId: string) => `${nodeId} ${itemId}`;

export interface DeliveryInput {
  operator: Caller;
  caller: Caller;
  store: Store;
  clientId: string;
  sellerId: string;
  storeCode: string;
  catalogId: string;
  /** Day of the orders, in UTC; undefined: all days. */
  date: string | undefined;
}

/** Announces and receives the units that the day's orders need, store by store. */
export async function deliver(input: DeliveryInput): Promise<Delivery> {
  const stops = stopsOf(await wanted(input), input.catalogId);
  for (const stop of stops) await prepare(input, stop);
  const clerk = new Clerk(input);
  for (const [index, stop] of stops.entries()) {
    // Some cartons of the previous store are sent to this store by mistake.
    const astray = stops.length < 2 ? [] : stops.at(index - 1)!.cartons.filter(({ kind }) => kind === 'elsewhere');
    await clerk.receive(stop, astray);
  }
  return {
    stores: stops.length,
    keeping: stops.filter(({ keepsStock }) => keepsStock).map(({ nodeId }) => nodeId),
    cartons: sum(stops, ({ cartons }) => cartons.length),
    received: clerk.received,
    shelf: clerk.shelf,
    damaged: clerk.damaged,
    faults: clerk.faults,
  };
}

interface Want {
  node: string;
  item: string;
  units: number;
}

/** Returns the units of each item that the day's orders need at each store. */
async function wanted({ store, clientId, date }: DeliveryInput): Promise<Want[]> {
  const from = date === undefined ? 0 : Date.parse(`${date}T00:00:00Z`);
  const to = date === undefined ? Number.MAX_SAFE_INTEGER : from + 86_400_000;
  return store.read(async (db) => {
    const { rows } = await sql<Want>`
      select o.node_id as node, l.item_id as item, cast(sum(l.ordered) as integer) as units
      from fulfillment_orders o
      join order_lines l on l.client_id = o.client_id and l.fulfillment_order_id = o.fulfillment_order_id
      where o.client_id = ${clientId} and o.order_date >= ${from} and o.order_date < ${to}
      group by 1, 2 order by 1, 2`.execute(db);
    return rows;
  });
}

function stopsOf(wants: readonly Want[], catalogId: string): Stop[] {
  const goods = wants.filter(({ item }) => item.length - catalogId.length - 1 <= ITEM_MAX);
  let made = 0;
  return [...Map.groupBy(goods, ({ node }) => node)].map(([nodeId, own], index) => {
    const asn = `DAY-${index + 1}`;
    const cartons: Carton[] = [];
    for (let at = 0; at < own.length; at += CARTON_LINES) {
      const lines = own.slice(at, at + CARTON_LINES).map(({ item, units }) => ({ itemId: item, quantity: units }));
      cartons.push({ cartonId: `${asn}-${cartons.length + 1}`, kind: KINDS[made++ % KINDS.length]!, lines });
    }
    return { nodeId, asn, warehouse: `D${index.toString(36).padStart(3, '0')}`, keepsStock: index % 2 === 0, cartons };
  });
}

/** Gives the store a warehouse id, makes it keep stock if `keepsStock` is true, and announces its shipment. */
async function prepare(input: DeliveryInput, { nodeId, asn, warehouse, keepsStock, cartons }: Stop): Promise<void> {
  const { operator, caller, clientId, sellerId, storeCode, catalogId } = input;
  const path = `/operator/v1/clients/${clientId}/nodes/${nodeId}`;
  const node = await operator.send<object>('GET', path);
  const stock = keepsStock && { stock: 'KEPT' };
  await operator.send('PUT', path, { ...node, receivingWarehouseId: warehouse, ...stock });
  const detail = cartons.flatMap(({ cartonId, lines }) =>
    lines.map(({ itemId, quantity }) => ({
      asnNumber: asn,
      cartonId,
      clientItemId: itemId.slice(catalogId.length + 1),
      itemCost: 1,
      receivingWarehouseId: warehouse,
      shippedQuantity: quantity,
      trailerNumber: 'T-1',
    })),
  );
  const header = {
    asnNumber: asn,
    receivingType: 'A',
    receivingWarehouseId: warehouse,
    shipmentReceiptDate: '2026-03-20',
    shipperName: 'The wholesaler',
    storeCode,
  };
  const body = { asnData: [{ header, details: { detail } }] };
  await caller.send('POST', `/poasn-manager-service/sellers/${sellerId}/poasn/create`, body);
}

interface Line {
  cartonId?: string;
  itemId: string;
  good?: number;
}

/** The clerk who receives all shipments of the day. Counts the units by place. */
class Clerk {
  readonly shelf = new Map<string, number>();
  readonly damaged = new Map<string, number>();
  readonly faults: string[] = [];
  received: Received = NONE;
  readonly #caller: Caller;
  readonly #clientId: string;

  constructor({ caller, clientId }: DeliveryInput) {
    this.#caller = caller;
    this.#clientId = clientId;
  }

  async receive(stop: Stop, astray: readonly Carton[]): Promise<void> {
    const path = `/operator/v1/clients/${this.#clientId}/nodes/${stop.nodeId}/inbound/ASN/${stop.asn}`;
    const send = <T>(what: string, body: object) => this.#caller.send<T>('POST', `${path}/${what}`, body);
    await send('arrive', { userId: CLERK });
    const entries = stop.cartons.flatMap((carton) => this.#entriesOf(stop, carton));
    for (let at = 0; at < entries.length; at += ENTRIES_MAX) {
      const some = entries.slice(at, at + ENTRIES_MAX);
      const cartons = some.flatMap((one) => ('as' in one ? one : []));
      const lines = some.flatMap((one) => ('as' in one ? [] : one));
      const body = { receiptId: `${stop.asn}-${at}`, userId: CLERK, cartons, lines };
      await send('receipts', Object.fromEntries(Object.entries(body).filter(([, of]) => of.length > 0)));
    }
    if (astray.length > 0) {
      const cartons = astray.map(({ cartonId }) => ({ cartonId, as: 'GOOD' }));
      await send('receipts', { receiptId: `${stop.asn}-a`, userId: CLERK, cartons, unannounced: true });
    }
    const held = [
      ...stop.cartons.filter(({ kind }) => kind === 'over').map(overOf),
      ...astray.flatMap(({ cartonId, lines }) =>
        lines.map(({ itemId, quantity }) => ({ cartonId, itemId, good: quantity })),
      ),
    ];
    if (held.length > 0) {
      await send('approve', { approvalId: `${stop.asn}-h`, userId: LEAD, lines: held });
      for (const { itemId, good } of held) this.#put(this.shelf, stop, itemId, good);
    }
    const close = { closeId: `${stop.asn}-c`, userId: LEAD, reasons: [{ reason: 'AS_COUNTED' }] };
    this.#state(stop, astray, await send<Statement>('close', close));
  }

  /** Returns the entries of the receipt for a carton. */
  #entriesOf(stop: Stop, { cartonId, kind, lines }: Carton): ({ cartonId: string; as: string } | Line)[] {
    const put = (places: Map<string, number>) => {
      for (const { itemId, quantity } of lines) this.#put(places, stop, itemId, quantity);
    };
    switch (kind) {
      case 'missing':
      case 'elsewhere':
        return [];
      case 'good':
        put(this.shelf);
        return [{ cartonId, as: 'GOOD' }];
      case 'damaged':
        put(this.damaged);
        return [{ cartonId, as: 'DAMAGED', reason: 'WET' } as { cartonId: string; as: string }];
      case 'refused':
        return [{ cartonId, as: 'REFUSED', reason: 'NOT_ORDERED' } as { cartonId: string; as: string }];
      case 'short': {
        // The first line lacks one unit.
        const counted = lines.map(({ itemId, quantity }, index) => ({
          itemId,
          good: quantity - (index === 0 ? 1 : 0),
        }));
        return this.#counted(stop, cartonId, counted);
      }
      case 'over': {
        // Excess units are held, and placed on the shelf after their approval.
        put(this.shelf);
        return lines.map(({ itemId, quantity }, index) => ({
          cartonId,
          itemId,
          good: quantity + (index === 0 ? OVER : 0),
        }));
      }
      case 'pieces':
        // The clerk counts the units of each line in two parts.
        return lines.flatMap(({ itemId, quantity }) => {
          const first = Math.ceil(quantity / 2);
          return this.#counted(
            stop,
            cartonId,
            [first, quantity - first].map((good) => ({ itemId, good })),
          );
        });
    }
  }

  #counted(stop: Stop, cartonId: string, lines: readonly { itemId: string; good: number }[]): Line[] {
    return lines.flatMap(({ itemId, good }) => {
      if (good === 0) return [];
      this.#put(this.shelf, stop, itemId, good);
      return [{ cartonId, itemId, good }];
    });
  }

  #put(places: Map<string, number>, { nodeId }: Stop, itemId: string, units: number): void {
    const place = placeOf(nodeId, itemId);
    places.set(place, (places.get(place) ?? 0) + units);
  }

  /** Compares a statement with the content of the cartons. */
  #state(stop: Stop, astray: readonly Carton[], { lines, totals }: Statement): void {
    const unitsOf = (cartons: readonly Carton[]) => sum(cartons, (one) => sum(one.lines, ({ quantity }) => quantity));
    const of = (...kinds: Kind[]) => stop.cartons.filter(({ kind }) => kinds.includes(kind));
    const should: Received = {
      announced: unitsOf(stop.cartons),
      good:
        unitsOf(of('good', 'over', 'short', 'pieces')) +
        OVER * of('over').length -
        of('short').length +
        unitsOf(astray),
      damaged: unitsOf(of('damaged')),
      refused: unitsOf(of('refused')),
      held: 0,
      short: unitsOf(of('missing', 'elsewhere')) + of('short').length,
      over: OVER * of('over').length + unitsOf(astray),
    };
    for (const one of [...lines, totals]) {
      const { announced, over, good, damaged, refused, held, short } = one;
      if (announced + over !== good + damaged + refused + held + short) {
        this.faults.push(`statement of ${stop.asn} does not add up: ${JSON.stringify(one)}`);
      }
    }
    for (const member of MEMBERS) {
      if (totals[member] === should[member]) continue;
      this.faults.push(`statement of ${stop.asn}: ${totals[member]} ${member}, but the cartons had ${should[member]}`);
    }
    this.received = Object.fromEntries(
      MEMBERS.map((member) => [member, this.received[member] + totals[member]]),
    ) as Received;
  }
}

interface Statement {
  lines: Received[];
  totals: Received;
}

function overOf({ cartonId, lines: [first] }: Carton) {
  return { cartonId, itemId: first!.itemId, good: OVER };
}
