/** For which site a passkey is, and who may have one (docs/decisions/223). */
import type { ActorSession, Ctx } from '../../platform/ctx.ts';
import { denied, Refusal } from '../../platform/http/errors.ts';
import type { Site } from '../../platform/site.ts';
import { MINUTE_MS } from '../../platform/time.ts';
import { siteOf } from '../session.ts';

/** A change of passkeys needs somebody who has shown it all so lately. */
const FRESH_MS = 15 * MINUTE_MS;

export interface RelyingParty {
  rpID: string;
  origin: string;
}

/** @throws Refusal 403 where browsers would offer no passkey: they are for names, never for IP addresses. */
export function relyingParty(parts: { site?: Site }): RelyingParty {
  const site = siteOf(parts);
  const { hostname } = new URL(site.url!);
  if (/^[\d.]+$/.test(hostname) || hostname.startsWith('[')) {
    throw new Refusal(
      403,
      'SECURITY',
      'PASSKEYS_OFF',
      'There are no passkeys for an IP address: set PUBLIC_URL to a URL with a host name, for example http://localhost:8080.',
    );
  }
  return { rpID: hostname, origin: site.origin! };
}

/**
 * The session of somebody who changes passkeys.
 * @throws Refusal 403 on a shared device, and 15 minutes after the last full sign-in.
 */
export function ownerOf({ actor, now }: Pick<Ctx, 'actor' | 'now'>): ActorSession {
  const session = actor.session!;
  if (session.device !== undefined) {
    throw denied('a shared device keeps no passkey; sign in at a computer or phone of your own');
  }
  if (session.fullAt === null || now - session.fullAt >= FRESH_MS) {
    throw new Refusal(
      403,
      'SECURITY',
      'SIGN_IN_AGAIN',
      'Passkeys are changed within 15 minutes after signing in: sign in again with your password, identity provider or passkey.',
    );
  }
  return session;
}
