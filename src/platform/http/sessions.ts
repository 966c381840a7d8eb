/**
 * Sessions of users: a third credential, besides `apiKey` and the operator's key. Sessions are not cached: every
 * request looks up its session. Sign-in and sign-out therefore have an immediate effect in every process, and do not
 * empty the caches of callers.
 */

import type { Actor, ActorSession, Permission } from '../ctx.ts';
import { EMPTY_LIST, readJson } from '../json-column.ts';
import { lru } from '../lru.ts';
import { permissionsOf } from '../roles.ts';
import { sameSecret, sha256 } from '../secrets.ts';
import { say } from '../sentences.ts';
import type { Site } from '../site.ts';
import type { Reader, Store } from '../storage/db.ts';
import { change, statement } from '../storage/statement.ts';
import { HOUR_MS, MINUTE_MS } from '../time.ts';
import { isTraining, trainingNode } from '../training.ts';
import { clientOfTag, clientTag } from './client-tag.ts';
import { Refusal } from './errors.ts';

/** Maximum duration of a session, about a shift. */
export const SESSION_MS = 12 * HOUR_MS;
/** Lifetime of an outbox ticket. With the ticket, a device sends queued work in the name of the ticket's user. */
export const OUTBOX_MS = 24 * HOUR_MS;
/**
 * Idle timeouts: `IDLE_MS` for a session of a client's user, `OPERATOR_IDLE_MS` for a session of an operator's user.
 */
const IDLE_MS = 30 * MINUTE_MS;
const OPERATOR_IDLE_MS = 15 * MINUTE_MS;
/**
 * The session of a device is locked after this time without a request of its user. The console itself locks after 3
 * minutes without input; this longer limit applies if the console no longer runs. It must be longer than SEEN_EVERY_MS,
 * the delay after which other processes see a use.
 */
const DEVICE_IDLE_MS = 10 * MINUTE_MS;
/** Maximum age of the last full sign-in (password, provider, passkey) for operations that need a recent sign-in. */
const FRESH_MS = 15 * MINUTE_MS;
/**
 * A session that began more than this time in the future began while a clock was ahead. It is not valid, because its
 * times would extend all limits. Smaller differences between the clocks of processes are permitted.
 */
export const AHEAD_MS = 15 * MINUTE_MS;
/** Minimum interval between two writes of a session's `seen_at`. */
const SEEN_EVERY_MS = 5 * MINUTE_MS;
/** Maximum number of sessions whose last use is kept in memory. */
const REMEMBERED = 50_000;

/** Headers with the credentials of a browser's user. */
export interface SessionHeaders {
  cookie?: string | undefined;
}

/** A token of a session or device: the tag of the client, and 32 random bytes. */
export function makeToken(clientId: string, randomBytes: (size: number) => Buffer): string {
  return `${clientTag(clientId)}_${randomBytes(32).toString('base64url')}`;
}

/** The client of a token; undefined for a text that is not a token. */
export function clientOfToken(token: string): string | undefined {
  const [, tag] = /^([A-Za-z0-9.~-]*)_[\w-]{43}$/.exec(token) ?? [];
  return tag === undefined ? undefined : clientOfTag(tag);
}

/** End of a session that is not used any more, in epoch milliseconds. */
export function endOf(row: { client_id: string; device_id: string | null; ends_at: number }, seenAt: number): number {
  if (row.device_id !== null) return row.ends_at;
  return Math.min(row.ends_at, seenAt + (row.client_id === '' ? OPERATOR_IDLE_MS : IDLE_MS));
}

/** Latest `ends_at` that a session can have at `now`, unless it began while a clock was ahead. */
export function lastEndAt(now: number): number {
  return now + SESSION_MS + AHEAD_MS;
}

/** Whether the last full sign-in is at most 15 minutes ago. `fullAt` is null if the session has no full sign-in. */
export function isFresh(fullAt: number | null, now: number): boolean {
  return fullAt !== null && now - fullAt <= FRESH_MS;
}

/** Whether a session is locked: its user has locked it, or its device was idle. */
function isLockedAt(row: { device_id: string | null; locked_at: number | null }, seenAt: number, now: number): boolean {
  return row.locked_at !== null || (row.device_id !== null && now >= seenAt + DEVICE_IDLE_MS);
}

/** A session with its lock and the stored time of its last use. */
export interface FoundSession {
  actor: Actor;
  isLocked: boolean;
  seenAt: number;
}

/** The actor of a session. */
export function actorOf(clientId: string, session: ActorSession): Actor {
  const ofClient = clientId !== '';
  return {
    kind: 'user',
    id: ofClient ? `user:${session.userId}` : `operator:person:${session.userId}`,
    ...(ofClient && { clientId }),
    storeIds: null,
    nodeIds: ofClient && session.nodeIds.length > 0 ? session.nodeIds : null,
    permissions: session.mustChangePin ? [] : permissionsIn(session),
    session,
  };
}

/**
 * Permissions that a training does not have, because they affect more than the data of the training: users, devices,
 * keys, webhooks.
 */
const NOT_IN_TRAINING: ReadonlySet<Permission> = new Set(['people', 'client']);

function permissionsIn({ role, isTraining: trains }: ActorSession): readonly Permission[] {
  const all = permissionsOf(role);
  return trains === true ? all.filter((one) => !NOT_IN_TRAINING.has(one)) : all;
}

export class Sessions {
  readonly #store: Store;
  readonly #site: Site;
  /** Last use of sessions in this process, in epoch milliseconds; the stored time can be five minutes older. */
  readonly #seen = lru<string, number>(REMEMBERED);

  constructor(store: Store, site: Site) {
    this.#store = store;
    this.#site = site;
  }

  /** The session token of a request; undefined if the request has no token or has another credential. */
  tokenOf(headers: SessionHeaders & { authorization?: string | undefined; apikey?: unknown }): string | undefined {
    if (headers.authorization !== undefined || headers.apikey !== undefined) return undefined;
    return this.#site.read(headers, 'backroom') || undefined;
  }

  /** Whether a request has cookies and neither an apiKey nor the header Authorization. */
  isBrowsers(headers: SessionHeaders & { authorization?: string | undefined; apikey?: unknown }): boolean {
    return headers.authorization === undefined && headers.apikey === undefined && headers.cookie !== undefined;
  }

  /**
   * Checks that a request that can change data comes from a page of this site. A GET passes without this check.
   * @throws Refusal 403 CROSS_ORIGIN if such a request comes from elsewhere.
   */
  mustBeOwn(
    method: string,
    headers: { 'sec-fetch-site'?: string | string[] | undefined; origin?: string | undefined },
  ): void {
    if (method === 'GET' || this.#site.isOwn(headers)) return;
    throw new Refusal(
      403,
      'SECURITY',
      'CROSS_ORIGIN',
      say(
        'A session is valid only for requests of the console’s own pages; send Sec-Fetch-Site: same-origin (browsers do), or Origin with the value of PUBLIC_URL.',
      ),
    );
  }

  /** The session of a token; undefined if the session is not valid now. */
  async find(db: Reader, token: string, now: number): Promise<FoundSession | undefined> {
    const clientId = clientOfToken(token);
    if (clientId === undefined) return undefined;
    const by = { clientId, tokenHash: sha256(token) };
    const row = (await (clientId === '' ? ofPerson(db, by) : ofUser(db, by)))[0];
    if (row === undefined || row.state !== 'ACTIVE' || row.revoked_at !== null) return undefined;
    const seenAt = Math.max(row.seen_at, this.#seen.get(row.token_hash) ?? 0);
    if (now >= endOf(row, seenAt) || row.ends_at > lastEndAt(now)) return undefined;
    const trains = isTraining(clientId);
    const training = trains ? (await ofTraining(db, { clientId }))[0] : undefined;
    if (trains && !isLive(training, now)) return undefined;
    const deviceName = training === undefined ? row.device_name : training.device_name;
    const nodeId = training === undefined ? row.device_node_id : trainingNode(clientId);
    const session: ActorSession = {
      userId: row.user_id,
      name: row.name,
      role: row.role,
      nodeIds: readJson(row.node_ids),
      language: row.language,
      sessionId: row.session_id,
      tokenHash: row.token_hash,
      method: row.method,
      fullAt: row.full_at,
      endsAt: row.ends_at,
      expiresAt: endOf(row, now),
      mustChangePin: row.must_change_pin === 1,
      device:
        row.device_id === null ? undefined : { deviceId: row.device_id, nodeId: nodeId ?? '', name: deviceName ?? '' },
      ...(trains && { isTraining: true }),
    };
    return { actor: actorOf(clientId, session), isLocked: isLockedAt(row, seenAt, now), seenAt: row.seen_at };
  }

  /**
   * Returns the owner of an outbox ticket, if the ticket, its owner and its device are valid and the request comes from
   * this device. Otherwise returns undefined.
   */
  async ofTicket(db: Reader, ticket: string, headers: SessionHeaders, now: number): Promise<Actor | undefined> {
    const clientId = clientOfToken(ticket);
    const device = this.#site.read(headers, 'backroom-device');
    if (clientId === undefined || clientId === '' || device === undefined) return undefined;
    const row = (await ofOutbox(db, { clientId, tokenHash: sha256(ticket) }))[0];
    if (row === undefined || row.state !== 'ACTIVE' || row.revoked_at !== null) return undefined;
    // A ticket that is valid for more than `OUTBOX_MS` and `AHEAD_MS` together began while a clock was ahead.
    if (row.expires_at <= now || row.expires_at > now + OUTBOX_MS + AHEAD_MS) return undefined;
    if (!sameSecret(row.device_token_hash, sha256(device))) return undefined;
    return actorOf(clientId, {
      userId: row.user_id,
      name: row.name,
      role: row.role,
      nodeIds: readJson(row.node_ids),
      language: row.language,
      sessionId: row.session_id,
      tokenHash: '',
      method: 'PIN',
      fullAt: null,
      endsAt: row.expires_at,
      expiresAt: row.expires_at,
      mustChangePin: false,
      device: { deviceId: row.device_id, nodeId: row.device_node_id, name: row.device_name },
    });
  }

  /** Records the use of a session in memory, and stores it at intervals. If a write fails, a later use writes again. */
  async touch({ actor: { clientId = '', session }, seenAt }: FoundSession, now: number): Promise<void> {
    const { tokenHash, device } = session!;
    this.#seen.set(tokenHash, now);
    const upTo = now - SEEN_EVERY_MS;
    if (seenAt > upTo) return;
    await this.#store
      .write(async (tx) => {
        const { count } = await see(tx, { clientId, tokenHash, now, upTo });
        if (count > 0 && device !== undefined) await seeDevice(tx, { clientId, deviceId: device.deviceId, now });
      })
      .catch(() => undefined);
  }
}

type Waiting = Awaited<ReturnType<typeof ofTraining>>[number];

/** Whether the training has not ended, and the session that it has suspended is still valid. */
function isLive(training: Waiting | undefined, now: number): boolean {
  if (training === undefined) return false;
  const { state, revoked_at, ends_at, training_ends_at } = training;
  return state === 'ACTIVE' && revoked_at === null && now < ends_at && now < training_ends_at;
}

interface ByToken {
  clientId: string;
  tokenHash: string;
}

const ofUser = statement((db, { clientId, tokenHash }: ByToken) =>
  db
    .selectFrom('sessions as s')
    .innerJoin('users as u', (join) =>
      join.onRef('u.client_id', '=', 's.client_id').onRef('u.user_id', '=', 's.user_id'),
    )
    .leftJoin('devices as d', (join) =>
      join.onRef('d.client_id', '=', 's.client_id').onRef('d.device_id', '=', 's.device_id'),
    )
    .selectAll('s')
    .select(['u.name', 'u.role', 'u.node_ids', 'u.state', 'u.language'])
    .select(['d.node_id as device_node_id', 'd.name as device_name', 'd.revoked_at'])
    .where('s.client_id', '=', clientId)
    .where('s.token_hash', '=', tokenHash),
);

const ofTraining = statement((db, { clientId }: { clientId: string }) =>
  db
    .selectFrom('trainings as t')
    .innerJoin('sessions as s', (join) =>
      join.onRef('s.client_id', '=', 't.of_client_id').onRef('s.token_hash', '=', 't.of_token_hash'),
    )
    .innerJoin('users as u', (join) =>
      join.onRef('u.client_id', '=', 's.client_id').onRef('u.user_id', '=', 's.user_id'),
    )
    .leftJoin('devices as d', (join) =>
      join.onRef('d.client_id', '=', 's.client_id').onRef('d.device_id', '=', 's.device_id'),
    )
    .select(['t.ends_at as training_ends_at', 's.ends_at', 'u.state', 'd.name as device_name', 'd.revoked_at'])
    .where('t.client_id', '=', clientId),
);

const ofOutbox = statement((db, { clientId, tokenHash }: ByToken) =>
  db
    .selectFrom('outbox_tickets as t')
    .innerJoin('users as u', (join) =>
      join.onRef('u.client_id', '=', 't.client_id').onRef('u.user_id', '=', 't.user_id'),
    )
    .innerJoin('devices as d', (join) =>
      join.onRef('d.client_id', '=', 't.client_id').onRef('d.device_id', '=', 't.device_id'),
    )
    .select(['t.user_id', 't.session_id', 't.device_id', 't.expires_at'])
    .select(['u.name', 'u.role', 'u.node_ids', 'u.state', 'u.language'])
    .select([
      'd.node_id as device_node_id',
      'd.name as device_name',
      'd.revoked_at',
      'd.token_hash as device_token_hash',
    ])
    .where('t.client_id', '=', clientId)
    .where('t.ticket_hash', '=', tokenHash),
);

const ofPerson = statement((db, { clientId, tokenHash }: ByToken) =>
  db
    .selectFrom('sessions as s')
    .innerJoin('people as u', (join) =>
      join.onRef('u.client_id', '=', 's.client_id').onRef('u.user_id', '=', 's.user_id'),
    )
    .selectAll('s')
    .select(['u.name', 'u.state', 'u.language'])
    .select((eb) => [
      eb.val('operator').as('role'),
      eb.val(EMPTY_LIST).as('node_ids'),
      eb.lit(null).as('device_node_id'),
      eb.lit(null).as('device_name'),
      eb.lit(null).as('revoked_at'),
    ])
    .where('s.client_id', '=', clientId)
    .where('s.token_hash', '=', tokenHash),
);

const see = change((db, { clientId, tokenHash, now, upTo }: ByToken & { now: number; upTo: number }) =>
  db
    .updateTable('sessions')
    .set({ seen_at: now })
    .where('client_id', '=', clientId)
    .where('token_hash', '=', tokenHash)
    .where('seen_at', '<=', upTo),
);

const seeDevice = change((db, { clientId, deviceId, now }: { clientId: string; deviceId: string; now: number }) =>
  db.updateTable('devices').set({ seen_at: now }).where('client_id', '=', clientId).where('device_id', '=', deviceId),
);
