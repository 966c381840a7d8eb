/**
 * One of the clients of a mixed load. It keeps what the service has acknowledged: what every resource it made must look
 * like, and for a request without an answer how it looks if the request was carried out. What it can ask for stands in
 * `clerk/`, by subject.
 */
import type { Agent } from 'node:http';
import { checkInMoves } from './clerk/check-in.ts';
import { counterMoves } from './clerk/counter.ts';
import { feedMoves, hear } from './clerk/feed.ts';
import { goodsMoves } from './clerk/goods.ts';
import { intakeMoves } from './clerk/intake.ts';
import { ownerMoves } from './clerk/owner.ts';
import { packingMoves } from './clerk/packing.ts';
import { type BlindReceipt, papersMoves } from './clerk/papers.ts';
import { pickingMoves } from './clerk/picking.ts';
import { type Receipt, receivingMoves } from './clerk/receiving.ts';
import { returnsMoves } from './clerk/returns.ts';
import { stockMoves } from './clerk/stock.ts';
import { webhookMoves } from './clerk/webhooks.ts';
import { type Answer, oneConnection, type Request, send } from './process.ts';
import type { Credential } from './town.ts';
import { NOTHING, type Order, type Ticket, type World } from './world.ts';

/** A request with what it does when it is carried out. */
export interface Sent {
  id: string;
  request: Request;
  keyed: boolean;
  effect: World;
  /** Events that it records. */
  events: number;
  /** The status of a refusal that is right; undefined: 2xx. */
  expects: number | undefined;
  /** Takes over what only the answer tells; returns what is wrong with it. */
  learn: ((text: string) => string | undefined) | undefined;
}

/** What a request is made of; left out: no effect, no event, a 2xx. */
export interface Wish {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: unknown;
  effect?: World;
  events?: number;
  expects?: number;
  learn?: (text: string) => string | undefined;
}

/** A request that the clerk could make now; undefined when there is nothing to do it with. */
export type Move = (clerk: Clerk) => Sent | undefined;

/** How often each move is tried. */
export type Moves = readonly (readonly [weight: number, move: Move])[];

/** What every released version can do. */
export const FIRST_MOVES: Moves = [
  ...goodsMoves,
  ...intakeMoves,
  ...checkInMoves,
  ...pickingMoves,
  ...packingMoves,
  ...counterMoves,
  ...returnsMoves,
  ...ownerMoves,
  ...webhookMoves,
  ...feedMoves,
];

const MOVES: Moves = [...FIRST_MOVES, ...receivingMoves, ...papersMoves, ...stockMoves];

/** Something that happens by itself once its time has come, and what it does then, whole or not at all. */
export interface Due {
  kind: 'lease' | 'expiry' | 'blanking';
  effect: World;
}

export interface TicketItem {
  id: number;
  itemId: string;
  quantity: number;
}

export class Clerk {
  readonly name: string;
  /** What is acknowledged. */
  readonly world: World = new Map();
  /** Requests that were carried out, with the number of their events. */
  readonly carriedOut = new Map<string, Sent>();
  /** What is due and not known to have happened. The clerk leaves it alone. */
  readonly due = new Set<Due>();
  /** The request that got no answer, or the answer that nobody knows. */
  open: Sent | undefined;
  /** Items of a ticket, as its answers show them; not there when no answer came. */
  readonly ticketItems = new Map<string, TicketItem[]>();
  /** Up to where the clerk has read the feed; undefined before it has begun. */
  heardUpTo: number | undefined;
  /** By order the ids of its re-source requests and reverse tickets, as the feed told of them. */
  readonly requestIds = new Map<string, string[]>();
  readonly reverseIds = new Map<string, string[]>();
  /** The last hand-over, to be sent again. */
  lastHandOver: { order: string; wish: Pick<Wish, 'method' | 'path' | 'body'> } | undefined;
  /** The last receipts, with papers and without, and the last move of stock, to be sent again. */
  lastReceipt: Receipt | undefined;
  lastBlind: BlindReceipt | undefined;
  lastMove: { sentId: string; body: unknown } | undefined;
  /** Revisions of items that did not move since they were read, and counts that wait of items that did not move since. */
  readonly revisions = new Map<string, number>();
  readonly toApprove = new Map<string, string>();
  /** Where its webhooks go to. */
  readonly receiver: string;
  readonly #credential: Credential;
  readonly #random: () => number;
  readonly #moves: Moves;
  #agent: Agent = oneConnection();
  #count = 0;

  constructor(name: string, credential: Credential, random: () => number, receiver: string, moves: Moves = MOVES) {
    this.name = name;
    this.#credential = credential;
    this.#random = random;
    this.receiver = receiver;
    this.#moves = moves;
  }

  /** A random next request. The first one finds the end of the feed. */
  next(): Sent {
    if (this.heardUpTo === undefined) return hear(this);
    for (;;) {
      const sent = this.#draw()(this);
      if (sent !== undefined) return sent;
    }
  }

  #draw(): Move {
    let left = this.#random() * this.#moves.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, move] of this.#moves) {
      if (left < weight) return move;
      left -= weight;
    }
    return this.#moves[0]![1];
  }

  /** Sends it; undefined when no answer came. */
  async send(base: string, sent: Sent, timeoutMs?: number): Promise<Answer | undefined> {
    const answer = await send(base, sent.request, {
      agent: this.#agent,
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    return answer;
  }

  /** A new connection, for a service that was started again. */
  reconnect(): void {
    this.#agent.destroy();
    this.#agent = oneConnection();
  }

  /** The request was carried out: its effect is what must be there from now on. Returns what is wrong with the answer. */
  settle(sent: Sent, answer?: Answer): string | undefined {
    for (const [name, state] of sent.effect) this.world.set(name, state);
    this.carriedOut.set(sent.id, sent);
    return answer === undefined ? undefined : sent.learn?.(answer.text);
  }

  /** It happened by itself. */
  came(due: Due): void {
    for (const [name, state] of due.effect) this.world.set(name, state);
    this.due.delete(due);
  }

  /** A request under an id of its own, in half of the cases with a key. */
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

  /** A name that the clerk has not used yet. */
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

  /** Resources of a kind that look so, without those that may be changing by themselves. */
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
