/** A sign-in provider (OIDC) as the office reads and writes it. */
import type { components } from '../../contract/client.d.ts';
import { ownClient } from '../session.ts';

export type Provider = components['schemas']['IdentityProvider'];

/** Returns the path of the client's providers, or of one of them. */
export const providersPath = (rest = '') =>
  `/operator/v1/clients/${encodeURIComponent(ownClient())}/identityProviders${rest}`;
