/**
 * Idempotency-Key (docs/interface.md#retries). A write first inserts the key and at the end stores the response, so
 * both commit with the effect. Responses are kept for the configured hours. Only 2xx responses are stored: a
 * thrown error rolls the key back, and after a returned error `releaseKey` deletes it.
 */

import type { ExpressionBuilder } from 'kysely';
import { isNumeric } from '../decimal.ts';
import type { Json } from '../json-column.ts';
import { readJson } from '../json-column.ts';
import { parseJson, stringifyJson } from '../message/json.ts';
import { inLanguageOf } from '../message/sentence.ts';
import { type Sealer, sha256 } from '../secrets.ts';
import { say } from '../sentences.ts';
import type { Reader, Store, Writer } from '../storage/db.ts';
import type { Dialect } from '../storage/dialect.ts';
import { change, statement } from '../storage/statement.ts';
import type { IdempotencyKeyRow, Tables } from '../storage/tables.ts';
import { badValue, Refusal } from './errors.ts';
import { languageHeaders } from './languages.ts';
import type { Reply } from './operation.ts';

/** The client id under which keys of operators are stored. */
const OPERATOR = '';

export interface IdempotencyScope {
  clientId: string;
  /** Id of the actor: keys of two credentials are independent. */
  credentialId: string;
  method: string;
  path: string;
  key: string;
  bodyHash: string;
  /** Hashes of the same body that earlier releases, or a process with the other key, have stored. */
  otherHashes: readonly string[];
}

/** The header's value, or undefined when it is not sent. @throws Refusal 400 for an invalid value. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw badValue(
      'header:Idempotency-Key',
      'format',
      say(
        'Idempotency-Key is sent twice or has invalid characters; send it once, with 1 to 255 visible ASCII characters',
      ),
    );
  }
  return header;
}

/**
 * Returns the hash of a body to store, and the other hashes of the same body. A body with a password has a keyed hash
 * (`hasPassword` of the operation); release 0.5.0 stored its plain hash. For a body with a `secretMember`, release 0.1.0
 * stored the hash of the whole body.
 */
export function bodyHashes(
  { secretMember, hasPassword }: { secretMember?: string; hasPassword?: true },
  clientId: string,
  raw: Buffer | undefined,
  sealer: Sealer,
): Pick<IdempotencyScope, 'bodyHash' | 'otherHashes'> {
  const plain = hashBody(raw, secretMember);
  if (hasPassword !== true) {
    return { bodyHash: plain, otherHashes: secretMember === undefined ? [] : [hashBody(raw)] };
  }
  const text = `idempotency\0${plain}`;
  return {
    bodyHash: sealer.fingerprint(clientId, text),
    otherHashes: [...sealer.fingerprints(clientId, text), plain],
  };
}

/** Hash of the bytes of the body. With a `secretMember`, the hash of the values of all other fields. */
function hashBody(raw: Buffer | undefined, secretMember?: string): string {
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

  /**
   * Marks the key as running. Returns the function to call when the first request with the key has ended.
   * @throws Refusal 409 while the first request with the key runs.
   */
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
    say('The first request with this Idempotency-Key is still running; send it again in a second.'),
    { headers: { 'retry-after': '1' } },
  );
}

/**
 * Inserts the key and returns undefined; if the key was used before, returns its stored response.
 * @throws Refusal 422 if it was used with another body, 409 while its request runs in another process.
 */
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
  return replyOf((await selectKey(tx, scope))[0]!, scope, sealer);
}

/**
 * Returns the response of the first request with the key, for work that begins before the transaction; undefined if the
 * key is new.
 * @throws Refusal 422 if the key was used with another body.
 */
export async function findReply(
  db: Reader,
  scope: IdempotencyScope,
  since: number,
  sealer: Sealer,
): Promise<Reply | undefined> {
  const [row] = await selectKey(db, scope);
  return row === undefined || row.created_at <= since ? undefined : replyOf(row, scope, sealer);
}

function replyOf(row: IdempotencyKeyRow, scope: IdempotencyScope, sealer: Sealer): Reply {
  if (row.body_hash !== scope.bodyHash && !scope.otherHashes.includes(row.body_hash)) {
    throw new Refusal(
      422,
      'VALIDATION',
      'IDEMPOTENCY_KEY_REUSED',
      say('This Idempotency-Key was used with another body; send a new key with a new message.'),
    );
  }
  return {
    status: row.status ?? 500,
    ...(row.reply !== null && { text: sealer.open(row.reply) }),
    headers: { ...(row.headers !== null && readJson(row.headers)), 'idempotent-replayed': 'true' },
  };
}

/**
 * Stores the response of the first request, in the transaction of its effect and in the language of that request (its
 * header Accept-Language is `accepted`). The response is encrypted, because it may hold data that is stored nowhere
 * else in plain text: a new credential, a PIN.
 */
export async function storeReply(
  tx: Writer,
  scope: IdempotencyScope,
  response: Reply,
  accepted: string | undefined,
  seal: (plain: string) => string,
): Promise<void> {
  const { text, languages } =
    response.body === undefined || response.text !== undefined
      ? { text: response.text ?? null, languages: undefined }
      : inLanguageOf(accepted, () => stringifyJson(response.body));
  const reply = text === null ? null : seal(text);
  const { status } = response;
  const headers = { ...response.headers, ...(languages !== undefined && languageHeaders(languages)) };
  await updateKey(tx, { ...scope, status, reply, headers: stringifyJson(headers) });
}

/**
 * Stores which orders of a client have personal data in the stored response of a key. `client_id` is a parameter
 * because keys of operators belong to no client.
 */
export async function noteOrders(
  tx: Writer,
  { credentialId: credential_id, method, path, key }: IdempotencyScope,
  client_id: string,
  orderIds: readonly string[],
  now: number,
): Promise<void> {
  if (orderIds.length === 0) return;
  const of = { client_id, credential_id, method, path, key, created_at: now };
  await tx
    .insertInto('idempotency_orders')
    .values([...new Set(orderIds)].map((id) => ({ ...of, fulfillment_order_id: id })))
    // An expired key may be used again before the purge. Its row gets the new time, so that the purge keeps the row.
    .onConflict((conflict) =>
      conflict
        .columns(['client_id', 'fulfillment_order_id', 'credential_id', 'method', 'path', 'key'])
        .doUpdateSet({ created_at: now }),
    )
    .execute();
}

/** Deletes the stored responses that show an order, so that no retry shows personal data that was anonymized. */
export async function forgetReplies(tx: Writer, clientId: string, orderId: string): Promise<void> {
  const notes = await tx
    .selectFrom('idempotency_orders')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', '=', orderId)
    .execute();
  for (const { credential_id: credentialId, method, path, key } of notes) {
    const scope = { credentialId, method, path, key, bodyHash: '', otherHashes: [] };
    for (const owner of [clientId, OPERATOR]) await deleteKey(tx, { ...scope, clientId: owner });
  }
  await tx
    .deleteFrom('idempotency_orders')
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', '=', orderId)
    .execute();
}

/** Deletes the key of a request that was rejected although its effects are committed. */
export async function releaseKey(tx: Writer, scope: IdempotencyScope): Promise<void> {
  await deleteKey(tx, scope);
}

const PURGE_BATCH = 5_000;

/** Deletes one batch of keys older than `keepMs`; returns the count. Crosses tenants: it selects keys by age only. */
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
    await tx.deleteFrom('idempotency_orders').where('created_at', '<=', last.last).execute();
    const result = await tx.deleteFrom('idempotency_keys').where('created_at', '<=', last.last).executeTakeFirst();
    return Number(result.numDeletedRows);
  });
}

function isOf({ clientId, credentialId, method, path, key }: IdempotencyScope) {
  return (eb: ExpressionBuilder<Tables, 'idempotency_keys'>) =>
    eb.and({ client_id: clientId, credential_id: credentialId, method, path, key });
}

const selectKey = statement((db, scope: IdempotencyScope) =>
  db.selectFrom('idempotency_keys').selectAll().where(isOf(scope)),
);

const deleteKey = change((db, scope: IdempotencyScope) => db.deleteFrom('idempotency_keys').where(isOf(scope)));

const deleteOld = change((db, scope: IdempotencyScope & { upTo: number }) =>
  db.deleteFrom('idempotency_keys').where(isOf(scope)).where('created_at', '<=', scope.upTo),
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

type Stored = IdempotencyScope & {
  status: number;
  reply: string | null;
  headers: Json<Record<string, string | string[]>>;
};

const updateKey = change((db, stored: Stored) =>
  db
    .updateTable('idempotency_keys')
    .set({ status: stored.status, reply: stored.reply, headers: stored.headers })
    .where(isOf(stored)),
);
