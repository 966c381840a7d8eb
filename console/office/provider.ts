/** A sign-in provider (OIDC) as the office reads and writes it. */
import { ownClient } from '../session.ts';

export interface Provider {
  providerId: string;
  name?: string;
  issuer: string;
  oidcClientId: string;
  scopes?: string[];
  /** Both are absent if users keep the roles that they have. */
  roleClaim?: string;
  roles?: Record<string, string>;
  createUsers?: boolean;
  nodeIds?: string[];
}

/** Returns the path of the client's providers, or of one of them. */
export const providersPath = (rest = '') =>
  `/operator/v1/clients/${encodeURIComponent(ownClient())}/identityProviders${rest}`;
