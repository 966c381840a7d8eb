/** The mixed load: several clerks at once, each answer judged on the spot. */
import { setTimeout as sleep } from 'node:timers/promises';
import { randomOf } from '../campaign.ts';
import { removeWebhook } from './clerk/webhooks.ts';
import { Clerk, type Moves, type Sent } from './clerk.ts';
import type { Answer } from './process.ts';
import { openReceiver, type Receiver } from './receiver.ts';
import type { Credential } from './town.ts';

const CLIENTS = 8;

/** See `instant`. */
const INSTANT_WRITES = 60;
const INSTANT_MS = 10;
const INSTANT_MOST_MS = 5_000;

/** While the database is not there, a clerk does not ask at full speed. */
const PAUSE_MS = 50;

interface StartOptions {
  /** The service is going to be killed, so a connection may break. */
  mayBreak?: boolean;
  /** Between two requests of a clerk. */
  pauseMs?: number;
  timeoutMs?: number;
  /** A change was acknowledged. */
  onWrite?: () => void;
}

export class Load {
  /** What the names of the clerks begin with. */
  readonly name: string;
  readonly clerks: readonly Clerk[];
  readonly receiver: Receiver;
  /** Returns by status. */
  readonly statuses = new Map<number, number>();
  /** What no caller should see: a 5xx that is no clear refusal, a refusal of what is right, a broken connection. */
  readonly faults: string[] = [];
  /** The longest that an answer took, in milliseconds. */
  slowest = 0;
  #last = new Map<Clerk, { sent: Sent; text: string }>();
  #isStopped = false;
  /** Requests that are right and were answered so since the start. */
  acknowledged = 0;
  #running: Promise<void>[] = [];
  #begun: Promise<unknown> = Promise.resolve();

  private constructor(
    name: string,
    credential: Credential,
    seed: number,
    clients: number,
    receiver: Receiver,
    moves?: Moves,
  ) {
    this.name = `${name}c`;
    this.receiver = receiver;
    this.clerks = Array.from(
      { length: clients },
      (_, index) => new Clerk(`${name}c${index}`, credential, randomOf(seed * 64 + index), receiver.url, moves),
    );
  }

  /** `name` is at most 5 characters and never used twice on one database; `moves` are what the clerks do (default: all). */
  static async open(
    name: string,
    credential: Credential,
    seed: number,
    clients = CLIENTS,
    moves?: Moves,
  ): Promise<Load> {
    return new Load(name, credential, seed, clients, await openReceiver(), moves);
  }

  /** Starts every clerk. Of several services each clerk has one, and sends again to the next. */
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

  /** Resolves when every clerk has had a response since the start: from then on their connections are open. */
  async begun(): Promise<void> {
    await this.#begun;
  }

  /**
   * A random instant of the load: after some tens of acknowledged writes, however fast the machine is, and then up to
   * some milliseconds later, so that it falls anywhere between two of them.
   */
  async instant(random: () => number): Promise<void> {
    const writes = random() * INSTANT_WRITES;
    for (const until = performance.now() + INSTANT_MOST_MS; this.acknowledged < writes; ) {
      if (performance.now() > until) return;
      await sleep(1);
    }
    await sleep(random() * INSTANT_MS);
  }

  /** Lets every clerk finish the request it is at. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#running);
  }

  /** The clerks go for good and leave nothing behind of which there may be only so many. */
  async leave(base: string): Promise<void> {
    for (const clerk of this.clerks) {
      for (let sent = removeWebhook(clerk); sent !== undefined; sent = removeWebhook(clerk)) {
        const answer = await clerk.send(base, sent);
        if (answer?.status !== 204) throw new Error(`${sent.id} as a farewell: ${inShort(answer)}`);
        clerk.settle(sent, answer);
      }
    }
  }

  /** Returns so far with this status. */
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
        if (!mayBreak) this.faults.push(`${sent.id}: no answer, though the service runs`);
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
      // From here on the database must show that nothing was changed.
      if (!isUnknown || !isToBeRepeated(answer)) {
        await sleep(PAUSE_MS);
        return;
      }
      // What the answer advises: the same request with the same key again, until there is an answer that is clear about
      // the first try too. Without a key the database has to tell.
      if (!sent.keyed || this.#isStopped) {
        clerk.open = sent;
        return;
      }
      await sleep(PAUSE_MS);
    }
  }

  /** Requests with a key are sent again: those answered get the same answer, those lost one answer. Returns faults. */
  async repeat(base: string, lost: ReadonlyMap<Clerk, Sent>): Promise<string[]> {
    const faults: string[] = [];
    for (const clerk of this.clerks) {
      clerk.reconnect();
      const last = this.#last.get(clerk);
      if (last !== undefined) {
        const answer = await clerk.send(base, last.sent);
        const isSame = answer?.text === last.text && answer.headers['idempotent-replayed'] === 'true';
        if (!isSame) faults.push(`${last.sent.id} sent again: ${inShort(answer)}, not the stored answer`);
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

  /** The requests that got no answer. */
  lost(): Map<Clerk, Sent> {
    return new Map(this.clerks.flatMap((clerk) => (clerk.open === undefined ? [] : [[clerk, clerk.open] as const])));
  }
}

/** The services, that of this clerk first. */
function inTurn(base: string | readonly string[], index: number): readonly string[] {
  const bases = typeof base === 'string' ? [base] : base;
  return bases.map((_, step) => bases[(index + step) % bases.length]!);
}

function isRight({ expects }: Sent, { status }: Answer): boolean {
  return expects === undefined ? status < 300 : status === expects;
}

/** The same request with the same key may go out again: so says a 503, and a 409 while the first try is not over. */
export function isToBeRepeated({ status, headers, text }: Answer): boolean {
  return headers['retry-after'] !== undefined && (status === 503 || text.includes('"IDEMPOTENCY_KEY_IN_USE"'));
}

/** Why an answer is no clear refusal; undefined when it is one: 503 with Retry-After and a body that says so. */
function whyUnclear(answer: Answer): string | undefined {
  if (answer.status !== 503) return `answered ${inShort(answer)}`;
  if (answer.headers['retry-after'] === undefined) return '503 without Retry-After';
  if (!/"(code|message)":/.test(answer.text)) return `503 with an unclear body: ${inShort(answer)}`;
  return undefined;
}

export function inShort(answer: Answer | undefined): string {
  return answer === undefined ? 'no answer' : `${answer.status} ${answer.text.slice(0, 300)}`;
}
