/** Sends the waiting commands in the order of each lane. A lock of the browser ensures one sender for all tabs. */
import { signal } from '@preact/signals';
import { type Kept, ownerKey } from './commands.ts';
import { kindOf } from './kinds.ts';
import { delayOf, judge, nextBatch, type Outcome } from './queue.ts';
import type { Store } from './store.ts';
import { type Destination, transmit } from './transport.ts';

export interface SenderOptions extends Destination {
  /** Called after each request. `isReached`: the request reached the service. */
  onReach?: (isReached: boolean) => void;
  /** Called when the session of the present user has ended or is locked. */
  onSignedOut?: (code: string | undefined) => void;
}

type Batch = [Kept, ...Kept[]];

/** Interval of the attempts to send, and of the attempts to reach the service after a failed request. */
export const EVERY_MS = 15_000;

export class Sender {
  readonly isSending = signal(false);
  readonly isReached = signal(true);
  /** True if the disk was full at the last attempt to send. */
  readonly isFull = signal(false);
  /** Owners who must sign in before their commands can be sent. */
  readonly parked = signal<ReadonlySet<string>>(new Set());
  /** Parked owners whose commands are tried once more. They remain parked, so that the screens do not flicker. */
  #unparking: ReadonlySet<string> = new Set();
  readonly #store: Store;
  readonly #options: SenderOptions;
  readonly #stopped = new AbortController();
  /** The times are from `performance.now()`, because the clock of the device may be set back. */
  readonly #laneWaits = new Map<string, { until: number; failures: number }>();
  readonly #beat: ReturnType<typeof setInterval>;
  /** The owner of the session cookie, as this tab or another one reported it last. */
  #sessionOwner: string | undefined;
  #failures = 0;
  #notBefore = { at: 0, isAsked: false };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | undefined;
  #isAgain = false;
  #isSoon = false;

  constructor(store: Store, options: SenderOptions) {
    this.#store = store;
    this.#options = options;
    store.onOwner = (owner) => this.#own(owner);
    const { signal: stop } = this.#stopped;
    const fresh = () => {
      if (document.visibilityState === 'visible') void this.flush(true);
    };
    const back = () => {
      this.isReached.value = true;
      void this.flush(true);
    };
    const away = () => {
      this.isReached.value = false;
    };
    addEventListener('online', back, { signal: stop });
    addEventListener('offline', away, { signal: stop });
    addEventListener('focus', fresh, { signal: stop });
    document.addEventListener('visibilitychange', fresh, { signal: stop });
    this.#beat = setInterval(() => {
      if (store.mirror.peek().commands.length > 0) void this.flush();
    }, EVERY_MS);
    void this.flush();
  }

  /** Sets the user of the session; undefined: no user. Other tabs get a message. */
  setOwner(owner: string | undefined): void {
    this.#own(owner);
    this.#store.tell({ kind: 'owner', owner });
  }

  #own(owner: string | undefined): void {
    this.#sessionOwner = owner;
    this.parked.value = new Set();
  }

  /**
   * Notifies the other tabs and sends. It first lets the browser paint the new command, so that the user sees it
   * without delay.
   */
  soon(): void {
    if (this.#isSoon) return;
    this.#isSoon = true;
    const now = () => {
      if (!this.#isSoon) return;
      this.#isSoon = false;
      this.#store.tell({ kind: 'changed' });
      void this.flush();
    };
    requestAnimationFrame(() => setTimeout(now));
    // A hidden page does not paint, so a timer starts the send there.
    setTimeout(now, 200);
  }

  /**
   * Sends the commands that can be sent. `isFresh` is true if the network or the user has just returned. The sender
   * then skips the waiting time after a network failure, but not the waiting time that a response of the service
   * requested.
   */
  flush(isFresh = false): Promise<void> {
    if (isFresh && !this.#notBefore.isAsked) this.#notBefore = { at: 0, isAsked: false };
    if (isFresh) this.#unparking = this.parked.peek();
    this.#isAgain = true;
    this.#running ??= (async () => {
      try {
        while (this.#isAgain && !this.#stopped.signal.aborted) {
          this.#isAgain = false;
          await this.locked(() => this.drain());
          this.isFull.value = false;
        }
      } catch (error) {
        // The page is closing, or its storage has failed. The commands are on the disk, and the timer tries again.
        if ((error as Error).name === 'QuotaExceededError') this.isFull.value = true;
      } finally {
        this.#running = undefined;
      }
    })();
    return this.#running;
  }

  /** Waits for the lock that all tabs share, then runs `work`. Only the holder of the lock sends. */
  async locked<T>(work: () => Promise<T>): Promise<T> {
    return navigator.locks.request(this.#store.name, { signal: this.#stopped.signal }, work);
  }

  /** Sends until no command can be sent now. Only the holder of the lock calls this. */
  async drain(): Promise<void> {
    try {
      while (await this.#sendNext()) {
        // `#sendNext` sends one batch of one lane. Other lanes can have batches, too.
      }
    } finally {
      this.isSending.value = false;
    }
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    clearInterval(this.#beat);
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Sends one batch. Resolves to true if there may be more. */
  async #sendNext(): Promise<boolean> {
    if (this.#stopped.signal.aborted) return false;
    if (performance.now() < this.#notBefore.at) {
      this.#later(this.#notBefore.at);
      return false;
    }
    const database = await this.#store.opened;
    const tx = database.transaction(['commands', 'conflicts', 'tickets']);
    const [commands, stops, tickets] = await Promise.all([
      tx.objectStore('commands').getAll(),
      tx.objectStore('conflicts').getAllKeys(),
      tx.objectStore('tickets').getAll(),
    ]);
    const waits = [...this.#laneWaits].filter(([, { until }]) => until > performance.now());
    const owners = this.parked.peek().difference(this.#unparking);
    const held = { lanes: new Set([...stops, ...waits.map(([lane]) => lane)]), owners };
    const next = nextBatch(commands, held);
    if (next === undefined) {
      if (waits.length > 0) this.#later(Math.min(...waits.map(([, { until }]) => until)));
      return false;
    }
    this.isSending.value = true;
    await this.#send(next, tickets.find((one) => one.owner === ownerKey(next[0].owner))?.ticket);
    return true;
  }

  async #send(next: Batch, ticket: string | undefined): Promise<void> {
    const by = ownerKey(next[0].owner);
    // Another user may sign in while the request is open.
    const isOwnSession = () => this.#sessionOwner === by;
    // These modules handle the response. Without them, the response could not be stored, and the commands would be sent
    // again and again. Other lanes continue.
    try {
      await kindOf(next[0].command.subject);
      await kindOf({ kind: 'ticket' });
    } catch {
      this.#waitLane(next[0].lane);
      return;
    }
    // After the modules: while they load, another user may sign in.
    if (ticket === undefined && !isOwnSession()) {
      this.#park(by);
      return;
    }
    if (next.some(({ tried }) => !tried)) {
      const tx = (await this.#store.opened).transaction('commands', 'readwrite');
      await Promise.all([...next.map((one) => tx.store.put({ ...one, tried: true })), tx.done]);
    }
    // With the outbox ticket, the commands are sent in their owner's name, even if another user has signed in in
    // another tab.
    let { outcome, body } = await transmit(this.#options, next, ticket);
    if (judge(outcome) === 'signIn' && ticket !== undefined && isOwnSession()) {
      ({ outcome, body } = await transmit(this.#options, next));
    }
    this.isReached.value = outcome.kind === 'response';
    this.#options.onReach?.(outcome.kind === 'response');
    await this.#conclude(next, outcome, body, isOwnSession());
  }

  async #conclude(next: Batch, outcome: Outcome, body: Record<string, unknown>, isOwnSession: boolean): Promise<void> {
    const verdict = judge(outcome);
    const [{ lane, owner }] = next;
    const response = outcome.kind === 'response' ? outcome : undefined;
    if (verdict !== 'wait') this.#failures = 0;
    if (verdict !== 'wait' && verdict !== 'signIn') this.#unpark(ownerKey(owner));
    if (verdict !== 'waitLane') this.#laneWaits.delete(lane);
    switch (verdict) {
      case 'done':
        await this.#store.settle(next, body);
        return;
      case 'stop':
        if (response !== undefined) {
          const { conflictOf } = await kindOf({ kind: 'ticket' });
          await (await this.#store.opened).put('conflicts', conflictOf!(next, response, body, Date.now()));
        }
        await this.#store.changed();
        return;
      case 'signIn':
        if (isOwnSession) this.#options.onSignedOut?.(response?.code);
        this.#park(ownerKey(owner));
        return;
      case 'waitLane':
        this.#waitLane(lane);
        return;
      case 'wait': {
        this.#failures += 1;
        const delay = delayOf(this.#failures, response?.retryAfter, Math.random());
        this.#notBefore = { at: performance.now() + delay, isAsked: response !== undefined };
      }
    }
  }

  #waitLane(lane: string): void {
    const failures = (this.#laneWaits.get(lane)?.failures ?? 0) + 1;
    this.#laneWaits.set(lane, { failures, until: performance.now() + delayOf(failures, undefined, Math.random()) });
  }

  #park(by: string): void {
    const own = new Set([by]);
    this.#unparking = this.#unparking.difference(own);
    if (!this.parked.peek().has(by)) this.parked.value = this.parked.peek().union(own);
  }

  #unpark(by: string): void {
    if (this.parked.peek().has(by)) this.parked.value = this.parked.peek().difference(new Set([by]));
  }

  #later(at: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), Math.max(0, at - performance.now()));
  }
}
