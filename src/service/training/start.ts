import { recordAccess } from '../../events/record.ts';
import { Session } from '../../people/schema.ts';
import { showSession, siteOf } from '../../people/session.ts';
import type { Actor, ActorSession, Ctx } from '../../platform/ctx.ts';
import { unauthorized } from '../../platform/http/auth.ts';
import { conflict, Refusal } from '../../platform/http/errors.ts';
import { reply, writeOperation } from '../../platform/http/operation.ts';
import { makeToken } from '../../platform/http/sessions.ts';
import { stringifyJson } from '../../platform/message/json.ts';
import { sha256 } from '../../platform/secrets.ts';
import type { Writer } from '../../platform/storage/db.ts';
import { DAY_MS } from '../../platform/time.ts';
import { makeTrainingId, trainingNode } from '../../platform/training.ts';
import { endTraining } from '../../shared/training.ts';
import { say } from './sentences.ts';
import { makeTown } from './town.ts';

/** Maximum number of simultaneous trainings of one client. */
const MOST_OF_A_CLIENT = 10;

/** Starts a training for the session. */
export const startTraining = writeOperation({
  id: 'startTraining',
  since: '0.3.0',
  method: 'POST',
  path: '/session/training',
  summary: 'Start a training',
  description: `Creates a separate client with invented stores, items, orders, tickets and returns (the training client), and moves the session to it.

- The session gets a new token and keeps its role, without the permissions \`people\` and \`client\`. The previous session is suspended until the training ends.
- The service deletes the training client after a day, at the end of the session, at a sign-out or another sign-in, or with \`DELETE /session/training\`.
- A client has at most ${MOST_OF_A_CLIENT} trainings at the same time.`,
  access: { auth: 'session', permission: 'any', inTraining: true },
  message: {
    keyless: true,
    replies: { 201: { description: 'The session in the training; `training` is true.', schema: Session } },
    refusals: {
      409: `The session is in a training, its person belongs to the operator, or the client has ${MOST_OF_A_CLIENT} trainings (\`TRAINING_FULL\`).`,
    },
    errors: 'problem',
  },
  run: {
    repeat: 'rejected',
    prepare: async (_input, randomBytes, parts) => {
      const { actor } = parts;
      if (!isAble(actor)) return undefined;
      const clientId = makeTrainingId(randomBytes);
      if (!(await parts.store.write((tx) => reserve(tx, clientId, actor, parts.now))))
        return { clientId, isFull: true };
      try {
        await makeTown(clientId, parts, randomBytes);
      } catch (error) {
        await parts.store.write((tx) => endTraining(tx, clientId));
        throw error;
      }
      return { clientId, isFull: false };
    },
    async handle(ctx, { prepared }) {
      if (prepared === undefined) {
        throw conflict(
          ctx.actor.clientId === undefined
            ? say(
                'A user of the operator cannot start a training, because the operator has no stores; sign in as a user of a client.',
              )
            : say('The session is in a training already; end it with DELETE /session/training first.'),
        );
      }
      const { clientId, isFull } = prepared;
      if (isFull) {
        const what = say(
          'The client already has the maximum of {most} open trainings; end a training, or wait until one has ended.',
          {
            most: MOST_OF_A_CLIENT,
          },
        );
        throw new Refusal(409, 'STATE', 'TRAINING_FULL', what);
      }
      await park(ctx, clientId);
      await recordAccess(ctx, ctx.actor.clientId!, 'user.trainingStarted', { userId: ctx.actor.session!.userId });
      const { cookie, body } = await begin(ctx, clientId);
      return reply(201, body, { 'set-cookie': cookie });
    },
  },
  example: { path: '/session/training' },
});

function isAble({ clientId, session }: Actor): boolean {
  return clientId !== undefined && session?.isTraining !== true;
}

/** Reserves a slot for a town. Returns false if the client has no free slot. */
async function reserve(tx: Writer, clientId: string, { clientId: own, session }: Actor, now: number): Promise<boolean> {
  await dropDead(tx, own!, now);
  for (let slot = 1; slot <= MOST_OF_A_CLIENT; slot += 1) {
    const made = await tx
      .insertInto('trainings')
      .values({
        client_id: clientId,
        of_client_id: own!,
        user_id: session!.userId,
        of_token_hash: session!.tokenHash,
        slot,
        started_at: now,
        ends_at: Math.min(now + DAY_MS, session!.endsAt),
      })
      .onConflict((on) => on.doNothing())
      .executeTakeFirstOrThrow();
    if (made.numInsertedOrUpdatedRows === 1n) return true;
  }
  return false;
}

/** Deletes towns that have expired or whose suspended session has ended, to free their slots. */
async function dropDead(tx: Writer, own: string, now: number): Promise<void> {
  const dead = await tx
    .selectFrom('trainings as t')
    .leftJoin('sessions as s', (join) =>
      join.onRef('s.client_id', '=', 't.of_client_id').onRef('s.token_hash', '=', 't.of_token_hash'),
    )
    .select('t.client_id')
    .where('t.of_client_id', '=', own)
    .where((eb) => eb.or([eb('s.token_hash', 'is', null), eb('t.ends_at', '<=', now)]))
    .execute();
  for (const { client_id } of dead) await endTraining(tx, client_id);
}

/** Suspends the present session. The session gets a token that no browser has. */
async function park({ db, actor, randomBytes }: Ctx, clientId: string): Promise<void> {
  const waiting = sha256(makeToken(actor.clientId!, randomBytes));
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ token_hash: waiting })
    .where('client_id', '=', actor.clientId!)
    .where('token_hash', '=', actor.session!.tokenHash)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) {
    throw unauthorized('SESSION_ENDED', say('The session has ended; sign in again with POST /session.'));
  }
  await db.updateTable('trainings').set({ of_token_hash: waiting }).where('client_id', '=', clientId).execute();
}

/** Creates a user of the town for the user of the session, with a session there. */
async function begin(ctx: Ctx, clientId: string): Promise<{ cookie: string; body: Session }> {
  const own = ctx.actor.session!;
  const nodeIds = own.nodeIds.length === 0 ? [] : [trainingNode(clientId)];
  const token = makeToken(clientId, ctx.randomBytes);
  const session: ActorSession = {
    ...own,
    nodeIds,
    sessionId: ctx.newId(),
    tokenHash: sha256(token),
    device: own.device && { ...own.device, nodeId: trainingNode(clientId) },
    isTraining: true,
  };
  await ctx.db
    .insertInto('users')
    .values({
      client_id: clientId,
      user_id: own.userId,
      name: own.name,
      // No password has the hash '', so a sign-in with a password is impossible.
      password_hash: '',
      role: own.role,
      node_ids: stringifyJson(nodeIds),
      created_at: ctx.now,
      updated_at: ctx.now,
      state: 'ACTIVE',
      language: own.language,
      pin_hash: null,
      pin_once_until: null,
      badge_hash: null,
    })
    .execute();
  await ctx.db
    .insertInto('sessions')
    .values({
      client_id: clientId,
      token_hash: session.tokenHash,
      session_id: session.sessionId,
      user_id: own.userId,
      method: own.method,
      device_id: own.device?.deviceId ?? null,
      created_at: ctx.now,
      full_at: own.fullAt,
      seen_at: ctx.now,
      ends_at: own.endsAt,
      locked_at: null,
      must_change_pin: 0,
      provider_id: null,
      provider_subject: null,
      provider_session: null,
    })
    .execute();
  return { cookie: siteOf(ctx).cookie('backroom', token), body: showSession(clientId, session) };
}
