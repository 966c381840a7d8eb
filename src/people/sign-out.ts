import { recordAccess } from '../events/record.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { endSessionOf, siteOf } from './session.ts';

/** Ends the session of the request. */
export const signOut = writeOperation({
  id: 'signOut',
  since: '0.3.0',
  method: 'DELETE',
  path: '/session',
  summary: 'Sign out',
  description:
    'Ends the session of the request. Its cookie is no longer valid, at once and on every process. Without a session the response is a 204, too.',
  access: { auth: 'browser' },
  message: { keyless: true, replies: { 204: { description: 'Signed out.' } }, errors: 'problem' },
  run: {
    repeat: 'same',
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
  },
  example: { after: ['lockSession'], path: '/session' },
});
