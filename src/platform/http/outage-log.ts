/**
 * Logs an outage of the database: the first rejected request immediately, then one line per second with the count of
 * rejected requests.
 */
import type { FastifyRequest } from 'fastify';
import type { Ports } from '../ports.ts';
import { traceIdIn } from './request-trace.ts';

const EVERY_MS = 1_000;

export class OutageLog {
  readonly #log: Ports['log'];
  #timer: NodeJS.Timeout | undefined;
  /** Number of requests since the last line, and the last error. */
  #count = 0;
  #last: object = {};

  constructor(log: Ports['log']) {
    this.#log = log;
  }

  /** Counts a request that was rejected because the database is not available. */
  note(error: unknown, request: FastifyRequest): void {
    this.#count += 1;
    this.#last = { err: error, requestId: request.id, traceId: traceIdIn(request) };
    if (this.#timer === undefined) this.#tell();
  }

  #tell(): void {
    this.#timer = undefined;
    if (this.#count === 0) return;
    const count = this.#count;
    const requests = count === 1 ? '1 request was rejected' : `${count} requests were rejected`;
    this.#log.error({ ...this.#last, count }, `the database is not available: ${requests}`);
    this.#count = 0;
    this.#timer = setTimeout(() => this.#tell(), EVERY_MS).unref();
  }
}
