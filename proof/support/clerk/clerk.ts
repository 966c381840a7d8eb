/**
 * One of the clients of a mixed load. A clerk records its acknowledged writes: the expected state of every resource
 * that it created. For a request without a response, the clerk also records the state that the request would cause.
 * `moves.ts` lists the requests of clerks.
 */
import type { Agent } from 'node:http';
import type { Booked, WholeAs } from '../../../src/kernel/arrivals/sums.ts';
import { type Answer, oneConnection, type Request, send } from '../../../town/service-process.ts';
import type { Credential } from '../../../town/small-town.ts';
import { NOTHING, type Order, type Ticket, type World } from '../world.ts';

/** A request, with its effect if the service carries it out. */
export interface Sent {
  id: string;
  request: Request;
  keyed: boolean;
  effect: World;
  /** Number of events that the request records. */
  events: number;
  /** The expected error status; undefined for a 2xx. */
  expects: number | undefined;
  /** Stores values that only the response has. Returns an error of the response. */
  learn: ((text: string) => string | undefined) | undefined;
}

/** The parts of a request. The defaults are no effect, no event and a 2xx response. */
export interface Wish {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: unknown;
  effect?: World;
  events?: number;
  expects?: number;
  learn?: (text: string) => string | undefined;
}

/** Returns a request that the clerk can send now; undefined if no resource of the clerk fits. */
export type Move = (clerk: Clerk) => Sent | undefined;

/** The moves of a clerk, with the relative frequency of each. */
export type Moves = readonly (readonly [weight: number, move: Move])[];

/** The work of a clerk: its first request, then random moves by their weights. */
export interface Duties {
  first: (clerk: Clerk) => Sent;
  moves: Moves;
}

/** A change that the scheduler will make when it is due. The change must be stored completely or not at all. */
export interface Due {
  kind: 'lease' | 'expiry' | 'blanking';
  effect: World;
}

export interface TicketItem {
  id: number;
  itemId: string;
  quantity: number;
}

/** The data of a receipt of one carton, so that the clerk can send it again. */
export interface Receipt {
  number: string;
  receiptId: string;
  index: number;
  /**
   * Either `as` or `units` is set: `as` for a scan of the whole carton, `units` for a count. A correction has negative
   * units.
   */
  as?: WholeAs;
  units?: Booked;
  to: 'SHELF' | 'STAGE';
  corrects?: string;
}

/** The data of a receipt of goods without papers, so that the clerk can send it again. */
export interface BlindReceipt {
  number: string;
  receiptId: string;
  index: number;
  units: Booked;
  to: 'SHELF' | 'STAGE';
}

export class Clerk {
  readonly name: string;
  /** The acknowledged state of the clerk's resources. */
  readonly world: World = new Map();
  /** Requests that the service has carried out, by request id. */
  readonly carriedOut = new Map<string, Sent>();
  /**
   * The ids in the response of each request with a key, by request id. A request whose response was lost has no entry.
   */
  readonly shown = new Map<string, ReadonlySet<string>>();
  /** Due changes with an unknown outcome. The clerk does not use their resources. */
  readonly due = new Set<Due>();
  /** The request without a response, or with an unknown outcome. */
  open: Sent | undefined;
  /** Items of each ticket, from responses. A ticket whose response was lost has no entry. */
  readonly ticketItems = new Map<string, TicketItem[]>();
  /** Position up to which the clerk has read the feed; undefined before the first read. */
  heardUpTo: number | undefined;
  /** Ids of re-source requests and of reverse tickets by order, from the feed. */
  readonly requestIds = new Map<string, string[]>();
  readonly reverseIds = new Map<string, string[]>();
  /** The last hand-over, so that the clerk can send it again. */
  lastHandOver: { order: string; wish: Pick<Wish, 'method' | 'path' | 'body'> } | undefined;
  /**
   * The last receipt of a shipment, the last receipt of goods without papers, and the last stock move, so that the
   * clerk can send them again.
   */
  lastReceipt: Receipt | undefined;
  lastBlind: BlindReceipt | undefined;
  lastMove: { sentId: string; body: unknown } | undefined;
  /** Ids of returns and of their refunds by return number, from responses. */
  readonly returnIds = new Map<string, { returnId: string; refundIds: string[] }>();
  /** Revisions of items, and waiting counts by item. When an item moves, both of its entries are removed. */
  readonly revisions = new Map<string, number>();
  readonly toApprove = new Map<string, string>();
  /** Address to which the service sends the clerk's webhooks. */
  readonly receiver: string;
  readonly #credential: Credential;
  readonly #random: () => number;
  readonly #duties: Duties;
  #agent: Agent = oneConnection();
  #count = 0;

  constructor(name: string, credential: Credential, random: () => number, receiver: string, duties: Duties) {
    this.name = name;
    this.#credential = credential;
    this.#random = random;
    this.receiver = receiver;
    this.#duties = duties;
  }

  /** Returns the next random request. The first request finds the end of the feed. */
  next(): Sent {
    if (this.heardUpTo === undefined) return this.#duties.first(this);
    for (;;) {
      const sent = this.#draw()(this);
      if (sent !== undefined) return sent;
    }
  }

  #draw(): Move {
    const { moves } = this.#duties;
    let left = this.#random() * moves.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, move] of moves) {
      if (left < weight) return move;
      left -= weight;
    }
    return moves[0]![1];
  }

  /** Sends the request. Returns undefined if there is no response. */
  async send(base: string, sent: Sent, timeoutMs?: number): Promise<Answer | undefined> {
    const answer = await send(base, sent.request, {
      agent: this.#agent,
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    return answer;
  }

  /** Replaces the connection, after the service was restarted. */
  reconnect(): void {
    this.#agent.destroy();
    this.#agent = oneConnection();
  }

  /**
   * Records that the service has carried out the request. From now on, the judge expects its effect in the database.
   * Returns what is wrong with the response; undefined if the response is right.
   */
  settle(sent: Sent, answer?: Answer): string | undefined {
    for (const [name, state] of sent.effect) this.world.set(name, state);
    this.carriedOut.set(sent.id, sent);
    if (sent.keyed && answer !== undefined) this.shown.set(sent.id, this.#idsIn(answer.text));
    return answer === undefined ? undefined : sent.learn?.(answer.text);
  }

  /** Returns the ids of this clerk in a text. All of them begin with the name of the clerk. */
  #idsIn(text: string): ReadonlySet<string> {
    return new Set([...text.matchAll(/"([^"\\]+)"/g)].map(([, id]) => id!).filter((id) => id.startsWith(this.name)));
  }

  /** Records that a due change has happened. */
  came(due: Due): void {
    for (const [name, state] of due.effect) this.world.set(name, state);
    this.due.delete(due);
  }

  /** Makes a request with a new id. Half of the writes have an Idempotency-Key. */
  sent({ method, path, body, effect = NOTHING, events = 0, expects, learn }: Wish): Sent {
    const id = `${this.name}-${++this.#count}`;
    const keyed = method !== 'GET' && expects === undefined && this.chance(0.5);
    const headers = {
      ...this.#credential,
      'x-request-id': id,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(keyed && { 'idempotency-key': id }),
    };
    const request = { method, path, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return { id, request, keyed, effect, events, expects, learn };
  }

  /**
   * Returns an id that the clerk has not used yet. The id changes with the next request (`sent`), so two calls before
   * this request need different suffixes.
   */
  newId(suffix = ''): string {
    return `${this.name}-${this.#count + 1}${suffix}`;
  }

  below(most: number): number {
    return Math.floor(this.#random() * most);
  }

  chance(of: number): boolean {
    return this.#random() < of;
  }

  pick<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)];
  }

  /** Returns the resources of a kind that meet the condition, except those that a due change may affect. */
  all<T>(kind: string, isWanted: (state: T, id: string) => boolean): [id: string, state: T][] {
    const busy = new Set([...this.due].flatMap(({ effect }) => [...effect.keys()]));
    const found: [string, T][] = [];
    for (const [name, state] of this.world) {
      if (state === null || !name.startsWith(`${kind}:`) || busy.has(name)) continue;
      const id = name.slice(kind.length + 1);
      if (isWanted(state as T, id)) found.push([id, state as T]);
    }
    return found;
  }

  orders(isWanted: (order: Order) => boolean): [id: string, order: Order][] {
    return this.all<Order>('order', isWanted);
  }

  tickets(isWanted: (ticket: Ticket) => boolean): [id: string, ticket: Ticket][] {
    return this.all<Ticket>('ticket', isWanted);
  }

  order(id: string): Order {
    return this.world.get(`order:${id}`) as Order;
  }
}
