/** Rotates the key that encrypts PINs, secrets, stored responses and proofs (docs/decisions/007). */
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { HASHED_BY } from '../orders/intake-rows.ts';
import type { Config } from '../platform/config.ts';
import { readJson } from '../platform/json-column.ts';
import { stringifyJson } from '../platform/message/json.ts';
import type { Ports } from '../platform/ports.ts';
import { copyPrivate, syncFolder, writePrivate } from '../platform/private-files.ts';
import {
  endRotation,
  fitSecret,
  isRotating,
  keyIdOf,
  loadSecret,
  otherSecret,
  previousSecretFile,
  type Sealer,
  secretFile,
} from '../platform/secrets.ts';
import type { Reader, Store, Writer } from '../platform/storage/db.ts';
import type { FulfillmentOrderRow } from '../platform/storage/tables.ts';

/** A database with its key. During a rotation, the sealer also decrypts values of the previous key. */
interface Installation {
  config: Config;
  ports: Ports;
  store: Store;
  sealer: Sealer;
}

/** A table with columns of encrypted values. */
interface Sealed {
  table: string;
  columns: readonly [string, ...string[]];
  /** Columns that identify a row within a client. */
  key: readonly string[];
}

const PINS: Sealed = { table: 'fulfillment_orders', columns: ['pin_cipher'], key: ['fulfillment_order_id'] };
const WEBHOOKS: Sealed = { table: 'webhooks', columns: ['secret', 'old_secret'], key: ['webhook_id'] };
const PROVIDERS: Sealed = { table: 'identity_providers', columns: ['client_secret'], key: ['provider_id'] };
const REPLIES: Sealed = {
  table: 'idempotency_keys',
  columns: ['reply'],
  key: ['credential_id', 'method', 'path', 'key'],
};

const PROOFS: Sealed = {
  table: 'hand_overs',
  columns: ['proof_cipher'],
  key: ['fulfillment_order_id', 'hand_over_id'],
};

/** Number of rows per transaction. A running service waits some milliseconds for each transaction. */
const BATCH = 200;

/**
 * Replaces the key file of a database that no process serves. The new and the old key are both on disk before a value
 * is encrypted, so no key is lost if the command is killed. The next command then continues with the same keys.
 * @throws Error if the key file is missing, or if the previous key of the last rotation still exists.
 */
export async function replaceKeyFile({ config, ports, store }: Omit<Installation, 'sealer'>): Promise<void> {
  const [file, previous] = [secretFile(config.databaseUrl), previousSecretFile(config.databaseUrl)];
  if (!existsSync(file)) throw new Error(`${file} is missing; restore it first.`);
  const [current, other] = [await loadSecret(config), otherSecret(config)];
  const fits = await fitSecret(store, current, other);
  if (other !== undefined && !other.equals(current)) {
    if (fits === 'other' || (await isRotating(store))) return;
    throw new Error(`${previous} is still there from the last rotation: run backroom secret retire first.`);
  }
  await writePrivate(`${file}.next`, `${ports.randomBytes(32).toString('hex')}\n`);
  await copyPrivate(file, `${file}.keep`);
  await rename(`${file}.keep`, previous);
  await rename(`${file}.next`, file);
  await syncFolder(dirname(file));
}

interface Resealed {
  keyId: string;
  pins: number;
  webhooks: number;
  identityProviders: number;
  replies: number;
  proofs: number;
}

/**
 * Encrypts all values of the previous key with the present key, and ends the rotation. If the command is killed, the
 * next command continues.
 * @throws Error if there is no previous key.
 */
export async function reseal(installation: Installation): Promise<Resealed> {
  const { config, store, sealer } = installation;
  const other = otherSecret(config);
  if (other === undefined) {
    throw new Error('Set BACKROOM_SECRET_PREVIOUS to the previous key, and BACKROOM_SECRET to the new one.');
  }
  // Crosses tenants: the key is the installation's.
  const clients = await store.read((db) => db.selectFrom('clients').select('client_id').execute());
  const counts = { pins: 0, webhooks: 0, identityProviders: 0, replies: 0, proofs: 0 };
  // '' is for the rows of the operator, which belong to no client.
  for (const clientId of ['', ...clients.map((client) => client.client_id)]) {
    counts.pins += await resealOrders(installation, clientId, keyIdOf(other));
    counts.webhooks += await resealRows(installation, clientId, WEBHOOKS);
    counts.identityProviders += await resealRows(installation, clientId, PROVIDERS);
    counts.replies += await resealRows(installation, clientId, REPLIES);
    counts.proofs += await resealRows(installation, clientId, PROOFS);
  }
  await endRotation(store);
  return { keyId: sealer.keyId, ...counts };
}

/**
 * Encrypts the PINs of orders with the present key, and makes their fingerprints again. Hashes of fields name their
 * key; `oldKeyId` is written into hashes that name no key.
 */
async function resealOrders(installation: Installation, clientId: string, oldKeyId: string): Promise<number> {
  let total = 0;
  for (let after = '', isEnd = false; !isEnd; ) {
    const { rows, done } = await installation.store.write(async (tx) => {
      const rows = await tx
        .selectFrom('fulfillment_orders')
        .select(['client_id', 'fulfillment_order_id', 'pin_cipher', 'member_hashes'])
        .where('client_id', '=', clientId)
        .where('fulfillment_order_id', '>', after)
        .orderBy('fulfillment_order_id')
        .limit(BATCH)
        .execute();
      let done = 0;
      for (const row of rows) if (await resealOrder(installation, tx, row, oldKeyId)) done += 1;
      return { rows, done };
    });
    total += done;
    isEnd = rows.length < BATCH;
    after = rows.at(-1)?.fulfillment_order_id ?? after;
  }
  return total;
}

type Order = Pick<FulfillmentOrderRow, 'client_id' | 'fulfillment_order_id' | 'pin_cipher' | 'member_hashes'>;

/**
 * Encrypts the PIN of an order with the present key if another key has encrypted it. Returns whether the PIN was
 * encrypted again.
 */
async function resealOrder(
  { sealer, ports }: Installation,
  tx: Writer,
  { client_id, fulfillment_order_id, pin_cipher, member_hashes }: Order,
  oldKeyId: string,
): Promise<boolean> {
  const hashes = readJson(member_hashes);
  const isNamed = hashes[HASHED_BY] !== undefined || Object.keys(hashes).length === 0;
  const pin = pin_cipher === null || sealer.isCurrent(pin_cipher) ? undefined : sealer.open(pin_cipher);
  if (pin === undefined && isNamed) return false;
  const update = tx
    .updateTable('fulfillment_orders')
    .set({
      ...(!isNamed && { member_hashes: stringifyJson({ ...hashes, [HASHED_BY]: oldKeyId }) }),
      ...(pin !== undefined && {
        pin_cipher: sealer.seal(pin, ports.randomBytes(12)),
        pin_hash: sealer.fingerprint(client_id, pin),
      }),
    })
    .where('client_id', '=', client_id)
    .where('fulfillment_order_id', '=', fulfillment_order_id)
    // The condition skips an order that was anonymized meanwhile: its PIN and hashes are deleted.
    .where('member_hashes', '=', member_hashes);
  await (pin === undefined ? update : update.where('pin_cipher', '=', pin_cipher)).execute();
  return pin !== undefined;
}

async function resealRows({ ports, sealer, store }: Installation, clientId: string, sealed: Sealed): Promise<number> {
  const { table, columns, key } = sealed;
  // The first column is in the condition too: if a user has set another secret meanwhile, the row is skipped.
  const compared = [...key, columns[0]];
  const is = (name: string, value: string | null) => sql`${sql.ref(name)} = ${value}`;
  const anew = (text: string | null) => (text === null ? null : sealer.seal(sealer.open(text), ports.randomBytes(12)));
  let total = 0;
  for (let isEnd = false; !isEnd; ) {
    // The select skips rows that the present key has encrypted, so every batch starts at the beginning.
    const done = await store.write(async (tx) => {
      const { rows } = await sql<Record<string, string | null>>`
        select ${sql.join([...key, ...columns].map((name) => sql.ref(name)))} from ${sql.table(table)}
        where client_id = ${clientId} and (${isOld(sealed, sealer)}) limit ${BATCH}`.execute(tx);
      for (const row of rows) {
        const wanted = [is('client_id', clientId), ...compared.map((name) => is(name, row[name]!))];
        await sql`
          update ${sql.table(table)} set ${sql.join(columns.map((name) => is(name, anew(row[name] ?? null))))}
          where ${sql.join(wanted, sql` and `)}`.execute(tx);
      }
      return rows.length;
    });
    total += done;
    isEnd = done < BATCH;
  }
  return total;
}

/** Returns the condition for rows with a value that another key has encrypted. */
function isOld({ columns }: Sealed, { keyId }: Sealer): RawBuilder<unknown> {
  const present = `v2.${keyId}.%`;
  return sql.join(
    columns.map((name) => sql`${sql.ref(name)} not like ${present}`),
    sql` or `,
  );
}

interface Status {
  keyId: string;
  /** Id of the previous or next key in the configuration; null without such a key. */
  otherKeyId: string | null;
  /** Number of rows with values that another key has encrypted. */
  left: number;
  /** Number of users' PINs that only the other key can check. */
  userPins: number;
  /** Whether a rotation has begun and not ended: the database still needs the former key to start. */
  isRotating: boolean;
}

export async function statusOf({ config, store, sealer }: Omit<Installation, 'ports'>): Promise<Status> {
  const { keyId } = sealer;
  const other = otherSecret(config);
  const otherKeyId = other === undefined || keyIdOf(other) === keyId ? null : keyIdOf(other);
  const fits = await fitSecret(store, await loadSecret(config), other);
  const hasBegun = fits === 'other' || (await isRotating(store));
  // Crosses tenants: the key is the installation's.
  return store.read(async (db) => {
    let left = 0;
    for (const sealed of [PINS, WEBHOOKS, PROVIDERS, REPLIES, PROOFS]) {
      left += await countRows(db, sealed.table, isOld(sealed, sealer));
    }
    const userPins = await countRows(db, 'users', sql`pin_hash like ${`%.${otherKeyId ?? ' '}`}`);
    return { keyId, otherKeyId, left, userPins, isRotating: hasBegun };
  });
}

async function countRows(db: Reader, table: string, condition: RawBuilder<unknown>): Promise<number> {
  const counted = sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)} where ${condition}`;
  return (await counted.execute(db)).rows[0]!.rows;
}

/**
 * Removes the file of the previous key. Returns the id of that key.
 * @throws Error if there is no such file, the rotation has not ended, or values still need the key.
 * @throws Error if PINs of users still need the key, except with `force`.
 */
export async function retireKeyFile(installation: Omit<Installation, 'ports'>, force: boolean): Promise<string | null> {
  const file = previousSecretFile(installation.config.databaseUrl);
  if (!existsSync(file)) throw new Error(`There is no ${file}: no key was replaced.`);
  const { left, userPins, otherKeyId, ...status } = await statusOf(installation);
  if (status.isRotating) throw new Error('The rotation has not ended: run backroom secret rotate first.');
  if (left > 0) throw new Error(`${left} texts are encrypted with another key: run backroom secret rotate first.`);
  if (userPins > 0 && !force) {
    throw new Error(
      `${userPins} users have not used their PIN since the rotation and would need new ones: wait, or use --force.`,
    );
  }
  await rm(file);
  return otherKeyId;
}
