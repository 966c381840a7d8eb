import { recordAccess } from '../../events/record.ts';
import { badValue, conflict } from '../../platform/http/errors.ts';
import { reply, writeOperation } from '../../platform/http/operation.ts';
import { stringifyJson } from '../../platform/message/json.ts';
import type { Reader } from '../../platform/storage/db.ts';
import { formatDateTime } from '../../platform/time.ts';
import { openRoundTrip, sealRoundTrip, spend } from '../round-trip.ts';
import { say } from '../sentences.ts';
import { NewPasskey, PASSKEYS_MAX, Passkey, PasskeyRegistration } from './schema.ts';
import { ownerOf, relyingParty } from './site.ts';

/** The values of a started registration. The service checks the response of the browser with these values. */
interface Registering {
  userId: string;
  challenge: string;
}

const KIND = 'passkey registration';

/** Begins the registration of a passkey (docs/how-to/use-passkeys.md#in-your-own-page). */
export const registerPasskey = writeOperation({
  id: 'registerPasskey',
  since: '0.3.0',
  method: 'POST',
  path: '/session/passkeys/registration',
  summary: 'Begin to register a passkey',
  description:
    'Starts the registration of a passkey for you. Pass `options` to `navigator.credentials.create()`, and send its result to POST /session/passkeys. You must have signed in with a password, identity provider or passkey within the last 15 minutes, and not on a shared device. PUBLIC_URL must have a host name: browsers have no passkeys for IP addresses.',
  access: { auth: 'session', permission: 'any' },
  message: {
    keyless: true,
    replies: { 200: { description: 'The options for the browser.', schema: PasskeyRegistration } },
    errors: 'problem',
  },
  run: {
    repeat: 'same',
    async handle(ctx) {
      const { rpID } = relyingParty(ctx);
      const { userId, name } = ownerOf(ctx);
      const clientId = ctx.actor.clientId ?? '';
      const known = await passkeysOf(ctx.db, clientId, userId);
      const challenge = ctx.randomBytes(32).toString('base64url');
      const options = {
        rp: { id: rpID, name: 'Backroom' },
        user: { id: ctx.randomBytes(32).toString('base64url'), name: userId, displayName: name },
        challenge,
        // Ed25519, ES256 and RS256: the usual authenticators support at least one of these algorithms.
        pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
        timeout: 5 * 60_000,
        attestation: 'none',
        excludeCredentials: known.map((row) => ({ id: row.credential_id, type: 'public-key' })),
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      };
      const content: Registering = { userId, challenge };
      return reply(200, { registration: sealRoundTrip(ctx, KIND, clientId, ctx.now, content), options });
    },
  },
  example: { path: '/session/passkeys/registration', needs: 'authenticator' },
});

/** Stores a passkey that a browser has made (docs/how-to/use-passkeys.md#in-your-own-page). */
export const addPasskey = writeOperation({
  id: 'addPasskey',
  since: '0.3.0',
  method: 'POST',
  path: '/session/passkeys',
  summary: 'Add a passkey',
  description:
    'Stores the passkey that the browser has made after POST /session/passkeys/registration. A registration works once, within ten minutes, for the person who began it.',
  access: { auth: 'session', permission: 'any' },
  message: {
    keyless: true,
    body: NewPasskey,
    replies: { 201: { description: 'The passkey is stored.', schema: Passkey } },
    refusals: { 409: `You have ${PASSKEYS_MAX} passkeys already, or this passkey is registered already.` },
    errors: 'problem',
  },
  run: {
    repeat: 'rejected',
    prepare: async ({ body: { registration, response } }, _randomBytes, parts) => {
      const { rpID, origin } = relyingParty(parts);
      const trip = openRoundTrip<typeof KIND, Registering>(parts.sealer, KIND, registration, parts.now);
      const isOwn =
        trip?.clientId === (parts.actor.clientId ?? '') && trip.content.userId === parts.actor.session?.userId;
      if (trip === undefined || !isOwn) return undefined;
      const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
      const verified = await verifyRegistrationResponse({
        response: { ...response, clientExtensionResults: {} } as Parameters<
          typeof verifyRegistrationResponse
        >[0]['response'],
        expectedChallenge: trip.content.challenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        requireUserVerification: true,
      }).catch(() => undefined);
      return { trip, credential: verified?.registrationInfo?.credential };
    },
    async handle(ctx, { body, prepared }) {
      const { userId } = ownerOf(ctx);
      if (prepared === undefined || !(await spend(ctx, prepared.trip))) {
        throw badValue(
          '/registration',
          'expired',
          say(
            '`registration` belongs to another user, is older than ten minutes or was already used; start again with POST /session/passkeys/registration',
          ),
        );
      }
      const { credential } = prepared;
      if (credential === undefined) {
        throw badValue(
          '/response',
          'passkey',
          say(
            '`response` has no new passkey for this site, or belongs to another registration; start again with POST /session/passkeys/registration',
          ),
        );
      }
      const clientId = ctx.actor.clientId ?? '';
      const known = await passkeysOf(ctx.db, clientId, userId);
      if (known.length >= PASSKEYS_MAX) {
        throw conflict(
          say('You have {passkeysMax} passkeys already; remove one that you no longer use.', {
            passkeysMax: PASSKEYS_MAX,
          }),
        );
      }
      const row = {
        client_id: clientId,
        passkey_id: ctx.newId(),
        user_id: userId,
        name: body.name,
        credential_id: credential.id,
        public_key: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: stringifyJson(credential.transports ?? []),
        created_at: ctx.now,
        used_at: null,
      };
      const made = await ctx.db
        .insertInto('passkeys')
        .values(row)
        .onConflict((on) => on.doNothing())
        .executeTakeFirstOrThrow();
      if (made.numInsertedOrUpdatedRows !== 1n)
        throw conflict(say('The passkey is registered already; use it to sign in.'));
      await recordAccess(ctx, clientId, 'user.passkeyAdded', { userId, passkeyId: row.passkey_id });
      return reply(201, { passkeyId: row.passkey_id, name: row.name, createdAt: formatDateTime(row.created_at) });
    },
  },
  example: {
    path: '/session/passkeys',
    body: {
      registration: 'v1.c2VhbGVk',
      name: 'Handheld 7',
      response: {
        id: 'pT9wq2Jm5Yk',
        rawId: 'pT9wq2Jm5Yk',
        type: 'public-key',
        response: {
          clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4',
          attestationObject: 'o2NmbXRkbm9uZQ',
          transports: ['internal'],
        },
      },
    },
    needs: 'authenticator',
  },
});

/** The passkeys of a user, oldest first. */
export function passkeysOf(db: Reader, clientId: string, userId: string) {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('passkey_id')
    .execute();
}
