/** Keys, passwords and PINs: how they are made, hashed and sealed (decisions 17 and 34). */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hash,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { Config } from './config.ts';
import type { Reader, Store } from './storage/db.ts';

/** SHA-256 in hexadecimal. Enough for generated secrets, which have 32 random bytes; never used for people's passwords. */
export function sha256(text: string | Buffer): string {
  return hash('sha256', text);
}

/** Compares two texts in a time that does not depend on where they differ. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
}

/** Seals and recognises PINs with the installation's key. */
export interface Sealer {
  /** AES-256-GCM, text form `v1.<iv>.<tag>.<data>`. `iv` are 12 fresh random bytes. */
  seal(plain: string, iv: Buffer): string;
  open(sealed: string): string;
  /** HMAC-SHA-256 of the text for equality filters, bound to a client so that equal PINs of two clients differ. */
  fingerprint(clientId: string, plain: string): string;
}

export function createSealer(key: Buffer): Sealer {
  // As objects they are prepared once: a fingerprint takes 1.5 us instead of 9, and an order has a dozen.
  const derived = (use: string) => createSecretKey(createHmac('sha256', key).update(`backroom pin ${use}`).digest());
  const cipherKey = derived('cipher');
  const macKey = derived('fingerprint');
  return {
    seal(plain, iv) {
      const cipher = createCipheriv('aes-256-gcm', cipherKey, iv);
      const data = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return ['v1', iv, cipher.getAuthTag(), data]
        .map((part) => (typeof part === 'string' ? part : part.toString('base64url')))
        .join('.');
    },
    open(sealed) {
      const [, iv = '', tag = '', data = ''] = sealed.split('.');
      const decipher = createDecipheriv('aes-256-gcm', cipherKey, Buffer.from(iv, 'base64url'));
      decipher.setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([decipher.update(Buffer.from(data, 'base64url')), decipher.final()]).toString('utf8');
    },
    fingerprint(clientId, plain) {
      return createHmac('sha256', macKey).update(`${clientId}\0${plain}`).digest('hex');
    },
  };
}

/** Path of the key file that stands beside a database when BACKROOM_SECRET is not set. */
export function secretFile(databaseUrl: string): string {
  return `${databaseUrl.replace(/^sqlite:/, '')}.secret`;
}

/** The installation's key: from the configuration, else from its file, which is made at the first start. */
export function loadSecret(config: Pick<Config, 'secret' | 'databaseUrl'>): Buffer {
  if (config.secret !== undefined) return config.secret;
  const file = secretFile(config.databaseUrl);
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    try {
      writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    chmodSync(file, 0o600);
  }
  const text = readFileSync(file, 'utf8').trim();
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new Error(`${file} does not hold 64 hexadecimal digits; restore it from a backup`);
  return Buffer.from(text, 'hex');
}

/** The key is not the one that sealed what the database holds: PINs and stored answers could not be opened. */
export class WrongSecret extends Error {
  override readonly name = 'WrongSecret';
}

/**
 * Remembers the key's fingerprint with the first start, and refuses any other key afterwards.
 * @throws WrongSecret with what to do.
 */
export async function checkSecret(store: Store, key: Buffer): Promise<void> {
  const value = createHmac('sha256', key).update('backroom installation').digest('hex');
  const row = { client_id: '', name: 'secretFingerprint', value };
  const find = (db: Reader) =>
    db
      .selectFrom('installation')
      .select('value')
      .where('client_id', '=', '')
      .where('name', '=', row.name)
      .executeTakeFirst();
  const known =
    (await store.read(find)) ??
    (await store.write(async (tx) => {
      await tx
        .insertInto('installation')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return find(tx);
    }));
  if (known?.value === value) return;
  throw new WrongSecret(
    'The key that seals PINs is not the one this database was used with. Restore the key file that stood beside the ' +
      'database (or set BACKROOM_SECRET to the key it had) and start again.',
  );
}

/**
 * The key of a start: loaded, and checked against the database. A key file that only this start has made is removed again
 * when the database was used with another key, so that no wrong file looks right. `check` is how strictly.
 * @throws WrongSecret with what to do.
 */
export async function openSecret(
  config: Pick<Config, 'secret' | 'databaseUrl'>,
  store: Store,
  check: typeof checkSecret = checkSecret,
): Promise<Buffer> {
  const isMadeNow = config.secret === undefined && !existsSync(secretFile(config.databaseUrl));
  const key = loadSecret(config);
  try {
    await check(store, key);
    return key;
  } catch (error) {
    if (isMadeNow && error instanceof WrongSecret) rmSync(secretFile(config.databaseUrl));
    throw error;
  }
}

const scryptAsync = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
);
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

/** scrypt hash of a person's password, text form `scrypt.<N>.<r>.<p>.<salt>.<hash>`. Takes about 50 ms. */
export async function hashPassword(password: string, salt: Buffer): Promise<string> {
  const hash = await scryptAsync(password.normalize('NFC'), salt, 32, SCRYPT);
  return `scrypt.${SCRYPT.N}.${SCRYPT.r}.${SCRYPT.p}.${salt.toString('base64url')}.${hash.toString('base64url')}`;
}
