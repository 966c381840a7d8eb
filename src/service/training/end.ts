import { recordEnded, siteOf } from '../../people/session.ts';
import type { Ctx } from '../../platform/ctx.ts';
import { unauthorized } from '../../platform/http/auth.ts';
import { reply, writeOperation } from '../../platform/http/operation.ts';
import { makeToken } from '../../platform/http/sessions.ts';
import { sha256 } from '../../platform/secrets.ts';
import type { TrainingRow } from '../../platform/storage/tables.ts';
import { endTraining as throwAway } from '../../shared/training.ts';
import { say } from './sentences.ts';

/** Ends the training of the session. */
export const endTraining = writeOperation({
  id: 'endTraining',
  since: '0.3.0',
  method: 'DELETE',
  path: '/session/training',
  summary: 'End a training',
  description:
    'Deletes the training client and resumes the suspended session, which gets a new token. A session without a training does not change.',
  access: { auth: 'session', permission: 'any', inTraining: true },
  message: {
    keyless: true,
    replies: { 204: { description: 'The session works with real data again.' } },
    errors: 'problem',
  },
  run: {
    repeat: 'rejected',
    async handle(ctx) {
      const { clientId, session } = ctx.actor;
      if (session!.isTraining !== true) return reply(204);
      const training = await throwAway(ctx.db, clientId!);
      if (training === undefined) throw ended();
      const { of_client_id: own, of_token_hash: waiting } = training;
      const token = makeToken(own, ctx.randomBytes);
      const found = await ctx.db
        .updateTable('sessions')
        .set({ token_hash: sha256(token), seen_at: ctx.now })
        .where('client_id', '=', own)
        .where('token_hash', '=', waiting)
        .returning(['session_id', 'device_id'])
        .executeTakeFirst();
      if (found === undefined) throw ended();
      await recordEnd(ctx, training, found);
      return reply(204, undefined, { 'set-cookie': siteOf(ctx).cookie('backroom', token) });
    },
  },
  example: { after: ['startTraining'], path: '/session/training' },
});

/** Records the end of a training. Like the event of the start, the event names the suspended session. */
async function recordEnd(
  ctx: Ctx,
  training: TrainingRow,
  suspended: { session_id: string | undefined; device_id: string | null },
): Promise<void> {
  const { session: _session, ...actor } = ctx.actor;
  const { of_client_id: clientId, user_id: userId } = training;
  const { session_id: sessionId, device_id: deviceId } = suspended;
  await recordEnded({ ...ctx, actor }, 'user.trainingEnded', { clientId, userId, sessionId, deviceId });
}

function ended() {
  return unauthorized('SESSION_ENDED', say('The session has ended; sign in again with POST /session.'));
}

/** Deletes the town of an expired training. Returns whether it still existed. */
export async function expireTraining(ctx: Ctx, clientId: string): Promise<boolean> {
  const training = await throwAway(ctx.db, clientId);
  if (training === undefined) return false;
  const suspended = await ctx.db
    .selectFrom('sessions')
    .select(['session_id', 'device_id'])
    .where('client_id', '=', training.of_client_id)
    .where('token_hash', '=', training.of_token_hash)
    .executeTakeFirst();
  await recordEnd(ctx, training, suspended ?? { session_id: undefined, device_id: null });
  return true;
}
