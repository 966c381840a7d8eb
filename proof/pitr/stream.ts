/** Writers that never pause and record when each of their requests was sent and acknowledged. */

import { send } from '../../town/service-process.ts';
import type { Credential } from '../../town/small-town.ts';
import { itemBody } from '../support/clerk/goods.ts';

const WRITERS = 4;

interface Written {
  id: string;
  sentAt: number;
  acknowledgedAt: number;
}

export class Stream {
  readonly #name: string;
  readonly #credential: Credential;
  readonly #written: Written[] = [];
  #isStopped = false;
  #running: Promise<void>[] = [];

  /** `name` must be unique in its database. */
  constructor(name: string, credential: Credential) {
    this.#name = name;
    this.#credential = credential;
  }

  start(base: string): void {
    this.#running = Array.from({ length: WRITERS }, (_, writer) => this.#write(base, writer));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#running);
  }

  async #write(base: string, writer: number): Promise<void> {
    for (let number = 0; !this.#isStopped; number += 1) {
      const id = `${this.#name}-${writer}-${number}`;
      const itemId = `21-${this.#name.toUpperCase()}-${writer}`;
      const headers = { ...this.#credential, 'content-type': 'application/json', 'x-request-id': id };
      const body = JSON.stringify(itemBody(itemId, id));
      const sentAt = Date.now();
      const answer = await send(base, {
        method: 'PUT',
        path: `/item-service/clients/TOWN/items/${itemId}`,
        headers,
        body,
      });
      if (answer === undefined || answer.status >= 300) throw new Error(`${id}: ${answer?.status} ${answer?.text}`);
      this.#written.push({ id, sentAt, acknowledgedAt: Date.now() });
    }
  }

  /** The SQL statement that returns the ids of the requests whose effect is stored. */
  get statement(): string {
    return `select request_id as id from events where client_id = 'TOWN' and request_id like '${this.#name}-%'`;
  }

  acknowledgedBefore(instant: number): number {
    return this.#written.filter(({ acknowledgedAt }) => acknowledgedAt < instant).length;
  }

  /**
   * Checks the restored requests in `found`. Requests that were acknowledged before the restored instant must be
   * restored, and requests that were sent after it must not. Returns the errors.
   */
  judge(instant: number, found: readonly string[]): string[] {
    const there = new Set(found);
    const known = new Set(this.#written.map(({ id }) => id));
    const faults = this.#written.flatMap(({ id, sentAt, acknowledgedAt }) => {
      if (acknowledgedAt < instant && !there.has(id))
        return [`${id} was acknowledged ${instant - acknowledgedAt} ms before and is lost`];
      if (sentAt > instant && there.has(id)) return [`${id} was sent ${sentAt - instant} ms after and exists`];
      return [];
    });
    for (const id of there) if (!known.has(id)) faults.push(`${id} was never acknowledged`);
    const isAround = this.#written.some(({ sentAt }) => sentAt > instant) && this.acknowledgedBefore(instant) > 0;
    return isAround ? faults : [...faults, 'nothing was written before the instant, or nothing after it'];
  }
}
