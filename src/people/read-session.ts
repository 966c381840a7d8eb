import { readOperation, reply } from '../platform/http/operation.ts';
import { Session } from './schema.ts';
import { showSession } from './session.ts';

/** Reads the session of the request. */
export const readSession = readOperation({
  id: 'readSession',
  since: '0.3.0',
  method: 'GET',
  path: '/session',
  summary: 'Read your session',
  description:
    'Returns the person of the session, the permissions of the role, and the end of the session. Without a session the response is 401.',
  access: { auth: 'session', permission: 'any', withOneTimePin: true, inTraining: true },
  message: { replies: { 200: { description: 'The session.', schema: Session } }, errors: 'problem' },
  run: { handle: async ({ actor }) => reply(200, showSession(actor.clientId ?? '', actor.session!)) },
  example: { path: '/session' },
});
