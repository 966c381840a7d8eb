/** What an operation is given. Small on purpose: the transaction, who asks, and what comes from outside. */
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Sandbox } from './sandbox/clock.ts';
import type { Sealer } from './secrets.ts';
import type { Reader, Store, Writer } from './storage/db.ts';

/** The groups of operations a client's credential can be narrowed to (docs/interface.md#access). */
export const GROUPS = ['items', 'inbound', 'fulfillment', 'intake', 'events', 'supervise'] as const;
export type Group = (typeof GROUPS)[number];

/** Who asks. `id` is what the audit trail records; it never holds a secret. */
export interface Actor {
  kind: 'client' | 'operator' | 'system' | 'anonymous';
  id: string;
  /** The client of a client's credential; undefined for everybody else. */
  clientId?: string;
  /** Narrowing of a client's credential; null is no narrowing. */
  storeIds?: readonly string[] | null;
  nodeIds?: readonly string[] | null;
  groups?: readonly Group[];
}

export interface Ctx<Db extends Reader = Writer> {
  /** The transaction of this operation: a snapshot for reads, the only write transaction for writes. */
  db: Db;
  dialect: Store['dialect'];
  actor: Actor;
  requestId: string;
  /** Epoch milliseconds; one instant for the whole operation. */
  now: number;
  newId: () => string;
  randomBytes: (size: number) => Buffer;
  sealer: Sealer;
  log: Logger;
  /** Where webhooks may go; left out: to public addresses, by https. */
  places?: Pick<Config, 'webhookAllow' | 'webhookPlainHttp'> & Partial<Pick<Config, 'rateLimit'>>;
  /** Runs after the commit, if there is one. */
  onCommit: (hook: () => void) => void;
  /** Where time is moved by hand. */
  sandbox?: Sandbox;
}

export type ReadCtx = Ctx<Reader>;
