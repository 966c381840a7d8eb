/** Who calls and what the path names, found once for as long as the tables that say so stay as they are. */

import type { Config } from '../config.ts';
import type { Actor } from '../ctx.ts';
import { lru } from '../lru.ts';
import type { Reader, Store, Watched } from '../storage/db.ts';
import { stateOf } from '../storage/row-state.ts';
import type { RowKey, RowState } from '../storage/store.ts';
import { MINUTE_MS } from '../time.ts';
import {
  ACCESS_TABLES,
  type AccessHeaders,
  authenticate,
  authorize,
  isPermitted,
  type Scope,
  unauthorized,
} from './auth.ts';
import { denied, Refusal } from './errors.ts';
import type { Operation } from './operation.ts';
import type { FoundSession, Sessions } from './sessions.ts';

export interface Caller {
  actor: Actor;
  scope: Scope;
  /** Until when the credential is good, epoch milliseconds; null: for good. */
  until: number | null;
  /** The rows that say so, where only they can prove that it is still so. */
  rows?: RowState;
}

/** Callers kept at most; they are few, but the ids in a path may be many. */
const KEPT = 10_000;

/**
 * Keeps what was found for as long as nothing was committed to the tables that it was read from, which the store proves
 * (docs/decisions/090): a credential that is revoked is refused at once. Finding it anew takes 60 us, finding it here 4. Refusals are
 * not kept.
 */
export class CallerCache {
  readonly #store: Store;
  readonly #config: Pick<Config, 'operatorKey'>;
  readonly #kept = lru<string, Caller>(KEPT);
  /** Callers of hot reads, each with the state of its rows, which the read itself proves. */
  readonly #toProve = lru<string, Caller>(KEPT);
  readonly #tables: Watched | undefined;
  #version: number | undefined;
  readonly #sessions: Sessions;

  constructor(store: Store, config: Pick<Config, 'operatorKey'>, sessions: Sessions) {
    this.#store = store;
    this.#config = config;
    this.#sessions = sessions;
    this.#tables = store.watch(ACCESS_TABLES);
    this.#version = this.#tables?.version;
  }

  /** @throws Refusal as `authenticate` and `authorize` do. */
  find(
    operation: Operation,
    headers: AccessHeaders,
    params: Record<string, string>,
    now: number,
  ): Caller | Promise<Caller> {
    const { auth, method } = operation;
    if (auth === 'browser') this.#sessions.mustBeOwn(method, headers);
    const token = auth === 'none' || auth === 'browser' ? undefined : this.#sessions.tokenOf(headers);
    const ticket = headers['outbox-ticket'];
    if (typeof ticket === 'string' && operation.offline === true && this.#sessions.isBrowsers(headers)) {
      return this.#ofTicket(ticket, operation, headers, params, now);
    }
    if (token !== undefined) return this.#ofSession(token, operation, headers, params, now);
    return this.known(operation, headers, params, now) ?? this.#load(operation, headers, params, now);
  }

  /** Work that was queued on a device, under the name of its owner, whoever is signed in now. */
  async #ofTicket(
    ticket: string,
    operation: Operation,
    headers: AccessHeaders,
    params: Record<string, string>,
    now: number,
  ): Promise<Caller> {
    this.#sessions.mustBeOwn(operation.method, headers);
    return this.#store.read(async (db) => {
      const actor = await this.#sessions.ofTicket(db, ticket, headers, now);
      if (actor === undefined) {
        throw unauthorized(
          'SESSION_ENDED',
          'The ticket of the queued work is no longer good: its owner signs in again.',
        );
      }
      return { actor, scope: await authorize(db, operation, actor, params), until: null };
    });
  }

  /** Nothing of it is kept: a session that has ended is refused at once, by every process. */
  async #ofSession(
    token: string,
    operation: Operation,
    headers: AccessHeaders,
    params: Record<string, string>,
    now: number,
  ): Promise<Caller> {
    this.#sessions.mustBeOwn(operation.method, headers);
    const { found, caller } = await this.#store.read(async (db) => {
      const session = await this.#sessions.find(db, token, now);
      if (session === undefined) {
        throw unauthorized('SESSION_ENDED', 'The session has ended: sign in again with POST /session.');
      }
      mustBeUsable(session, operation, now);
      const { actor } = session;
      return { found: session, caller: { actor, scope: await authorize(db, operation, actor, params), until: null } };
    });
    if (operation.background !== true) await this.#sessions.touch(found, now);
    return caller;
  }

  /** The caller, where it is known. */
  known(operation: Operation, headers: AccessHeaders, params: Record<string, string>, now: number): Caller | undefined {
    if (this.#tables === undefined) return undefined;
    this.#store.version();
    if (this.#version !== this.#tables.version) {
      this.#kept.clear();
      this.#version = this.#tables.version;
    }
    const key = keyOf(operation, headers, params);
    const known = key === undefined ? undefined : this.#kept.get(key);
    return known !== undefined && (known.until === null || known.until > now) ? known : undefined;
  }

  /** The caller as it was found once: good only for a read that proves its `rows` unchanged. */
  toProve(
    operation: Operation,
    headers: AccessHeaders,
    params: Record<string, string>,
    now: number,
  ): Caller | undefined {
    if (!this.#store.provesRows) return undefined;
    const key = keyOf(operation, headers, params);
    const known = key === undefined ? undefined : this.#toProve.get(key);
    return known !== undefined && (known.until === null || known.until > now) ? known : undefined;
  }

  /** What was to be proved is not so. */
  forget(caller: Caller): void {
    for (const [key, each] of this.#toProve) if (each === caller) this.#toProve.delete(key);
  }

  async #load(
    operation: Operation,
    headers: AccessHeaders,
    params: Record<string, string>,
    now: number,
  ): Promise<Caller> {
    const version = this.#version;
    const isToProve = this.#store.provesRows && operation.access === 'read' && operation.fastPath !== undefined;
    const caller = await this.#store.read(async (db) => {
      const loaded = await loadCaller(db, operation, headers, params, now, this.#config);
      const rows = isToProve ? await stateOf(db, rowsOf(loaded)) : undefined;
      return rows === undefined ? loaded : { ...loaded, rows };
    });
    // What was read may be older than a commit that came meanwhile.
    const key = keyOf(operation, headers, params);
    if (key !== undefined && caller.rows !== undefined) this.#toProve.set(key, caller);
    if (key !== undefined && this.#tables !== undefined && version === this.#version) this.#kept.set(key, caller);
    return caller;
  }
}

/** How long ago a person of the operator may have signed in with the whole secret, for what is `fresh`. */
const FRESH_MS = 15 * MINUTE_MS;

/** @throws Refusal where the session is good, but not for this operation as it is now. */
function mustBeUsable({ actor, isLocked }: FoundSession, operation: Operation, now: number): void {
  const { mustChangePin, fullAt, isTraining } = actor.session!;
  if (isLocked) throw unauthorized('SESSION_LOCKED', 'The device is locked: unlock it with POST /session/unlock.');
  if (mustChangePin && operation.withOneTimePin !== true) {
    const what = 'You have signed in with a one-time PIN: choose your own with PUT /session/pin first.';
    throw new Refusal(403, 'SECURITY', 'PIN_CHANGE_REQUIRED', what);
  }
  if (isTraining === true && operation.auth === 'session' && operation.inTraining !== true) {
    const what =
      'You are in a training, where nothing of your own is changed: leave it with DELETE /session/training first.';
    throw new Refusal(403, 'STATE', 'IN_TRAINING', what);
  }
  if (operation.fresh === true && actor.clientId === undefined && (fullAt === null || now - fullAt > FRESH_MS)) {
    // Whoever may not do it at all is told so, not to sign in again.
    if (!isPermitted(operation, actor.permissions ?? [])) throw denied();
    const what = 'This needs a sign-in of the last 15 minutes: sign in again with POST /session.';
    throw new Refusal(403, 'SECURITY', 'SIGN_IN_AGAIN', what);
  }
}

async function loadCaller(
  db: Reader,
  operation: Operation,
  headers: AccessHeaders,
  params: Record<string, string>,
  now: number,
  config: Pick<Config, 'operatorKey'>,
): Promise<Caller> {
  const { actor, until } = await authenticate(db, operation.auth, headers, now, config);
  return { actor, scope: await authorize(db, operation, actor, params), until };
}

/** The rows that a client's caller was read from. */
function rowsOf({ actor, scope: { clientId, client, store, node } }: Caller): RowKey[] {
  const [, id = ''] = /^credential:(.*)$/s.exec(actor.id) ?? [];
  return [
    { table: 'credentials', key: { client_id: clientId, credential_id: id } },
    ...(client === undefined ? [] : [{ table: 'clients', key: { client_id: clientId } } as const]),
    ...(store === undefined
      ? []
      : [{ table: 'stores', key: { client_id: clientId, store_id: store.store_id } } as const]),
    ...(node === undefined ? [] : [{ table: 'nodes', key: { client_id: clientId, node_id: node.node_id } } as const]),
  ];
}

/** All that the answer depends on. Undefined for those who need no credentials and whose headers may hold anything. */
function keyOf(
  { id, auth }: Operation,
  { apikey, authorization }: AccessHeaders,
  { clientId = '', sellerId = '', storeId = '', nodeId = '' }: Record<string, string>,
): string | undefined {
  const isOperators = auth === 'operator' || (auth === 'operatorOrApiKey' && apikey === undefined);
  const key = isOperators ? authorization : apikey;
  if (auth === 'none' || typeof key !== 'string') return undefined;
  const basic = auth === 'basic' ? authorization : '';
  return `${id}\0${key}\0${basic}\0${clientId}\0${sellerId}\0${storeId}\0${nodeId}`;
}
