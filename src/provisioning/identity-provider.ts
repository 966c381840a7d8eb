/** What can be said of an issuer without asking it, and how an identity provider is found. */
import { notFound } from '../platform/http/errors.ts';
import { gateOf } from '../platform/http/gate.ts';
import { quote } from '../platform/message/words.ts';
import type { Site } from '../platform/site.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { IdentityProviderRow } from '../platform/storage/tables.ts';

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
