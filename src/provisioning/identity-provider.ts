/** An identity provider of a client: what a PUT takes, what replies show of its row, and what can be said of its issuer without asking it. */
import { notFound } from '../platform/http/errors.ts';
import { gateOf } from '../platform/http/gate.ts';
import { quote } from '../platform/message/words.ts';
import { CLIENT_ROLES } from '../platform/roles.ts';
import { flag, identifier, list, named, object, oneOf, type Static, Type, text } from '../platform/schema.ts';
import type { Site } from '../platform/site.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { IdentityProviderRow } from '../platform/storage/tables.ts';
import { sentBack, sentId, shown, times } from './resource.ts';

const issuer = text(1, 500, {
  pattern: '^https?://[^\\s]+$',
  'x-hint': 'send an https url such as https://login.example.com/realms/shop',
  description:
    'Issuer of the provider, as its discovery document states it (`<issuer>/.well-known/openid-configuration`); https and a public address, unless PUBLIC_URL is http on loopback',
});

const identityProvider = {
  issuer,
  oidcClientId: text(1, 200, { description: 'Identifier of Backroom at the provider (client id)' }),
};

/** What a PUT may leave out, and then has its default. */
const providerDefaults = {
  name: text(1, 60, { description: 'Text of the button on the sign-in page; default: the providerId' }),
  scopes: list(
    text(1, 80, { pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$', 'x-hint': 'send scopes one by one, without spaces' }),
    { max: 20 },
    { description: 'Scopes that are asked for; openid is always added. Default: openid, profile' },
  ),
  createUsers: flag({
    description:
      'Whether somebody whom no user is linked to becomes a new user `oidc-<UUID>` with the mapped role; default false: they are rejected',
  }),
  nodeIds: list(
    identifier(40),
    { max: 200 },
    { description: 'Nodes where users made by the provider work; none (default): every node of the client' },
  ),
};

const roleMapping = {
  roleClaim: Type.Optional(
    text(1, 200, {
      pattern: '^(?:/(?:[^~/]|~[01])*)+$',
      'x-hint': 'send a JSON pointer into the ID token, such as /roles or /realm_access/roles',
      description:
        'JSON pointer to the claim of the ID token that names the roles, a text or a list of texts. Left out: roles stay as the users have them, and createUsers must be false',
    }),
  ),
  roles: Type.Optional(
    Type.Unsafe<Record<string, (typeof CLIENT_ROLES)[number]>>({
      type: 'object',
      additionalProperties: oneOf(CLIENT_ROLES),
      maxProperties: 100,
      description:
        'Role by value of the claim, compared exactly; of several that match the first counts. Needed with roleClaim',
    }),
  ),
};

export const IdentityProviderPut = named(
  'IdentityProviderPut',
  object({
    ...identityProvider,
    clientSecret: Type.Optional(
      text(1, 500, {
        'x-secret': true,
        description: 'Secret of Backroom at the provider; required for a new one, left out: unchanged',
      }),
    ),
    name: Type.Optional(providerDefaults.name),
    scopes: Type.Optional(providerDefaults.scopes),
    ...roleMapping,
    createUsers: Type.Optional(providerDefaults.createUsers),
    nodeIds: Type.Optional(providerDefaults.nodeIds),
    clientId: sentId,
    providerId: sentId,
    ...sentBack,
  }),
);
export type IdentityProviderPut = Static<typeof IdentityProviderPut>;

/** An identity provider of a client, without its secret. */
export const IdentityProvider = named(
  'IdentityProvider',
  object({
    clientId: text(1, 32),
    providerId: text(1, 40),
    ...identityProvider,
    ...providerDefaults,
    ...roleMapping,
    ...shown,
  }),
);
export type IdentityProvider = Static<typeof IdentityProvider>;

export function toIdentityProvider(row: IdentityProviderRow): IdentityProvider {
  return {
    clientId: row.client_id,
    providerId: row.provider_id,
    name: row.name,
    issuer: row.issuer,
    oidcClientId: row.oidc_client_id,
    scopes: JSON.parse(row.scopes) as string[],
    ...(row.role_claim !== null && {
      roleClaim: row.role_claim,
      roles: JSON.parse(row.roles) as NonNullable<IdentityProvider['roles']>,
    }),
    createUsers: row.create_users === 1,
    nodeIds: JSON.parse(row.node_ids) as string[],
    ...times(row),
  };
}

const PUBLIC_ONLY = gateOf([]);

/** An error of an issuer; http and addresses that are not public are for trials on one machine. */
export function issuerError(issuer: string, site: Site | undefined): { rule: string; message: string } | undefined {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === undefined || !isWeb || url.hostname === '') {
    return {
      rule: 'format',
      message: 'issuer is no https url; send one such as https://login.example.com/realms/shop',
    };
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return { rule: 'format', message: 'issuer must have no user name, password, query and fragment; leave them out' };
  }
  if (site?.url !== undefined && !site.isSecure) return undefined;
  if (url.protocol === 'http:') {
    return {
      rule: 'https',
      message: 'issuer must be an https url; http is for trials, where PUBLIC_URL is http on loopback',
    };
  }
  if (PUBLIC_ONLY.refusesHost(url.hostname)) {
    return {
      rule: 'address',
      message: 'issuer has an address that is not public; such are for trials, where PUBLIC_URL is http on loopback',
    };
  }
  return undefined;
}

/** @throws Refusal 404 where there is none. */
export async function requireIdentityProvider(
  db: Reader,
  clientId: string,
  providerId: string,
): Promise<IdentityProviderRow> {
  const row = await db
    .selectFrom('identity_providers')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('provider_id', '=', providerId)
    .executeTakeFirst();
  if (row === undefined) {
    throw notFound(`There is no identity provider ${quote(providerId)} of client ${JSON.stringify(clientId)}.`);
  }
  return row;
}
