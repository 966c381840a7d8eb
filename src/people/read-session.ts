import { readOperation, reply } from '../platform/http/operation.ts';
import { Session } from './schema.ts';
import { showSession } from './session.ts';

/** Reads the session of the request. */
export const readSession = readOperation({
  id: 'readSession',
  method: 'GET',
  path: '/session',
  auth: 'session',
  permission: 'any',
  withOneTimePin: true,
  inTraining: true,
  summary: 'Read your session',
  description:
    'Responds with who is signed in, what the role allows, and when the session ends. Without a session it is a 401.',
  replies: { 200: { description: 'The session.', schema: Session } },
  errors: 'problem',
  handle: async ({ actor }) => reply(200, showSession(actor.clientId ?? '', actor.session!)),
});
