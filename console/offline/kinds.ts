/** The kinds of work that the outbox carries. Each registers itself, or is loaded by the first command of it; the outbox names none. */
import type { Kept, Owner, Subject, Wire } from './commands.ts';
import type { Snapshot } from './database.ts';

/** A command that is not on the disk yet. */
export type NewKept = Omit<Kept, 'seq'>;

/** What the outbox must know of the commands on one kind of subject. */
export interface Kind {
  /** The request that a command becomes. */
  wireOf: (command: never, id: string, by: Owner) => Wire;
  /** A snapshot from what the service shows; `before` is the one on this device. */
  snapshot: (owner: string, key: string, body: never, now: number, before?: Snapshot) => Snapshot;
  /** The snapshot after the service has accepted commands. */
  accept: (
    snapshot: Snapshot,
    done: readonly [Kept, ...Kept[]],
    body: Record<string, unknown>,
    now: number,
  ) => Snapshot | undefined;
  /** Waiting commands that the response completes. */
  release?: (waiting: readonly Kept[], done: readonly Kept[], body: Record<string, unknown>) => Kept[];
  /** A new command whose response has arrived already. */
  releaseLate?: (one: NewKept, snapshot: Snapshot | undefined) => NewKept;
  /** A rejected command leaves the rest of the snapshot as it is: its parts do not depend on each other. */
  hasParts?: boolean;
}

type Loader = () => Promise<unknown>;

const kinds = new Map<Subject['kind'], Kind>();
const loaders = new Map<Subject['kind'], Loader>();

export function registerKind(name: Subject['kind'], kind: Kind): void {
  kinds.set(name, kind);
}

/** Registers a kind whose module loads with its first command. */
export function registerLater(name: Subject['kind'], load: Loader): void {
  loaders.set(name, load);
}

/** @throws what loading its module throws */
export async function kindOf({ kind }: Subject): Promise<Kind> {
  if (!kinds.has(kind)) await loaders.get(kind)?.();
  return kinds.get(kind)!;
}
