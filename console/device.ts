/** The node that this browser was set up for. */
import { signal } from '@preact/signals';

interface Device {
  deviceId: string;
  nodeId: string;
  name: string;
  /** Name of the node, once somebody has worked there: before a sign-in nothing tells it. */
  nodeName?: string;
}

const KEY = 'backroom.device';

/** Undefined where the browser is no device of a store. */
export const device = signal<Device | undefined>(read());

function read(): Device | undefined {
  const text = localStorage.getItem(KEY);
  return text === null ? undefined : (JSON.parse(text) as Device);
}

/** Keeps what the browser was set up for. */
export function keepDevice(one: Device): void {
  device.value = one;
  localStorage.setItem(KEY, JSON.stringify(one));
}
