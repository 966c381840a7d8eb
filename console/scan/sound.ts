/** Whether this device may make sounds. The tones are in `feedback.ts`, which the first screen does without. */
import { computed, signal } from '@preact/signals';

const KEY = 'backroom.sound';

const isOn = signal(localStorage.getItem(KEY) !== 'off');
const isRunning = signal(false);
let audio: AudioContext | undefined;

/** `off`: switched off here. `waiting`: the browser plays nothing before the first tap or key. */
export const soundState = computed<'on' | 'off' | 'waiting'>(() =>
  isOn.value ? (isRunning.value ? 'on' : 'waiting') : 'off',
);

/** Switches sound on or off on this device, for good. */
export function setSound(on: boolean): void {
  isOn.value = on;
  localStorage.setItem(KEY, on ? 'on' : 'off');
}

/** Prepares the sound at the first tap or key, as browsers ask; returns how to stop. */
export function prepareSound(): () => void {
  const stop = new AbortController();
  const options = { capture: true, passive: true, signal: stop.signal };
  for (const type of ['pointerup', 'keydown', 'touchend'] as const) addEventListener(type, wake, options);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && wake(), options);
  return () => stop.abort();
}

/** Safari on a phone has neither of the two. */
export const device: { userActivation?: { hasBeenActive: boolean }; vibrate?: (pattern: number[]) => boolean } =
  navigator;

/** Whether somebody has touched the page. Before that a browser complains of tones and vibration. */
export function hasBeenActive(): boolean {
  return device.userActivation?.hasBeenActive ?? true;
}

function wake(): void {
  // Without activation the browser would only complain.
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

/** What plays a tone at once; undefined where sound is switched off, or waits for a touch. */
export function speaker(): AudioContext | undefined {
  if (!isOn.peek()) return undefined;
  wake();
  return audio?.state === 'running' ? audio : undefined;
}
