import { reply, writeOperation } from '../../platform/http/operation.ts';
import type { Reader } from '../../platform/storage/db.ts';
import type { PasskeyRow } from '../../platform/storage/tables.ts';
import { signInFailed } from '../attempts.ts';
import { openRoundTrip, sealRoundTrip, spend } from '../round-trip.ts';
import { Session } from '../schema.ts';
import { findSomebody, startSession } from '../session.ts';
import { PasskeyChallenge, PasskeySignIn } from './schema.ts';
import { relyingParty } from './site.ts';

const KIND = 'passkey challenge';

/** Begins a sign-in with a passkey (docs/decisions/223). */
export const challengePasskey = writeOperation({
  id: 'challengePasskey',
  method: 'POST',
  path: '/session/passkeys/challenge',
  auth: 'browser',
  keyless: true,
  repeat: 'same',
  summary: 'Begin to sign in with a passkey',
  description:
    'Answers what a browser needs to ask for a passkey: pass `options` to `navigator.credentials.get()`, and send what it answers to POST /session/passkeys/signIn. Nobody has to say who it is: the browser shows the passkeys for this site.',
  replies: { 200: { description: 'What the browser needs.', schema: PasskeyChallenge } },
  errors: 'problem',
  async handle(ctx) {
    const { rpID } = relyingParty(ctx);
    const challenge = ctx.randomBytes(32).toString('base64url');
    const options = { challenge, rpId: rpID, timeout: 5 * 60_000, allowCredentials: [], userVerification: 'required' };
    return reply(200, { challenge: sealRoundTrip(ctx, KIND, '', ctx.now, { challenge }), options });
  },
});

/** Signs somebody in with a passkey (docs/decisions/223). */
export const signInWithPasskey = writeOperation({
  id: 'signInWithPasskey',
  method: 'POST',
  path: '/session/passkeys/signIn',
  auth: 'browser',
  keyless: true,
  repeat: 'rejected',
  summary: 'Sign in with a passkey',
  description:
    'Signs in whoever the passkey belongs to, as POST /session does. The challenge is good for ten minutes and once. An unknown passkey, a wrong signature and a disabled user get the same 401 as a wrong password.',
  body: PasskeySignIn,
  replies: { 201: { description: 'Signed in.', schema: Session } },
  refusals: { 401: 'The passkey is not right, or its user may not sign in (`SIGN_IN_FAILED`).' },
  errors: 'problem',
  prepare: async ({ body: { challenge, response } }, _randomBytes, parts) => {
    const { rpID, origin } = relyingParty(parts);
    const trip = openRoundTrip<typeof KIND, { challenge: string }>(parts.sealer, KIND, challenge, parts.now);
    const passkey = await parts.store.read((db) => findPasskey(db, response.id));
    if (trip === undefined || passkey === undefined) return undefined;
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    const verified = await verifyAuthenticationResponse({
      response: { ...response, clientExtensionResults: {} } as Parameters<
        typeof verifyAuthenticationResponse
      >[0]['response'],
      expectedChallenge: trip.content.challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.counter,
      },
      requireUserVerification: true,
    }).catch(() => undefined);
    if (verified?.verified !== true) return undefined;
    return { trip, passkey, counter: verified.authenticationInfo.newCounter };
  },
  async handle(ctx, { headers, prepared }) {
    if (prepared === undefined || !(await spend(ctx, prepared.trip))) return signInFailed();
    const { passkey, counter } = prepared;
    const clientId = passkey.client_id;
    // A counter that goes back is a copy of the passkey: of two with the same one the guard lets one in.
    const used = await ctx.db
      .updateTable('passkeys')
      .set({ counter, used_at: ctx.now })
      .where('client_id', '=', clientId)
      .where('passkey_id', '=', passkey.passkey_id)
      .where('counter', '=', passkey.counter)
      .executeTakeFirst();
    const found = await findSomebody(ctx.db, clientId, passkey.user_id);
    if (used.numUpdatedRows !== 1n || found === undefined || !found.isActive) return signInFailed();
    const { passwordHash: _hash, isActive: _active, ...who } = found;
    const { cookie, body } = await startSession(ctx, { who, method: 'PASSKEY', headers });
    return reply(201, body, { 'set-cookie': cookie });
  },
});

/** Crosses tenants: nobody has said yet who signs in; credential ids are unique in an installation. */
export function findPasskey(db: Reader, credentialId: string): Promise<PasskeyRow | undefined> {
  return db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst();
}
