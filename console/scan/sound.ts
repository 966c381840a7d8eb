/** The sound setting of this device. The tones are in `feedback.ts`, which the first screen does not load. */
import { computed, signal } from '@preact/signals';

const KEY = 'backroom.sound';

const isOn = signal(localStorage.getItem(KEY) !== 'off');
const isRunning = signal(false);
let audio: AudioContext | undefined;

/** `off`: switched off on this device. `waiting`: the browser plays no sound before the first tap or key. */
export const soundState = computed<'on' | 'off' | 'waiting'>(() =>
  isOn.value ? (isRunning.value ? 'on' : 'waiting') : 'off',
);

/** Switches the sound of this device on or off permanently. */
export function setSound(on: boolean): void {
  isOn.value = on;
  localStorage.setItem(KEY, on ? 'on' : 'off');
}

/**
 * Prepares the sound at the first tap or key, because browsers require a tap or key. Returns a function that stops
 * waiting for them.
 */
export function prepareSound(): () => void {
  const stop = new AbortController();
  const options = { capture: true, passive: true, signal: stop.signal };
  for (const type of ['pointerup', 'keydown', 'touchend'] as const) addEventListener(type, wake, options);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && wake(), options);
  return () => stop.abort();
}

/**
 * The navigator. Its type marks these properties as optional, because some browsers lack them, for example Safari on
 * phones.
 */
export const device: { userActivation?: { hasBeenActive: boolean }; vibrate?: (pattern: number[]) => boolean } =
  navigator;

/** Returns whether the user has tapped or pressed a key. Before that, browsers block tones and vibration. */
export function hasBeenActive(): boolean {
  return device.userActivation?.hasBeenActive ?? true;
}

function wake(): void {
  // Waits for the first tap or key: before it, the browser plays nothing and logs a warning.
  if (isRunning.peek() || !hasBeenActive()) return;
  if (audio === undefined) {
    audio = new AudioContext({ latencyHint: 'interactive' });
    audio.onstatechange = () => {
      isRunning.value = audio!.state === 'running';
    };
  }
  isRunning.value = audio.state === 'running';
  if (audio.state !== 'running') audio.resume().catch(() => undefined);
}

/** Returns the context that plays tones; undefined if the sound is switched off or waits for the first tap or key. */
export function speaker(): AudioContext | undefined {
  if (!isOn.peek()) return undefined;
  wake();
  return audio?.state === 'running' ? audio : undefined;
}
