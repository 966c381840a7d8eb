/**
 * The outbox stores each action on this device before the screen counts it. One sender for all tabs sends the actions
 * in the order of each lane until the service has them. Nothing is discarded: rejected commands wait for a decision of
 * the user.
 */
import { batch, type ReadonlySignal, signal } from '@preact/signals';
import {
  type CheckInDetails,
  type CheckInSubject,
  type Command,
  type InboundSubject,
  type Kept,
  keyOf,
  type Owner,
  ownerKey,
  type ReturnSubject,
  type Subject,
  type TicketDetails,
  type TicketSubject,
} from './commands.ts';
import type { Conflict, Database } from './database.ts';
import type { Shipment } from './inbound.ts';
import type { InboundParts } from './inbound-view.ts';
import { registerLater } from './kinds.ts';
import type { ReturnParts } from './return-view.ts';
import type { Returned } from './returned.ts';
import { Sender, type SenderOptions } from './sender.ts';
import { type Cached, Store } from './store.ts';
import type { CheckInView, TicketView } from './view.ts';
import { type Sync, Views } from './views.ts';

registerLater('ticket', () => import('./store-kinds.ts'));
registerLater('checkIn', () => import('./store-kinds.ts'));
registerLater('inbound', () => import('./inbound-kind.ts'));
registerLater('return', () => import('./return-kind.ts'));

export type { Sync } from './views.ts';

export interface Outbox {
  /**
   * Sets the present user, and the outbox ticket that permits sending the user's commands after the sign-out;
   * undefined: no user.
   */
  as: (owner: Owner | undefined, outboxTicket?: string) => Promise<void>;
  /** Tells the outbox that the user's screens are locked, or that the same user has unlocked them. */
  lock: (isLocked: boolean) => Promise<void>;
  /**
   * Stores a command; returns its id. After the promise is fulfilled, the command survives a power loss. If the promise
   * is rejected, nothing was stored.
   */
  add: (command: Command) => Promise<string>;
  /**
   * Sends the commands that can be sent. `isFresh` is true if the network or the user has just returned. The outbox
   * then skips the waiting time after a network failure, but not the waiting time that a response of the service
   * requested.
   */
  flush: (isFresh?: boolean) => Promise<void>;
  /** Commands of other users that wait until their user signs in or decides. */
  left: ReadonlySignal<readonly Kept[]>;
  /** Number of commands that the service does not have, of all users of this device, without the commands in `left`. */
  waiting: ReadonlySignal<number>;
  /** Number of waiting commands of the signed-in user. A sign-out should warn about them. */
  ownWaiting: ReadonlySignal<number>;
  /** Rejected commands of the signed-in user. */
  conflicts: ReadonlySignal<readonly Conflict[]>;
  /** The first of each group of rejected commands that one decision settles. */
  decisions: ReadonlySignal<readonly Conflict[]>;
  sync: ReadonlySignal<Sync>;
  /** True if the browser has promised not to clear the storage on its own. */
  isPersisted: ReadonlySignal<boolean>;
  /** Returns the waiting commands of a lane in their order. */
  commandsOf: (lane: string) => readonly Kept[];
  /** Runs `work` on the database, with the present user. For `given-up.ts`. */
  withDatabase: <T>(work: (database: Database, owner: Owner | undefined) => Promise<T>) => Promise<T>;
  /**
   * Runs `work` on the database while the sender pauses. Afterwards, the outbox reads the database again and continues
   * to send.
   */
  alone: (work: (database: Database) => Promise<void>) => Promise<void>;
  snapshot: Snapshots;
  /** Closes the database, for tests and for a page that closes. */
  stop: () => Promise<void>;
}

/** Reads from the service. The signal ends the read after `READ_MS`. */
type Load<T> = (signal: AbortSignal) => Promise<T>;

interface Snapshots {
  /** Returns the ticket with all waiting commands applied; undefined if it is not on this device. */
  ticket: (subject: TicketSubject) => TicketView | undefined;
  checkIn: (subject: CheckInSubject) => CheckInView | undefined;
  /**
   * Returns the last state of a shipment from the service, and the waiting commands; undefined if it is not on this
   * device. `inboundView` combines the two.
   */
  inbound: (subject: InboundSubject) => InboundParts | undefined;
  /**
   * Returns the last state of an announced return from the service, and the waiting commands; undefined if it is not on
   * this device. `returnView` combines the two.
   */
  returned: (subject: ReturnSubject) => ReturnParts | undefined;
  /** The user's announced returns on this device, of any node. */
  returns: ReadonlySignal<readonly ReturnParts[]>;
  /** The user's shipments on this device, of any node. */
  shipments: ReadonlySignal<readonly InboundParts[]>;
  /** All tickets of the user on this device, open ones first. */
  tickets: ReadonlySignal<readonly TicketView[]>;
  /** Stores a ticket that this device does not have yet. `refreshTicket` reads an existing one again. */
  keepTicket: (ticket: TicketDetails) => Promise<void>;
  keepCheckIn: (details: CheckInDetails) => Promise<void>;
  /**
   * Sends the waiting commands of a ticket, then reads it again. The response never overwrites unsent work. Calls that
   * wait for the same ticket share one read.
   */
  refreshTicket: (subject: TicketSubject, load: Load<TicketDetails>) => Promise<void>;
  refreshCheckIn: (subject: CheckInSubject, load: Load<CheckInDetails>) => Promise<void>;
  refreshInbound: (subject: InboundSubject, load: Load<Shipment>) => Promise<void>;
  refreshReturn: (subject: ReturnSubject, load: Load<Returned>) => Promise<void>;
  /** Stores a return that this device does not have yet. */
  keepReturn: (subject: ReturnSubject, returned: Returned) => Promise<void>;
  /**
   * Returns the result of `load`; if the service cannot be reached, the last result.
   * @throws the error of `load` if no result is stored, or if the service rejects the read
   */
  cached: <T>(key: string, load: () => Promise<T>) => Promise<Cached<T>>;
}

/**
 * Time limit of a read, during which no tab sends. It is longer than the limit of a command, because a shipment of
 * thousands of cartons can take more than 30 s over a slow network.
 */
const READ_MS = 60_000;

/** Opens the outbox of this device. Call it once per page. */
export function createOutbox(options: SenderOptions): Outbox {
  const store = new Store(options.service);
  const sender = new Sender(store, options);
  const views = new Views(store, sender);
  const isPersisted = signal(false);
  const ask = async (question: 'persist' | 'persisted') => {
    isPersisted.value = 'storage' in navigator && (await navigator.storage[question]());
  };
  void ask('persisted');
  const { left, waiting, ownWaiting, conflicts, decisions, sync } = views;
  return {
    left,
    waiting,
    ownWaiting,
    conflicts,
    decisions,
    sync,
    isPersisted,
    snapshot: snapshotsOf(store, sender, views),
    flush: (isFresh) => sender.flush(isFresh),
    commandsOf: (lane) => views.commandsOf(lane),
    async add(command) {
      const id = await store.add(command);
      sender.soon();
      return id;
    },
    async as(next, outboxTicket) {
      const key = next && ownerKey(next);
      batch(() => {
        store.owner.value = next;
        sender.setOwner(key);
      });
      if (next !== undefined && outboxTicket !== undefined) await store.putTicket(next, outboxTicket);
      await store.leaveOnly(key);
      if (next === undefined) return;
      await ask('persist');
      void sender.flush(true);
    },
    lock: (isLocked) => (isLocked ? store.hold() : store.restore()),
    withDatabase: async (work) => work(await store.opened, store.owner.value),
    async alone(work) {
      const database = await store.opened;
      await sender.locked(() => work(database));
      await store.changed();
      await sender.flush(true);
    },
    async stop() {
      await sender.stop();
      await store.stop();
    },
  };
}

function snapshotsOf(store: Store, sender: Sender, views: Views): Snapshots {
  const queued = new Map<string, Promise<void>>();
  const refresh = (subject: Subject, load: Load<unknown>) => {
    const key = keyOf(subject);
    const run = async () => {
      queued.delete(key);
      await sender.drain();
      await store.keep(subject, await load(AbortSignal.timeout(READ_MS)), false);
    };
    // Later calls share a read that has not begun. Otherwise, the slow reads of an open screen would queue for the
    // lock.
    const read = queued.get(key) ?? sender.locked(run);
    queued.set(key, read);
    return read;
  };
  return {
    ticket: (subject) => views.ticket(subject),
    checkIn: (subject) => views.checkIn(subject),
    inbound: (subject) => views.inbound(subject),
    returned: (subject) => views.returned(subject),
    returns: views.returns,
    shipments: views.shipments,
    tickets: views.tickets,
    keepTicket: (ticket) => {
      const { storeId, nodeId, pickTicketId: id } = ticket;
      return store.keep({ kind: 'ticket', storeId, nodeId, id }, ticket, true);
    },
    keepCheckIn: (details) => {
      const { storeId, nodeId, fulfillmentOrderId: id } = details;
      return store.keep({ kind: 'checkIn', storeId, nodeId, id }, details, true);
    },
    refreshTicket: refresh,
    refreshCheckIn: refresh,
    refreshInbound: refresh,
    refreshReturn: refresh,
    keepReturn: (subject, returned) => store.keep(subject, returned, true),
    cached: (key, load) => store.cached(key, load),
  };
}
