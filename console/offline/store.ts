/**
 * The data of this device in IndexedDB: waiting commands, conflicts, and snapshots of the user's work. `mirror` has the
 * same data as a signal. Other tabs get a message about each change.
 */
import { type Signal, signal } from '@preact/signals';
import {
  type Command,
  isInTraining,
  type Kept,
  keyOf,
  laneOf,
  type Owner,
  ownerKey,
  type Subject,
} from './commands.ts';
import { type Conflict, type Database, openDatabase, type Snapshot, STRICT } from './database.ts';
import { ids } from './ids.ts';
import { kindOf, type NewKept } from './kinds.ts';

/** A result of a read, from now or from an earlier time. */
export interface Cached<T> {
  body: T;
  /** Time of the read, epoch milliseconds. */
  at: number;
  isStale: boolean;
}

interface Mirror {
  commands: readonly Kept[];
  conflicts: readonly Conflict[];
  snapshots: ReadonlyMap<string, Snapshot>;
}

type Message = { kind: 'changed' } | { kind: 'owner'; owner: string | undefined };

/** Age at which a snapshot without waiting commands is deleted. */
const KEEP_MS = 24 * 3_600_000;

/** Maximum number of connections that the browser may end within `ENDS_MS`. */
const ENDS_MAX = 3;
const ENDS_MS = 10_000;

/** Returns the key of a snapshot in the mirror. */
export const snapshotKey = (owner: string, key: string) => `${owner} ${key}`;

export class Store {
  readonly mirror: Signal<Mirror> = signal<Mirror>({ commands: [], conflicts: [], snapshots: new Map() });
  /** The present user; undefined before the sign-in. */
  readonly owner = signal<Owner | undefined>(undefined);
  /** True if the browser cannot store data. */
  readonly isBroken = signal(false);
  /** The database. Read this property before each use, because the browser can end a connection. */
  opened: Promise<Database>;
  /** Name of the database, of its lock and of its channel. */
  readonly name: string;
  /** Called when the session has a new owner in another tab. */
  onOwner: (owner: string | undefined) => void = () => undefined;
  readonly #channel: BroadcastChannel;
  #generation = 0;
  #isStopped = false;
  #ends = 0;
  /** The snapshots of a locked device's user; undefined if the device is not locked. */
  #held: readonly Snapshot[] | undefined;

  constructor(service: string) {
    this.name = `backroom ${new URL(service).pathname}`;
    this.#channel = new BroadcastChannel(this.name);
    this.opened = this.#open(service);
    // If a module cannot be loaded without the network, the next start tries again.
    this.opened.then((database) => this.#start(database)).catch(() => undefined);
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'changed') void this.reload();
      else this.onOwner(data.owner);
    };
  }

  #open(service: string): Promise<Database> {
    // The data are still on the disk after the browser has ended the connection. If its files are damaged, the browser
    // ends each new connection, so the console opens only a limited number of them.
    const again = () => {
      this.#ends += 1;
      this.isBroken.value ||= this.#ends > ENDS_MAX;
      if (this.#isStopped || this.isBroken.value) return;
      setTimeout(() => (this.#ends -= 1), ENDS_MS);
      this.opened = this.#open(service);
      this.reload().catch(() => undefined);
    };
    return openDatabase(service, again).catch((error: unknown) => {
      this.isBroken.value = true;
      throw error;
    });
  }

  /** Returns the present user. @throws Error if no user is signed in */
  current(): Owner {
    if (this.owner.value === undefined) throw new Error('no person is signed in on this device');
    return this.owner.value;
  }

  async #start(database: Database): Promise<void> {
    await this.reload();
    if (!this.mirror.peek().commands.some(({ wire }) => wire.kind === 'later')) return;
    const { setAsideStranded } = await import('./stranded.ts');
    await setAsideStranded(database);
    await this.changed();
  }

  async reload(): Promise<void> {
    const database = await this.opened;
    let read: number;
    let next: Mirror;
    do {
      read = this.#generation;
      const tx = database.transaction(['commands', 'conflicts', 'snapshots']);
      const [commands, conflicts, kept] = await Promise.all([
        tx.objectStore('commands').getAll(),
        tx.objectStore('conflicts').getAll(),
        tx.objectStore('snapshots').getAll(),
      ]);
      const named = [...(this.#held ?? []), ...kept].map((one) => [snapshotKey(one.owner, one.key), one] as const);
      next = { commands, conflicts, snapshots: new Map(named) };
      // The data is read again if a command was added during the read.
    } while (read !== this.#generation);
    this.mirror.value = next;
  }

  async changed(): Promise<void> {
    this.tell({ kind: 'changed' });
    await this.reload();
  }

  tell(message: Message): void {
    if (!this.#isStopped) this.#channel.postMessage(message);
  }

  /**
   * Stores a command of the present user; returns its id. After the promise is fulfilled, the command survives a power
   * loss.
   */
  async add(command: Command): Promise<string> {
    const by = this.current();
    const id = ids.next();
    const at = Date.now();
    const kind = await kindOf(command.subject);
    const wire = kind.wireOf(command as never, id, by);
    const kept: NewKept = { id, owner: by, lane: laneOf(by, command.subject), at, command, wire, tried: false };
    const database = await this.opened;
    const tx = database.transaction(['commands', 'snapshots'], 'readwrite', STRICT);
    let one = kept;
    if (wire.kind === 'later') {
      // The snapshot is read in the transaction that stores the command, so that a response that arrives later finds
      // the command.
      const snapshot = await tx.objectStore('snapshots').get([ownerKey(by), keyOf(command.subject)]);
      one = kind.releaseLate?.(kept, snapshot) ?? kept;
    }
    const [seq] = await Promise.all([tx.objectStore('commands').add(one as Kept), tx.done]);
    this.#generation += 1;
    const { commands, ...rest } = this.mirror.value;
    if (!commands.some((other) => other.seq === seq)) {
      const all = [...commands, { ...one, seq }].sort((a, b) => a.seq - b.seq);
      this.mirror.value = { ...rest, commands: all };
    }
    return id;
  }

  /**
   * Deletes the commands and applies them to the snapshot in one transaction, so that the screen shows each unit
   * exactly once.
   */
  async settle(done: readonly [Kept, ...Kept[]], body: Record<string, unknown>): Promise<void> {
    const [{ owner: by, command }] = done;
    const kind = await kindOf(command.subject);
    const database = await this.opened;
    const tx = database.transaction(['commands', 'snapshots'], 'readwrite', STRICT);
    const snapshots = tx.objectStore('snapshots');
    const before = await snapshots.get([ownerKey(by), keyOf(command.subject)]);
    const after = before && kind.accept(before, done, body, Date.now());
    if (after !== undefined) await snapshots.put(after);
    await Promise.all(done.map(({ seq }) => tx.objectStore('commands').delete(seq)));
    if (kind.release !== undefined) {
      const waiting = await tx.objectStore('commands').getAll();
      for (const one of kind.release(waiting, done, body)) await tx.objectStore('commands').put(one);
    }
    await tx.done;
    await this.changed();
  }

  /**
   * Stores a response of the service, unless a command on the subject was sent and is still in the outbox. With
   * `isFirst`, stores the response only if nothing is stored yet.
   */
  async keep(subject: Subject, body: unknown, isFirst: boolean): Promise<void> {
    const by = ownerKey(this.current());
    const key = keyOf(subject);
    const kind = await kindOf(subject);
    const database = await this.opened;
    const tx = database.transaction(['commands', 'conflicts', 'snapshots'], 'readwrite');
    const commands = await tx.objectStore('commands').getAll();
    const stops = await tx.objectStore('conflicts').getAllKeys();
    const isRejected = (lane: string) => kind.hasParts === true && stops.includes(lane);
    // The response may already contain a command that was tried. Applying this command to the response would count its
    // units twice.
    const isUnclear = commands.some(
      (one) => one.tried && ownerKey(one.owner) === by && keyOf(one.command.subject) === key && !isRejected(one.lane),
    );
    const before = await tx.objectStore('snapshots').get([by, key]);
    if (!isUnclear && !(isFirst && before !== undefined) && this.#mayKeep(by)) {
      await tx.objectStore('snapshots').put(kind.snapshot(by, key, body as never, Date.now(), before));
    }
    await tx.done;
    await this.changed();
  }

  /**
   * Returns the result of `load`; if the service cannot be reached, the last result.
   * @throws the error of `load` if no result is stored, or if the service rejects the read
   */
  async cached<T>(key: string, load: () => Promise<T>): Promise<Cached<T>> {
    const by = ownerKey(this.current());
    const own = `cached ${key}`;
    // If the browser cannot store data, screens that need the network still show the results of their reads.
    const stored = <R>(use: (database: Database) => Promise<R>) => this.opened.then(use).catch(() => undefined);
    try {
      const body = await load();
      const at = Date.now();
      if (this.#mayKeep(by)) {
        await stored((database) => database.put('snapshots', { kind: 'cached', owner: by, key: own, at, body }));
      }
      return { body, at, isStale: false };
    } catch (error) {
      const before = await stored((database) => database.get('snapshots', [by, own]));
      // If the service rejects the read, the user may have lost access, so the last result is not returned.
      if (before?.kind !== 'cached' || (error as { passes?: boolean }).passes !== true) throw error;
      return { body: before.body as T, at: before.at, isStale: true };
    }
  }

  /** Returns whether data of the user can be stored: not after the sign-out, and not while the device is locked. */
  #mayKeep(by: string): boolean {
    const owner = this.owner.peek();
    return this.#held === undefined && owner !== undefined && ownerKey(owner) === by;
  }

  /** Stores the outbox ticket that permits sending a user's commands after the sign-out. */
  async putTicket(owner: Owner, ticket: string): Promise<void> {
    await (await this.opened).put('tickets', { owner: ownerKey(owner), ticket });
  }

  /**
   * Locks the device. Keeps the user's snapshots in memory, so that the same user can continue. Deletes from the disk
   * the snapshots that no waiting command needs. Cached results of reads are deleted and not kept in memory, except
   * items: they have no data of persons, and the page does not read them again after the unlock.
   */
  async hold(): Promise<void> {
    const own = this.owner.value && ownerKey(this.owner.value);
    const held = [...this.mirror.peek().snapshots.values()].filter((one) => one.owner === own && one.kind !== 'cached');
    this.#held = held;
    if (own !== undefined) {
      // The mirror lacks the results that were stored since its last read.
      const items = IDBKeyRange.bound([own, 'cached item '], [own, 'cached item!']);
      const stored = await (await this.opened).getAll('snapshots', items);
      // The user has unlocked the device in the meantime.
      if (this.#held !== held) return;
      this.#held = [...held, ...stored];
    }
    await this.leaveOnly(undefined);
  }

  /** Unlocks the device for the same user: moves the snapshots back to the disk. */
  async restore(): Promise<void> {
    const database = await this.opened;
    const own = this.owner.peek() && ownerKey(this.owner.peek()!);
    const held = (this.#held ?? []).filter(({ owner }) => owner === own);
    this.#held = undefined;
    const tx = database.transaction('snapshots', 'readwrite');
    const put = async (one: Snapshot) => {
      if ((await tx.store.getKey([one.owner, one.key])) === undefined) await tx.store.put(one);
    };
    await Promise.all(held.map(put));
    await tx.done;
    await this.changed();
  }

  /**
   * Deletes data that no waiting command needs: all snapshots of other users, old snapshots of `owner`, and the outbox
   * tickets of users without commands. After another user's sign-in, also deletes the work of trainings.
   *
   * @param owner key of the user whose snapshots remain; undefined: no snapshots remain
   */
  async leaveOnly(owner: string | undefined): Promise<void> {
    const database = await this.opened;
    const tx = database.transaction(['commands', 'conflicts', 'aside', 'snapshots', 'tickets'], 'readwrite');
    const present = this.owner.peek();
    // The service deletes the client of a training, so it can never accept this work. If no user is signed in, the work
    // remains: the device can be locked, and the unlock resumes the training.
    const isOver = (one: { owner: Owner }) =>
      isInTraining(one.owner) && present !== undefined && ownerKey(present) !== ownerKey(one.owner);
    const all = await tx.objectStore('commands').getAll();
    for (const { seq } of all.filter(isOver)) await tx.objectStore('commands').delete(seq);
    for (const one of await tx.objectStore('conflicts').getAll()) {
      if (isOver(one)) await tx.objectStore('conflicts').delete(one.lane);
    }
    for (const one of await tx.objectStore('aside').getAll()) {
      if (isOver(one)) await tx.objectStore('aside').delete(one.seq);
    }
    const commands = all.filter((one) => !isOver(one));
    const senders = new Set(commands.map((one) => ownerKey(one.owner)));
    const needed = new Set(commands.map((one) => snapshotKey(ownerKey(one.owner), keyOf(one.command.subject))));
    const oldest = Date.now() - KEEP_MS;
    for (const one of await tx.objectStore('snapshots').getAll()) {
      if (needed.has(snapshotKey(one.owner, one.key)) || (one.owner === owner && one.at >= oldest)) continue;
      await tx.objectStore('snapshots').delete([one.owner, one.key]);
    }
    // The session of a training has no ticket. The stored tickets remain, because the user needs them again after the
    // training.
    const isTraining = present !== undefined && isInTraining(present);
    const tickets = tx.objectStore('tickets');
    for (const { isSuspended, ...one } of await tickets.getAll()) {
      const outlasts = isTraining || (present === undefined && isSuspended === true);
      if (outlasts || one.owner === owner || senders.has(one.owner))
        await tickets.put({ ...one, isSuspended: outlasts });
      else await tickets.delete(one.owner);
    }
    await tx.done;
    await this.changed();
  }

  /** Closes the database. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#channel.close();
    (await this.opened).close();
  }
}
