/**
 * Single statements share connections: those that are asked for in the same turn go out together and their answers come back
 * together, which costs half of handing a connection to each. Only statements that read: each is a transaction by itself.
 */
import type { Writable } from 'node:stream';
import type { CompiledQuery, QueryResult } from 'kysely';
import type pg from 'pg';
import { unavailable } from './errors.ts';
import { send } from './postgres-connection.ts';

/** So many wait for one connection before another one is taken: behind a slow one, few wait. */
const DEPTH = 8;

type Query = Pick<CompiledQuery, 'sql' | 'parameters'>;

interface Lane {
  client: pg.PoolClient;
  /** Until the turn ends nothing goes out. */
  isHeld: boolean;
  /** Those that wait for an answer. */
  waiting: Set<(error: Error) => void>;
  /** Strikes when a server that hangs has answered nothing for too long. */
  timer: NodeJS.Timeout;
}

export class SharedConnections {
  readonly #connect: () => Promise<pg.PoolClient>;
  readonly #most: number;
  readonly #timeoutMs: number;
  readonly #lanes: Lane[] = [];
  #opening: Promise<Lane> | undefined;

  /** Takes at most `most` connections. */
  constructor(connect: () => Promise<pg.PoolClient>, most: number, timeoutMs: number) {
    this.#connect = connect;
    this.#most = most;
    this.#timeoutMs = timeoutMs;
  }

  async execute<R>(query: Query): Promise<QueryResult<R>> {
    const free = this.#free();
    return this.#ask<R>(free ?? (await this.#opened()), query);
  }

  /** The connection on which fewest wait, unless one more should be taken. */
  #free(): Lane | undefined {
    let free: Lane | undefined;
    for (const lane of this.#lanes) if (free === undefined || lane.waiting.size < free.waiting.size) free = lane;
    return free !== undefined && (free.waiting.size < DEPTH || this.#lanes.length >= this.#most) ? free : undefined;
  }

  /** One more connection; those who ask meanwhile wait for the same. */
  async #opened(): Promise<Lane> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    const lane = await this.#opening;
    // Given back already by those who came before.
    return this.#lanes.includes(lane) ? lane : (this.#free() ?? this.#opened());
  }

  async #open(): Promise<Lane> {
    const client = await this.#connect();
    const timer = setTimeout(() => this.#break(lane), this.#timeoutMs);
    const lane: Lane = { client, isHeld: false, waiting: new Set(), timer };
    this.#lanes.push(lane);
    return lane;
  }

  #ask<R>(lane: Lane, query: Query): Promise<QueryResult<R>> {
    holdUntilTurnEnds(lane);
    return new Promise((resolve, reject) => {
      lane.waiting.add(reject);
      send<R>(lane.client, query, (error, result) => {
        // False where it was given up already.
        if (!lane.waiting.delete(reject)) return;
        lane.timer.refresh();
        if (lane.waiting.size === 0) this.#giveBack(lane);
        if (error === undefined) resolve(result!);
        else reject(error);
      });
    });
  }

  #giveBack(lane: Lane, error?: Error): void {
    clearTimeout(lane.timer);
    this.#lanes.splice(this.#lanes.indexOf(lane), 1);
    lane.client.release(error);
  }

  #break(lane: Lane): void {
    const error = unavailable(`The database has not answered for ${this.#timeoutMs} ms.`);
    const waiting = [...lane.waiting];
    lane.waiting.clear();
    this.#giveBack(lane, error);
    for (const reject of waiting) reject(error);
  }
}

/** What is asked for in a turn goes out as one: writing to a socket costs as much as all the rest of a statement. */
function holdUntilTurnEnds(lane: Lane): void {
  if (lane.isHeld) return;
  const { stream } = (lane.client as unknown as { connection: { stream: Writable } }).connection;
  lane.isHeld = true;
  stream.cork();
  setImmediate(() => {
    lane.isHeld = false;
    stream.uncork();
  });
}
