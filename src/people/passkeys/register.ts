import { recordAccess } from '../../events/record.ts';
import { badValue, conflict } from '../../platform/http/errors.ts';
import { reply, writeOperation } from '../../platform/http/operation.ts';
import type { Reader } from '../../platform/storage/db.ts';
import { formatDateTime } from '../../platform/time.ts';
import { openRoundTrip, sealRoundTrip, spend } from '../round-trip.ts';
import { NewPasskey, PASSKEYS_MAX, Passkey, PasskeyRegistration } from './schema.ts';
import { ownerOf, relyingParty } from './site.ts';

/** What a registration must come back with. */
interface Registering {
  userId: string;
  challenge: string;
}

const KIND = 'passkey registration';

/** Begins the registration of a passkey (docs/decisions/223). */
export const registerPasskey = writeOperation({
  id: 'registerPasskey',
  method: 'POST',
  path: '/session/passkeys/registration',
  auth: 'session',
  permission: 'any',
  keyless: true,
  repeat: 'same',
  summary: 'Begin to register a passkey',
  description:
    'Answers what a browser needs to make a passkey for you: pass `options` to `navigator.credentials.create()`, and send what it answers to POST /session/passkeys. You have signed in with password, identity provider or passkey in the last 15 minutes, and not on a shared device. PUBLIC_URL has a host name: there are no passkeys for IP addresses.',
  replies: { 200: { description: 'What the browser needs.', schema: PasskeyRegistration } },
  errors: 'problem',
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
      // Ed25519, ES256, RS256: what authenticators have.
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      timeout: 5 * 60_000,
      attestation: 'none',
      excludeCredentials: known.map((row) => ({ id: row.credential_id, type: 'public-key' })),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    };
    const content: Registering = { userId, challenge };
    return reply(200, { registration: sealRoundTrip(ctx, KIND, clientId, ctx.now, content), options });
  },
});

/** Keeps a passkey that a browser has made (docs/decisions/223). */
export const addPasskey = writeOperation({
  id: 'addPasskey',
  method: 'POST',
  path: '/session/passkeys',
  auth: 'session',
  permission: 'any',
  keyless: true,
  repeat: 'rejected',
  summary: 'Add a passkey',
  description:
    'Keeps the passkey that the browser has made after POST /session/passkeys/registration. The registration is good for ten minutes and once, for the person who began it.',
  body: NewPasskey,
  replies: { 201: { description: 'The passkey is yours.', schema: Passkey } },
  refusals: { 409: `You have ${PASSKEYS_MAX} passkeys already, or somebody has this one.` },
  errors: 'problem',
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
        'registration is not yours, older than ten minutes or used; begin anew',
      );
    }
    const { credential } = prepared;
    if (credential === undefined) {
      throw badValue('/response', 'passkey', 'response is no new passkey for this site and registration; begin anew');
    }
    const clientId = ctx.actor.clientId ?? '';
    const known = await passkeysOf(ctx.db, clientId, userId);
    if (known.length >= PASSKEYS_MAX) {
      throw conflict(`You have ${PASSKEYS_MAX} passkeys already; remove one that you do not use any more.`);
    }
    const row = {
      client_id: clientId,
      passkey_id: ctx.newId(),
      user_id: userId,
      name: body.name,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: JSON.stringify(credential.transports ?? []),
      created_at: ctx.now,
      used_at: null,
    };
    const made = await ctx.db
      .insertInto('passkeys')
      .values(row)
      .onConflict((on) => on.doNothing())
      .executeTakeFirstOrThrow();
    if (made.numInsertedOrUpdatedRows !== 1n) throw conflict('The passkey is registered already; use it to sign in.');
    await recordAccess(ctx, clientId, 'user.passkeyAdded', { userId, passkeyId: row.passkey_id });
    return reply(201, { passkeyId: row.passkey_id, name: row.name, createdAt: formatDateTime(row.created_at) });
  },
});

/** The passkeys of somebody, oldest first. */
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
