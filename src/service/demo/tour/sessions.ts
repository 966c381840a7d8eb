/** The tour of a browser: what a person does with its cookies. */
import { type Stop, TOWN } from './stop.ts';

/** A browser that may be enrolled, and one that is. */
export interface Devices {
  code: string;
  deviceId: string;
}

/**
 * What a browser does with its cookies: the stops of a person, whom the tour has made before. They come after those of
 * `tourStops`, because who signs in with a cookie is not who calls with a key.
 */
export function sessionStops({ code, deviceId }: Devices): Stop[] {
  const device = `${TOWN}/devices/${deviceId}`;
  const noor = { clientId: 'TOWN', userId: 'noor', password: 'tide-and-sand-7' };
  return [
    { operationId: 'listSignInProviders', path: '/session/providers?clientId=TOWN' },
    { operationId: 'signIn', path: '/session', body: noor },
    { operationId: 'readSession', path: '/session' },
    { operationId: 'changePreferences', path: '/session/preferences', body: { language: 'de-CH' } },
    {
      operationId: 'changePassword',
      path: '/session/password',
      body: { old: noor.password, new: 'rain-on-the-quay-9' },
    },
    { operationId: 'changePin', path: '/session/pin', body: { pin: '2580' } },
    { operationId: 'listPasskeys', path: '/session/passkeys' },
    { operationId: 'startTraining', path: '/session/training' },
    { operationId: 'endTraining', path: '/session/training' },
    { operationId: 'enrollDevice', path: '/session/device', body: { code, name: 'Handheld 7' } },
    { operationId: 'unlockSession', path: '/session/unlock', body: { userId: 'noor', pin: '2580' } },
    { operationId: 'lockSession', path: '/session/lock' },
    { operationId: 'signOut', path: '/session' },
    { operationId: 'unlockDevice', path: `${device}/unlock` },
    { operationId: 'revokeDevice', path: device },
  ];
}

/** For readers only, because a printer must stand there, or an authenticator must sign: what it signs is cut short here, such a text is made anew for each use. */
export function readerStops(): Stop[] {
  const made = { id: 'pT9wq2Jm5Yk', rawId: 'pT9wq2Jm5Yk', type: 'public-key' };
  const signed = {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4',
    authenticatorData: 'SZYN5YgOjGh0',
    signature: 'MEUCIQDq',
  };
  const attested = {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4',
    attestationObject: 'o2NmbXRkbm9uZQ',
    transports: ['internal'],
  };
  return [
    {
      operationId: 'printLabels',
      path: `${TOWN}/nodes/TOWN-Store001/print`,
      body: { printId: '4f1c2a', userId: 'ana', printerId: 'desk', zpl: '^XA^FO20,20^A0N,40,40^FDA-04-2^FS^XZ' },
    },
    {
      operationId: 'addPasskey',
      path: '/session/passkeys',
      body: { registration: 'v1.c2VhbGVk', name: 'Handheld 7', response: { ...made, response: attested } },
    },
    {
      operationId: 'signInWithPasskey',
      path: '/session/passkeys/signIn',
      body: { challenge: 'v1.c2VhbGVk', response: { ...made, response: signed } },
    },
    { operationId: 'deletePasskey', path: '/session/passkeys/019ca8c1-7000-7000-8000-000000000003' },
  ];
}
