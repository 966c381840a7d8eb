/** Wire shapes of passkeys: what WebAuthn gives to a browser and takes from it, as JSON (W3C Web Authentication, level 3). */
import {
  dateTime,
  identifier,
  ignored,
  list,
  named,
  object,
  oneOf,
  type Static,
  Type,
  text,
} from '../../platform/schema.ts';

const base64url = (max: number, description: string) =>
  text(1, max, { pattern: '^[A-Za-z0-9_-]+$', 'x-hint': 'send base64url without padding', description });
const sealed = (description: string) => text(1, 2_000, { description });
const TRANSPORTS_MAX = 10;

const credential = {
  id: base64url(1_400, 'Identifier of the passkey'),
  rawId: base64url(1_400, 'The same'),
  type: oneOf(['public-key'], { description: 'Kind of credential' }),
  authenticatorAttachment: ignored({ description: 'Where the authenticator is' }),
  clientExtensionResults: ignored({ description: 'What extensions say' }),
};

/** Options of `navigator.credentials`: whatever the browser's own parser takes. */
const options = (description: string) => Type.Unsafe<object>({ type: 'object', description });

export const PasskeyRegistration = named(
  'PasskeyRegistration',
  object({
    registration: sealed('Send it back with the new passkey, within ten minutes'),
    options: options('Argument of PublicKeyCredential.parseCreationOptionsFromJSON'),
  }),
);

export const NewPasskey = named(
  'NewPasskey',
  object({
    registration: sealed('As POST /session/passkeys/registration gave it'),
    name: identifier(60, { description: 'Name of the passkey in the list, for example the device it is on' }),
    response: object(
      {
        ...credential,
        response: object(
          {
            clientDataJSON: base64url(10_000, 'What the browser signed'),
            attestationObject: base64url(100_000, 'The new public key'),
            transports: Type.Optional(
              list(text(1, 20), { max: TRANSPORTS_MAX }, { description: 'How the authenticator is reached' }),
            ),
            authenticatorData: ignored({ description: 'Part of attestationObject' }),
            publicKey: ignored({ description: 'Part of attestationObject' }),
            publicKeyAlgorithm: ignored({ description: 'Part of attestationObject' }),
          },
          { description: 'What the authenticator answered' },
        ),
      },
      { description: 'toJSON() of what navigator.credentials.create() answered' },
    ),
  }),
);
export type NewPasskey = Static<typeof NewPasskey>;

export const Passkey = named(
  'Passkey',
  object({
    passkeyId: text(1, 64, { description: 'Passkey' }),
    name: text(1, 60, { description: 'Name in the list' }),
    createdAt: dateTime({ description: 'When it was registered' }),
    usedAt: Type.Optional(dateTime({ description: 'When it last signed in; left out: never' })),
  }),
);
export type Passkey = Static<typeof Passkey>;

export const PASSKEYS_MAX = 20;

export const PasskeyList = named(
  'PasskeyList',
  object({ passkeys: list(Passkey, { max: PASSKEYS_MAX }, { description: 'Your passkeys, oldest first' }) }),
);

export const PasskeyChallenge = named(
  'PasskeyChallenge',
  object({
    challenge: sealed('Send it back with the answer of the passkey, within ten minutes'),
    options: options('Argument of PublicKeyCredential.parseRequestOptionsFromJSON'),
  }),
);

export const PasskeySignIn = named(
  'PasskeySignIn',
  object({
    challenge: sealed('As POST /session/passkeys/challenge gave it'),
    response: object(
      {
        ...credential,
        response: object(
          {
            clientDataJSON: base64url(10_000, 'What the browser signed'),
            authenticatorData: base64url(10_000, 'What the authenticator signed'),
            signature: base64url(10_000, 'Signature of the passkey'),
            userHandle: Type.Optional(base64url(100, 'Who the passkey was made for')),
          },
          { description: 'What the authenticator answered' },
        ),
      },
      { description: 'toJSON() of what navigator.credentials.get() answered' },
    ),
  }),
);
export type PasskeySignIn = Static<typeof PasskeySignIn>;

/** Named schemas of passkeys, for the document. */
export const passkeySchemas = [PasskeyRegistration, NewPasskey, Passkey, PasskeyList, PasskeyChallenge, PasskeySignIn];
