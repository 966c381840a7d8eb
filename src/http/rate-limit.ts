/**
 * Limits on how often: requests of a credential, and sign-ins that fail (decisions 16 and 087). Each counts in this process
 * alone, and only where it is configured.
 */
import { isIPv6 } from 'node:net';
import type { Config } from '../config.ts';
import { Refusal } from './errors.ts';
import type { Auth } from './operation.ts';

/** Names kept at most; of more, those that are at rest go first, then the oldest. */
const NAMES = 10_000;
const MINUTE_MS = 60_000;

interface Bucket {
  tokens: number;
  at: number;
}

/** So many a minute for each name: a bucket that holds as many and fills at that pace. Times are epoch milliseconds. */
export class Buckets {
  readonly #perMinute: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Takes one; answers 0, or when there was none left the whole seconds until there is. */
  take(name: string, now: number): number {
    const bucket = this.#bucket(name, now);
    if (bucket.tokens < 1) return this.#secondsToOne(bucket);
    bucket.tokens -= 1;
    return 0;
  }

  /** What `take` would answer. */
  wait(name: string, now: number): number {
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) return 0;
    this.#fill(bucket, now);
    return bucket.tokens < 1 ? this.#secondsToOne(bucket) : 0;
  }

  #bucket(name: string, now: number): Bucket {
    const known = this.#buckets.get(name);
    if (known !== undefined) {
      this.#fill(known, now);
      return known;
    }
    if (this.#buckets.size >= NAMES) this.#makeRoom(now);
    const bucket = { tokens: this.#perMinute, at: now };
    this.#buckets.set(name, bucket);
    return bucket;
  }

  #fill(bucket: Bucket, now: number): void {
    const passed = Math.max(0, now - bucket.at);
    bucket.tokens = Math.min(this.#perMinute, bucket.tokens + (passed * this.#perMinute) / MINUTE_MS);
    bucket.at = now;
  }

  #secondsToOne({ tokens }: Bucket): number {
    return Math.ceil(((1 - tokens) * MINUTE_MS) / this.#perMinute / 1000);
  }

  #makeRoom(now: number): void {
    for (const [name, bucket] of this.#buckets) {
      this.#fill(bucket, now);
      if (bucket.tokens >= this.#perMinute) this.#buckets.delete(name);
    }
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size >= NAMES && oldest !== undefined) this.#buckets.delete(oldest);
  }
}

/** Who says what it is, before anybody knows whether it is true. */
export interface SignIn {
  /** The caller's address. */
  address: string;
  headers: { authorization?: string | undefined; apikey?: string | string[] | undefined };
  auth: Auth;
}

export class Limits {
  readonly #requests: Buckets | undefined;
  readonly #failures: Buckets | undefined;
  /** Credentials with the addresses they were good from: nobody shuts their owner out by failing under their name. */
  readonly #known = new Set<string>();

  constructor({ rateLimit, failedSignInLimit }: Pick<Config, 'rateLimit' | 'failedSignInLimit'>) {
    if (rateLimit !== undefined) this.#requests = new Buckets(rateLimit);
    if (failedSignInLimit !== undefined) this.#failures = new Buckets(failedSignInLimit);
  }

  /** Whether anything is limited at all. */
  get areOn(): boolean {
    return this.#requests !== undefined || this.#failures !== undefined;
  }

  /**
   * Answers what `find` finds.
   * @throws Refusal 429 when the address or the credential has failed too often, or a good credential asks too often.
   */
  async find<T>(signIn: SignIn, now: number, find: () => T | Promise<T>): Promise<T> {
    if (signIn.auth === 'none') return find();
    const credential = credentialNamed(signIn);
    const names = [`address ${placeOf(signIn.address)}`, ...(credential === '' ? [] : [`credential ${credential}`])];
    const wait = Math.max(...names.map((name) => this.#failures?.wait(name, now) ?? 0));
    if (wait > 0 && !this.#known.has(names.join(' '))) throw tooManyFailures(wait);
    try {
      const found = await find();
      this.#succeeded(names, credential, now);
      return found;
    } catch (error) {
      const code = error instanceof Refusal ? error.code : '';
      if (code === 'CREDENTIALS_INVALID') {
        for (const name of names) this.#failures?.take(name, now);
        if (wait > 0) throw tooManyFailures(wait);
      } else if (code === 'ACCESS_DENIED' || code === 'NOT_FOUND') {
        this.#succeeded(names, credential, now);
      }
      throw error;
    }
  }

  #succeeded(names: readonly string[], credential: string, now: number): void {
    if (this.#failures !== undefined) {
      if (this.#known.size >= NAMES) this.#known.clear();
      this.#known.add(names.join(' '));
    }
    // Only the operator's key of the settings has no name.
    const wait = this.#requests?.take(credential === '' ? 'operator' : credential, now) ?? 0;
    if (wait > 0) throw tooMany(wait, 'This credential asks too often');
  }
}

/** The part of a key that names its credential and is no secret; empty when it has none. */
function credentialNamed({ headers: { apikey, authorization = '' }, auth }: SignIn): string {
  if (auth === 'operator' || (auth === 'operatorOrApiKey' && apikey === undefined)) {
    const [, key = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    return /^bro_[0-9a-z]+_/.exec(key)?.[0] ?? '';
  }
  return typeof apikey === 'string' ? (/^br_[A-Za-z0-9.~-]+_[0-9a-z]+_/.exec(apikey)?.[0].slice(0, 300) ?? '') : '';
}

/** One caller has a whole /64 of IPv6. */
function placeOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const before = head.split(':').filter((part) => part !== '');
  if (tail === undefined || before.length >= 4) return before.slice(0, 4).join(':');
  const [, mapped] = /^ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(tail) ?? [];
  if (mapped !== undefined) return mapped;
  const after = tail.split(':').filter((part) => part !== '');
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}

function tooManyFailures(wait: number): Refusal {
  return tooMany(wait, 'Too many sign-ins have failed from this address or under this credential');
}

function tooMany(wait: number, what: string): Refusal {
  return new Refusal(429, 'SECURITY', 'TOO_MANY_REQUESTS', `${what}; ask again in ${wait} s.`, {
    headers: { 'retry-after': String(wait) },
  });
}
