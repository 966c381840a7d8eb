import { recordAccess } from '../../events/record.ts';
import { siteOf } from '../../people/session.ts';
import type { Ctx } from '../../platform/ctx.ts';
import { unauthorized } from '../../platform/http/auth.ts';
import { reply, writeOperation } from '../../platform/http/operation.ts';
import { makeToken } from '../../platform/http/sessions.ts';
import { EMPTY_LIST, readJson } from '../../platform/json-column.ts';
import { sha256 } from '../../platform/secrets.ts';
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
      const { of_client_id: own, of_token_hash: waiting, user_id: userId } = training;
      const token = makeToken(own, ctx.randomBytes);
      const found = await ctx.db
        .updateTable('sessions')
        .set({ token_hash: sha256(token), seen_at: ctx.now })
        .where('client_id', '=', own)
        .where('token_hash', '=', waiting)
        .returning('session_id')
        .executeTakeFirst();
      if (found === undefined) throw ended();
      await recordEnd(ctx, own, userId);
      return reply(204, undefined, { 'set-cookie': siteOf(ctx).cookie('backroom', token) });
    },
  },
  example: { after: ['startTraining'], path: '/session/training' },
});

/** Records the end of a training. Its session is deleted, so the event has the nodes of the user. */
async function recordEnd(ctx: Ctx, clientId: string, userId: string): Promise<void> {
  const user = await ctx.db
    .selectFrom('users')
    .select('node_ids')
    .where('client_id', '=', clientId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const { session: _session, ...actor } = ctx.actor;
  const nodeIds = readJson(user?.node_ids ?? EMPTY_LIST);
  await recordAccess({ ...ctx, actor }, clientId, 'user.trainingEnded', { userId, nodeIds });
}

function ended() {
  return unauthorized('SESSION_ENDED', say('The session has ended; sign in again with POST /session.'));
}

/** Deletes the town of an expired training. Returns whether it still existed. */
export async function expireTraining(ctx: Ctx, clientId: string): Promise<boolean> {
  const training = await throwAway(ctx.db, clientId);
  if (training === undefined) return false;
  await recordEnd(ctx, training.of_client_id, training.user_id);
  return true;
}
