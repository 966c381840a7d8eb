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

/** Begins a sign-in with a passkey (docs/how-to/use-passkeys.md#in-your-own-page). */
export const challengePasskey = writeOperation({
  id: 'challengePasskey',
  since: '0.3.0',
  method: 'POST',
  path: '/session/passkeys/challenge',
  summary: 'Begin to sign in with a passkey',
  description:
    'Starts a sign-in with a passkey. Pass `options` to `navigator.credentials.get()`, and send its result to POST /session/passkeys/signIn. No login is needed: the browser offers the passkeys for this site.',
  access: { auth: 'browser' },
  message: {
    keyless: true,
    replies: { 200: { description: 'The options for the browser.', schema: PasskeyChallenge } },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async handle(ctx) {
      const { rpID } = relyingParty(ctx);
      const challenge = ctx.randomBytes(32).toString('base64url');
      const options = {
        challenge,
        rpId: rpID,
        timeout: 5 * 60_000,
        allowCredentials: [],
        userVerification: 'required',
      };
      return reply(200, { challenge: sealRoundTrip(ctx, KIND, '', ctx.now, { challenge }), options });
    },
  },
  example: { path: '/session/passkeys/challenge', needs: 'authenticator' },
});

/** Signs a person in with a passkey (docs/how-to/use-passkeys.md#in-your-own-page). */
export const signInWithPasskey = writeOperation({
  id: 'signInWithPasskey',
  since: '0.3.0',
  method: 'POST',
  path: '/session/passkeys/signIn',
  summary: 'Sign in with a passkey',
  description:
    'Signs in the person of the passkey, as POST /session does. A challenge works once, within ten minutes. An unknown passkey, a wrong signature and a disabled user get the same 401 as a wrong password.',
  access: { auth: 'browser' },
  message: {
    keyless: true,
    body: PasskeySignIn,
    replies: { 201: { description: 'The person is signed in.', schema: Session } },
    refusals: { 401: 'The passkey is not valid, or its user cannot sign in (`SIGN_IN_FAILED`).' },
    errors: 'problem',
  },
  run: {
    repeat: 'rejected',
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
      // The library rejects a counter that does not rise, which is a sign of a copied passkey. If two sign-ins run at
      // the same time, the condition on `counter` lets only one of them succeed.
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
      const { cookies, body } = await startSession(ctx, { who, method: 'PASSKEY', headers });
      return reply(201, body, { 'set-cookie': cookies });
    },
  },
  example: {
    path: '/session/passkeys/signIn',
    body: {
      challenge: 'v1.c2VhbGVk',
      response: {
        id: 'pT9wq2Jm5Yk',
        rawId: 'pT9wq2Jm5Yk',
        type: 'public-key',
        response: {
          clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4',
          authenticatorData: 'SZYN5YgOjGh0',
          signature: 'MEUCIQDq',
        },
      },
    },
    needs: 'authenticator',
  },
});

/** Crosses tenants: the client is not known before the sign-in. Credential ids are unique in an installation. */
export function findPasskey(db: Reader, credentialId: string): Promise<PasskeyRow | undefined> {
  return db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst();
}
