import { conflict } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';

/** Locks the session of a device. */
export const lockSession = writeOperation({
  id: 'lockSession',
  method: 'POST',
  path: '/session/lock',
  auth: 'session',
  permission: 'any',
  keyless: true,
  withOneTimePin: true,
  inTraining: true,
  repeat: 'rejected',
  summary: 'Lock a device',
  description:
    'Locks the session of an enrolled device: until POST /session/unlock every request with it is a 401 with SESSION_LOCKED. A browser that is no device signs out instead. The service itself locks a device that sends no request of the foreground for 10 minutes: requests that the console repeats by itself (GET .../work) and queued work with an `Outbox-Ticket` do not count.',
  replies: { 204: { description: 'Locked.' } },
  refusals: { 409: 'The browser is no enrolled device.' },
  errors: 'problem',
  async handle({ db, now, actor }) {
    const { tokenHash, device } = actor.session!;
    if (device === undefined)
      throw conflict('This browser is no enrolled device, so nobody could unlock it: sign out.');
    await db
      .updateTable('sessions')
      .set({ locked_at: now })
      .where('client_id', '=', actor.clientId!)
      .where('token_hash', '=', tokenHash)
      .execute();
    return reply(204);
  },
});
