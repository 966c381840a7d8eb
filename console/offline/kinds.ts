/**
 * Register of the kinds of subjects. The module of a kind registers it when the module loads: with the outbox, with the
 * screens of the kind, or with its first command. This file imports no kind.
 */
import type { Kept, Owner, Subject, Wire } from './commands.ts';
import type { Snapshot } from './database.ts';
import type { conflictOf } from './settle.ts';

/** A command that is not on the disk yet. */
export type NewKept = Omit<Kept, 'seq'>;

/** The functions of one kind of subject. */
export interface Kind {
  /** Returns the request of a command. */
  wireOf: (command: never, id: string, by: Owner) => Wire;
  /** Returns a snapshot for a response of the service; `before` is the snapshot on this device. */
  snapshot: (owner: string, key: string, body: never, now: number, before?: Snapshot) => Snapshot;
  /** Returns the snapshot after the service has accepted commands. */
  accept: (
    snapshot: Snapshot,
    done: readonly [Kept, ...Kept[]],
    body: Record<string, unknown>,
    now: number,
  ) => Snapshot | undefined;
  /** Returns the conflict for rejected commands of any kind. Only the kind `ticket` has it. */
  conflictOf?: typeof conflictOf;
  /** Returns the waiting commands that the response completes. */
  release?: (waiting: readonly Kept[], done: readonly Kept[], body: Record<string, unknown>) => Kept[];
  /** Completes a new command if the response that it waits for has already arrived. */
  releaseLate?: (one: NewKept, snapshot: Snapshot | undefined) => NewKept;
  /** True if the snapshot has independent parts. A rejected command then stops only its own part. */
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

/** Returns a kind and loads its module if necessary. @throws the error of the import */
export async function kindOf({ kind }: Pick<Subject, 'kind'>): Promise<Kind> {
  if (!kinds.get(kind)) await loaders.get(kind)?.();
  return kinds.get(kind)!;
}
