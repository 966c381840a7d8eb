/** Hashes and encrypts secrets, and loads the installation's key (docs/interface.md#access and docs/decisions/007). */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hash,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { constants, existsSync, readFileSync, rmSync } from 'node:fs';
import { copyFile, link, mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from './config.ts';
import { syncFolder, writePrivate } from './private-files.ts';
import type { Reader, Store } from './storage/db.ts';

/**
 * SHA-256 in hexadecimal. It is enough for generated secrets, which have 32 random bytes; never use it for passwords.
 */
export function sha256(text: string | Buffer): string {
  return hash('sha256', text);
}

/** Compares two texts in a time that does not depend on their first difference. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
}

/** Makes fingerprints of texts with one key. */
export interface Recogniser {
  /** Eight characters that identify the key without revealing anything about it. */
  keyId: string;
  /**
   * HMAC-SHA-256 of the text, for equality filters. It includes the client, so equal PINs of two clients have different
   * fingerprints.
   */
  fingerprint(clientId: string, plain: string): string;
}

/** A secret key that is an input of a hash (a pepper), with its id. */
export interface HashKey {
  keyId: string;
  key: Buffer;
}

/**
 * Encrypts texts such as PINs with the installation's key, and makes fingerprints. During a key rotation it also
 * decrypts texts of the other key, and makes fingerprints with that key.
 */
export interface Sealer extends Recogniser {
  /**
   * Encrypts a text with AES-256-GCM; the form is `v2.<key id>.<iv>.<tag>.<data>`. `iv` must be 12 new random bytes.
   */
  seal(plain: string, iv: Buffer): string;
  /** Decrypts texts of either key, also in the form of release 0.1, `v1.<iv>.<tag>.<data>`. */
  open(sealed: string): string;
  /** Whether a text is encrypted with the current key. */
  isCurrent(sealed: string): boolean;
  /** Fingerprints of a text with the current key and, during a key rotation, with the other key. */
  fingerprints(clientId: string, plain: string): string[];
  /** Keys for the hash of a user's PIN, the current one first. */
  userPinKeys(clientId: string, userId: string): HashKey[];
  /** The current key, and during a key rotation the other key. */
  keys: readonly Recogniser[];
}

/** @param other the former or the next key. The sealer decrypts with this key, but does not encrypt with it. */
export function createSealer(key: Buffer, other?: Buffer): Sealer {
  const keys = [key, ...(other === undefined || other.equals(key) ? [] : [other])].map(derivedKeys);
  const [own] = keys as [DerivedKeys];
  return {
    keyId: own.keyId,
    keys,
    fingerprint: (clientId, plain) => own.fingerprint(clientId, plain),
    fingerprints: (clientId, plain) => keys.map((one) => one.fingerprint(clientId, plain)),
    userPinKeys: (clientId, userId) => keys.map((one) => ({ keyId: one.keyId, key: one.userPinKey(clientId, userId) })),
    isCurrent: (sealed) => sealed.startsWith(`v2.${own.keyId}.`),
    seal(plain, iv) {
      const cipher = createCipheriv('aes-256-gcm', own.cipherKey, iv);
      const data = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return ['v2', own.keyId, ...[iv, cipher.getAuthTag(), data].map((part) => part.toString('base64url'))].join('.');
    },
    open(sealed) {
      const [version, ...parts] = sealed.split('.');
      if (version === 'v2') {
        const [keyId, ...rest] = parts;
        const sealedBy = keys.find((one) => one.keyId === keyId);
        if (sealedBy === undefined) throw new Error('The text is encrypted with a key that is not configured.');
        return openWith(sealedBy.cipherKey, rest);
      }
      for (const one of keys.slice(0, -1)) {
        try {
          return openWith(one.cipherKey, parts);
        } catch {
          // A text in the form of release 0.1 does not name its key, so every key is tried.
        }
      }
      return openWith(keys.at(-1)!.cipherKey, parts);
    },
  };
}

interface DerivedKeys extends Recogniser {
  cipherKey: KeyObject;
  userPinKey: (clientId: string, userId: string) => Buffer;
}

function derivedKeys(key: Buffer): DerivedKeys {
  // Key objects are prepared once: a fingerprint then takes 1.5 us instead of 9, and an order has a dozen fingerprints.
  const derived = (use: string) => createSecretKey(createHmac('sha256', key).update(`backroom pin ${use}`).digest());
  const macKey = derived('fingerprint');
  const userKey = derived('of a user');
  return {
    keyId: keyIdOf(key),
    cipherKey: derived('cipher'),
    userPinKey: (clientId, userId) => createHmac('sha256', userKey).update(`${clientId}\0${userId}`).digest(),
    fingerprint: (clientId, plain) => createHmac('sha256', macKey).update(`${clientId}\0${plain}`).digest('hex'),
  };
}

/** Eight characters that identify a key without revealing anything about it. */
export function keyIdOf(key: Buffer): string {
  return createHmac('sha256', key).update('backroom key id').digest('hex').slice(0, 8);
}

function openWith(cipherKey: KeyObject, [iv = '', tag = '', data = '']: readonly string[]): string {
  const decipher = createDecipheriv('aes-256-gcm', cipherKey, Buffer.from(iv, 'base64url'), { authTagLength: 16 });
  decipher.setAuthTag(Buffer.from(tag, 'base64url'));
  return Buffer.concat([decipher.update(Buffer.from(data, 'base64url')), decipher.final()]).toString('utf8');
}

/**
 * Path of the key file next to a database; the file is used if BACKROOM_SECRET is not set. As in `sqliteFile`, white
 * space around the path, such as a line end of Windows, is no part of it. An existing key file of 0.5.0, which named the
 * file with this white space, remains in use.
 */
export function secretFile(databaseUrl: string): string {
  const path = databaseUrl.replace(/^sqlite:/, '');
  return existsSync(`${path}.secret`) ? `${path}.secret` : `${path.trim()}.secret`;
}

/** The installation's key: from the configuration, or from the key file, which the first start makes. */
export async function loadSecret(config: Pick<Config, 'secret' | 'databaseUrl'>): Promise<Buffer> {
  if (config.secret !== undefined) return config.secret;
  const file = secretFile(config.databaseUrl);
  if (!existsSync(file)) await makeKeyFile(file);
  return readKey(file);
}

/** Makes a key file, on disk and as a whole: the database stores the fingerprint of its key next. */
async function makeKeyFile(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const own = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    await writePrivate(own, `${randomBytes(32).toString('hex')}\n`);
    // Unlike a rename, a link never replaces the key of another process that starts at the same time. Some network
    // file systems have no hard links.
    await link(own, file).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
      return copyFile(own, file, constants.COPYFILE_EXCL);
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(own, { force: true });
  }
  await syncFolder(dirname(file));
}

function readKey(file: string): Buffer {
  const text = readFileSync(file, 'utf8').trim();
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new WrongSecret(`${file} does not have 64 hexadecimal digits; restore it from a backup`);
  return Buffer.from(text, 'hex');
}

/** Path of the former key, after `backroom secret rotate` has replaced the key file. */
export function previousSecretFile(databaseUrl: string): string {
  return `${secretFile(databaseUrl)}.previous`;
}

/**
 * Returns the other key during a key rotation: `previousSecret` of the configuration or, with a key file, the key in
 * the file `.previous`. Returns undefined if there is no other key.
 */
export function otherSecret(config: SecretConfig): Buffer | undefined {
  if (config.previousSecret !== undefined || config.secret !== undefined) return config.previousSecret;
  const file = previousSecretFile(config.databaseUrl);
  return existsSync(file) ? readKey(file) : undefined;
}

/**
 * The key did not encrypt the data of the database, so PINs and stored responses cannot be decrypted. Also the error of
 * a damaged key file.
 */
export class WrongSecret extends Error {
  override readonly name = 'WrongSecret';
}

const FINGERPRINT = 'secretFingerprint';
/**
 * Name of the row with the id of the former key. The row exists until every text of that key is encrypted with the new
 * key.
 */
const ROTATING = 'secretRotatedFrom';

function installationFingerprint(key: Buffer): string {
  return createHmac('sha256', key).update('backroom installation').digest('hex');
}

async function findMarks(db: Reader): Promise<{ fingerprint?: string; rotatedFrom?: string }> {
  const rows = await db
    .selectFrom('installation')
    .select(['name', 'value'])
    .where('client_id', '=', '')
    .where('name', 'in', [FINGERPRINT, ROTATING])
    .execute();
  const of = (name: string) => rows.find((row) => row.name === name)?.value;
  const [fingerprint, rotatedFrom] = [of(FINGERPRINT), of(ROTATING)];
  return { ...(fingerprint !== undefined && { fingerprint }), ...(rotatedFrom !== undefined && { rotatedFrom }) };
}

/**
 * Checks whether a database was used with the key (`fits`), with the other key (`other`), or with no key yet
 * (`unused`). In all three cases, the database can be used with the key.
 * @throws WrongSecret with the fix, if the database was used with a different key, or has texts of a former key that is
 * not the other key.
 */
export async function fitSecret(store: Store, key: Buffer, other?: Buffer): Promise<'fits' | 'other' | 'unused'> {
  const { fingerprint, rotatedFrom } = await store.read(findMarks);
  if (fingerprint === undefined) return 'unused';
  if (fingerprint === installationFingerprint(key)) {
    if (rotatedFrom === undefined || (other !== undefined && keyIdOf(other) === rotatedFrom)) return 'fits';
    throw new WrongSecret(
      `This database has texts that are encrypted with the key ${rotatedFrom}. Set BACKROOM_SECRET_PREVIOUS to that key, ` +
        'run backroom secret reseal (with a key file: backroom secret rotate), then leave it out.',
    );
  }
  if (other !== undefined && fingerprint === installationFingerprint(other)) return 'other';
  throw new WrongSecret(
    'The key that encrypts PINs is not the key of this database. Restore the key file that was beside the ' +
      'database and leave BACKROOM_SECRET out, or set BACKROOM_SECRET to its key, and start again.',
  );
}

/**
 * Stores the key's fingerprint at the first start. Later starts reject a different key, unless the former key is
 * configured too.
 * @throws WrongSecret that says how to fix it.
 */
export async function checkSecret(store: Store, key: Buffer, other?: Buffer): Promise<void> {
  const known = await fitSecret(store, key, other);
  if (known === 'fits') return;
  await store.write(async (tx) => {
    const put = (name: string, value: string) =>
      tx
        .insertInto('installation')
        .values({ client_id: '', name, value })
        .onConflict((conflict) =>
          known === 'other' ? conflict.columns(['client_id', 'name']).doUpdateSet({ value }) : conflict.doNothing(),
        )
        .execute();
    await put(FINGERPRINT, installationFingerprint(key));
    if (known === 'other') await put(ROTATING, keyIdOf(other!));
  });
  // Another process may have stored another key in the meantime.
  await fitSecret(store, key, other);
}

/** Whether there can be texts that the former key encrypted. */
export async function isRotating(store: Store): Promise<boolean> {
  return (await store.read(findMarks)).rotatedFrom !== undefined;
}

/** Ends a key rotation, after all texts of the former key were encrypted again. */
export async function endRotation(store: Store): Promise<void> {
  await store.write((tx) =>
    tx.deleteFrom('installation').where('client_id', '=', '').where('name', '=', ROTATING).execute(),
  );
}

export type SecretConfig = Pick<Config, 'secret' | 'databaseUrl'> & Partial<Pick<Config, 'previousSecret'>>;

/**
 * Loads the key and compares it with the database by `check`. If the database has another key, the function removes the
 * key file that this start has made, because that file has the wrong key.
 * @throws WrongSecret that says how to fix it.
 */
export async function openSecret(
  config: SecretConfig,
  store: Store,
  check: (store: Store, key: Buffer, other?: Buffer) => Promise<unknown> = checkSecret,
): Promise<Buffer> {
  const isMadeNow = config.secret === undefined && !existsSync(secretFile(config.databaseUrl));
  const key = await loadSecret(config);
  try {
    await check(store, key, otherSecret(config));
    return key;
  } catch (error) {
    if (isMadeNow && error instanceof WrongSecret) rmSync(secretFile(config.databaseUrl));
    throw error;
  }
}
