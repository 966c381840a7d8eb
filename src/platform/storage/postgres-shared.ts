/**
 * Connections that single statements share. All statements of one turn of the event loop are sent together: this costs
 * half as much as a connection for each statement. Use them only for reading statements, because each statement is its
 * own transaction.
 */
import type { Writable } from 'node:stream';
import type { CompiledQuery, QueryResult } from 'kysely';
import type pg from 'pg';
import { unavailable } from './errors.ts';
import { send } from './postgres-connection.ts';

/**
 * If this number of statements wait on every open connection, another connection is opened. Few statements then wait
 * behind a slow statement.
 */
const DEPTH = 8;

type Query = Pick<CompiledQuery, 'sql' | 'parameters'>;

interface Lane {
  client: pg.PoolClient;
  /** Whether the connection sends nothing until the turn of the event loop ends. */
  isHeld: boolean;
  /** Statements that wait for their results. */
  waiting: Set<(error: Error) => void>;
  /** Fires if the server sends no result for too long. */
  timer: NodeJS.Timeout;
}

export class SharedConnections {
  readonly #connect: () => Promise<pg.PoolClient>;
  readonly #most: number;
  readonly #timeoutMs: number;
  readonly #lanes: Lane[] = [];
  #opening: Promise<Lane> | undefined;

  /** Opens at most `most` connections at a time. */
  constructor(connect: () => Promise<pg.PoolClient>, most: number, timeoutMs: number) {
    this.#connect = connect;
    this.#most = most;
    this.#timeoutMs = timeoutMs;
  }

  async execute<R>(query: Query): Promise<QueryResult<R>> {
    const free = this.#free();
    return this.#ask<R>(free ?? (await this.#opened()), query);
  }

  /** The connection with the fewest waiting statements; undefined if another connection should be opened. */
  #free(): Lane | undefined {
    let free: Lane | undefined;
    for (const lane of this.#lanes) if (free === undefined || lane.waiting.size < free.waiting.size) free = lane;
    return free !== undefined && (free.waiting.size < DEPTH || this.#lanes.length >= this.#most) ? free : undefined;
  }

  /** Opens one more connection; concurrent callers share it. */
  async #opened(): Promise<Lane> {
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    const lane = await this.#opening;
    // Earlier callers may have released the connection already.
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
        // The timeout has closed the connection and rejected the statement already.
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
    const error = unavailable(`The database has not responded for ${this.#timeoutMs} ms.`);
    const waiting = [...lane.waiting];
    lane.waiting.clear();
    this.#giveBack(lane, error);
    for (const reject of waiting) reject(error);
  }
}

/** Sends the statements of a turn in one write, because each write to a socket costs half as much as a statement. */
function holdUntilTurnEnds(lane: Lane): void {
  if (lane.isHeld) return;
  const { stream } = (lane.client as typeof lane.client & { connection: { stream: Writable } }).connection;
  lane.isHeld = true;
  stream.cork();
  setImmediate(() => {
    lane.isHeld = false;
    stream.uncork();
  });
}
