/**
 * The outbox as signals for the screens: the state of the sender, and the user's work with all waiting commands
 * applied.
 */
import { computed } from '@preact/signals';
import {
  type CheckInSubject,
  type InboundSubject,
  type Kept,
  keyOf,
  laneOf,
  ownerKey,
  type ReturnSubject,
  type Subject,
  type TicketSubject,
} from './commands.ts';
import type { Snapshot } from './database.ts';
import type { InboundParts, InboundSnapshot } from './inbound-view.ts';
import type { ReturnParts, ReturnSnapshot } from './return-view.ts';
import type { Sender } from './sender.ts';
import { type Store, snapshotKey } from './store.ts';
import { decisionsOf } from './together.ts';
import {
  type CheckInSnapshot,
  type CheckInView,
  checkInView,
  type TicketSnapshot,
  type TicketView,
  ticketView,
} from './view.ts';

/** The state of the waiting commands. */
export type Sync =
  /** The service has all commands. */
  | 'SENT'
  | 'SENDING'
  /** Commands are stored and will be tried again soon. */
  | 'WAITING'
  /** Commands are stored, and the service cannot be reached. */
  | 'OFFLINE'
  /** The user must sign in before the commands can be sent. */
  | 'SIGN_IN'
  /** A user must decide on a conflict. */
  | 'CONFLICT'
  /** The browser cannot store data, so work without the network is impossible. */
  | 'NO_STORAGE';

export class Views {
  readonly #store: Store;
  readonly #sender: Sender;

  constructor(store: Store, sender: Sender) {
    this.#store = store;
    this.#sender = sender;
  }

  readonly #lanes = computed(() => Map.groupBy(this.#store.mirror.value.commands, ({ lane }) => lane));
  readonly #stops = computed(() => new Map(this.#store.mirror.value.conflicts.map((one) => [one.lane, one])));
  readonly #ownKey = computed(() => {
    const owner = this.#store.owner.value;
    return owner === undefined ? undefined : ownerKey(owner);
  });
  readonly #own = computed(() =>
    this.#store.mirror.value.commands.filter((one) => ownerKey(one.owner) === this.#ownKey.value),
  );
  /** Commands of other users that wait until their user signs in or decides. */
  readonly left = computed((): readonly Kept[] => {
    const own = this.#ownKey.value;
    return this.#store.mirror.value.commands.filter(({ owner, lane }) => {
      const key = ownerKey(owner);
      const waits = this.#sender.parked.value.has(key) || this.#stops.value.has(lane);
      return own !== undefined && key !== own && waits;
    });
  });
  /** Number of commands that the service does not have, of all users of this device, without the commands in `left`. */
  readonly waiting = computed(() => this.#store.mirror.value.commands.length - this.left.value.length);
  /** Number of waiting commands of the signed-in user. */
  readonly ownWaiting = computed(() => this.#own.value.length);
  /** Rejected commands of the signed-in user. */
  readonly conflicts = computed(() =>
    this.#store.mirror.value.conflicts.filter((one) => ownerKey(one.owner) === this.#ownKey.value),
  );
  /** The first of each group of rejected commands that one decision settles. */
  readonly decisions = computed(() => decisionsOf(this.conflicts.value));
  readonly sync = computed((): Sync => {
    const { isFull, isReached, isSending, parked } = this.#sender;
    if (this.#store.isBroken.value || isFull.value) return 'NO_STORAGE';
    if (this.conflicts.value.length > 0) return 'CONFLICT';
    // Another tab may have sent the commands whose request failed here. The page knows from its other requests whether
    // the service can be reached.
    if (this.waiting.value === 0) return 'SENT';
    if (this.ownWaiting.value > 0 && parked.value.has(this.#ownKey.value ?? '')) return 'SIGN_IN';
    if (!isReached.value) return 'OFFLINE';
    return isSending.value ? 'SENDING' : 'WAITING';
  });
  readonly #snapshots = computed(() =>
    [...this.#store.mirror.value.snapshots.values()].filter(({ owner }) => owner === this.#ownKey.value),
  );
  /** All tickets of the user on this device, open ones first. */
  readonly tickets = computed((): readonly TicketView[] =>
    this.#snapshots.value
      .flatMap((one) => (one.kind === 'ticket' ? [this.#ticketOf(one)] : []))
      .sort((a, b) => Number(a.confirmed !== undefined) - Number(b.confirmed !== undefined)),
  );
  /** The user's announced returns on this device, of any node. */
  readonly returns = computed((): readonly ReturnParts[] =>
    this.#snapshots.value.flatMap((one) => (one.kind === 'return' ? [this.#partsOf(one)] : [])),
  );
  /** The user's shipments on this device, of any node. */
  readonly shipments = computed((): readonly InboundParts[] =>
    this.#snapshots.value.flatMap((one) => (one.kind === 'inbound' ? [this.#partsOf(one)] : [])),
  );

  /** Returns the waiting commands of a lane in their order. */
  commandsOf(lane: string) {
    return this.#lanes.value.get(lane) ?? [];
  }

  /** Returns the ticket with all waiting commands applied; undefined if it is not on this device. */
  ticket(subject: TicketSubject): TicketView | undefined {
    const found = this.#find(subject);
    return found?.kind === 'ticket' ? this.#ticketOf(found) : undefined;
  }

  checkIn(subject: CheckInSubject): CheckInView | undefined {
    const found = this.#find(subject);
    return found?.kind === 'checkIn' ? this.#checkInOf(found) : undefined;
  }

  /**
   * Returns the last state of a shipment from the service, and the waiting commands; undefined if it is not on this
   * device. `inboundView` combines the two.
   */
  inbound(subject: InboundSubject): InboundParts | undefined {
    const found = this.#find(subject);
    return found?.kind === 'inbound' ? this.#partsOf(found) : undefined;
  }

  /**
   * Returns the last state of an announced return from the service, and the waiting commands; undefined if it is not on
   * this device. `returnView` combines the two.
   */
  returned(subject: ReturnSubject): ReturnParts | undefined {
    const found = this.#find(subject);
    return found?.kind === 'return' ? this.#partsOf(found) : undefined;
  }

  #find(subject: Subject): Snapshot | undefined {
    return this.#store.mirror.value.snapshots.get(snapshotKey(this.#ownKey.value ?? '', keyOf(subject)));
  }

  #laneOf({ key }: Snapshot): string {
    const [kind, storeId, nodeId, id] = JSON.parse(key) as ['ticket' | 'checkIn', string, string, string];
    return laneOf(this.#store.current(), { kind, storeId, nodeId, id });
  }

  #ticketOf(snapshot: TicketSnapshot): TicketView {
    const lane = this.#laneOf(snapshot);
    return ticketView(snapshot, this.commandsOf(lane), this.#stops.value.get(lane));
  }

  #checkInOf(snapshot: CheckInSnapshot): CheckInView {
    const lane = this.#laneOf(snapshot);
    return checkInView(snapshot, this.commandsOf(lane), this.#stops.value.get(lane));
  }

  #partsOf<S extends InboundSnapshot | ReturnSnapshot>(snapshot: S) {
    const isOf = (subject: Subject) => keyOf(subject) === snapshot.key;
    return {
      snapshot,
      commands: this.#own.value.filter(({ command }) => isOf(command.subject)),
      conflicts: this.conflicts.value.filter(({ subject }) => isOf(subject)),
    };
  }
}
