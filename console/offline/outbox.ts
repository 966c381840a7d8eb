/**
 * What a person does is kept on this device before it counts, and sent by one sender across all tabs, in the order of each
 * ticket, until the service has it. Nothing is thrown away: what the service does not accept waits for a decision.
 */
import { batch, type ReadonlySignal, signal } from '@preact/signals';
import {
  type CheckInDetails,
  type CheckInSubject,
  type Command,
  type InboundSubject,
  type Kept,
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
import './store-kinds.ts';
import { type Cached, Store } from './store.ts';
import type { CheckInView, TicketView } from './view.ts';
import { type Sync, Views } from './views.ts';

registerLater('inbound', () => import('./inbound-kind.ts'));
registerLater('return', () => import('./return-kind.ts'));

export type { Sync } from './views.ts';

export interface Outbox {
  /** Sets the person who works here now, with the ticket under which their commands may be sent after they have left; undefined: no person. */
  as: (owner: Owner | undefined, outboxTicket?: string) => Promise<void>;
  /** The person's screens are put away, or shown to the same person again. */
  lock: (isLocked: boolean) => Promise<void>;
  /** Keeps a command. Once the promise is fulfilled it survives a dead battery; where it is rejected, nothing was done. Returns its id. */
  add: (command: Command) => Promise<string>;
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
  /** An announced return as the service showed it, with what waits of it; `returnView` puts them together. */
  returned: (subject: ReturnSubject) => ReturnParts | undefined;
  /** All announced returns that are on this device, of any node. */
  returns: ReadonlySignal<readonly ReturnParts[]>;
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
  refreshReturn: (subject: ReturnSubject, load: () => Promise<Returned>) => Promise<void>;
  /** Keeps a return that this device does not have yet. */
  keepReturn: (subject: ReturnSubject, returned: Returned) => Promise<void>;
  /** The result of `load`; without network its last result. @throws what `load` throws where nothing is kept */
  cached: <T>(key: string, load: () => Promise<T>) => Promise<Cached<T>>;
}

/** Opens the outbox of this device. One a page. */
export function createOutbox(options: SenderOptions): Outbox {
  const store = new Store(options.service);
  const sender = new Sender(store, options);
  const views = new Views(store, sender);
  const isPersisted = signal(false);
  const ask = async (question: 'persist' | 'persisted') => {
    isPersisted.value = 'storage' in navigator && (await navigator.storage[question]());
  };
  void ask('persisted');
  const { waiting, ownWaiting, conflicts, sync } = views;
  return {
    waiting,
    ownWaiting,
    conflicts,
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
    async retry(lane) {
      await (await store.opened).delete('conflicts', lane);
      await store.changed();
      await sender.flush(true);
    },
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
  const refresh = (subject: Subject, load: () => Promise<unknown>) =>
    sender.locked(async () => {
      await sender.drain();
      await store.keep(subject, await load(), false);
    });
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
