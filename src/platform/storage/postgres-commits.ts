/**
 * Commits can wait for a synchronous standby forever: the server ends such a wait neither by a timeout nor when the
 * client disconnects. Each abandoned commit therefore occupies a connection of the server. To limit their number, no
 * further write begins while commits wait.
 */
import type pg from 'pg';
import { Stalled, UNREADY } from './errors.ts';

/** A commit that waits longer than this has no standby: a busy standby responds sooner. */
const STALL_MS = 2_000;

/** For this time after a check found waiting commits, all writes fail at once, without a query to the server. */
const KNOWN_MS = 500;

/** Codes for a commit whose wait the server ended: the commit is stored on this server, and possibly on no other. */
const GAVE_UP_WAITING = /^(01000|57P01)$/;

export class Commits {
  readonly #stallMs: number;
  /** Send times of the commits in flight, the oldest first. */
  readonly #sent = new Set<{ at: number }>();
  /** Whether the outcome of a commit is unknown, so that the server may still wait for the commit. */
  #isSuspected = false;
  #stalledAt = Number.NEGATIVE_INFINITY;

  constructor(jobTimeoutMs: number) {
    this.#stallMs = Math.min(STALL_MS, jobTimeoutMs / 2);
  }

  /** @throws Stalled if another write or a probe has just found waiting commits. */
  mustGoOn(): void {
    if (performance.now() - this.#stalledAt < KNOWN_MS) throw stalled();
  }

  /**
   * Call it before a write begins. If a commit is late or its outcome is unknown, the method asks the server whether
   * commits wait.
   * @throws Stalled if commits wait.
   */
  async mustStore(client: pg.ClientBase): Promise<void> {
    const [oldest] = this.#sent;
    const isLate = oldest !== undefined && performance.now() - oldest.at > this.#stallMs;
    if (!this.#isSuspected && !isLate) return;
    await this.refuseWhileWaiting(client);
    this.#isSuspected = false;
  }

  /**
   * Asks the server whether commits wait for a standby.
   * @throws Stalled while commits of this role, from any process, wait.
   */
  async refuseWhileWaiting(client: pg.ClientBase): Promise<void> {
    // A role cannot see the wait events of other roles.
    const { rowCount } = await client.query(
      `select from pg_stat_activity where datname = current_database() and wait_event = 'SyncRep'
        and query_start < clock_timestamp() - $1 * interval '1 millisecond' limit 1`,
      [this.#stallMs],
    );
    if (rowCount === 0) return;
    this.#stalledAt = performance.now();
    throw stalled();
  }

  /** Sends a commit. @throws GaveUpWaiting if the server stopped waiting for the standby, so the outcome is unknown. */
  async commit<R>(client: pg.ClientBase, send: () => Promise<R>): Promise<R> {
    const sent = { at: performance.now() };
    const codes: string[] = [];
    const onNotice = ({ code = '' }: { code?: string | undefined }) => codes.push(code);
    this.#sent.add(sent);
    client.on('notice', onNotice);
    try {
      const result = await send();
      if (codes.some((code) => GAVE_UP_WAITING.test(code)))
        throw new GaveUpWaiting('The server stopped waiting for its standby.');
      return result;
    } finally {
      client.removeListener('notice', onNotice);
      this.#sent.delete(sent);
    }
  }

  /** Reports a commit with an unknown outcome. The next write then asks the server whether commits wait. */
  suspect(): void {
    this.#isSuspected = true;
  }
}

/** The commit is stored on this server and possibly on no other: a fail-over can lose it. */
export class GaveUpWaiting extends Error {
  override readonly name = 'GaveUpWaiting';
}

function stalled(): Stalled {
  return new Stalled(UNREADY.commits_wait);
}
