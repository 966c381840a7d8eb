/** Passkeys of this browser: whether there are any, how one is made, how one signs in. */
import { sendSession } from './send-session.ts';
import type { Session } from './session.ts';

/** A passkey of the person who is signed in. */
export interface Passkey {
  passkeyId: string;
  name: string;
  createdAt: string;
  usedAt?: string;
}

/** Why the browser made or showed no passkey. */
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

/** Whether this browser can use passkeys here: it knows them, and the address has a host name. There are none for IP addresses. */
export function hasPasskeys(): boolean {
  const known = (globalThis as { PublicKeyCredential?: Partial<typeof PublicKeyCredential> }).PublicKeyCredential;
  return known?.parseRequestOptionsFromJSON !== undefined && !/^[\d.]+$|:/.test(location.hostname);
}

/** Makes a passkey for the person who is signed in. @throws ApiError, PasskeyError */
export async function addPasskey(name: string): Promise<void> {
  const { registration, options } = await sendSession<{
    registration: string;
    options: PublicKeyCredentialCreationOptionsJSON;
  }>('POST', '/passkeys/registration');
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const response = await asked(navigator.credentials.create({ publicKey }));
  await sendSession('POST', '/passkeys', { registration, name, response });
}

/** Signs in whom the browser's passkey belongs to. @throws ApiError, PasskeyError */
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
