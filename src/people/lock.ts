import { conflict } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { say } from './sentences.ts';

/** Locks the session of a device. */
export const lockSession = writeOperation({
  id: 'lockSession',
  since: '0.3.0',
  method: 'POST',
  path: '/session/lock',
  summary: 'Lock a device',
  description:
    'Locks the session of an enrolled device. Every request of the session gets 401 with SESSION_LOCKED until POST /session/unlock. A browser that is not a device must sign out instead. The service also locks a device after 10 minutes without a request of a person. Requests that the console sends at intervals (GET .../work) and queued work with an `Outbox-Ticket` do not count.',
  access: { auth: 'session', permission: 'any', withOneTimePin: true, inTraining: true },
  message: {
    keyless: true,
    replies: { 204: { description: 'The session of the device is locked.' } },
    refusals: { 409: 'The browser is not an enrolled device.' },
    errors: 'problem',
  },
  run: {
    repeat: 'rejected',
    async handle({ db, now, actor }) {
      const { tokenHash, device } = actor.session!;
      if (device === undefined)
        throw conflict(
          say(
            'This browser is not an enrolled device, so a locked session could not be unlocked later; sign out instead.',
          ),
        );
      await db
        .updateTable('sessions')
        .set({ locked_at: now })
        .where('client_id', '=', actor.clientId!)
        .where('token_hash', '=', tokenHash)
        .execute();
      return reply(204);
    },
  },
  example: { after: ['unlockSession'], path: '/session/lock' },
});
