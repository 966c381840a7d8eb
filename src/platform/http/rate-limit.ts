/** Rate limits of requests and of failed sign-ins. Each process counts separately (docs/decisions/087). */

import type { IncomingHttpHeaders } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { Config } from '../config.ts';
import type { Actor } from '../ctx.ts';
import { lru } from '../lru.ts';
import type { Sentence } from '../message/sentence.ts';
import { say } from '../sentences.ts';
import { MINUTE_MS } from '../time.ts';
import { traceIdOf } from '../trace.ts';
import { Refusal } from './errors.ts';
import type { Auth, Guess } from './operation.ts';

/** Maximum number of names that have a bucket. If there are more names, the least recently used bucket is dropped. */
const NAMES = 10_000;

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * Token buckets by name. A bucket fills at the rate per minute and has at most `most` tokens, by default the tokens of
 * one minute. Times are epoch milliseconds.
 */
export class Buckets {
  readonly #perMinute: number;
  readonly #most: number;
  readonly #buckets = lru<string, Bucket>(NAMES);

  constructor(perMinute: number, most = perMinute) {
    this.#perMinute = perMinute;
    this.#most = most;
  }

  /** Takes tokens and returns 0. If there are too few, takes none and returns the seconds until there are enough. */
  take(name: string, now: number, count = 1): number {
    const bucket = this.#bucket(name, now);
    // A full bucket is enough for any count, because the body limit can be larger than the bucket.
    const needed = Math.min(count, this.#most);
    if (bucket.tokens < needed) return this.#secondsTo(bucket, needed);
    bucket.tokens -= needed;
    return 0;
  }

  /** Puts one taken token back into the bucket. */
  giveBack(name: string): void {
    const bucket = this.#buckets.get(name);
    if (bucket !== undefined) bucket.tokens = Math.min(this.#most, bucket.tokens + 1);
  }

  /** The tokens that are left, and the seconds until the bucket is full. */
  left(name: string, now: number): Quota {
    const { tokens } = this.#bucket(name, now);
    const reset = Math.ceil(((this.#most - tokens) * MINUTE_MS) / this.#perMinute / 1000);
    return { limit: this.#most, remaining: Math.floor(tokens), reset };
  }

  /** The seconds that `take` would return, without taking a token. */
  wait(name: string, now: number): number {
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) return 0;
    this.#fill(bucket, now);
    return bucket.tokens < 1 ? this.#secondsTo(bucket, 1) : 0;
  }

  #bucket(name: string, now: number): Bucket {
    const known = this.#buckets.get(name);
    if (known !== undefined) {
      this.#fill(known, now);
      return known;
    }
    const bucket = { tokens: this.#most, at: now };
    this.#buckets.set(name, bucket);
    return bucket;
  }

  #fill(bucket: Bucket, now: number): void {
    const passed = Math.max(0, now - bucket.at);
    bucket.tokens = Math.min(this.#most, bucket.tokens + (passed * this.#perMinute) / MINUTE_MS);
    bucket.at = now;
  }

  #secondsTo({ tokens }: Bucket, count: number): number {
    return Math.ceil(((count - tokens) * MINUTE_MS) / this.#perMinute / 1000);
  }
}

/**
 * Limit of a caller: its requests per minute, the requests that remain now, and the seconds until all are available
 * again.
 */
export interface Quota {
  limit: number;
  remaining: number;
  reset: number;
}

/** The headers with a quota. */
export function quotaHeaders({ limit, remaining, reset }: Quota): Record<string, string> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(reset),
  };
}

/** The credentials of a request before they are checked. */
export interface SignIn {
  /** The caller's address. */
  address: string;
  headers: IncomingHttpHeaders;
  auth: Auth;
  requestId?: string;
  /** Receives the quota of a caller whose requests are limited. */
  tell?: (quota: Quota) => void;
}

/** A failed sign-in. */
export interface FailedSignIn {
  address: string;
  /** The public part of the key; absent if the key has none. */
  keyId?: string;
  code: string;
  requestId?: string;
  traceId?: string;
}

/** Bodies with more bytes count as long. */
const LONG_BODY = 65_536;
const MIB = 1024 * 1024;

/** Limits the bytes of long bodies of each credential. */
export class LongBodies {
  readonly #bytes: Buckets | undefined;

  constructor({ longBodyRateLimit: limit }: Pick<Config, 'longBodyRateLimit'>) {
    if (limit !== undefined) this.#bytes = new Buckets(limit * MIB);
  }

  /**
   * Counts a body by its Content-Length. A body of unknown length counts as `most`, its maximum.
   * @throws Refusal 429 if the credential has sent too many bytes.
   */
  take(credential: string, headers: IncomingHttpHeaders, most: number, now: number): void {
    const isUnknown = headers['transfer-encoding'] !== undefined;
    const bytes = isUnknown ? most : Number(headers['content-length'] ?? 0);
    if (this.#bytes === undefined || !(bytes > LONG_BODY)) return;
    const wait = this.#bytes.take(credential, now, Math.min(bytes, most));
    if (wait > 0) throw tooMany(wait, say('This credential exceeds its rate for request bodies over 64 KiB'));
  }
}

/**
 * An address can use up the failed sign-ins of this number of minutes at once, because many users sign in at the start
 * of a shift.
 */
const CROWD_MINUTES = 3;

export class Limits {
  readonly #requests: Buckets | undefined;
  readonly #failures: Buckets | undefined;
  readonly #guesses: Buckets | undefined;
  readonly #onFailure: (failed: FailedSignIn) => void;

  constructor(
    { rateLimit, failedSignInLimit }: Pick<Config, 'rateLimit' | 'failedSignInLimit'>,
    onFailure: (failed: FailedSignIn) => void = () => undefined,
  ) {
    if (rateLimit !== undefined) this.#requests = new Buckets(rateLimit);
    if (failedSignInLimit !== undefined) {
      this.#failures = new Buckets(failedSignInLimit);
      this.#guesses = new Buckets(failedSignInLimit, failedSignInLimit * CROWD_MINUTES);
    }
    this.#onFailure = onFailure;
  }

  /** Whether requests with valid credentials are counted. */
  get countsRequests(): boolean {
    return this.#requests !== undefined;
  }

  /**
   * Returns the result of `find`. Credentials are always checked: failures of other callers from the same address or
   * under the same name do not lock out a caller with valid credentials.
   * @throws Refusal 429 after too many requests with a valid credential. After too many failures from the address or
   * with the credential, 429 replaces 401 and 403.
   */
  find<T extends { actor: Actor }>(signIn: SignIn, now: number, find: () => T | Promise<T>): T | Promise<T> {
    try {
      const found = find();
      if (found instanceof Promise) {
        return found.then(
          (caller) => this.#taken(signIn, now, caller),
          (error: unknown) => this.#refuse(signIn, now, error),
        );
      }
      return this.#taken(signIn, now, found);
    } catch (error) {
      return this.#refuse(signIn, now, error);
    }
  }

  /**
   * Checks a password, unless its origin has failed too often: a hash is too expensive for unlimited attempts. `origin`
   * is by default the caller's address. The attempt is counted before the check, so concurrent attempts cannot exceed
   * the limit. A correct password or an error of `judge` removes the attempt from the count.
   * @throws Refusal 429 before the check; any error of `judge`.
   */
  async guess<T>(
    signIn: Pick<SignIn, 'address' | 'headers' | 'requestId'>,
    now: number,
    { judge, isRight, origin = `address ${networkOf(signIn.address)}` }: Guess<T>,
  ): Promise<T> {
    const wait = this.#guesses?.take(origin, now) ?? 0;
    if (wait > 0) {
      this.#report(signIn, 'TOO_MANY_REQUESTS');
      throw tooMany(wait, say('Too many sign-ins have failed from this address'));
    }
    let isWrong = false;
    try {
      const judged = await judge();
      isWrong = !isRight(judged);
      return judged;
    } finally {
      if (isWrong) this.#report(signIn, 'SIGN_IN_FAILED');
      else this.#guesses?.giveBack(origin);
    }
  }

  #taken<T extends { actor: Actor }>(signIn: SignIn, now: number, found: T): T {
    if (this.#requests === undefined || signIn.auth === 'none' || signIn.auth === 'browser') return found;
    const name = callerNamed(found.actor);
    const wait = this.#requests.take(name, now);
    signIn.tell?.(this.#requests.left(name, now));
    if (wait > 0) throw tooMany(wait, say('This credential sends too many requests'));
    return found;
  }

  #refuse(signIn: SignIn, now: number, error: unknown): never {
    const { code = '', actor } = error instanceof Refusal ? error : {};
    if (actor !== undefined) this.#taken(signIn, now, { actor });
    if (code !== 'CREDENTIALS_INVALID') throw error;
    const wait = this.#fail(signIn, now);
    this.#report(signIn, wait > 0 ? 'TOO_MANY_REQUESTS' : code, credentialNamed(signIn).replace(/_$/, ''));
    throw wait > 0 ? tooManyFailures(wait) : error;
  }

  #report(
    { address, headers, requestId }: Pick<SignIn, 'address' | 'headers' | 'requestId'>,
    code: string,
    keyId = '',
  ): void {
    this.#onFailure({
      address,
      ...(keyId !== '' && { keyId }),
      code,
      ...(requestId !== undefined && { requestId, traceId: traceIdOf(headers, requestId) }),
    });
  }

  /**
   * Counts a failure and returns 0. If the limit is already reached, counts nothing and returns the seconds until a
   * further failure is allowed.
   */
  #fail(signIn: SignIn, now: number): number {
    if (this.#failures === undefined) return 0;
    const credential = credentialNamed(signIn);
    const names = [`address ${networkOf(signIn.address)}`, ...(credential === '' ? [] : [`credential ${credential}`])];
    const wait = Math.max(...names.map((name) => this.#failures!.wait(name, now)));
    if (wait > 0) return wait;
    for (const name of names) this.#failures.take(name, now);
    return 0;
  }
}

/**
 * The name under which the requests of a caller count. It comes from the checked credential, not from the headers, so
 * that one caller cannot use up the limit of another.
 */
export function callerNamed({ clientId = '', id }: Actor): string {
  return `${clientId} ${id}`;
}

/** The public part of a key or token, which names the credential; empty if the request has no such part. */
export function credentialNamed({
  headers: { apikey, authorization = '' },
  auth,
}: Pick<SignIn, 'headers' | 'auth'>): string {
  if (auth === 'operator' || apikey === undefined) {
    const token = /^Bearer +brt_([A-Za-z0-9.~-]+_[0-9a-z]+)_/i.exec(authorization);
    if (token !== null) return `br_${token[1]!}_`.slice(0, 300);
  }
  if (auth === 'operator' || (auth === 'operatorOrApiKey' && apikey === undefined)) {
    const [, key = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    return /^bro_[0-9a-z]+_/.exec(key)?.[0] ?? '';
  }
  return typeof apikey === 'string' ? (/^br_[A-Za-z0-9.~-]+_[0-9a-z]+_/.exec(apikey)?.[0].slice(0, 300) ?? '') : '';
}

/** The network of one caller: its IPv4 address, or the /64 of its IPv6 address. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/64`).toString();
}

function tooManyFailures(wait: number): Refusal {
  return tooMany(
    wait,
    say('The credentials are not valid, and too many sign-ins have failed from this address or under this credential'),
  );
}

function tooMany(wait: number, what: Sentence): Refusal {
  return new Refusal(429, 'SECURITY', 'TOO_MANY_REQUESTS', say('{what}; try again in {wait} s.', { what, wait }), {
    headers: { 'retry-after': String(wait) },
  });
}
