/**
 * A small Backroom in memory: one client, store and node, and the rules of the interface and of the decisions written once
 * more, without a database. It says what each command must be answered and what there is to see afterwards.
 */

/** A command is plain data, so a sequence can be kept as a file. Numbers name things of the world. */
export type Command =
  | { do: 'putItem'; sku: number; title: number }
  | { do: 'readItem' | 'deleteItem' | 'itemHistory'; sku: number }
  | { do: 'transmit'; number: number; quantity: number; sku: number }
  | { do: 'readInbound' | 'voidInbound'; number: number }
  | { do: 'listInbound' }
  | { do: 'intake'; order: number; type: OrderType; form: number; lines: { sku: number; quantity: number }[] }
  | { do: 'search' }
  /** `fits`: on the queue of the first order's type, where it is known. */
  | { do: 'generate'; orders: number[]; type: OrderType; fits: boolean }
  | { do: 'confirm'; ticket: number; found: Found }
  | { do: 'reset'; ticket: number }
  | { do: 'packSlip' | 'checkInDetails'; order: number }
  | { do: 'checkIn'; order: number; action: 'UPDATE' | 'CONFIRM'; packages: number[]; short: boolean };

export const ORDER_TYPES = ['STORE_PICK_UP', 'SHIP_TO_HOME', 'SHIP_TO_STORE'] as const;
export type OrderType = (typeof ORDER_TYPES)[number];
export const FOUND = ['all', 'none', 'half'] as const;
export type Found = (typeof FOUND)[number];

export const QUEUE: Record<OrderType, string> = {
  STORE_PICK_UP: 'WAITING_FOR_PICK_ISPU',
  SHIP_TO_HOME: 'WAITING_FOR_PICK_SFS',
  SHIP_TO_STORE: 'WAITING_FOR_CHECKIN_STS',
};

interface Line {
  sku: number;
  ordered: number;
  picked: number;
  declined: number;
}

interface Order {
  content: string;
  type: OrderType;
  status: number;
  lines: Line[];
  ticket: number | undefined;
  /** What was said of each package, one for each line: whether a unit was short. */
  said: (boolean | undefined)[];
}

interface Ticket {
  orders: number[];
  state: 'OPEN' | 'CONFIRMED' | 'RESET';
  /** Units by item, in the order of the items. */
  units: Map<number, number>;
  /** What the CONFIRM said of each item. */
  answers: string;
}

/** What a command must be answered: a status, and what the answer must show. */
export interface Expected {
  status: number;
  shows?: unknown;
}

export class Model {
  readonly #items = new Map<number, { title: number; revision: number }>();
  readonly #inbound = new Map<number, string>();
  readonly #orders = new Map<number, Order>();
  readonly #tickets: Ticket[] = [];

  get tickets(): number {
    return this.#tickets.length;
  }

  /** Units by item of the ticket, in the order of the ticket's items (by item). */
  unitsOf(ticket: number): Map<number, number> {
    return this.#tickets[ticket]!.units;
  }

  typeOf(order: number | undefined): OrderType | undefined {
    return order === undefined ? undefined : this.#orders.get(order)?.type;
  }

  /** Lines of an order, for messages about it. */
  linesOf(order: number): readonly { sku: number; ordered: number }[] {
    return this.#orders.get(order)?.lines ?? [];
  }

  expect(command: Command): Expected {
    switch (command.do) {
      case 'putItem': {
        const before = this.#items.get(command.sku);
        const isSame = before?.title === command.title;
        this.#items.set(command.sku, {
          title: command.title,
          revision: before === undefined ? 1 : before.revision + (isSame ? 0 : 1),
        });
        return { status: before === undefined ? 201 : 200 };
      }
      case 'readItem': {
        const item = this.#items.get(command.sku);
        return item === undefined ? { status: 404 } : { status: 200, shows: `title ${item.title}` };
      }
      case 'deleteItem':
        return { status: this.#items.delete(command.sku) ? 204 : 404 };
      case 'itemHistory':
        return { status: 200, shows: this.#items.has(command.sku) };
      case 'transmit':
        return this.#transmit(command);
      case 'readInbound':
        return { status: this.#inbound.has(command.number) ? 200 : 404 };
      case 'voidInbound':
        return { status: this.#inbound.delete(command.number) ? 204 : 404 };
      case 'listInbound':
        return { status: 200, shows: [...this.#inbound.keys()].sort() };
      case 'intake':
        return this.#intake(command);
      case 'search':
        return { status: 200, shows: this.standings() };
      case 'generate':
        return this.#generate(command);
      case 'confirm':
        return this.#confirm(this.#tickets[command.ticket]!, command.found);
      case 'reset':
        return this.#reset(this.#tickets[command.ticket]!);
      case 'packSlip':
        return this.#packSlip(command.order);
      case 'checkInDetails':
        return this.#checkInDetails(command.order);
      case 'checkIn':
        return this.#checkIn(command);
    }
  }

  /** Id and status of every order, by id. */
  standings(): [order: number, status: number][] {
    return [...this.#orders].map(([id, { status }]): [number, number] => [id, status]).sort((a, b) => a[0] - b[0]);
  }

  /** Every order of a queue: its ticket, and lines and units still to hand on. */
  queue(queueId: string): [order: number, ticket: number | undefined, lines: number, units: number][] {
    return [...this.#orders]
      .filter(([, order]) => queueOf(order) === queueId)
      .sort(([a], [b]) => a - b)
      .map(([id, { ticket, lines }]) => {
        const open = lines.filter((line) => line.ordered > line.declined);
        return [id, ticket, open.length, open.reduce((sum, line) => sum + line.ordered - line.declined, 0)];
      });
  }

  #transmit({ number, quantity, sku }: { number: number; quantity: number; sku: number }): Expected {
    const before = this.#inbound.get(number);
    const content = `${quantity} of ${sku}`;
    // What is stored already is answered as the first time, also when its item has gone since.
    if (before === content) return { status: 200 };
    if (before !== undefined || !this.#items.has(sku)) return { status: 400 };
    this.#inbound.set(number, content);
    return { status: 200 };
  }

  #intake(command: Extract<Command, { do: 'intake' }>): Expected {
    const { order, type, lines } = command;
    const content = JSON.stringify([type, command.form, lines]);
    const before = this.#orders.get(order);
    if (before !== undefined) return { status: before.content === content ? 200 : 409 };
    if (lines.some(({ sku }) => !this.#items.has(sku))) return { status: 400 };
    this.#orders.set(order, {
      content,
      type,
      status: type === 'SHIP_TO_STORE' ? 1300 : 1100,
      lines: lines.map(({ sku, quantity }) => ({ sku, ordered: quantity, picked: 0, declined: 0 })),
      ticket: undefined,
      said: lines.map(() => undefined),
    });
    return { status: 201 };
  }

  #generate({ orders: ids, type }: { orders: readonly number[]; type: OrderType }): Expected {
    const orders = ids.map((id) => this.#orders.get(id));
    const known = orders.filter((order) => order !== undefined);
    const isTwice = new Set(ids).size < ids.length;
    const isMixed = new Set(known.map((order) => order.type)).size > 1;
    const isElsewhere = known.some((order) => order.status < 1200 && queueOf(order) !== QUEUE[type]);
    if (isTwice || known.length < ids.length || isMixed || isElsewhere) return { status: 400 };
    if (known.some((order) => order.status !== 1100)) return { status: 409 };
    const units = new Map<number, number>();
    for (const line of known.flatMap((order) => order.lines)) {
      units.set(line.sku, (units.get(line.sku) ?? 0) + line.ordered);
    }
    for (const order of known) Object.assign(order, { status: 1150, ticket: this.#tickets.length });
    this.#tickets.push({ orders: [...ids], state: 'OPEN', units, answers: '' });
    return { status: 201, shows: [...units].sort(([a], [b]) => a - b) };
  }

  #confirm(ticket: Ticket, found: Found): Expected {
    const picked = new Map([...ticket.units].map(([sku, quantity]) => [sku, unitsFound(found, quantity)]));
    const answers = JSON.stringify([...picked]);
    if (ticket.state === 'CONFIRMED') return { status: ticket.answers === answers ? 204 : 409 };
    if (ticket.state === 'RESET') return { status: 409 };
    Object.assign(ticket, { state: 'CONFIRMED', answers });
    // All orders are equally urgent here, so the id decides: whole orders first, then what is left, line by line.
    const orders = ticket.orders.toSorted((a, b) => a - b).map((id) => this.#orders.get(id)!);
    const waiting = orders.filter((order) => !fill(order, picked, true));
    for (const order of waiting) fill(order, picked, false);
    for (const order of orders) order.status = afterPick(order);
    return { status: 204 };
  }

  #reset(ticket: Ticket): Expected {
    if (ticket.state === 'CONFIRMED') return { status: 409 };
    if (ticket.state === 'OPEN') {
      for (const id of ticket.orders) Object.assign(this.#orders.get(id)!, { status: 1100, ticket: undefined });
      ticket.state = 'RESET';
    }
    return { status: 204 };
  }

  #packSlip(id: number): Expected {
    const order = this.#orders.get(id);
    if (order?.type !== 'SHIP_TO_HOME' || order.status !== 1200) return { status: 400 };
    return { status: 200, shows: order.lines.map(({ picked }) => picked).filter((picked) => picked > 0) };
  }

  #checkInDetails(id: number): Expected {
    const order = this.#orders.get(id);
    if (order === undefined) return { status: 404 };
    if (order.type !== 'SHIP_TO_STORE') return { status: 400 };
    const shows = order.lines.map(({ ordered }, index) => {
      const short = order.said[index];
      return short === undefined ? [0, 0] : [ordered - Number(short), Number(short)];
    });
    return { status: 200, shows };
  }

  #checkIn({ order: id, action, packages, short }: Extract<Command, { do: 'checkIn' }>): Expected {
    const order = this.#orders.get(id);
    if (order?.type !== 'SHIP_TO_STORE' || packages.some((index) => index >= order.lines.length))
      return { status: 400 };
    if (new Set(packages).size < packages.length) return { status: 400 };
    const isClosed = order.status !== 1300;
    if (action === 'UPDATE' && (isClosed || packages.length === 0)) return { status: 400 };
    const said = order.said.map((before, index) => (packages.includes(index) ? short : before));
    if (action === 'CONFIRM') {
      if (said.includes(undefined)) return { status: 400 };
      if (isClosed) return { status: said.every((one, index) => one === order.said[index]) ? 204 : 400 };
    }
    order.said = said;
    if (action === 'UPDATE') return { status: 204 };
    for (const [index, line] of order.lines.entries()) {
      line.declined = Number(said[index]);
      line.picked = line.ordered - line.declined;
    }
    order.status = order.lines.some(({ picked }) => picked > 0) ? 1400 : 9000;
    return { status: 204 };
  }
}

export function unitsFound(found: Found, quantity: number): number {
  return found === 'all' ? quantity : found === 'none' ? 0 : Math.floor(quantity / 2);
}

function queueOf({ type, status }: Order): string | undefined {
  if (status === 1100 || status === 1150 || status === 1300) return QUEUE[type];
  if (status === 1200) return 'WAITING_FOR_PACK_SFS';
  return status === 1400 ? 'WAITING_FOR_CUSTOMER_PICK' : undefined;
}

function afterPick({ type, lines }: Order): number {
  if (lines.every(({ picked }) => picked === 0)) return type === 'SHIP_TO_HOME' ? 9100 : 9000;
  return type === 'SHIP_TO_HOME' ? 1200 : 1400;
}

/** Takes what the order needs from what was found; `whole` takes nothing unless there is all of it. */
function fill({ lines }: Order, found: Map<number, number>, whole: boolean): boolean {
  const left = new Map(found);
  const taken = lines.map(({ sku, ordered }) => {
    const units = Math.min(ordered, left.get(sku) ?? 0);
    left.set(sku, (left.get(sku) ?? 0) - units);
    return units;
  });
  const isFull = taken.every((units, index) => units === lines[index]!.ordered);
  if (whole && !isFull) return false;
  for (const [index, line] of lines.entries()) {
    line.picked = taken[index]!;
    line.declined = line.ordered - taken[index]!;
  }
  for (const [sku, units] of left) found.set(sku, units);
  return true;
}
