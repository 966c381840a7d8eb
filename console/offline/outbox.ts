/**
 * What a person does is kept on this device before it counts, and sent by one sender across all tabs, in the order of each
 * ticket, until the service has it. Nothing is thrown away: what the service does not accept waits for a decision.
 */
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import {
  type CheckInDetails,
  type CheckInSubject,
  type Command,
  type InboundSubject,
  type Kept,
  keyOf,
  laneOf,
  type Owner,
  ownerKey,
  type StoreCommand,
  type Subject,
  type TicketDetails,
  type TicketSubject,
  type Wire,
  wireOf,
} from './commands.ts';
import { type Conflict, type Database, openDatabase, type Snapshot, STRICT } from './database.ts';
import { ids } from './ids.ts';
import type { Shipment } from './inbound.ts';
import type { InboundParts } from './inbound-view.ts';
import { delayOf, judge, nextBatch } from './queue.ts';
import { accepted, checkInSnapshot, conflictOf, ticketSnapshot } from './settle.ts';
import { transmit } from './transport.ts';
import { type CheckInView, checkInView, type TicketView, ticketView } from './view.ts';

export interface OutboxOptions {
  /** Address of the service, without a slash at its end. */
  service: string;
  /** Told whether the service could be reached, whenever that was tried. */
  onReach?: (isReached: boolean) => void;
  /** Told that the session of the person who works here has ended, or is locked. */
  onSignedOut?: (code: string | undefined) => void;
}

/** How it stands with what waits. */
export type Sync =
  /** Everything is with the service. */
  | 'SENT'
  | 'SENDING'
  /** Kept; tried again soon. */
  | 'WAITING'
  /** The service cannot be reached. */
  | 'OFFLINE'
  /** Somebody must sign in before theirs can be sent. */
  | 'SIGN_IN'
  /** A person must decide. */
  | 'CONFLICT'
  /** This browser keeps nothing: nothing can be done offline. */
  | 'NO_STORAGE';

type ToWire<C> = (command: C, id: string, by: Owner) => Wire;

/** Something read from the service, or kept from the last time. */
interface Cached<T> {
  body: T;
  /** When the service said so, epoch milliseconds. */
  at: number;
  isStale: boolean;
}

export interface Outbox {
  /** Says who works here now, with the ticket under which theirs may be sent after they have left; undefined: nobody. */
  as: (owner: Owner | undefined, outboxTicket?: string) => Promise<void>;
  /** Keeps a command. Once the promise is fulfilled it survives a dead battery; where it is rejected, nothing was done. Returns its id. */
  add: {
    (command: StoreCommand): Promise<string>;
    /** `toWire` makes its request; those of inbound shipments load with their screens. */
    <C extends Command>(command: C, toWire: ToWire<C>): Promise<string>;
  };
  /** Sends what can be sent. `isFresh`: the network or the person is back, so a failure a moment ago does not count. */
  flush: (isFresh?: boolean) => Promise<void>;
  /** Number of commands that the service does not have, of all who use this device. */
  waiting: ReadonlySignal<number>;
  /** Those of the person who is signed in; a sign-out should warn of them. */
  ownWaiting: ReadonlySignal<number>;
  /** What the service did not accept of the person who is signed in. */
  conflicts: ReadonlySignal<readonly Conflict[]>;
  sync: ReadonlySignal<Sync>;
  /** Whether the browser has promised not to clear its storage by itself. */
  isPersisted: ReadonlySignal<boolean>;
  /** The commands of a lane that wait, in their order. */
  commandsOf: (lane: string) => readonly Kept[];
  /** Sends a stopped lane again. */
  retry: (lane: string) => Promise<void>;
  /** For `given-up.ts`: works on the database as the person at work. */
  withDatabase: <T>(work: (database: Database, owner: Owner | undefined) => Promise<T>) => Promise<T>;
  /** The same, while the sender is still; then looks again and sends on. */
  alone: (work: (database: Database) => Promise<void>) => Promise<void>;
  snapshot: Snapshots;
  /** Closes the database; for tests, and for a page that is left. */
  stop: () => Promise<void>;
}

interface Snapshots {
  /** A ticket as it is once everything is sent; undefined where it is not on this device. */
  ticket: (subject: TicketSubject) => TicketView | undefined;
  checkIn: (subject: CheckInSubject) => CheckInView | undefined;
  /** A shipment as the service showed it, with what waits of it; `inboundView` puts them together. */
  inbound: (subject: InboundSubject) => InboundParts | undefined;
  /** All shipments that are on this device, of any node. */
  shipments: ReadonlySignal<readonly InboundParts[]>;
  /** All tickets of the person that are on this device, open ones first. */
  tickets: ReadonlySignal<readonly TicketView[]>;
  /** Keeps a ticket that this device does not have yet; one that it has is read anew by `refreshTicket`. */
  keepTicket: (ticket: TicketDetails) => Promise<void>;
  keepCheckIn: (details: CheckInDetails) => Promise<void>;
  /** Sends what waits of a ticket, then reads it anew. What the service says never overwrites unsent work. */
  refreshTicket: (subject: TicketSubject, load: () => Promise<TicketDetails>) => Promise<void>;
  refreshCheckIn: (subject: CheckInSubject, load: () => Promise<CheckInDetails>) => Promise<void>;
  refreshInbound: (subject: InboundSubject, load: () => Promise<Shipment>) => Promise<void>;
  /** What `load` answers; without network what it answered last. @throws what `load` throws where nothing is kept */
  cached: <T>(key: string, load: () => Promise<T>) => Promise<Cached<T>>;
  /** Removes from this device what is kept of the person who is signed in, except what is needed to send their work. */
  forget: () => Promise<void>;
}

interface Mirror {
  commands: readonly Kept[];
  conflicts: readonly Conflict[];
  snapshots: ReadonlyMap<string, Snapshot>;
}

const EVERY_MS = 15_000;
const KEEP_MS = 24 * 3_600_000;

type Message = { kind: 'changed' } | { kind: 'owner'; owner: string | undefined };

const snapshotKey = (owner: string, key: string) => `${owner} ${key}`;

/** Opens the outbox of this device. One a page. */
export function createOutbox({ service, onReach, onSignedOut }: OutboxOptions): Outbox {
  const name = `backroom ${new URL(service).pathname}`;
  const mirror = signal<Mirror>({ commands: [], conflicts: [], snapshots: new Map() });
  const owner = signal<Owner | undefined>(undefined);
  const parked = signal<ReadonlySet<string>>(new Set());
  const isSending = signal(false);
  const isReached = signal(true);
  const isBroken = signal(false);
  const isPersisted = signal(false);
  const laneWaits = new Map<string, { until: number; failures: number }>();
  const channel = new BroadcastChannel(name);
  const stopped = new AbortController();
  /** Who the session cookie belongs to, as far as any tab has said. */
  let sessionOwner: string | undefined;
  let failures = 0;
  let notBefore = { at: 0, isAsked: false };
  let generation = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const opened: Promise<Database> = openDatabase(service).catch((error: unknown) => {
    isBroken.value = true;
    throw error;
  });
  opened.then(reload, () => undefined);

  async function reload(): Promise<void> {
    const database = await opened;
    let read: number;
    let next: Mirror;
    do {
      read = generation;
      const tx = database.transaction(['commands', 'conflicts', 'snapshots']);
      const [commands, conflicts, snapshots] = await Promise.all([
        tx.objectStore('commands').getAll(),
        tx.objectStore('conflicts').getAll(),
        tx.objectStore('snapshots').getAll(),
      ]);
      const named = snapshots.map((one) => [snapshotKey(one.owner, one.key), one] as const);
      next = { commands, conflicts, snapshots: new Map(named) };
      // What was added meanwhile may not be in what was read.
    } while (read !== generation);
    mirror.value = next;
  }

  async function changed(): Promise<void> {
    tell({ kind: 'changed' });
    await reload();
  }

  function tell(message: Message): void {
    if (!stopped.signal.aborted) channel.postMessage(message);
  }

  function current(): Owner {
    if (owner.value === undefined) throw new Error('nobody is signed in on this device');
    return owner.value;
  }

  async function add(command: StoreCommand): Promise<string>;
  async function add<C extends Command>(command: C, toWire: ToWire<C>): Promise<string>;
  async function add(command: Command, toWire: ToWire<never> = wireOf): Promise<string> {
    const by = current();
    const id = ids.next();
    const kept: Omit<Kept, 'seq'> = {
      id,
      owner: by,
      lane: laneOf(by, command.subject),
      at: Date.now(),
      command,
      wire: toWire(command as never, id, by),
      tried: false,
    };
    const database = await opened;
    const inbound = kept.wire.kind === 'later' ? await import('./inbound-view.ts') : undefined;
    const tx = database.transaction(['commands', 'snapshots'], 'readwrite', STRICT);
    // In the step that keeps it: a reply that comes after it finds it among the commands that wait.
    const snapshot = inbound && (await tx.objectStore('snapshots').get([ownerKey(by), keyOf(command.subject)]));
    const one = inbound?.releasedLate(kept, snapshot) ?? kept;
    const [seq] = await Promise.all([tx.objectStore('commands').add(one as Kept), tx.done]);
    generation += 1;
    const { commands, ...rest } = mirror.value;
    if (!commands.some((other) => other.seq === seq)) {
      const all = [...commands, { ...one, seq }].sort((a, b) => a.seq - b.seq);
      mirror.value = { ...rest, commands: all };
    }
    soon();
    return id;
  }

  let isSoon = false;

  /** Tells the other tabs and sends, after what has just been kept is painted: the person sees it first. */
  function soon(): void {
    if (isSoon) return;
    isSoon = true;
    const now = () => {
      if (!isSoon) return;
      isSoon = false;
      tell({ kind: 'changed' });
      void flush();
    };
    requestAnimationFrame(() => setTimeout(now));
    // A page that nobody looks at paints nothing.
    setTimeout(now, 200);
  }

  let running: Promise<void> | undefined;
  let isAgain = false;

  function flush(isFresh = false): Promise<void> {
    if (isFresh && !notBefore.isAsked) notBefore = { at: 0, isAsked: false };
    if (isFresh) parked.value = new Set();
    isAgain = true;
    running ??= (async () => {
      try {
        while (isAgain && !stopped.signal.aborted) {
          isAgain = false;
          await navigator.locks.request(name, { signal: stopped.signal }, drain);
        }
      } catch {
        // The page is being left, or its storage has failed: what waits is on the disk, and the timer comes back to it.
      } finally {
        running = undefined;
      }
    })();
    return running;
  }

  /** Sends until nothing is left that may go. Only the holder of the lock does this. */
  async function drain(): Promise<void> {
    try {
      await sendAll(await opened);
    } finally {
      isSending.value = false;
    }
  }

  async function sendAll(database: Database): Promise<void> {
    while (!stopped.signal.aborted) {
      if (Date.now() < notBefore.at) {
        later(notBefore.at);
        return;
      }
      const tx = database.transaction(['commands', 'conflicts', 'tickets']);
      const [commands, stops, tickets] = await Promise.all([
        tx.objectStore('commands').getAll(),
        tx.objectStore('conflicts').getAllKeys(),
        tx.objectStore('tickets').getAll(),
      ]);
      const waits = [...laneWaits].filter(([, { until }]) => until > Date.now());
      const held = { lanes: new Set([...stops, ...waits.map(([lane]) => lane)]), owners: parked.value };
      const next = nextBatch(commands, held);
      if (next === undefined) {
        if (waits.length > 0) later(Math.min(...waits.map(([, { until }]) => until)));
        return;
      }
      isSending.value = true;
      await send(database, next, tickets.find((one) => one.owner === ownerKey(next[0].owner))?.ticket);
    }
  }

  async function send(database: Database, next: [Kept, ...Kept[]], ticket: string | undefined): Promise<void> {
    const by = ownerKey(next[0].owner);
    const isOwnSession = sessionOwner === by;
    if (ticket === undefined && !isOwnSession) {
      park(by);
      return;
    }
    if (next.some(({ tried }) => !tried)) {
      const tx = database.transaction('commands', 'readwrite');
      await Promise.all([...next.map((one) => tx.store.put({ ...one, tried: true })), tx.done]);
    }
    // The ticket says whose work it is, whoever has signed in meanwhile in another tab.
    let { outcome, body } = await transmit(service, next, ticket);
    if (judge(outcome) === 'signIn' && ticket !== undefined && isOwnSession) {
      ({ outcome, body } = await transmit(service, next));
    }
    reached(outcome.kind === 'response');
    const verdict = judge(outcome);
    const [{ lane }] = next;
    if (verdict !== 'wait') failures = 0;
    if (verdict !== 'waitLane') laneWaits.delete(lane);
    switch (verdict) {
      case 'done':
        await settle(database, next, body);
        return changed();
      case 'stop':
        if (outcome.kind === 'response') {
          await database.put('conflicts', conflictOf(next, outcome, body, Date.now()));
        }
        return changed();
      case 'signIn':
        if (isOwnSession) onSignedOut?.(outcome.kind === 'response' ? outcome.code : undefined);
        park(by);
        return;
      case 'waitLane': {
        const count = (laneWaits.get(lane)?.failures ?? 0) + 1;
        laneWaits.set(lane, { failures: count, until: Date.now() + delayOf(count, undefined, Math.random()) });
        return;
      }
      case 'wait': {
        failures += 1;
        const retryAfter = outcome.kind === 'response' ? outcome.retryAfter : undefined;
        const delay = delayOf(failures, retryAfter, Math.random());
        notBefore = { at: Date.now() + delay, isAsked: outcome.kind === 'response' };
      }
    }
  }

  /** The commands leave the outbox and their effect enters the snapshot in one step, so that no unit is shown twice or not at all. */
  async function settle(database: Database, done: [Kept, ...Kept[]], body: Record<string, unknown>): Promise<void> {
    const [{ owner: by, command }] = done;
    const inbound = command.subject.kind === 'inbound' ? await import('./inbound-view.ts') : undefined;
    const tx = database.transaction(['commands', 'snapshots'], 'readwrite', STRICT);
    const snapshots = tx.objectStore('snapshots');
    const before = await snapshots.get([ownerKey(by), keyOf(command.subject)]);
    const after =
      before?.kind === 'inbound'
        ? inbound?.acceptedInbound(before, done[0], body, Date.now())
        : accepted(before, done, body, Date.now());
    if (after !== undefined) await snapshots.put(after);
    await Promise.all(done.map(({ seq }) => tx.objectStore('commands').delete(seq)));
    if (inbound !== undefined) {
      const waiting = await tx.objectStore('commands').getAll();
      for (const one of inbound.released(waiting, done, body)) await tx.objectStore('commands').put(one);
    }
    await tx.done;
  }

  function park(by: string): void {
    parked.value = new Set([...parked.value, by]);
  }

  function reached(is: boolean): void {
    isReached.value = is;
    onReach?.(is);
  }

  function later(at: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), Math.max(0, at - Date.now()));
  }

  const lanes = computed(() => Map.groupBy(mirror.value.commands, ({ lane }) => lane));
  const stops = computed(() => new Map(mirror.value.conflicts.map((one) => [one.lane, one])));
  const ownKey = computed(() => (owner.value === undefined ? undefined : ownerKey(owner.value)));
  const waiting = computed(() => mirror.value.commands.length);
  const own = computed(() => mirror.value.commands.filter((one) => ownerKey(one.owner) === ownKey.value));
  const ownWaiting = computed(() => own.value.length);
  const conflicts = computed(() => mirror.value.conflicts.filter((one) => ownerKey(one.owner) === ownKey.value));
  const sync = computed((): Sync => {
    if (isBroken.value) return 'NO_STORAGE';
    if (conflicts.value.length > 0) return 'CONFLICT';
    if (waiting.value === 0) return isReached.value ? 'SENT' : 'OFFLINE';
    if (own.value.length > 0 && parked.value.has(ownKey.value ?? '')) return 'SIGN_IN';
    if (!isReached.value) return 'OFFLINE';
    return isSending.value ? 'SENDING' : 'WAITING';
  });

  function shipmentOf(snapshot: Snapshot & { kind: 'inbound' }): InboundParts {
    const isOf = (subject: Subject) => keyOf(subject) === snapshot.key;
    return {
      snapshot,
      commands: own.value.filter(({ command }) => isOf(command.subject)),
      conflicts: conflicts.value.filter(({ subject }) => isOf(subject)),
    };
  }

  function viewOf(snapshot: Snapshot): TicketView | CheckInView | undefined {
    if (owner.value === undefined || snapshot.kind === 'cached' || snapshot.kind === 'inbound') return undefined;
    const [kind, storeId, nodeId, id] = JSON.parse(snapshot.key) as ['ticket' | 'checkIn', string, string, string];
    const lane = laneOf(owner.value, { kind, storeId, nodeId, id });
    const [commands, conflict] = [lanes.value.get(lane) ?? [], stops.value.get(lane)];
    return snapshot.kind === 'ticket'
      ? ticketView(snapshot, commands, conflict)
      : checkInView(snapshot, commands, conflict);
  }

  const find = (subject: Subject) => mirror.value.snapshots.get(snapshotKey(ownKey.value ?? '', keyOf(subject)));

  const ownTickets = computed(() => {
    const mine = [...mirror.value.snapshots.values()].filter(
      (one) => one.owner === ownKey.value && one.kind === 'ticket',
    );
    const views = mine.map((one) => viewOf(one) as TicketView);
    return views.sort((a, b) => Number(a.confirmed !== undefined) - Number(b.confirmed !== undefined));
  });

  const ownShipments = computed(() =>
    [...mirror.value.snapshots.values()].flatMap((one) =>
      one.owner === ownKey.value && one.kind === 'inbound' ? [shipmentOf(one)] : [],
    ),
  );

  /** Keeps what the service shows, unless something of it is still to be sent. `isFirst`: only where nothing is kept yet. */
  async function keep(subject: Subject, make: (before?: Snapshot) => Snapshot, isFirst: boolean): Promise<void> {
    const by = ownerKey(current());
    const key = keyOf(subject);
    const database = await opened;
    const tx = database.transaction(['commands', 'conflicts', 'snapshots'], 'readwrite');
    const commands = await tx.objectStore('commands').getAll();
    const stops = await tx.objectStore('conflicts').getAllKeys();
    const isRefused = (lane: string) => subject.kind === 'inbound' && stops.includes(lane);
    // A command that was tried may be in what the service shows, or not: adding it on top could count it twice.
    const isUnclear = commands.some(
      (one) => one.tried && ownerKey(one.owner) === by && keyOf(one.command.subject) === key && !isRefused(one.lane),
    );
    const before = await tx.objectStore('snapshots').get([by, key]);
    if (!isUnclear && !(isFirst && before !== undefined)) await tx.objectStore('snapshots').put(make(before));
    await tx.done;
    await changed();
  }

  async function refresh<T>(subject: Subject, load: () => Promise<T>, make: (body: T, before?: Snapshot) => Snapshot) {
    await navigator.locks.request(name, { signal: stopped.signal }, async () => {
      await drain();
      const body = await load();
      await keep(subject, (before) => make(body, before), false);
    });
  }

  const makeTicket = (ticket: TicketDetails, before?: Snapshot) => {
    const { storeId, nodeId, pickTicketId: id } = ticket;
    return ticketSnapshot(
      ownerKey(current()),
      keyOf({ kind: 'ticket', storeId, nodeId, id }),
      ticket,
      Date.now(),
      before,
    );
  };
  const makeCheckIn = (details: CheckInDetails, before?: Snapshot) => {
    const { storeId, nodeId, fulfillmentOrderId: id } = details;
    return checkInSnapshot(
      ownerKey(current()),
      keyOf({ kind: 'checkIn', storeId, nodeId, id }),
      details,
      Date.now(),
      before,
    );
  };

  const makeShipment = (subject: InboundSubject) => (shipment: Shipment) => ({
    kind: 'inbound' as const,
    owner: ownerKey(current()),
    key: keyOf(subject),
    at: Date.now(),
    shipment,
  });

  /** Deletes snapshots that nothing waits for. */
  async function sweep(isOld: (snapshot: Snapshot) => boolean): Promise<void> {
    const database = await opened;
    const tx = database.transaction(['commands', 'snapshots'], 'readwrite');
    const commands = await tx.objectStore('commands').getAll();
    const needed = new Set(commands.map((one) => snapshotKey(ownerKey(one.owner), keyOf(one.command.subject))));
    for (const one of await tx.objectStore('snapshots').getAll()) {
      if (!isOld(one) || needed.has(snapshotKey(one.owner, one.key))) continue;
      await tx.objectStore('snapshots').delete([one.owner, one.key]);
    }
    await tx.done;
    await changed();
  }

  const snapshot: Snapshots = {
    ticket: (subject) => {
      const found = find(subject);
      return found === undefined ? undefined : (viewOf(found) as TicketView | undefined);
    },
    checkIn: (subject) => {
      const found = find(subject);
      return found === undefined ? undefined : (viewOf(found) as CheckInView | undefined);
    },
    inbound: (subject) => {
      const found = find(subject);
      return found?.kind === 'inbound' ? shipmentOf(found) : undefined;
    },
    shipments: ownShipments,
    tickets: ownTickets,
    keepTicket: (ticket) => {
      const { storeId, nodeId, pickTicketId: id } = ticket;
      return keep({ kind: 'ticket', storeId, nodeId, id }, (before) => makeTicket(ticket, before), true);
    },
    keepCheckIn: (details) => {
      const { storeId, nodeId, fulfillmentOrderId: id } = details;
      return keep({ kind: 'checkIn', storeId, nodeId, id }, (before) => makeCheckIn(details, before), true);
    },
    refreshTicket: (subject, load) => refresh(subject, load, makeTicket),
    refreshCheckIn: (subject, load) => refresh(subject, load, makeCheckIn),
    refreshInbound: (subject, load) => refresh(subject, load, makeShipment(subject)),
    cached: async (key, load) => {
      const by = ownerKey(current());
      const database = await opened;
      const own = `cached ${key}`;
      try {
        const body = await load();
        const at = Date.now();
        await database.put('snapshots', { kind: 'cached', owner: by, key: own, at, body });
        return { body, at, isStale: false };
      } catch (error) {
        const before = await database.get('snapshots', [by, own]);
        // What the service refuses is not there for this person any more.
        if (before?.kind !== 'cached' || !isAway(error)) throw error;
        return { body: before.body as Awaited<ReturnType<typeof load>>, at: before.at, isStale: true };
      }
    },
    forget: async () => {
      const by = ownKey.value;
      await sweep((one) => one.owner === by);
    },
  };

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'changed') void reload();
    else {
      sessionOwner = data.owner;
      parked.value = new Set();
    }
  };
  const fresh = () => {
    if (document.visibilityState === 'visible') void flush(true);
  };
  const back = () => {
    isReached.value = true;
    void flush(true);
  };
  addEventListener('online', back, { signal: stopped.signal });
  addEventListener('focus', fresh, { signal: stopped.signal });
  document.addEventListener('visibilitychange', fresh, { signal: stopped.signal });
  const away = () => {
    isReached.value = false;
  };
  addEventListener('offline', away, { signal: stopped.signal });
  const beat = setInterval(() => {
    if (waiting.value > 0) void flush();
  }, EVERY_MS);
  void isKept('persisted').then((is) => {
    isPersisted.value = is;
  });
  void flush();

  return {
    waiting,
    ownWaiting,
    conflicts,
    sync,
    isPersisted,
    add,
    flush,
    snapshot,
    commandsOf: (lane) => lanes.value.get(lane) ?? [],
    async as(next, outboxTicket) {
      sessionOwner = next === undefined ? undefined : ownerKey(next);
      batch(() => {
        owner.value = next;
        parked.value = new Set();
      });
      tell({ kind: 'owner', owner: sessionOwner });
      if (next === undefined) return;
      const database = await opened;
      if (outboxTicket !== undefined) await database.put('tickets', { owner: ownerKey(next), ticket: outboxTicket });
      await sweep(({ at }) => at < Date.now() - KEEP_MS);
      isPersisted.value = await isKept('persist');
      void flush(true);
    },
    async retry(lane) {
      const database = await opened;
      await database.delete('conflicts', lane);
      await changed();
      await flush(true);
    },
    withDatabase: async (work) => work(await opened, owner.value),
    async alone(work) {
      const database = await opened;
      await navigator.locks.request(name, { signal: stopped.signal }, () => work(database));
      await changed();
      await flush(true);
    },
    async stop() {
      stopped.abort();
      clearInterval(beat);
      clearTimeout(timer);
      await running;
      channel.close();
      (await opened).close();
    },
  };
}

/** Asks whether the browser keeps its storage for good (`persist`: asks it to). */
async function isKept(question: 'persist' | 'persisted'): Promise<boolean> {
  return 'storage' in navigator && navigator.storage[question]();
}

/** Whether an error of a read means that the service is away, not that it said no. */
function isAway(error: unknown): boolean {
  const status = (error as { status?: unknown } | undefined)?.status;
  return status === 0 || status === 408 || status === 429 || status === 502 || status === 503 || status === 504;
}
