/** Passkeys of this browser: support, creation and sign-in. */
import type { components } from '../contract/client.d.ts';
import { sendSession } from './send-session.ts';
import type { Session } from './session.ts';

/** A passkey of the signed-in user. */
export type Passkey = components['schemas']['Passkey'];

/** The reason why the browser did not create or use a passkey. */
export class PasskeyError extends Error {
  readonly why: 'CANCELED' | 'KNOWN' | 'FAILED';

  constructor(cause: unknown) {
    const name = cause instanceof DOMException ? cause.name : '';
    super(name);
    this.name = 'PasskeyError';
    this.why =
      name === 'NotAllowedError' || name === 'AbortError'
        ? 'CANCELED'
        : name === 'InvalidStateError'
          ? 'KNOWN'
          : 'FAILED';
  }
}

/**
 * Returns whether this browser can use passkeys here: it supports them, and the address has a host name. Passkeys do
 * not work with IP addresses.
 */
export function hasPasskeys(): boolean {
  const known = (globalThis as { PublicKeyCredential?: Partial<typeof PublicKeyCredential> }).PublicKeyCredential;
  return known?.parseRequestOptionsFromJSON !== undefined && !/^[\d.]+$|:/.test(location.hostname);
}

/** Creates a passkey for the signed-in user. @throws ApiError, PasskeyError */
export async function addPasskey(name: string): Promise<void> {
  const { registration, options } = await sendSession<{
    registration: string;
    options: PublicKeyCredentialCreationOptionsJSON;
  }>('POST', '/passkeys/registration');
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const response = await asked(navigator.credentials.create({ publicKey }));
  await sendSession('POST', '/passkeys', { registration, name, response });
}

/** Signs in the user of the chosen passkey. @throws ApiError, PasskeyError */
export async function signInWithPasskey(): Promise<Session> {
  const { challenge, options } = await sendSession<{
    challenge: string;
    options: PublicKeyCredentialRequestOptionsJSON;
  }>('POST', '/passkeys/challenge');
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const response = await asked(navigator.credentials.get({ publicKey }));
  return sendSession<Session>('POST', '/passkeys/signIn', { challenge, response });
}

async function asked(credential: Promise<Credential | null>): Promise<unknown> {
  try {
    return ((await credential) as PublicKeyCredential).toJSON();
  } catch (error) {
    throw new PasskeyError(error);
  }
}
