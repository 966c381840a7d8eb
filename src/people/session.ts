/** Starts, shows and ends sessions, for every way to sign in. */
import { recordAccess } from '../events/record.ts';
import type { ActorSession, Ctx } from '../platform/ctx.ts';
import { Refusal } from '../platform/http/errors.ts';
import { actorOf, clientOfToken, endOf, makeToken, OUTBOX_MS, SESSION_MS } from '../platform/http/sessions.ts';
import { EMPTY_LIST, readJson } from '../platform/json-column.ts';
import type { Role } from '../platform/roles.ts';
import { sha256 } from '../platform/secrets.ts';
import { DEVICE_COOKIE_S, type Site } from '../platform/site.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { DeviceRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import { isTraining } from '../platform/training.ts';
import { endTraining } from '../shared/training.ts';
import type { Method, Session } from './schema.ts';
import { say } from './sentences.ts';

/** A person who can sign in. */
export interface Somebody {
  /** Id of the client; '' for a person of the operator. */
  clientId: string;
  userId: string;
  name: string;
  role: string;
  /** Nodes of the person; empty: all nodes of the client. */
  nodeIds: readonly string[];
  language: string | null;
}

export interface Beginning {
  who: Somebody;
  method: Method;
  /**
   * Headers of the request. The start of a session ends the session that their cookie names. The calling code finds the
   * device of the browser (`device`).
   */
  headers: { cookie?: string | undefined };
  /** The enrolled device of the browser. */
  device?: Pick<DeviceRow, 'device_id' | 'node_id' | 'name'> | undefined;
  /** Whether the sign-in used a one-time PIN, which the user must change before any other request. */
  mustChangePin?: boolean;
  /** For OIDC: the provider, and the subject and session id in its token. */
  provider?: { providerId: string; subject: string; session: string | null };
}

/**
 * Returns the site of the service.
 * @throws Refusal 403 without PUBLIC_URL, because the service then cannot check the origin of a request with a cookie.
 */
export function siteOf({ site }: { site?: Site | undefined }): Site {
  if (site?.url !== undefined) return site;
  throw new Refusal(
    403,
    'SECURITY',
    'SIGN_IN_OFF',
    say('Sign-in is off because PUBLIC_URL is not set; set it to the URL that browsers use, and restart the service.'),
  );
}

/**
 * Starts a session in the current transaction, for every method of sign-in. Ends the session of the browser's old
 * cookie. `cookies` is the Set-Cookie of the response, `body` its body.
 */
export async function startSession(ctx: Ctx, beginning: Beginning): Promise<{ cookies: string[]; body: Session }> {
  const { who, method, headers, device, mustChangePin = false, provider } = beginning;
  const site = siteOf(ctx);
  const { clientId, userId } = who;
  await endSessionOf(ctx, site, headers);
  const token = makeToken(clientId, ctx.randomBytes);
  const isFull = method !== 'PIN' && method !== 'BADGE';
  const row = {
    client_id: clientId,
    token_hash: sha256(token),
    session_id: ctx.newId(),
    user_id: userId,
    method,
    device_id: device?.device_id ?? null,
    created_at: ctx.now,
    full_at: isFull ? ctx.now : null,
    seen_at: ctx.now,
    ends_at: ctx.now + SESSION_MS,
    locked_at: null,
    must_change_pin: mustChangePin ? 1 : 0,
    provider_id: provider?.providerId ?? null,
    provider_subject: provider?.subject ?? null,
    provider_session: provider?.session ?? null,
  };
  await ctx.db.insertInto('sessions').values(row).execute();
  const session: ActorSession = {
    ...who,
    sessionId: row.session_id,
    tokenHash: row.token_hash,
    method,
    fullAt: row.full_at,
    endsAt: row.ends_at,
    expiresAt: endOf(row, ctx.now),
    mustChangePin,
    device: device && { deviceId: device.device_id, nodeId: device.node_id, name: device.name },
  };
  const actor = actorOf(clientId, session);
  // The callback of a provider is a redirect, which has no body for the ticket.
  const hasTicket = device !== undefined && method !== 'OIDC';
  const outboxTicket = hasTicket ? await makeTicket(ctx, session, clientId) : undefined;
  await recordAccess({ ...ctx, actor }, clientId, 'user.signedIn', { userId, method });
  const body = { ...showSession(clientId, session), ...(outboxTicket !== undefined && { outboxTicket }) };
  return { cookies: cookiesOf(site, headers, token, device !== undefined), body };
}

/** The Set-Cookie of a sign-in: the session and, on a device, the cookie of the device. */
export function cookiesOf(site: Site, headers: Beginning['headers'], token: string, isOnDevice: boolean): string[] {
  const own = site.cookie('backroom', token);
  if (!isOnDevice) return [own];
  // Browsers keep a cookie for at most 400 days, so a device that is in use gets its cookie again.
  return [own, site.cookie('backroom-device', site.read(headers, 'backroom-device')!, DEVICE_COOKIE_S)];
}

async function makeTicket(ctx: Ctx, session: ActorSession, clientId: string): Promise<string> {
  const ticket = makeToken(clientId, ctx.randomBytes);
  await ctx.db
    .insertInto('outbox_tickets')
    .values({
      client_id: clientId,
      ticket_hash: sha256(ticket),
      user_id: session.userId,
      device_id: session.device!.deviceId,
      session_id: session.sessionId,
      // Another person may know a one-time PIN, so the ticket becomes valid only after the user has chosen a PIN.
      expires_at: session.mustChangePin ? ctx.now : ctx.now + OUTBOX_MS,
    })
    .execute();
  return ticket;
}

/** An ended session. */
export interface Ended {
  clientId: string;
  userId: string;
  /** Undefined if the session does not exist any more. */
  sessionId: string | undefined;
  /** The device that the session was on. */
  deviceId: string | null;
}

/** Ends the session of a request's cookie. Returns undefined without a session. */
export async function endSessionOf(
  ctx: Pick<Ctx, 'db'>,
  site: Site,
  headers: { cookie?: string | undefined },
): Promise<Ended | undefined> {
  const token = site.read(headers, 'backroom') ?? '';
  const ofToken = clientOfToken(token);
  if (ofToken === undefined) return undefined;
  const row = await ctx.db
    .deleteFrom('sessions')
    .where('client_id', '=', ofToken)
    .where('token_hash', '=', sha256(token))
    .returning(['user_id', 'session_id', 'device_id'])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { user_id: userId, session_id: sessionId, device_id: deviceId } = row;
  if (!isTraining(ofToken)) return { clientId: ofToken, userId, sessionId, deviceId };
  // Signing out of a training also ends the suspended session of the same user.
  const training = await endTraining(ctx.db, ofToken);
  if (training === undefined) return undefined;
  const { of_client_id: clientId, of_token_hash: waiting } = training;
  const suspended = await ctx.db
    .deleteFrom('sessions')
    .where('client_id', '=', clientId)
    .where('token_hash', '=', waiting)
    .returning('session_id')
    .executeTakeFirst();
  return { clientId, userId: training.user_id, sessionId: suspended?.session_id ?? sessionId, deviceId };
}

/** Records a sign-out in the access log. `more` are further fields of the event. */
export function recordSignedOut(ctx: Ctx, ended: Ended, more: object = {}): Promise<void> {
  return recordEnded(ctx, 'user.signedOut', ended, more);
}

/**
 * Records the end of a session or training in the access log. The request no longer has the session, so this function
 * adds the ids and nodes to the event. The event of the beginning gets these fields from its session.
 */
export async function recordEnded(
  ctx: Ctx,
  name: 'user.signedOut' | 'user.trainingEnded',
  ended: Ended,
  more: object = {},
): Promise<void> {
  const { clientId, userId, sessionId, deviceId } = ended;
  await recordAccess(ctx, clientId, name, {
    ...(sessionId !== undefined && { sessionId }),
    ...(deviceId !== null && { deviceId }),
    ...(clientId !== '' && { nodeIds: await nodesOfEnded(ctx.db, ended) }),
    userId,
    ...more,
  });
}

async function nodesOfEnded(db: Reader, { clientId, userId, deviceId }: Ended): Promise<readonly string[]> {
  if (deviceId !== null) {
    const device = await db
      .selectFrom('devices')
      .select('node_id')
      .where('client_id', '=', clientId)
      .where('device_id', '=', deviceId)
      .executeTakeFirst();
    if (device !== undefined) return [device.node_id];
  }
  const user = await db
    .selectFrom('users')
    .select('node_ids')
    .where('client_id', '=', clientId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return readJson(user?.node_ids ?? EMPTY_LIST);
}

/** Ends the tickets of queued work that a user has on a device. */
export async function endTickets({ db }: Pick<Ctx, 'db'>, { clientId, userId, deviceId }: Ended): Promise<void> {
  if (deviceId === null) return;
  await db
    .deleteFrom('outbox_tickets')
    .where('client_id', '=', clientId)
    .where('user_id', '=', userId)
    .where('device_id', '=', deviceId)
    .execute();
}

/** Returns a session in the form of responses. */
export function showSession(clientId: string, session: ActorSession): Session {
  const { userId, name, role, nodeIds, language, device, mustChangePin, isTraining: trains } = session;
  return {
    user: {
      ...(clientId !== '' && { clientId }),
      userId,
      name,
      role: role as Role,
      nodeIds: [...nodeIds],
      ...(language !== null && { language }),
    },
    permissions: [...(actorOf(clientId, session).permissions ?? [])],
    ...(device !== undefined && { device }),
    method: session.method as Method,
    expiresAt: formatDateTime(session.expiresAt),
    ...(mustChangePin && { mustChangePin }),
    ...(trains === true && { training: true }),
  };
}

/** Returns the user or person of the operator with this login, active or not; undefined if there is none. */
export async function findSomebody(
  db: Reader,
  clientId: string,
  userId: string,
): Promise<(Somebody & { passwordHash: string; isActive: boolean }) | undefined> {
  const row =
    clientId === ''
      ? await db
          .selectFrom('people')
          .selectAll()
          .select((eb) => [eb.val('operator').as('role'), eb.val(EMPTY_LIST).as('node_ids')])
          .where('client_id', '=', '')
          .where('user_id', '=', userId)
          .executeTakeFirst()
      : await db
          .selectFrom('users')
          .selectAll()
          .where('client_id', '=', clientId)
          .where('user_id', '=', userId)
          .executeTakeFirst();
  if (row === undefined) return undefined;
  const { name, role, language, password_hash: passwordHash, state } = row;
  const nodeIds = readJson(row.node_ids);
  return { clientId, userId, name, role, nodeIds, language, passwordHash, isActive: state === 'ACTIVE' };
}
