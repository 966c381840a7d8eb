/**
 * The journal of reads of orders. Responses do not wait for the journal: it collects entries in memory and writes them
 * together, at most a second later. If the database fails, entries stay in memory. If there are too many entries, the
 * journal drops some of them and later writes their number.
 */
import type { Logger } from 'pino';
import type { Actor } from '../ctx.ts';
import type { Store } from '../storage/db.ts';
import { isTraining } from '../training.ts';
import { type AccessEffect, insertAccessEvents, LOG_LOST, nodesOfCaller, ORDERS_READ } from './store.ts';

const EVERY_MS = 1_000;
/** Maximum number of entries of one write; a full batch is written immediately. */
const BATCH = 500;
/** Maximum number of entries in memory while the database cannot write. */
const KEPT = 20_000;
/** Maximum number of orders in one entry. */
const ORDERS = 500;

/** A read that showed orders. */
export interface Disclosure {
  clientId: string;
  operation: string;
  actor: Actor;
  requestId: string;
  at: number;
  orderIds: readonly string[];
}

export class Journal {
  readonly #store: Store;
  readonly #log: Logger;
  #waiting: AccessEffect[] = [];
  #lost = 0;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Store, log: Logger) {
    this.#store = store;
    this.#log = log;
  }

  note({ orderIds: shown, operation, actor, ...when }: Disclosure): void {
    // Reads in a training are not recorded. Its orders are invented, and an entry could be written after the deletion of
    // the training.
    if (shown.length === 0 || isTraining(when.clientId)) return;
    if (this.#waiting.length >= KEPT) {
      this.#lost += 1;
      return;
    }
    // A response can show an order several times, for example with each of its returns.
    const orderIds = [...new Set(shown)];
    const nodeIds = nodesOfCaller(actor);
    const data = {
      operation,
      ...(nodeIds !== undefined && nodeIds.length > 0 && { nodeIds }),
      fulfillmentOrderIds: orderIds.slice(0, ORDERS),
      ...(orderIds.length > ORDERS && { orders: orderIds.length }),
    };
    this.#waiting.push({ ...when, actor: actor.id, type: ORDERS_READ, data });
    if (this.#waiting.length === BATCH) this.#writeSoon();
  }

  /** Starts to write the entries at intervals. */
  start(): void {
    this.#timer = setInterval(() => this.#writeSoon(), EVERY_MS).unref();
  }

  /** Writes all entries. @throws the error of the database; the entries then stay in memory. */
  async flush(): Promise<void> {
    await this.#writing?.catch(() => undefined);
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush().catch((error: unknown) => {
      this.#log.error({ err: error, entries: this.#waiting.length }, 'access log: entries could not be written');
    });
  }

  #writeSoon(): void {
    if (this.#writing !== undefined || this.#waiting.length === 0) return;
    void this.flush().catch((error: unknown) => {
      this.#log.warn({ err: error, entries: this.#waiting.length }, 'access log: entries wait to be written');
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, BATCH);
      const lost = this.#lost;
      await this.#store.write((tx) =>
        insertAccessEvents(tx, this.#store.dialect, lost === 0 ? batch : [...batch, lostEntry(batch.at(-1)!, lost)]),
      );
      this.#waiting = this.#waiting.slice(batch.length);
      this.#lost -= lost;
    }
  }
}

function lostEntry({ at, requestId }: AccessEffect, reads: number): AccessEffect {
  return { clientId: '', type: LOG_LOST, at, actor: 'system', requestId, data: { reads } };
}
