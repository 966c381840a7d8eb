/** The mixed load of several concurrent clerks. Each response is checked immediately. */
import { setTimeout as sleep } from 'node:timers/promises';
import { randomOf } from '../../town/random.ts';
import type { Answer } from '../../town/service-process.ts';
import type { Credential } from '../../town/small-town.ts';
import { Clerk, type Duties, type Sent } from './clerk/clerk.ts';
import { DUTIES } from './clerk/moves.ts';
import { removeWebhook } from './clerk/webhooks.ts';
import { openReceiver, type Receiver } from './receiver.ts';

const CLIENTS = 8;

/** Limits of `instant`. */
const INSTANT_WRITES = 60;
const INSTANT_MS = 10;
const INSTANT_MOST_MS = 5_000;

/** Pause of a clerk after a response that is an error, for example while the database is down. */
const PAUSE_MS = 50;

interface StartOptions {
  /** True if the service will be killed, so that connections may break. */
  mayBreak?: boolean;
  /** Pause between two requests of a clerk. */
  pauseMs?: number;
  timeoutMs?: number;
  /** Called for each acknowledged change. */
  onWrite?: () => void;
}

export class Load {
  /** The prefix of the clerks' names. */
  readonly name: string;
  readonly clerks: readonly Clerk[];
  readonly receiver: Receiver;
  /** Number of responses by status. */
  readonly statuses = new Map<number, number>();
  /**
   * Responses that no caller should get: a 5xx without a clear error, an error for a valid request, or a broken
   * connection.
   */
  readonly faults: string[] = [];
  /** The longest response time, in milliseconds. */
  slowest = 0;
  #last = new Map<Clerk, { sent: Sent; text: string }>();
  #isStopped = false;
  /** Number of requests since the start with the expected response. */
  acknowledged = 0;
  #running: Promise<void>[] = [];
  #begun: Promise<unknown> = Promise.resolve();

  private constructor(
    name: string,
    credential: Credential,
    seed: number,
    clients: number,
    receiver: Receiver,
    duties: Duties,
  ) {
    this.name = `${name}c`;
    this.receiver = receiver;
    this.clerks = Array.from(
      { length: clients },
      (_, index) => new Clerk(`${name}c${index}`, credential, randomOf(seed * 64 + index), receiver.url, duties),
    );
  }

  /**
   * `name` has at most 5 characters and must be unique in its database. `duties` is the work of the clerks; the default
   * is all moves.
   */
  static async open(
    name: string,
    credential: Credential,
    seed: number,
    clients = CLIENTS,
    duties: Duties = DUTIES,
  ): Promise<Load> {
    return new Load(name, credential, seed, clients, await openReceiver(), duties);
  }

  /**
   * Starts every clerk. With several services, the first requests of the clerks go to the services in turn, and a retry
   * goes to the next service.
   */
  start(base: string | readonly string[], options: StartOptions = {}): void {
    const { pauseMs = 0 } = options;
    this.#isStopped = false;
    this.acknowledged = 0;
    const first = this.clerks.map(() => Promise.withResolvers<undefined>());
    this.#begun = Promise.all(first.map(({ promise }) => promise));
    this.#running = this.clerks.map(async (clerk, index) => {
      const bases = inTurn(base, index);
      clerk.reconnect();
      while (!this.#isStopped && clerk.open === undefined) {
        await this.#one(bases, clerk, options);
        first[index]!.resolve(undefined);
        if (pauseMs > 0) await sleep(pauseMs);
      }
      first[index]!.resolve(undefined);
    });
  }

  /** Resolves when every clerk has finished its first request since the start, so that its connection is open. */
  async begun(): Promise<void> {
    await this.#begun;
  }

  /**
   * Waits for a random instant of the load: up to `INSTANT_WRITES` acknowledged writes, then up to `INSTANT_MS`. The
   * number of writes does not depend on the speed of the machine. The milliseconds make every instant between two
   * writes possible.
   */
  async instant(random: () => number): Promise<void> {
    const writes = random() * INSTANT_WRITES;
    for (const until = performance.now() + INSTANT_MOST_MS; this.acknowledged < writes; ) {
      if (performance.now() > until) return;
      await sleep(1);
    }
    await sleep(random() * INSTANT_MS);
  }

  /** Lets every clerk finish its current request. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#running);
  }

  /**
   * Deletes the webhooks of the clerks, because a client can have only a limited number. The clerks send nothing after
   * this.
   */
  async leave(base: string): Promise<void> {
    for (const clerk of this.clerks) {
      for (let sent = removeWebhook(clerk); sent !== undefined; sent = removeWebhook(clerk)) {
        const answer = await clerk.send(base, sent);
        if (answer?.status !== 204) throw new Error(`${sent.id} at the end: ${inShort(answer)}`);
        clerk.settle(sent, answer);
      }
    }
  }

  /** Returns the number of responses with this status so far. */
  count(status: number): number {
    return this.statuses.get(status) ?? 0;
  }

  async #one(bases: readonly string[], clerk: Clerk, options: StartOptions): Promise<void> {
    const { mayBreak = false, timeoutMs = 60_000, onWrite } = options;
    const sent = clerk.next();
    let isUnknown = false;
    for (let attempt = 0; ; attempt += 1) {
      const asked = performance.now();
      const answer = await clerk.send(bases[attempt % bases.length]!, sent, timeoutMs);
      if (answer === undefined) {
        clerk.open = sent;
        if (!mayBreak) this.faults.push(`${sent.id}: no response, although the service runs`);
        return;
      }
      this.slowest = Math.max(this.slowest, performance.now() - asked);
      this.statuses.set(answer.status, this.count(answer.status) + 1);
      if (isRight(sent, answer)) {
        this.acknowledged += 1;
        if (sent.events > 0) onWrite?.();
        const fault = clerk.settle(sent, answer);
        if (fault !== undefined) this.faults.push(`${sent.id}: ${fault}`);
        if (sent.keyed) this.#last.set(clerk, { sent, text: answer.text });
        return;
      }
      const isInUse = isUnknown && isToBeRepeated(answer);
      const unclear = isInUse ? undefined : whyUnclear(answer);
      if (unclear !== undefined)
        this.faults.push(`${sent.id} (${sent.request.method} ${sent.request.path}): ${unclear}`);
      isUnknown ||= answer.text.includes('OUTCOME_UNKNOWN');
      // The service has rejected the request, so the database must show no change.
      if (!isUnknown || !isToBeRepeated(answer)) {
        await sleep(PAUSE_MS);
        return;
      }
      // The same request is sent with the same key, as the response advises, until a response shows the outcome of the
      // first attempt. Without a key, only the database has the outcome.
      if (!sent.keyed || this.#isStopped) {
        clerk.open = sent;
        return;
      }
      await sleep(PAUSE_MS);
    }
  }

  /**
   * Sends for each clerk the last acknowledged request with a key again, which must get the same response. Also sends
   * the clerk's lost request again if it has a key; it must get a response now. Returns the failures.
   */
  async repeat(base: string, lost: ReadonlyMap<Clerk, Sent>): Promise<string[]> {
    const faults: string[] = [];
    for (const clerk of this.clerks) {
      clerk.reconnect();
      const last = this.#last.get(clerk);
      if (last !== undefined) {
        const answer = await clerk.send(base, last.sent);
        const isSame = answer?.text === last.text && answer.headers['idempotent-replayed'] === 'true';
        if (!isSame) faults.push(`${last.sent.id} sent again: ${inShort(answer)}, not the stored response`);
      }
      const sent = lost.get(clerk);
      if (sent?.keyed !== true) continue;
      const answer = await clerk.send(base, sent);
      const wasDone = clerk.carriedOut.has(sent.id);
      const isReplayed = answer?.headers['idempotent-replayed'] === 'true';
      if (answer === undefined || answer.status >= 300 || isReplayed !== wasDone) {
        faults.push(`${sent.id}, lost and sent again: ${inShort(answer)}, carried out before: ${wasDone}`);
      } else if (!wasDone) {
        clerk.settle(sent, answer);
      }
    }
    return faults;
  }

  /** Returns the requests without a response, by clerk. */
  lost(): Map<Clerk, Sent> {
    return new Map(this.clerks.flatMap((clerk) => (clerk.open === undefined ? [] : [[clerk, clerk.open] as const])));
  }
}

/** Returns the services in the order in which a clerk tries them. */
function inTurn(base: string | readonly string[], index: number): readonly string[] {
  const bases = typeof base === 'string' ? [base] : base;
  return bases.map((_, step) => bases[(index + step) % bases.length]!);
}

function isRight({ expects }: Sent, { status }: Answer): boolean {
  return expects === undefined ? status < 300 : status === expects;
}

/**
 * Returns whether the request can be sent again with its key: after a 503 or a 409 that has Retry-After. The 409 means
 * that the first attempt is still running.
 */
export function isToBeRepeated({ status, headers, text }: Answer): boolean {
  return headers['retry-after'] !== undefined && (status === 503 || text.includes('"IDEMPOTENCY_KEY_IN_USE"'));
}

/**
 * Returns the reason why an error is not clear; undefined if it is clear. A clear error is a 503 with Retry-After and a
 * code or message in the body.
 */
function whyUnclear(answer: Answer): string | undefined {
  if (answer.status !== 503) return `got ${inShort(answer)}`;
  if (answer.headers['retry-after'] === undefined) return '503 without Retry-After';
  if (!/"(code|message)":/.test(answer.text)) return `503 with an unclear body: ${inShort(answer)}`;
  return undefined;
}

export function inShort(answer: Answer | undefined): string {
  return answer === undefined ? 'no response' : `${answer.status} ${answer.text.slice(0, 300)}`;
}
