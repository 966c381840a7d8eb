/** What is found once for each state of the database: who calls, what the path names, and answers of hot reads. */
import type { Config } from '../config.ts';
import type { Actor } from '../ctx.ts';
import type { Reader, Store } from '../storage/db.ts';
import { type AccessHeaders, authenticate, authorize, type Scope } from './auth.ts';
import { KeptAnswers } from './kept.ts';
import type { Operation } from './operation.ts';

export interface Caller {
  actor: Actor;
  scope: Scope;
  /** Until when the credential is good, epoch milliseconds; null: for good. */
  until: number | null;
}

/** Callers kept at most; they are few, but the ids in a path may be many. */
const KEPT = 10_000;

/**
 * Keeps what was found for as long as nothing at all was committed, which the store proves (decision 6): a credential that is
 * revoked is refused at once. Finding it anew takes 60 us, finding it here 4. Refusals are not kept.
 */
export class Callers {
  /** Good for as long as the callers are: ask for one in the same turn in which `find` answered. */
  readonly answers = new KeptAnswers();
  readonly #store: Store;
  readonly #config: Pick<Config, 'operatorKey'>;
  readonly #kept = new Map<string, Caller>();
  #version: number;

  constructor(store: Store, config: Pick<Config, 'operatorKey'>) {
    this.#store = store;
    this.#config = config;
    this.#version = store.version();
  }

  /** @throws Refusal as `authenticate` and `authorize` do. */
  find(
    operation: Operation,
    headers: AccessHeaders,
    params: Record<string, string>,
    now: number,
  ): Caller | Promise<Caller> {
    const version = this.#store.version();
    if (version !== this.#version) {
      this.#kept.clear();
      this.answers.forget();
      this.#version = version;
    }
    const key = keyOf(operation, headers, params);
    const known = key === undefined ? undefined : this.#kept.get(key);
    if (known !== undefined && (known.until === null || known.until > now)) return known;
    return this.#load(operation, headers, params, now, key, version);
  }

  async #load(
    operation: Operation,
    headers: AccessHeaders,
    params: Record<string, string>,
    now: number,
    key: string | undefined,
    version: number,
  ): Promise<Caller> {
    const caller = await this.#store.read((db) => loadCaller(db, operation, headers, params, now, this.#config));
    // What was read may be older than a commit that came meanwhile.
    if (key !== undefined && version === this.#version) {
      if (this.#kept.size >= KEPT) this.#kept.clear();
      this.#kept.set(key, caller);
    }
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

/** All that the answer depends on; undefined for those without an apiKey, who are the operators: few and rare. */
function keyOf(operation: Operation, headers: AccessHeaders, params: Record<string, string>): string | undefined {
  const { apikey, authorization = '' } = headers;
  if (typeof apikey !== 'string') return undefined;
  const { clientId = '', sellerId = '', storeId = '', nodeId = '' } = params;
  return [operation.id, apikey, authorization, clientId, sellerId, storeId, nodeId].join('\0');
}
