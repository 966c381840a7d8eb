/**
 * The site for which passkeys are made, and the rules for changes of passkeys
 * (docs/how-to/use-passkeys.md#in-your-own-page).
 */
import type { ActorSession, Ctx } from '../../platform/ctx.ts';
import { denied, Refusal } from '../../platform/http/errors.ts';
import { isFresh } from '../../platform/http/sessions.ts';
import type { Site } from '../../platform/site.ts';
import { say } from '../sentences.ts';
import { siteOf } from '../session.ts';

export interface RelyingParty {
  rpID: string;
  origin: string;
}

/** Returns the relying party. @throws Refusal 403 if PUBLIC_URL has an IP address: browsers require a host name. */
export function relyingParty(parts: { site?: Site }): RelyingParty {
  const site = siteOf(parts);
  const { hostname } = new URL(site.url!);
  if (/^[\d.]+$/.test(hostname) || hostname.startsWith('[')) {
    throw new Refusal(
      403,
      'SECURITY',
      'PASSKEYS_OFF',
      say(
        'Passkeys do not work with an IP address; set PUBLIC_URL to a URL with a host name, for example http://localhost:8080.',
      ),
    );
  }
  return { rpID: hostname, origin: site.origin! };
}

/**
 * Returns the caller's session for a change of passkeys.
 * @throws Refusal 403 on a shared device, or later than 15 minutes after the last full sign-in.
 */
export function ownerOf({ actor, now }: Pick<Ctx, 'actor' | 'now'>): ActorSession {
  const session = actor.session!;
  if (session.device !== undefined) {
    throw denied(say('you cannot change passkeys on a shared device; sign in on your own computer or phone'));
  }
  if (!isFresh(session.fullAt, now)) {
    throw new Refusal(
      403,
      'SECURITY',
      'SIGN_IN_AGAIN',
      say(
        'You can change passkeys only within 15 minutes after you sign in with your password, identity provider or passkey; sign in again.',
      ),
    );
  }
  return session;
}
