import { findSettings } from '../kernel/settings.ts';
import { readOperation, reply } from '../platform/http/operation.ts';
import { ClientSettings } from './client-settings.ts';

/** Reads the settings that are in force for a client: its own values, and the defaults of all other settings. */
export const readClientSettings = readOperation({
  id: 'readClientSettings',
  since: '0.4.0',
  method: 'GET',
  path: '/operator/v1/clients/{clientId}/settings',
  summary: 'Read the settings of a client with the defaults',
  description:
    'Returns every setting of a client: its own value, or the default if it has no own value. Do not send this response back with PUT: the current defaults would become values of the client. Send back `settings` of the client itself, which has only its own values.',
  access: { auth: 'operator', permission: ['installation', 'people', 'client'] },
  message: {
    replies: { 200: { description: 'The settings in force.', schema: ClientSettings } },
    refusals: { 404: 'There is no such client.' },
    errors: 'problem',
  },
  run: {
    stale: true,
    handle: async ({ db }, { clientId }) => reply(200, await findSettings(db, clientId)),
  },
  example: { path: '/operator/v1/clients/TOWN/settings' },
});
