/**
 * Hashes of passwords and PINs. One argon2id hash takes some 45 ms and 19 MiB. A process therefore runs only a few
 * hashes at a time and lets only a few callers wait; further callers get 503 and retry (docs/decisions/211).
 */
import { argon2, type BinaryLike, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Refusal } from './http/errors.ts';
import type { HashKey } from './secrets.ts';
import { say } from './sentences.ts';

const argon2Async = promisify(argon2);
const scryptAsync = promisify<
  BinaryLike,
  BinaryLike,
  number,
  { N: number; r: number; p: number; maxmem: number },
  Buffer
>(scrypt);

/** Cost of one hash. */
export interface HashCost {
  /** Memory of one hash, in KiB. */
  memory: number;
  passes: number;
  /** Number of lanes. */
  parallelism: number;
}

/** The cost of production. */
const COST: HashCost = { memory: 19 * 1024, passes: 2, parallelism: 1 };
const HASH_BYTES = 32;
export const SALT_BYTES = 16;

/** Maximum numbers in one process: `RUNNING` hashes run, and `WAITING` callers wait for a hash. */
const RUNNING = 2;
const WAITING = 20;

/** Maximum numbers of places for unknown callers: `OF_AN_ADDRESS` for one network, `OF_STRANGERS` in total. */
export const OF_AN_ADDRESS = 4;
export const OF_STRANGERS = 12;
/** Maximum numbers of places for sessions and keys: `OF_A_CLIENT` for one client, `OF_CLIENTS` in total. */
export const OF_A_CLIENT = 4;
export const OF_CLIENTS = 8;
/** Maximum number of places for one enrolled device. */
const OF_A_DEVICE = 4;

/** Returns `argon2id.<KiB>.<passes>.<lanes>.<salt>.<hash>`, with the suffix `.<key id>` if there is a key. */
async function hashOf(plain: string, salt: Buffer, cost: HashCost, key?: HashKey): Promise<string> {
  const hash = await argon2Async('argon2id', {
    message: Buffer.from(plain.normalize('NFC')),
    nonce: salt,
    parallelism: cost.parallelism,
    tagLength: HASH_BYTES,
    memory: cost.memory,
    passes: cost.passes,
    ...(key !== undefined && { secret: key.key }),
  });
  const parts = ['argon2id', cost.memory, cost.passes, cost.parallelism, salt.toString('base64url')];
  return [...parts, Buffer.from(hash).toString('base64url'), ...(key === undefined ? [] : [key.keyId])].join('.');
}

/** Result of a check of a secret. */
export interface Checked {
  isRight: boolean;
  /**
   * Whether the stored hash has an older form, cost or key. The caller should replace it now, while the plain text is
   * known.
   */
  isOld: boolean;
}

/**
 * The share of the places that a caller uses. `stranger`: the share of the network, for a caller without key, session
 * or enrolled device. `client`: the share of the client, for a caller with session or key; '' is the operator.
 * `device`: the share of the enrolled device.
 */
export interface Share {
  kind: keyof typeof LIMITS;
  /** The network, the id of the client, or the id of the device. */
  key: string;
}

/**
 * Maximum numbers of places by kind of share: `each` for one network, client or device, `all` for all of them together.
 */
const LIMITS = {
  stranger: { each: OF_AN_ADDRESS, all: OF_STRANGERS },
  client: { each: OF_A_CLIENT, all: OF_CLIENTS },
  device: { each: OF_A_DEVICE, all: RUNNING + WAITING },
} as const;

/** A place in the queue of callers; the caller must call `leave` at the end. */
export interface Place {
  /** Waits for a free slot and runs one hash in it. */
  run: <T>(work: () => Promise<T>) => Promise<T>;
  leave: () => void;
}

/**
 * Wraps the wait for a free slot and the computation of the hash, so that the request does not count as in progress.
 */
type Aside = <T>(work: () => Promise<T>) => Promise<T>;

/** The count of each key, and `all`, the sum of these counts. Keys whose count is 0 are not stored. */
class Counts {
  readonly #counts = new Map<string, number>();
  all = 0;

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, change: number): void {
    this.all += change;
    const count = this.of(key) + change;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }
}

export class Hashing {
  #inLine = 0;
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  /** Numbers of places that callers have taken, by the kind of their share and its key. */
  readonly #taken = { stranger: new Counts(), client: new Counts(), device: new Counts() };
  readonly #aside: Aside;
  readonly #cost: HashCost;

  /** @param cost cost of new hashes; stored hashes with another cost are old. Default: the cost of production. */
  constructor(aside: Aside = (work) => work(), cost: HashCost = COST) {
    this.#aside = aside;
    this.#cost = cost;
  }

  /**
   * Takes a place. Each share has only some of the places, so that neither unknown callers nor the users of one client
   * can prevent stores from unlocking their devices.
   * @throws Refusal 503 if no place is free for this caller.
   */
  enter({ kind, key }: Share): Place {
    const own = this.#taken[kind];
    const { each, all } = LIMITS[kind];
    const isCrowded = own.of(key) >= each || own.all >= all;
    if (isCrowded || this.#inLine >= RUNNING + WAITING) {
      throw new Refusal(
        503,
        'INTERNAL',
        'OVERLOADED',
        say(
          'The service is checking too many passwords and PINs at the moment; this attempt does not count. Try again in a second.',
        ),
        { headers: { 'retry-after': '1' } },
      );
    }
    this.#inLine += 1;
    own.add(key, 1);
    let isIn = true;
    return {
      run: (work) => this.#aside(() => this.#run(work)),
      leave: () => {
        if (!isIn) return;
        isIn = false;
        this.#inLine -= 1;
        own.add(key, -1);
      },
    };
  }

  /** Hashes a password in a place of the share; `salt` must be 16 new random bytes. @throws Refusal 503 as `enter`. */
  async hash(share: Share, plain: string, salt: Buffer, key?: HashKey): Promise<string> {
    const place = this.enter(share);
    try {
      return await place.run(() => hashOf(plain, salt, this.#cost, key));
    } finally {
      place.leave();
    }
  }

  /** Hashes a password in a place that the caller has taken with `enter`. */
  hashIn(place: Place, plain: string, salt: Buffer, key?: HashKey): Promise<string> {
    return place.run(() => hashOf(plain, salt, this.#cost, key));
  }

  /**
   * Checks whether a text has this hash. With an empty `stored` (an unknown user), the check takes the same time and
   * fails. `keys` are the possible keys of the hash, the current key first.
   */
  async check(place: Place, plain: string, stored: string, keys: readonly HashKey[] = []): Promise<Checked> {
    return place.run(async () => {
      const [form, ...rest] = stored.split('.');
      if (form === 'scrypt') return { isRight: await isScrypt(plain, rest), isOld: true };
      const [memory, passes, parallelism, salt, hash, keyId] = form === 'argon2id' ? rest : [];
      const key = keyId === undefined ? keys[0] : keys.find((one) => one.keyId === keyId);
      const isKnown = hash !== undefined && (keyId === undefined) === (key === undefined);
      const cost = isKnown
        ? { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
        : this.#cost;
      const nonce = isKnown ? Buffer.from(salt!, 'base64url') : Buffer.alloc(SALT_BYTES);
      const found = await hashOf(plain, nonce, cost, key);
      const isCurrent =
        cost.memory === this.#cost.memory && cost.passes === this.#cost.passes && keyId === keys[0]?.keyId;
      return { isRight: isKnown && sameText(found, stored), isOld: !isCurrent };
    });
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= RUNNING) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      // The free slot goes to the next waiting caller, so that no new caller overtakes a waiting caller.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}

/** Checks a scrypt hash of release 0.2 or older: `scrypt.<N>.<r>.<p>.<salt>.<hash>`. */
async function isScrypt(plain: string, [N, r, p, salt = '', hash = '']: readonly string[]): Promise<boolean> {
  const expected = Buffer.from(hash, 'base64url');
  const cost = { N: Number(N), r: Number(r), p: Number(p), maxmem: 64 * 1024 * 1024 };
  const found = await scryptAsync(plain.normalize('NFC'), Buffer.from(salt, 'base64url'), expected.length, cost);
  return timingSafeEqual(found, expected);
}

function sameText(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
