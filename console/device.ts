/** The node for which this browser was enrolled as a device. */
import { signal } from '@preact/signals';
import type { Session } from './session.ts';

interface Device {
  deviceId: string;
  nodeId: string;
  name: string;
  /** Name of the node. It is known after the first sign-in at this node. */
  nodeName?: string;
  /** Client of the device. It is known after the first sign-in on the device. */
  clientId?: string;
}

const KEY = 'backroom.device';

/** The device of a store as which this browser is enrolled; undefined for any other browser. */
export const device = signal<Device | undefined>(read());

function read(): Device | undefined {
  const text = localStorage.getItem(KEY);
  return text === null ? undefined : (JSON.parse(text) as Device);
}

/**
 * Remembers that this browser is enrolled as this device. `undefined` means that the browser is not enrolled any more.
 */
export function keepDevice(one: Device | undefined): void {
  device.value = one;
  if (one === undefined) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, JSON.stringify(one));
}

/**
 * Updates or deletes the stored device after a sign-in with a password, PIN or provider. If a user of the device's node
 * gets a session without a device, the device is revoked. The function ignores the session of a training, because its
 * client and nodes have other ids.
 */
export function compareDevice({ user, device: now, training }: Pick<Session, 'user' | 'device' | 'training'>): void {
  const own = device.peek();
  if (own === undefined || user.clientId === undefined || training === true) return;
  if (now !== undefined) keepDevice({ ...own, clientId: user.clientId });
  else if (own.clientId === user.clientId && (user.nodeIds.length === 0 || user.nodeIds.includes(own.nodeId))) {
    keepDevice(undefined);
  }
}
