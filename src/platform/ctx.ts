/** The context of an operation: the transaction, the caller, the time, and other input from outside. */
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Ports } from './ports.ts';
import type { Sandbox } from './sandbox-clock.ts';
import type { Sealer } from './secrets.ts';
import type { Site } from './site.ts';
import type { Reader, Store, Writer } from './storage/db.ts';

declare module './json-column.ts' {
  interface Shapes {
    Group: Group;
  }
}

/** The groups of operations to which a client's credential can be limited (docs/interface.md#access). */
export const GROUPS = [
  'items',
  'inbound',
  'fulfillment',
  'intake',
  'events',
  'supervise',
  'receiving',
  'stock',
] as const;
export type Group = (typeof GROUPS)[number];

/**
 * Permissions of users. A role is a set of permissions, and an operation needs one of the permissions that it names
 * (src/platform/roles.ts).
 */
export const PERMISSIONS = [
  'fulfillment.read',
  'fulfillment.write',
  'checkin.read',
  'checkin.write',
  'supervise',
  'decline',
  'reroute.read',
  'contact',
  'proofs.read',
  'receive',
  'stock.read',
  'receipts.close',
  'receipts.approve',
  'stock.count',
  'stock.adjust',
  'people',
  'items.read',
  'items.write',
  'orders.intake',
  'orders.change',
  'client',
  'installation',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The caller. Events record its `id`, which has no secret. */
export interface Actor {
  kind: 'client' | 'operator' | 'user' | 'system' | 'anonymous';
  id: string;
  /** The client of a client's credential or user; undefined for other callers. */
  clientId?: string;
  /**
   * Stores to which a client's credential or user is limited; null: no limit. `nodeIds` limits nodes in the same way.
   */
  storeIds?: readonly string[] | null;
  nodeIds?: readonly string[] | null;
  groups?: readonly Group[];
  /** Permissions of a user's role. */
  permissions?: readonly Permission[];
  /** Session of a user's request. */
  session?: ActorSession;
}

/** The session of a user's request. Times are epoch milliseconds. */
export interface ActorSession {
  userId: string;
  name: string;
  role: string;
  /** Nodes of the user; empty: all nodes of the client. */
  nodeIds: readonly string[];
  language: string | null;
  sessionId: string;
  tokenHash: string;
  method: string;
  /** Time of the last sign-in with password, OIDC or passkey in this session; null: no such sign-in. */
  fullAt: number | null;
  endsAt: number;
  expiresAt: number;
  mustChangePin: boolean;
  device: { deviceId: string; nodeId: string; name: string } | undefined;
  /** Whether the session is in a training, with invented data. */
  isTraining?: true;
}

/**
 * Whether the caller is a user without this permission. Credentials have groups instead; an operator's key has every
 * permission.
 */
export function isWithout(actor: Actor, permission: Permission): boolean {
  return actor.kind === 'user' && actor.permissions?.includes(permission) !== true;
}

/** Whether the caller is the operator: an operator key, or a user of the operator. */
export function isOfOperator({ kind, clientId }: Actor): boolean {
  return kind === 'operator' || (kind === 'user' && clientId === undefined);
}

export interface Ctx<Db extends Reader = Writer> {
  /** The transaction of this operation: a snapshot for a read, a write transaction for a write. */
  db: Db;
  dialect: Store['dialect'];
  actor: Actor;
  requestId: string;
  /** The trace that events of the request store; undefined: the trace is derived from `requestId` and not stored. */
  trace?: string | undefined;
  /** The revisions that the caller accepts (If-Match); absent: every revision. */
  ifMatch?: readonly number[];
  /** Time of the operation in epoch milliseconds, one instant for the whole operation. */
  now: number;
  newId: () => string;
  randomBytes: (size: number) => Buffer;
  sealer: Sealer;
  log: Logger;
  config: Pick<
    Config,
    | 'labelHook'
    | 'printerAllow'
    | 'webhookAllow'
    | 'webhookPlainHttp'
    | 'webhookTimeoutMs'
    | 'rateLimit'
    | 'shipmentDays'
  >;
  /** The site of the service for browsers; absent for commands. */
  site?: Site;
  /** Registers a hook that runs after the commit; it does not run if the transaction rolls back. */
  onCommit: (hook: () => void) => void;
  /** The clock of a sandbox, which operations can set; absent outside of a sandbox. */
  sandbox?: Sandbox;
}

export type ReadCtx = Ctx<Reader>;

/** Parts of an installation from which a context is made. */
export interface CtxParts {
  config: Ctx['config'];
  ports: Ports;
  store: Pick<Store, 'dialect'>;
  sealer: Sealer;
  sandbox?: Sandbox;
  site?: Site;
}

/** The caller and the request of a context. Default of `requestId`: a new id; default of `now`: the present time. */
export interface Asking<Db extends Reader> {
  db: Db;
  actor: Actor;
  requestId?: string;
  trace?: string | undefined;
  ifMatch?: readonly number[];
  now?: number;
  onCommit?: (hook: () => void) => void;
}

/** Makes the context of one operation in its transaction. */
export function makeCtx<Db extends Reader>(
  { config, ports, store, sealer, sandbox, site }: CtxParts,
  { db, actor, requestId = ports.newId(), trace, ifMatch, now = ports.now(), onCommit = noHook }: Asking<Db>,
): Ctx<Db> {
  const { newId, randomBytes, log } = ports;
  const given = {
    db,
    dialect: store.dialect,
    actor,
    requestId,
    trace,
    now,
    newId,
    randomBytes,
    sealer,
    log,
    config,
    onCommit,
    ...(ifMatch !== undefined && { ifMatch }),
    ...(site !== undefined && { site }),
  };
  return sandbox === undefined ? given : { ...given, sandbox };
}

function noHook(): void {}
