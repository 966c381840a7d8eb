/**
 * Idempotency-Key (docs/interface.md#retries): the key's row is the first statement of the write and the stored
 * answer its last, so effect and answer commit together. Kept for the configured hours; only 2xx answers are stored,
 * because a refusal rolls everything back.
 */
import { isNumeric } from '../decimal.ts';
import { parseJson, stringifyJson } from '../message/json.ts';
import { type Sealer, sha256 } from '../secrets.ts';
import type { Store, Writer } from '../storage/db.ts';
import type { Dialect } from '../storage/dialect.ts';
import { change, statement } from '../storage/statement.ts';
import { badValue, Refusal } from './errors.ts';
import type { Reply } from './operation.ts';

export interface IdempotencyScope {
  clientId: string;
  /** Id of the actor: keys of two credentials never meet. */
  credentialId: string;
  method: string;
  path: string;
  key: string;
  bodyHash: string;
  /** Of an operation with a secret field: the hash under which 0.1.0 kept its keys, that of the whole body. */
  olderHash?: string;
}

/** The header's value, or undefined when it is not sent. @throws Refusal 400 when it breaks the rules. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw badValue(
      'header:Idempotency-Key',
      'format',
      'Idempotency-Key must be sent once, with 1 to 255 visible ASCII characters',
    );
  }
  return header;
}

/** Hash of the body as it came in, byte for byte; with a `secretMember` of its values, all but those of that field. */
export function hashBody(raw: Buffer | undefined, secretMember?: string): string {
  if (raw === undefined || raw.length === 0 || secretMember === undefined) return sha256(raw ?? '');
  return sha256(stringifyJson(without(parseJson(raw.toString('utf8')), secretMember)));
}

function without(value: unknown, member: string): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, member));
  if (typeof value !== 'object' || value === null || isNumeric(value)) return value;
  const kept = Object.entries(value).filter(([name]) => name !== member);
  return Object.fromEntries(kept.map(([name, one]) => [name, without(one, member)]));
}

/** Keys whose first request is still running in this process. */
export class RunningKeys {
  readonly #running = new Set<string>();

  /** @throws Refusal 409 while the first request with the key runs. */
  enter(scope: IdempotencyScope): () => void {
    const name = nameOf(scope);
    if (this.#running.has(name)) throw inUse();
    this.#running.add(name);
    return () => this.#running.delete(name);
  }
}

function nameOf(scope: IdempotencyScope): string {
  return [scope.clientId, scope.credentialId, scope.method, scope.path, scope.key].join('\n');
}

function inUse(): Refusal {
  return new Refusal(
    409,
    'STATE',
    'IDEMPOTENCY_KEY_IN_USE',
    'The first request with this Idempotency-Key is still running; ask again in a second.',
    { headers: { 'retry-after': '1' } },
  );
}

/** The stored answer of the key, if it was used before. @throws Refusal 422 when it was used with another body, 409 while it runs in another process. */
export async function claimKey(
  tx: Writer,
  dialect: Dialect,
  scope: IdempotencyScope,
  now: number,
  keepMs: number,
  sealer: Sealer,
): Promise<Reply | undefined> {
  const lock = dialect.tryLock(nameOf(scope));
  if (lock !== undefined && (await lock.execute(tx)).rows[0]?.locked !== true) throw inUse();
  await deleteOld(tx, { ...scope, upTo: now - keepMs });
  const claimed = await insertKey(tx, { ...scope, now });
  if (claimed.count === 1) return undefined;
  const row = (await selectKey(tx, scope))[0]!;
  if (row.body_hash !== scope.bodyHash && row.body_hash !== scope.olderHash) {
    throw new Refusal(
      422,
      'VALIDATION',
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used with another body; send a new key with a new message.',
    );
  }
  return {
    status: row.status ?? 500,
    ...(row.reply !== null && { text: sealer.open(row.reply) }),
    headers: { ...(JSON.parse(row.headers ?? '{}') as Record<string, string>), 'idempotent-replayed': 'true' },
  };
}

/**
 * Stores the answer of the first request, in the transaction of its effect. It is sealed, because an answer may hold what is
 * kept nowhere else in plain text: a new credential, a PIN.
 */
export async function storeReply(
  tx: Writer,
  scope: IdempotencyScope,
  answer: Reply,
  seal: (plain: string) => string,
): Promise<void> {
  const text = answer.text ?? (answer.body === undefined ? null : stringifyJson(answer.body));
  const reply = text === null ? null : seal(text);
  const { status, headers = {} } = answer;
  await updateKey(tx, { ...scope, status, reply, headers: JSON.stringify(headers) });
}

/** Forgets a key whose request was refused with effects that are committed all the same. */
export async function releaseKey(tx: Writer, scope: IdempotencyScope): Promise<void> {
  await deleteKey(tx, scope);
}

const PURGE_BATCH = 5_000;

/** Deletes one batch of the keys that are older than `keepMs`; returns how many. Crosses tenants: age is all it asks. */
export function purgeBatch(store: Store, now: number, keepMs: number): Promise<number> {
  return store.write(async (tx) => {
    const old = tx
      .selectFrom('idempotency_keys')
      .select('created_at')
      .where('created_at', '<=', now - keepMs)
      .orderBy('created_at')
      .limit(PURGE_BATCH);
    const last = await tx
      .selectFrom(old.as('old'))
      .select((eb) => eb.fn.max('created_at').as('last'))
      .executeTakeFirst();
    if (last?.last == null) return 0;
    const result = await tx.deleteFrom('idempotency_keys').where('created_at', '<=', last.last).executeTakeFirst();
    return Number(result.numDeletedRows);
  });
}

interface Filterable {
  where(column: string, op: '=', value: string): this;
}

function ofKey<Q>(query: Q, scope: IdempotencyScope): Q {
  return (query as unknown as Filterable)
    .where('client_id', '=', scope.clientId)
    .where('credential_id', '=', scope.credentialId)
    .where('method', '=', scope.method)
    .where('path', '=', scope.path)
    .where('key', '=', scope.key) as unknown as Q;
}

const selectKey = statement((db, scope: IdempotencyScope) =>
  ofKey(db.selectFrom('idempotency_keys').selectAll(), scope),
);

const deleteKey = change((db, scope: IdempotencyScope) => ofKey(db.deleteFrom('idempotency_keys'), scope));

const deleteOld = change((db, scope: IdempotencyScope & { upTo: number }) =>
  ofKey(db.deleteFrom('idempotency_keys'), scope).where('created_at', '<=', scope.upTo),
);

const insertKey = change((db, scope: IdempotencyScope & { now: number }) =>
  db
    .insertInto('idempotency_keys')
    .values({
      client_id: scope.clientId,
      credential_id: scope.credentialId,
      method: scope.method,
      path: scope.path,
      key: scope.key,
      body_hash: scope.bodyHash,
      created_at: scope.now,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

type Stored = IdempotencyScope & { status: number; reply: string | null; headers: string };

const updateKey = change((db, stored: Stored) =>
  ofKey(db.updateTable('idempotency_keys'), stored).set({
    status: stored.status,
    reply: stored.reply,
    headers: stored.headers,
  }),
);
