/**
 * An identity provider of a client: its schemas, the function that makes a response from a row, the operations that
 * read it, and the rules of issuers.
 */

import { gateOf } from '../platform/http/gate.ts';
import { resource } from '../platform/http/resource.ts';
import { readJson } from '../platform/json-column.ts';
import type { Sentence } from '../platform/message/sentence.ts';
import { CLIENT_ROLES } from '../platform/roles.ts';
import { flag, identifier, list, named, object, oneOf, type Static, Type, text } from '../platform/schema.ts';
import type { Site } from '../platform/site.ts';
import type { IdentityProviderRow } from '../platform/storage/tables.ts';
import { sentBack, sentId, shown, times } from './resource.ts';
import { say } from './sentences.ts';

const issuer = text(1, 500, {
  pattern: '^https?://[^\\s]+$',
  'x-hint': say('send an https url such as https://login.example.com/realms/shop'),
  description:
    'Issuer of the provider, as its discovery document states it (`<issuer>/.well-known/openid-configuration`). The issuer must be an https url with a public address. Exception for trials: if PUBLIC_URL is http on loopback, http and other addresses are allowed, too',
});

declare module '../platform/json-column.ts' {
  interface Shapes {
    ProviderRoles: NonNullable<IdentityProvider['roles']>;
  }
}

const identityProvider = {
  issuer,
  oidcClientId: text(1, 200, { description: 'Identifier of Backroom at the provider (client id)' }),
};

/** Fields that have a default if a PUT leaves them out. */
const providerDefaults = {
  name: text(1, 60, { description: 'Text of the button on the sign-in page. Default: the providerId' }),
  scopes: list(
    text(1, 80, {
      pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$',
      'x-hint': say('send each scope as an element of its own, without spaces'),
    }),
    { max: 20 },
    { description: 'Scopes that the service requests. The service always adds `openid`. Default: `openid`, `profile`' },
  ),
  createUsers: flag({
    description:
      'true: the sign-in of an account without a linked user creates a user `oidc-<UUID>` with the mapped role. false (default): the service rejects this sign-in',
  }),
  nodeIds: list(
    identifier(40),
    { max: 200 },
    { description: 'Nodes of the users that sign-ins create. Empty (default): every node of the client' },
  ),
};

const roleMapping = {
  roleClaim: Type.Optional(
    text(1, 200, {
      pattern: '^(?:/(?:[^~/]|~[01])*)+$',
      'x-hint': say('send a JSON pointer into the ID token, such as /roles or /realm_access/roles'),
      description:
        'JSON pointer to the claim of the ID token that has the roles, as a text or a list of texts. Without roleClaim, the roles of users do not change, and createUsers must be false',
    }),
  ),
  roles: Type.Optional(
    Type.Unsafe<Record<string, (typeof CLIENT_ROLES)[number]>>({
      type: 'object',
      additionalProperties: oneOf(CLIENT_ROLES),
      maxProperties: 100,
      description:
        'Role for each value of the claim. Values are compared exactly. If several values match, the first one counts. Whole numbers such as 900 come before all other values, in ascending order. Required with roleClaim',
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
        description:
          'Secret of Backroom at the provider. Required for a new provider. A PUT without `clientSecret` does not change the secret',
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
    scopes: readJson(row.scopes),
    ...(row.role_claim !== null && {
      roleClaim: row.role_claim,
      roles: readJson(row.roles),
    }),
    createUsers: row.create_users === 1,
    nodeIds: readJson(row.node_ids),
    ...times(row),
  };
}

export const identityProviders = resource({
  name: 'identity provider',
  table: 'identity_providers',
  id: 'provider_id',
  path: '/operator/v1/clients/{clientId}/identityProviders/{providerId}',
  example: '/operator/v1/clients/TOWN/identityProviders/entra',
  access: { auth: 'operator', permission: 'installation' },
  schema: IdentityProvider,
  show: toIdentityProvider,
});

/** Reads an identity provider. */
export const getIdentityProvider = identityProviders.get({
  id: 'getIdentityProvider',
  since: '0.3.0',
  summary: 'Read an identity provider',
  description:
    'Returns an identity provider without its secret. You can send the response back with PUT; the secret does not change.',
});

/** Lists the identity providers of a client. */
export const listIdentityProviders = identityProviders.list({
  id: 'listIdentityProviders',
  since: '0.3.0',
  summary: 'List the identity providers of a client',
  description:
    'Returns the identity providers of a client in the order of their ids, one page at a time, without secrets. Send `next` as `after` to get the next page.',
  stale: true,
});

const PUBLIC_ONLY = gateOf([]);

/**
 * Returns the error of an issuer; undefined if the issuer is valid. HTTP and private addresses are allowed only for
 * trials on one machine.
 */
export function issuerError(issuer: string, site: Site | undefined): { rule: string; message: Sentence } | undefined {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === undefined || !isWeb || url.hostname === '') {
    return {
      rule: 'format',
      message: say('issuer is not an https url; send a url such as https://login.example.com/realms/shop'),
    };
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return {
      rule: 'format',
      message: say('issuer must not have a user name, password, query or fragment; leave them out'),
    };
  }
  if (site?.url !== undefined && !site.isSecure) return undefined;
  if (url.protocol === 'http:') {
    return {
      rule: 'https',
      message: say('issuer must be an https url; http is allowed only in trials, with an http PUBLIC_URL on loopback'),
    };
  }
  if (PUBLIC_ONLY.refusesHost(url.hostname)) {
    return {
      rule: 'address',
      message: say(
        'issuer has an address that is not public; send an issuer with a public address. Other addresses are allowed only in trials, with an http PUBLIC_URL on loopback',
      ),
    };
  }
  return undefined;
}
