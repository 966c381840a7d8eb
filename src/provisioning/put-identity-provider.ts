import type { Ctx } from '../platform/ctx.ts';
import { conflict } from '../platform/http/errors.ts';
import { reply, writeOperation } from '../platform/http/operation.ts';
import { pathIdErrors, repeatErrors } from '../platform/http/put.ts';
import { stringifyJson } from '../platform/message/json.ts';
import type { IdentityProviderRow } from '../platform/storage/tables.ts';
import { IdentityProvider, IdentityProviderPut, issuerError, toIdentityProvider } from './identity-provider.ts';
import { answerPut, LIMITS, stays, unknownIdErrors } from './resource.ts';
import { say } from './sentences.ts';

/** Maximum number of providers of a client; the sign-in page shows a button for each. */
const PROVIDERS_MAX = 20;
const SCOPES = ['openid', 'profile'];

/**
 * Creates an identity provider of a client, or overwrites it
 * (docs/how-to/sign-in-with-oidc.md#2-create-the-identity-provider).
 */
export const putIdentityProvider = writeOperation({
  id: 'putIdentityProvider',
  since: '0.3.0',
  method: 'PUT',
  path: '/operator/v1/clients/{clientId}/identityProviders/{providerId}',
  summary: 'Create or change an identity provider',
  description:
    'Creates an OpenID Connect provider with which users of the client sign in, or overwrites it. Register `<PUBLIC_URL>/session/oidc/callback` there as redirect URI. The secret is stored encrypted and never shown; leave it out to keep the secret of an existing provider with the same issuer and `oidcClientId`. Users are linked by issuer and subject: a new issuer removes the links of the provider.',
  events: ['identityProvider.created', 'identityProvider.changed'],
  access: { auth: 'operator', permission: 'installation', fresh: true },
  message: {
    body: IdentityProviderPut,
    hasPassword: true,
    replies: {
      200: { description: 'The identity provider as it is now.', schema: IdentityProvider },
      201: { description: 'The identity provider was created.', schema: IdentityProvider },
    },
    refusals: {
      404: 'There is no such client.',
      409: `The client has ${PROVIDERS_MAX} identity providers already.`,
    },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async rules({ db, dialect, site }, { params: { providerId }, clientId, body }, errors) {
      errors.addAll(pathIdErrors('providerId', providerId, LIMITS.providerId));
      const { issuer, oidcClientId, clientSecret, scopes, roleClaim, roles, createUsers, nodeIds } = body;
      const error = typeof issuer === 'string' ? issuerError(issuer, site) : undefined;
      if (error !== undefined) errors.add('/issuer', error.rule, error.message);
      const known = await findLocked({ db, dialect }, clientId, providerId);
      if (known === undefined && clientSecret === undefined) {
        errors.add('/clientSecret', 'required', say('clientSecret is missing; a new identity provider needs a secret'));
      }
      // The secret belongs to its issuer and client id: another issuer must not receive it.
      const isOther = known !== undefined && (known.issuer !== issuer || known.oidc_client_id !== oidcClientId);
      if (isOther && issuer !== undefined && oidcClientId !== undefined && clientSecret === undefined) {
        errors.add(
          '/clientSecret',
          'required',
          say('clientSecret is missing; send the secret for the new issuer or oidcClientId'),
        );
      }
      const isMapped = roles !== undefined && Object.keys(roles).length > 0;
      if (roleClaim !== undefined && !isMapped) {
        errors.add(
          '/roles',
          'required',
          say('roles is missing or empty; with roleClaim, send at least one value of the claim with its role'),
        );
      }
      if (roleClaim === undefined && isMapped) {
        errors.add(
          '/roleClaim',
          'required',
          say('roleClaim is missing; send the JSON pointer to the roles in the ID token'),
        );
      }
      if (roleClaim === undefined && createUsers === true) {
        errors.add(
          '/createUsers',
          'required',
          say(
            'createUsers needs roleClaim and roles, which set the role of new users; add both fields, or leave createUsers out',
          ),
        );
      }
      errors.addAll(repeatErrors('/scopes', scopes));
      errors.addAll(repeatErrors('/nodeIds', nodeIds));
      errors.addAll(await unknownIdErrors(db, 'nodes', clientId, '/nodeIds', nodeIds));
      return known;
    },
    async handle(ctx, { params: { providerId }, clientId, body, found: known }) {
      const { db, sealer } = ctx;
      const sealed = body.clientSecret === undefined ? undefined : sealer.seal(body.clientSecret, ctx.randomBytes(12));
      const values = {
        name: body.name ?? providerId,
        issuer: body.issuer,
        oidc_client_id: body.oidcClientId,
        scopes: stringifyJson([...new Set(['openid', ...(body.scopes ?? SCOPES)])]),
        role_claim: body.roleClaim ?? null,
        roles: stringifyJson(body.roles ?? {}),
        create_users: body.createUsers === true ? 1 : 0,
        node_ids: stringifyJson(body.nodeIds ?? []),
        updated_at: ctx.now,
      };
      if (known === undefined && sealed !== undefined) {
        const row = {
          client_id: clientId,
          provider_id: providerId,
          client_secret: sealed,
          ...values,
          created_at: ctx.now,
        };
        await refuseTooMany(ctx, clientId);
        const made = await db
          .insertInto('identity_providers')
          .values(row)
          .onConflict((on) => on.doNothing())
          .executeTakeFirstOrThrow();
        if (made.numInsertedOrUpdatedRows === 1n) {
          return answerPut(ctx, 'identityProvider', clientId, providerId, undefined, toIdentityProvider(row));
        }
      }
      // If another request has just created the provider, this request changes it.
      const before = known ?? (await findLocked(ctx, clientId, providerId))!;
      const after: IdentityProviderRow = { ...before, ...values, client_secret: sealed ?? before.client_secret };
      const isSameSecret = body.clientSecret === undefined || sealer.open(before.client_secret) === body.clientSecret;
      const [shownBefore, shownAfter] = [toIdentityProvider(before), toIdentityProvider(after)];
      if (isSameSecret && stays(shownBefore, shownAfter)) return reply(200, shownBefore);
      await db
        .updateTable('identity_providers')
        .set({ ...values, client_secret: after.client_secret })
        .where('client_id', '=', clientId)
        .where('provider_id', '=', providerId)
        .execute();
      if (before.issuer !== after.issuer) await unlink(ctx, clientId, providerId);
      const also = isSameSecret ? {} : { clientSecret: 'replaced' };
      return answerPut(ctx, 'identityProvider', clientId, providerId, shownBefore, shownAfter, also);
    },
  },
  example: {
    path: '/operator/v1/clients/TOWN/identityProviders/entra',
    body: {
      issuer: 'https://login.example.com/realms/shop',
      oidcClientId: 'backroom',
      clientSecret: 'a secret of the provider',
      roleClaim: '/roles',
      roles: { 'backroom-lead': 'lead', 'backroom-associate': 'associate' },
      createUsers: true,
      nodeIds: ['TOWN-Store001'],
    },
  },
});

/**
 * A subject identifies a person only together with its issuer. So if the issuer changes, the links to users are
 * removed, and the sessions that began with the provider end.
 */
async function unlink({ db }: Pick<Ctx, 'db'>, clientId: string, providerId: string): Promise<void> {
  await db.deleteFrom('sessions').where('client_id', '=', clientId).where('provider_id', '=', providerId).execute();
  await db
    .deleteFrom('user_identities')
    .where('client_id', '=', clientId)
    .where('provider_id', '=', providerId)
    .execute();
}

async function refuseTooMany({ db }: Pick<Ctx, 'db'>, clientId: string): Promise<void> {
  const { count } = await db
    .selectFrom('identity_providers')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('client_id', '=', clientId)
    .executeTakeFirstOrThrow();
  if (count >= PROVIDERS_MAX) {
    throw conflict(
      say('The client has {providersMax} identity providers already; delete one that is no longer needed.', {
        providersMax: PROVIDERS_MAX,
      }),
    );
  }
}

/**
 * Finds and locks the provider. Without the lock, this PUT could overwrite a new secret with the stored secret that it
 * read before.
 */
function findLocked({ db, dialect }: Pick<Ctx, 'db' | 'dialect'>, clientId: string, providerId: string) {
  return db
    .selectFrom('identity_providers')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('provider_id', '=', providerId)
    .modifyEnd(dialect.forNoKeyUpdate)
    .executeTakeFirst();
}
