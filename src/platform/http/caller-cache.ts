/** Who calls and what the path names, found once for as long as the tables that say so stay as they are. */
import { LRUCache } from 'lru-cache';
import type { Config } from '../config.ts';
import type { Actor } from '../ctx.ts';
import type { Reader, Store, Watched } from '../storage/db.ts';
import { stateOf } from '../storage/row-state.ts';
import type { RowKey, RowState } from '../storage/store.ts';
import { ACCESS_TABLES, type AccessHeaders, authenticate, authorize, type Scope } from './auth.ts';
import type { Operation } from './operation.ts';

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
  readonly #kept = new LRUCache<string, Caller>({ max: KEPT });
  /** Callers of hot reads, each with the state of its rows, which the read itself proves. */
  readonly #toProve = new LRUCache<string, Caller>({ max: KEPT });
  readonly #tables: Watched;
  #version: number;

  constructor(store: Store, config: Pick<Config, 'operatorKey'>) {
    this.#store = store;
    this.#config = config;
    this.#tables = store.watch(ACCESS_TABLES);
    this.#version = this.#tables.version;
  }

  /** @throws Refusal as `authenticate` and `authorize` do. */
  find(
    operation: Operation,
    headers: AccessHeaders,
    params: Record<string, string>,
    now: number,
  ): Caller | Promise<Caller> {
    return this.known(operation, headers, params, now) ?? this.#load(operation, headers, params, now);
  }

  /** The caller, where it is known. */
  known(operation: Operation, headers: AccessHeaders, params: Record<string, string>, now: number): Caller | undefined {
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
    if (key !== undefined && version === this.#version) this.#kept.set(key, caller);
    return caller;
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
