/** Functions for the tests of people: devices, PINs and unlocks. */
import type { Answer } from '../support/backroom.ts';
import { type Browser, browser, cookieOf, type OpenTown } from '../support/town.ts';

export const OWN = { 'sec-fetch-site': 'same-origin' };
export const MINUTE = 60_000;
export const USERS = '/operator/v1/clients/TOWN/users';
export const DEVICES = '/operator/v1/clients/TOWN/devices';
export const NODE = '/operator/v1/clients/TOWN/nodes/TOWN-Store001';

/** A browser that is enrolled as a device. */
export interface TestDevice {
  deviceId: string;
  cookie: string;
  unlock: (body: object, more?: Record<string, string>) => Promise<Answer>;
  /** Unlocks the device and returns the browser of the session. @throws Error if the service rejects the unlock */
  enter: (userId: string, pin: string) => Promise<Browser & { answer: Answer }>;
}

/** Enrolls a device at a node. */
export async function enroll(town: OpenTown, node = NODE): Promise<TestDevice> {
  const { body } = await town.operator('POST', `${node}/deviceCodes`);
  const made = await town.call({
    method: 'POST',
    path: '/session/device',
    headers: OWN,
    body: { code: (body as { code: string }).code, name: 'Handheld 1' },
  });
  if (made.status !== 201) throw new Error(`the device was rejected: ${made.text}`);
  const cookie = cookieOf(made);
  const unlock = (sent: object, more: Record<string, string> = {}) =>
    town.call({ method: 'POST', path: '/session/unlock', headers: { ...OWN, cookie, ...more }, body: sent });
  return {
    deviceId: (made.body as { deviceId: string }).deviceId,
    cookie,
    unlock,
    enter: async (userId, pin) => {
      const answer = await unlock({ userId, pin });
      if (answer.status !== 201) throw new Error(`the unlock returned ${answer.status}: ${answer.text}`);
      return { ...browser(town.call, cookie, cookieOf(answer)), answer };
    },
  };
}

/** Sets the PIN of a user of the town. */
export async function setPin(town: OpenTown, role: 'associate' | 'lead' | 'manager' | 'clerk', pin: string) {
  const answer = await (await town.signIn(role)).put('/session/pin', { pin });
  if (answer.status !== 204) throw new Error(`the PIN was rejected: ${answer.text}`);
}

/** Returns the types of a client's access events, in order. */
export async function accessTypes(town: OpenTown): Promise<string[]> {
  const { body } = await town.operator('GET', '/operator/v1/clients/TOWN/accessEvents?limit=500');
  return (body as { events: { type: string }[] }).events.map(({ type }) => type);
}

/** Returns the status and the error code of a response. Without an error, the code is undefined. */
export function said({ status, body }: Answer): [number, string | undefined] {
  return [status, (body as { code?: string } | undefined)?.code];
}
