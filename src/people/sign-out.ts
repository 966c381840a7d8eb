import { reply, writeOperation } from '../platform/http/operation.ts';
import { object, Type } from '../platform/schema.ts';
import { endSessionOf, endTickets, recordSignedOut, siteOf } from './session.ts';

/** Ends the session of the request. */
export const signOut = writeOperation({
  id: 'signOut',
  since: '0.3.0',
  method: 'DELETE',
  path: '/session',
  summary: 'Sign out',
  description:
    'Ends the session of the request. Its cookie becomes invalid immediately, in every process. On a device, the sign-out also ends the `outboxTicket`s of the user on this device, so that no more work is sent in their name. With `work=WAITS` the tickets remain valid until their 24 hours are over: the console sends this parameter if work of the user still waits on the device. If there is no session, the response is also 204.',
  access: { auth: 'browser' },
  message: {
    keyless: true,
    query: object({
      work: Type.Optional(
        Type.Literal('WAITS', {
          description: 'WAITS: work of the user still waits on the device, so the tickets of queued work remain valid',
        }),
      ),
    }),
    replies: { 204: { description: 'The session has ended.' } },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async handle(ctx, { headers, query: { work } }) {
      const site = siteOf(ctx);
      const ended = await endSessionOf(ctx, site, headers);
      if (ended !== undefined) {
        if (work !== 'WAITS') await endTickets(ctx, ended);
        const { clientId, userId } = ended;
        const id = clientId === '' ? `operator:person:${userId}` : `user:${userId}`;
        await recordSignedOut({ ...ctx, actor: { kind: 'user', id } }, ended);
      }
      return reply(204, undefined, { 'set-cookie': site.forget('backroom') });
    },
  },
  example: { after: ['lockSession'], path: '/session' },
});
