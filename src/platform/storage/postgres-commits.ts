/**
 * Commits that wait for a synchronous standby, which may be for ever: the server ends such a wait neither by a time-out nor
 * when the connection goes. So whoever gave up leaves a connection of the server behind, and how many there may be is
 * decided here: while commits wait, no further write begins.
 */
import type pg from 'pg';
import { Stalled, UNREADY } from './errors.ts';

/** A commit that waits so long waits for a standby that is not there; a busy one answers sooner. */
const STALL_MS = 2_000;

/** So long a write that found commits waiting speaks for those that come after it. */
const KNOWN_MS = 500;

/** What the server says of a commit that it stopped waiting for: stored here, and perhaps nowhere else. */
const GAVE_UP_WAITING = /^(01000|57P01)$/;

export class Commits {
  readonly #stallMs: number;
  /** When each that is on its way was sent, the oldest first. */
  readonly #sent = new Set<{ at: number }>();
  /** One had no clear end, so that its connection may wait at the server. */
  #isSuspected = false;
  #stalledAt = Number.NEGATIVE_INFINITY;

  constructor(jobTimeoutMs: number) {
    this.#stallMs = Math.min(STALL_MS, jobTimeoutMs / 2);
  }

  /** @throws Stalled where others have just found that nothing is stored. */
  mustGoOn(): void {
    if (performance.now() - this.#stalledAt < KNOWN_MS) throw stalled();
  }

  /** Before a write begins on its connection: asks the server, where a commit is late. @throws Stalled when it waits. */
  async mustStore(client: pg.ClientBase): Promise<void> {
    const [oldest] = this.#sent;
    const isLate = oldest !== undefined && performance.now() - oldest.at > this.#stallMs;
    if (!this.#isSuspected && !isLate) return;
    await this.refuseWhileWaiting(client);
    this.#isSuspected = false;
  }

  /** Asks the server. @throws Stalled while commits of this role wait for a standby, of whichever process. */
  async refuseWhileWaiting(client: pg.ClientBase): Promise<void> {
    // Of other roles a role sees that they are there, not what they wait for.
    const { rowCount } = await client.query(
      `select from pg_stat_activity where datname = current_database() and wait_event = 'SyncRep'
        and query_start < clock_timestamp() - $1 * interval '1 millisecond' limit 1`,
      [this.#stallMs],
    );
    if (rowCount === 0) return;
    this.#stalledAt = performance.now();
    throw stalled();
  }

  /** Sends a commit. @throws Error when the server stopped waiting for the standby: then nobody knows whether it stays. */
  async commit<R>(client: pg.ClientBase, send: () => Promise<R>): Promise<R> {
    const sent = { at: performance.now() };
    const said: string[] = [];
    const hear = ({ code = '' }: { code?: string | undefined }) => said.push(code);
    this.#sent.add(sent);
    client.on('notice', hear);
    try {
      const result = await send();
      if (said.some((code) => GAVE_UP_WAITING.test(code)))
        throw new GaveUpWaiting('The server stopped waiting for its standby.');
      return result;
    } finally {
      client.removeListener('notice', hear);
      this.#sent.delete(sent);
    }
  }

  /** A commit had no clear end. */
  suspect(): void {
    this.#isSuspected = true;
  }
}

/** The commit is stored on this server and perhaps on no other: after a fail-over it may be gone. */
export class GaveUpWaiting extends Error {
  override readonly name = 'GaveUpWaiting';
}

function stalled(): Stalled {
  return new Stalled(UNREADY.commits_wait);
}
