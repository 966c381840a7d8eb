/** Unlocks a device for the user whose training runs on it. The training continues under a new token. */
import { recordAccess } from '../events/record.ts';
import type { ActorSession, Ctx } from '../platform/ctx.ts';
import { actorOf, clientOfToken, endOf, makeToken } from '../platform/http/sessions.ts';
import { readJson } from '../platform/json-column.ts';
import { sha256 } from '../platform/secrets.ts';
import type { DeviceRow, SessionRow } from '../platform/storage/tables.ts';
import { isTraining, trainingNode } from '../platform/training.ts';
import { endTraining } from '../shared/training.ts';
import type { Method, Session } from './schema.ts';
import { type Beginning, cookiesOf, type Somebody, showSession, siteOf } from './session.ts';

interface Unlocking extends Pick<Beginning, 'headers'> {
  who: Somebody;
  method: Method;
  device: DeviceRow;
}

/**
 * Unlocks the training of the browser's cookie, if the person has started it on this device. Returns the Set-Cookie and
 * the body of the response. Returns undefined if there is no such training; the unlock then starts a new session.
 */
export async function resumeTraining(
  ctx: Ctx,
  { who, method, headers, device }: Unlocking,
): Promise<{ cookies: string[]; body: Session } | undefined> {
  const site = siteOf(ctx);
  const old = site.read(headers, 'backroom') ?? '';
  const clientId = clientOfToken(old);
  if (clientId === undefined || !isTraining(clientId)) return undefined;
  const training = await ctx.db
    .selectFrom('trainings')
    .select('of_token_hash')
    .where('client_id', '=', clientId)
    .where('of_client_id', '=', who.clientId)
    .where('user_id', '=', who.userId)
    .where('ends_at', '>', ctx.now)
    .executeTakeFirst();
  if (training === undefined) return undefined;
  const token = makeToken(clientId, ctx.randomBytes);
  // After an unlock with a PIN, neither the session of the training nor the suspended session counts as a fresh sign-in.
  const change = (client: string, hash: string, set: Partial<SessionRow>) =>
    ctx.db
      .updateTable('sessions')
      .set({ method, full_at: null, ...set })
      .where('client_id', '=', client)
      .where('token_hash', '=', hash)
      .where('device_id', '=', device.device_id)
      .where('ends_at', '>', ctx.now)
      .returningAll()
      .executeTakeFirst();
  // The two sessions are locked in the same order as at the end of a training: first the session of the training, then
  // the suspended session. Otherwise the two writes could deadlock.
  const row = await change(clientId, sha256(old), { token_hash: sha256(token), seen_at: ctx.now, locked_at: null });
  if (row === undefined) return undefined;
  const suspended = await change(who.clientId, training.of_token_hash, {});
  if (suspended === undefined) {
    await endTraining(ctx.db, clientId);
    return undefined;
  }
  const own = { deviceId: device.device_id, nodeId: device.node_id, name: device.name };
  const session = (of: SessionRow, rest: Pick<ActorSession, 'nodeIds' | 'device' | 'isTraining'>): ActorSession => ({
    ...who,
    sessionId: of.session_id,
    tokenHash: of.token_hash,
    method,
    fullAt: null,
    endsAt: of.ends_at,
    expiresAt: endOf(of, ctx.now),
    mustChangePin: false,
    ...rest,
  });
  const actor = actorOf(who.clientId, session(suspended, { nodeIds: who.nodeIds, device: own }));
  await recordAccess({ ...ctx, actor }, who.clientId, 'user.signedIn', { userId: who.userId, method });
  const trainee = await ctx.db
    .selectFrom('users')
    .select(['role', 'node_ids'])
    .where('client_id', '=', clientId)
    .where('user_id', '=', who.userId)
    .executeTakeFirstOrThrow();
  const here = { nodeIds: readJson(trainee.node_ids), device: { ...own, nodeId: trainingNode(clientId) } };
  const shown = { ...session(row, { ...here, isTraining: true }), role: trainee.role };
  return { cookies: cookiesOf(site, headers, token, true), body: showSession(clientId, shown) };
}
