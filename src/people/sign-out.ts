import { recordAccess } from '../events/record.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { endSessionOf, siteOf } from './session.ts';

/** Ends the session of the request. */
export const signOut = writeOperation({
  id: 'signOut',
  method: 'DELETE',
  path: '/session',
  auth: 'browser',
  keyless: true,
  repeat: 'same',
  summary: 'Sign out',
  description:
    'Ends the session of the request: its cookie is dead at once, on every process. Without a session it is a 204, too.',
  replies: { 204: { description: 'Signed out.' } },
  errors: 'problem',
  async handle(ctx, { headers }) {
    const site = siteOf(ctx);
    const ended = await endSessionOf(ctx, site, headers);
    if (ended !== undefined) {
      const { clientId, userId } = ended;
      const id = clientId === '' ? `operator:person:${userId}` : `user:${userId}`;
      await recordAccess({ ...ctx, actor: { kind: 'user', id } }, clientId, 'user.signedOut', { userId });
    }
    return reply(204, undefined, { 'set-cookie': site.forget('backroom') });
  },
});
