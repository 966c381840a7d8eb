import { readOperation, reply } from '../platform/http/operation.ts';
import { identifier, list, object, Type, text } from '../platform/schema.ts';

const MAX = 20;

/** Lists the identity providers that a sign-in page offers. */
export const listSignInProviders = readOperation({
  id: 'listSignInProviders',
  since: '0.3.0',
  method: 'GET',
  path: '/session/providers',
  summary: 'List the identity providers to sign in with',
  description:
    'Lists the identity providers of a client, for the buttons of a sign-in page. `GET /session/oidc/{providerId}/start?clientId=` sends the browser to a provider. No credential is needed. The list of an unknown client is empty.',
  access: { auth: 'none' },
  message: {
    query: object({
      clientId: Type.Optional(
        identifier(32, { description: 'Client of the providers. Without clientId: the operator' }),
      ),
    }),
    replies: {
      200: {
        description: 'The identity providers.',
        schema: object({
          providers: list(
            object({
              providerId: text(1, 40, { description: 'Identity provider' }),
              name: text(1, 60, { description: 'Text of the button on the sign-in page' }),
            }),
            { max: MAX },
            { description: 'Identity providers in the order of their identifiers' },
          ),
        }),
      },
    },
    errors: 'problem',
  },
  run: {
    single: true,
    async handle({ db }, { query: { clientId } }) {
      if (clientId === undefined) return reply(200, { providers: [] });
      const rows = await db
        .selectFrom('identity_providers')
        .select(['provider_id', 'name'])
        .where('client_id', '=', clientId)
        .orderBy('provider_id')
        .limit(MAX)
        .execute();
      return reply(200, { providers: rows.map((row) => ({ providerId: row.provider_id, name: row.name })) });
    },
  },
  example: { path: '/session/providers?clientId=TOWN' },
});
