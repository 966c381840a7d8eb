/**
 * What this device keeps: commands that wait, what the service did not accept, and snapshots of the work of the person, in IndexedDB. `mirror`
 * has the same as a signal. Other tabs hear of each change.
 */
import { type Signal, signal } from '@preact/signals';
import { type Command, type Kept, keyOf, laneOf, type Owner, ownerKey, type Subject } from './commands.ts';
import { type Conflict, type Database, openDatabase, type Snapshot, STRICT } from './database.ts';
import { ids } from './ids.ts';
import { kindOf, type NewKept } from './kinds.ts';

/** Something read from the service, or kept from the last time. */
export interface Cached<T> {
  body: T;
  /** When the service said so, epoch milliseconds. */
  at: number;
  isStale: boolean;
}

interface Mirror {
  commands: readonly Kept[];
  conflicts: readonly Conflict[];
  snapshots: ReadonlyMap<string, Snapshot>;
}

type Message = { kind: 'changed' } | { kind: 'owner'; owner: string | undefined };

/** Age at which a snapshot that nothing waits for leaves the device. */
const KEEP_MS = 24 * 3_600_000;

/** The key of a snapshot in the mirror. */
export const snapshotKey = (owner: string, key: string) => `${owner} ${key}`;

export class Store {
  readonly mirror: Signal<Mirror> = signal<Mirror>({ commands: [], conflicts: [], snapshots: new Map() });
  /** The person at work; undefined before the sign-in. */
  readonly owner = signal<Owner | undefined>(undefined);
  /** This browser keeps nothing. */
  readonly isBroken = signal(false);
  readonly opened: Promise<Database>;
  /** Name of the database, of its lock and its channel. */
  readonly name: string;
  /** Told that another tab has a new owner of the session. */
  onOwner: (owner: string | undefined) => void = () => undefined;
  readonly #channel: BroadcastChannel;
  #generation = 0;
  #isStopped = false;
  /** Snapshots of the person of a locked device: in memory only. Undefined: it is not locked. */
  #held: readonly Snapshot[] | undefined;

  constructor(service: string) {
    this.name = `backroom ${new URL(service).pathname}`;
    this.#channel = new BroadcastChannel(this.name);
    this.opened = openDatabase(service).catch((error: unknown) => {
      this.isBroken.value = true;
      throw error;
    });
    this.opened.then(
      () => this.reload(),
      () => undefined,
    );
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'changed') void this.reload();
      else this.onOwner(data.owner);
    };
  }

  /** @throws Error if no person is signed in */
  current(): Owner {
    if (this.owner.value === undefined) throw new Error('no person is signed in on this device');
    return this.owner.value;
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
      // Commands that were added meanwhile may not be in what was read.
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

  /** Keeps a command of the person at work. Once fulfilled it survives a dead battery. Returns its id. */
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
      // In the transaction that keeps it: a response that arrives later finds it among the commands that wait.
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

  /** The commands leave the device and their effect enters the snapshot in one step, so that no unit is shown twice or not at all. */
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

  /** Keeps what the service shows, unless something of it is still to be sent. `isFirst`: only if nothing is kept yet. */
  async keep(subject: Subject, body: unknown, isFirst: boolean): Promise<void> {
    const by = ownerKey(this.current());
    const key = keyOf(subject);
    const kind = await kindOf(subject);
    const database = await this.opened;
    const tx = database.transaction(['commands', 'conflicts', 'snapshots'], 'readwrite');
    const commands = await tx.objectStore('commands').getAll();
    const stops = await tx.objectStore('conflicts').getAllKeys();
    const isRejected = (lane: string) => kind.hasParts === true && stops.includes(lane);
    // A command that was tried may be in what the service shows, or not: adding it on top could count it twice.
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

  /** The result of `load`; without network its last result. @throws what `load` throws where nothing is kept */
  async cached<T>(key: string, load: () => Promise<T>): Promise<Cached<T>> {
    const by = ownerKey(this.current());
    const database = await this.opened;
    const own = `cached ${key}`;
    try {
      const body = await load();
      const at = Date.now();
      if (this.#mayKeep(by)) {
        await database.put('snapshots', { kind: 'cached', owner: by, key: own, at, body });
      }
      return { body, at, isStale: false };
    } catch (error) {
      const before = await database.get('snapshots', [by, own]);
      // What the service denies is not there for this person any more.
      if (before?.kind !== 'cached' || !isAway(error)) throw error;
      return { body: before.body as T, at: before.at, isStale: true };
    }
  }

  /** A person who has left, or whose screens are put away, leaves nothing behind. */
  #mayKeep(by: string): boolean {
    const owner = this.owner.peek();
    return this.#held === undefined && owner !== undefined && ownerKey(owner) === by;
  }

  /** Keeps the ticket under which the work of a person is sent after they have left. */
  async putTicket(owner: Owner, ticket: string): Promise<void> {
    await (await this.opened).put('tickets', { owner: ownerKey(owner), ticket });
  }

  /** The screens of the person are put away: their snapshots leave the disk and stay in memory, for the same person to continue. */
  async hold(): Promise<void> {
    const own = this.owner.value && ownerKey(this.owner.value);
    this.#held = [...this.mirror.peek().snapshots.values()].filter((one) => one.owner === own && one.kind !== 'cached');
    await this.leaveOnly(undefined);
  }

  /** The same person is back. */
  async restore(): Promise<void> {
    const database = await this.opened;
    const own = this.owner.peek() && ownerKey(this.owner.peek()!);
    const held = (this.#held ?? []).filter(({ owner }) => owner === own);
    this.#held = undefined;
    const tx = database.transaction('snapshots', 'readwrite');
    for (const one of held) {
      if ((await tx.store.get([one.owner, one.key])) === undefined) await tx.store.put(one);
    }
    await tx.done;
    await this.changed();
  }

  /**
   * Removes what nothing waits for: all of other people, of `owner` what is old. Tickets of people with nothing to send go along.
   *
   * @param owner key of the person whose work stays; undefined: of no person
   */
  async leaveOnly(owner: string | undefined): Promise<void> {
    const database = await this.opened;
    const tx = database.transaction(['commands', 'snapshots', 'tickets'], 'readwrite');
    const commands = await tx.objectStore('commands').getAll();
    const senders = new Set(commands.map((one) => ownerKey(one.owner)));
    const needed = new Set(commands.map((one) => snapshotKey(ownerKey(one.owner), keyOf(one.command.subject))));
    const oldest = Date.now() - KEEP_MS;
    for (const one of await tx.objectStore('snapshots').getAll()) {
      if (needed.has(snapshotKey(one.owner, one.key)) || (one.owner === owner && one.at >= oldest)) continue;
      await tx.objectStore('snapshots').delete([one.owner, one.key]);
    }
    for (const one of await tx.objectStore('tickets').getAll()) {
      if (one.owner !== owner && !senders.has(one.owner)) await tx.objectStore('tickets').delete(one.owner);
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

/** Whether an error of a read means that the service is away, not that it said no. */
function isAway(error: unknown): boolean {
  const status = (error as { status?: unknown } | undefined)?.status;
  return status === 0 || status === 408 || status === 429 || status === 502 || status === 503 || status === 504;
}
