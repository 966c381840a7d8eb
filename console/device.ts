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

/** Remembers that this browser is enrolled as this device; undefined: that it is not enrolled any more. */
export function keepDevice(one: Device | undefined): void {
  device.value = one;
  if (one === undefined) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, JSON.stringify(one));
}

/**
 * Compares the stored device with a session that began with a password, PIN or provider. A user of the device's node
 * gets a session that names the device. A session of such a user without a device shows that the device is revoked. The
 * session of a training is ignored, because its client and nodes have other ids.
 */
export function compareDevice({ user, device: now, training }: Pick<Session, 'user' | 'device' | 'training'>): void {
  const own = device.peek();
  if (own === undefined || user.clientId === undefined || training === true) return;
  if (now !== undefined) keepDevice({ ...own, clientId: user.clientId });
  else if (own.clientId === user.clientId && (user.nodeIds.length === 0 || user.nodeIds.includes(own.nodeId))) {
    keepDevice(undefined);
  }
}
