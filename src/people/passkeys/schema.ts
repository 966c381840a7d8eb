/** Request and response schemas of passkeys: the JSON of WebAuthn (W3C Web Authentication, level 3). */
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
import { say } from '../sentences.ts';

const base64url = (max: number, description: string) =>
  text(1, max, { pattern: '^[A-Za-z0-9_-]+$', 'x-hint': say('send base64url without padding'), description });
const sealed = (description: string) => text(1, 2_000, { description });
const TRANSPORTS_MAX = 10;

const credential = {
  id: base64url(1_400, 'Identifier of the passkey'),
  rawId: base64url(1_400, 'The same as `id`'),
  type: oneOf(['public-key'], { description: 'Kind of credential' }),
  authenticatorAttachment: ignored({ description: 'Ignored; attachment of the authenticator' }),
  clientExtensionResults: ignored({ description: 'Ignored; results of extensions' }),
};

/** Options of `navigator.credentials`, in the JSON form that the browser parses. */
const options = (description: string) => Type.Unsafe<object>({ type: 'object', description });

export const PasskeyRegistration = named(
  'PasskeyRegistration',
  object({
    registration: sealed('Value to send with the new passkey, within ten minutes'),
    options: options('Argument of PublicKeyCredential.parseCreationOptionsFromJSON'),
  }),
);

const IN_ATTESTATION = 'Ignored; the service reads this value from attestationObject';

export const NewPasskey = named(
  'NewPasskey',
  object({
    registration: sealed('Value from POST /session/passkeys/registration'),
    name: identifier(60, { description: 'Name of the passkey in the list, for example the device it is on' }),
    response: object(
      {
        ...credential,
        response: object(
          {
            clientDataJSON: base64url(10_000, 'Client data of the browser'),
            attestationObject: base64url(100_000, 'The new public key'),
            transports: Type.Optional(
              list(text(1, 20), { max: TRANSPORTS_MAX }, { description: 'Transports of the authenticator' }),
            ),
            authenticatorData: ignored({ description: IN_ATTESTATION }),
            publicKey: ignored({ description: IN_ATTESTATION }),
            publicKeyAlgorithm: ignored({ description: IN_ATTESTATION }),
          },
          { description: 'Response of the authenticator' },
        ),
      },
      { description: 'toJSON() of the result of navigator.credentials.create()' },
    ),
  }),
);
export type NewPasskey = Static<typeof NewPasskey>;

export const Passkey = named(
  'Passkey',
  object({
    passkeyId: text(1, 64, { description: 'Passkey' }),
    name: text(1, 60, { description: 'Name in the list' }),
    createdAt: dateTime({ description: 'Time of the registration' }),
    usedAt: Type.Optional(
      dateTime({ description: 'Time of the last sign-in with the passkey; absent if it was never used' }),
    ),
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
    challenge: sealed('Value to send with the response of the passkey, within ten minutes'),
    options: options('Argument of PublicKeyCredential.parseRequestOptionsFromJSON'),
  }),
);

export const PasskeySignIn = named(
  'PasskeySignIn',
  object({
    challenge: sealed('Value from POST /session/passkeys/challenge'),
    response: object(
      {
        ...credential,
        response: object(
          {
            clientDataJSON: base64url(10_000, 'Client data of the browser'),
            authenticatorData: base64url(10_000, 'Data that the authenticator signed'),
            signature: base64url(10_000, 'Signature of the passkey'),
            userHandle: Type.Optional(base64url(100, 'User handle of the passkey')),
          },
          { description: 'Response of the authenticator' },
        ),
      },
      { description: 'toJSON() of the result of navigator.credentials.get()' },
    ),
  }),
);
export type PasskeySignIn = Static<typeof PasskeySignIn>;

/** Named schemas of passkeys, for the OpenAPI document. */
export const passkeySchemas = [PasskeyRegistration, NewPasskey, Passkey, PasskeyList, PasskeyChallenge, PasskeySignIn];
