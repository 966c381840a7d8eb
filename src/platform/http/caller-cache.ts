/** Caches callers with the resources of their paths, until one of the `ACCESS_TABLES` changes. */

import type { Actor } from '../ctx.ts';
import { lru } from '../lru.ts';
import { say } from '../sentences.ts';
import type { Reader, Store, Watched } from '../storage/db.ts';
import { stateOf } from '../storage/row-state.ts';
import type { RowKey, RowState } from '../storage/store.ts';
import {
  ACCESS_TABLES,
  type AccessHeaders,
  type AccessParts,
  authenticate,
  authorize,
  hasSeveral,
  isPermitted,
  ofCaller,
  type Scope,
  unauthorized,
} from './auth.ts';
import { denied, Refusal } from './errors.ts';
import type { Operation } from './operation.ts';
import { type FoundSession, isFresh, type Sessions } from './sessions.ts';

export interface Caller {
  actor: Actor;
  scope: Scope;
  /** Expiry of the credential in epoch milliseconds; null: it does not expire. */
  until: number | null;
  /** State of the rows that the caller was read from. If set, compare it with the rows before you use the caller. */
  rows?: RowState;
}

/** Maximum number of cached callers. There are few credentials, but paths can have many ids. */
const KEPT = 10_000;

/**
 * Caches a caller until a commit to one of the `ACCESS_TABLES` (docs/decisions/090). A revoked credential
 * is therefore rejected immediately. Reading a caller takes 60 us, finding it in the cache 4 us. Errors are not cached.
 */
export class CallerCache {
  readonly #store: Store;
  readonly #config: AccessParts;
  readonly #kept = lru<string, Caller>(KEPT);
  /**
   * Callers for the fast path, each with the state of its rows. The statement that reads the data also checks that
   * this state is unchanged.
   */
  readonly #toProve = lru<string, Caller>(KEPT);
  readonly #tables: Watched | undefined;
  #version: number | undefined;
  readonly #sessions: Sessions;

  constructor(store: Store, config: AccessParts, sessions: Sessions) {
    this.#store = store;
    this.#config = config;
    this.#sessions = sessions;
    this.#tables = store.watch(ACCESS_TABLES);
    this.#version = this.#tables?.version;
  }

  /**
   * Returns the caller of a request, from the cache if possible.
   * @throws Refusal as `authenticate` and `authorize` do, and for a session or Outbox-Ticket that is not valid.
   */
  find(
    operation: Operation,
    headers: AccessHeaders,
    params: Record<string, string>,
    now: number,
  ): Caller | Promise<Caller> {
    const {
      method,
      access: { auth },
    } = operation;
    if (auth === 'browser') this.#sessions.mustBeOwn(method, headers);
    const token = auth === 'none' || auth === 'browser' ? undefined : this.#sessions.tokenOf(headers);
    const ticket = headers['outbox-ticket'];
    if (typeof ticket === 'string' && operation.access.offline === true && this.#sessions.isBrowsers(headers)) {
      return this.#ofTicket(ticket, operation, headers, params, now);
    }
    if (token !== undefined) return this.#ofSession(token, operation, headers, params, now);
    return this.known(operation, headers, params, now) ?? this.#load(operation, headers, params, now);
  }

  /**
   * Finds the caller of work that was queued on a device: the owner of the Outbox-Ticket, even if another user is
   * signed in now.
   */
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
          say(
            'The Outbox-Ticket of the queued work is no longer valid; the user who queued the work must sign in again.',
          ),
        );
      }
      return { actor, scope: await authorize(db, operation, actor, params), until: null };
    });
  }

  /** Sessions are not cached, so that every process rejects an ended session immediately. */
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
      if (session === undefined) throw sessionEnded();
      const { actor } = session;
      try {
        mustBeUsable(session, operation, now);
      } catch (error) {
        throw ofCaller(error, actor);
      }
      return { found: session, caller: { actor, scope: await authorize(db, operation, actor, params), until: null } };
    });
    if (operation.access.background !== true) await this.#sessions.touch(found, now);
    return caller;
  }

  /** The cached caller, if there is one. */
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

  /** A cached caller that can be stale: the read that uses it must check that its `rows` are unchanged. */
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

  /** Removes a caller whose rows have changed. */
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
    const isToProve =
      this.#store.provesRows &&
      operation.kind === 'read' &&
      operation.run.fastPath !== undefined &&
      !hasSeveral(operation.access.auth, headers);
    const caller = await this.#store.read(async (db) => {
      const loaded = await loadCaller(db, operation, headers, params, now, this.#config);
      const rows = isToProve ? await stateOf(db, rowsOf(loaded)) : undefined;
      return rows === undefined ? loaded : { ...loaded, rows };
    });
    const key = keyOf(operation, headers, params);
    if (key !== undefined && caller.rows !== undefined) this.#toProve.set(key, caller);
    // After a commit during the read, the result can be stale, so it is not cached.
    if (key !== undefined && this.#tables !== undefined && version === this.#version) this.#kept.set(key, caller);
    return caller;
  }
}

/**
 * Checks that the user of a valid session can use the operation now.
 * @throws Refusal if the device is locked, or if a one-time PIN, a training or an old sign-in forbids the operation.
 */
function mustBeUsable({ actor, isLocked }: FoundSession, operation: Operation, now: number): void {
  const { mustChangePin, fullAt, isTraining } = actor.session!;
  if (isLocked) throw unauthorized('SESSION_LOCKED', say('The device is locked; unlock it with POST /session/unlock.'));
  if (mustChangePin && operation.access.withOneTimePin !== true) {
    const what = say('You have signed in with a one-time PIN; choose your own PIN with PUT /session/pin first.');
    throw new Refusal(403, 'SECURITY', 'PIN_CHANGE_REQUIRED', what);
  }
  if (isTraining === true && operation.access.auth === 'session' && operation.access.inTraining !== true) {
    const what = say(
      'Your account cannot be read or changed in a training; end the training with DELETE /session/training first.',
    );
    throw new Refusal(403, 'STATE', 'IN_TRAINING', what);
  }
  if (operation.access.fresh === true && actor.clientId === undefined && !isFresh(fullAt, now)) {
    // A user without the permission gets ACCESS_DENIED: signing in again would not help.
    if (!isPermitted(operation, actor.permissions ?? [])) throw denied();
    const what = say('This operation needs a sign-in within the last 15 minutes; sign in again with POST /session.');
    throw new Refusal(403, 'SECURITY', 'SIGN_IN_AGAIN', what);
  }
}

async function loadCaller(
  db: Reader,
  operation: Operation,
  headers: AccessHeaders,
  params: Record<string, string>,
  now: number,
  config: AccessParts,
): Promise<Caller> {
  const { actor, until } = await authenticate(db, { auth: operation.access.auth, headers, now, config });
  return { actor, scope: await authorize(db, operation, actor, params), until };
}

/** Keys of the rows that a client's caller was read from. */
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

/**
 * Key of the cache, with all values that the caller depends on. Undefined without a key, and for operations
 * without credentials, because their headers can have any content.
 */
function keyOf(
  { id, access: { auth } }: Operation,
  headers: AccessHeaders,
  { clientId = '', sellerId = '', storeId = '', nodeId = '' }: Record<string, string>,
): string | undefined {
  const { apikey, authorization } = headers;
  const isOperators = auth === 'operator' || (auth === 'operatorOrApiKey' && apikey === undefined);
  const key = isOperators ? authorization : (apikey ?? authorization);
  if (auth === 'none' || typeof key !== 'string') return undefined;
  const other = auth === 'basic' || hasSeveral(auth, headers) ? [apikey, authorization].join('\0') : '';
  return `${id}\0${key}\0${other}\0${clientId}\0${sellerId}\0${storeId}\0${nodeId}`;
}

/** Returns the 401 of a session that has ended. */
export function sessionEnded(): Refusal {
  return unauthorized('SESSION_ENDED', say('The session has ended; sign in again with POST /session.'));
}
