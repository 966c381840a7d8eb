/** What an operation is given. Small on purpose: the transaction, who asks, and what comes from outside. */
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Ports } from './ports.ts';
import type { Sandbox } from './sandbox-clock.ts';
import type { Sealer } from './secrets.ts';
import type { Site } from './site.ts';
import type { Reader, Store, Writer } from './storage/db.ts';

/** The groups of operations a client's credential can be narrowed to (docs/interface.md#access). */
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

/** What a person may do; roles are sets of these, and each operation names the one it asks for (src/platform/roles.ts). */
export const PERMISSIONS = [
  'fulfillment.read',
  'fulfillment.write',
  'checkin.read',
  'checkin.write',
  'supervise',
  'decline',
  'reroute.read',
  'contact',
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

/** Who asks. `id` is what the audit trail records; it never holds a secret. */
export interface Actor {
  kind: 'client' | 'operator' | 'user' | 'system' | 'anonymous';
  id: string;
  /** The client of a client's credential or user; undefined for everybody else. */
  clientId?: string;
  /** Narrowing of a client's credential or user; null is no narrowing. */
  storeIds?: readonly string[] | null;
  nodeIds?: readonly string[] | null;
  groups?: readonly Group[];
  /** Of a person: what the role allows. */
  permissions?: readonly Permission[];
  /** Of a person: the session of the request. */
  session?: ActorSession;
}

/** The session that a person's request came with. Times are epoch milliseconds. */
export interface ActorSession {
  userId: string;
  name: string;
  role: string;
  /** [] is every node of the client. */
  nodeIds: readonly string[];
  language: string | null;
  sessionId: string;
  tokenHash: string;
  method: string;
  /** When the whole secret (password, OIDC, passkey) was last given in this session; null: never. */
  fullAt: number | null;
  endsAt: number;
  expiresAt: number;
  mustChangePin: boolean;
  device: { deviceId: string; nodeId: string; name: string } | undefined;
  /** In the town of a training, where nothing is real. */
  isTraining?: true;
}

/** Whether a person asks who has not this permission. A credential is judged by its groups, an operator's key may do all. */
export function isWithout(actor: Actor, permission: Permission): boolean {
  return actor.kind === 'user' && actor.permissions?.includes(permission) !== true;
}

/** Whether the operator asks: with a key, or a person of the operator. */
export function isOfOperator({ kind, clientId }: Actor): boolean {
  return kind === 'operator' || (kind === 'user' && clientId === undefined);
}

export interface Ctx<Db extends Reader = Writer> {
  /** The transaction of this operation: a snapshot for reads, the only write transaction for writes. */
  db: Db;
  dialect: Store['dialect'];
  actor: Actor;
  requestId: string;
  /** The trace of the request, as its events keep it; undefined: it follows from `requestId`. */
  trace?: string | undefined;
  /** Epoch milliseconds; one instant for the whole operation. */
  now: number;
  newId: () => string;
  randomBytes: (size: number) => Buffer;
  sealer: Sealer;
  log: Logger;
  config: Pick<Config, 'printerAllow' | 'webhookAllow' | 'webhookPlainHttp' | 'rateLimit'>;
  /** Where browsers find the service; not there for commands. */
  site?: Site;
  /** Runs after the commit, if there is one. */
  onCommit: (hook: () => void) => void;
  /** Where time is moved by hand. */
  sandbox?: Sandbox;
}

export type ReadCtx = Ctx<Reader>;

/** The parts of an installation that a context is made of. */
export interface CtxParts {
  config: Ctx['config'];
  ports: Ports;
  store: Pick<Store, 'dialect'>;
  sealer: Sealer;
  sandbox?: Sandbox;
  site?: Site;
}

/** For whom and what a context is. Without `requestId` and `now` they are a new id and the present. */
export interface Asking<Db extends Reader> {
  db: Db;
  actor: Actor;
  requestId?: string;
  trace?: string | undefined;
  now?: number;
  onCommit?: (hook: () => void) => void;
}

/** Makes the context of one operation in its transaction. */
export function makeCtx<Db extends Reader>(
  { config, ports, store, sealer, sandbox, site }: CtxParts,
  { db, actor, requestId = ports.newId(), trace, now = ports.now(), onCommit = noHook }: Asking<Db>,
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
    ...(site !== undefined && { site }),
  };
  return sandbox === undefined ? given : { ...given, sandbox };
}

function noHook(): void {}
