/** What a scan sounds and feels like. Sound is never the only sign: the screen shows a band with a word as well. */
import { computed, signal } from '@preact/signals';

export type Feedback = 'right' | 'wrong' | 'done';

interface Tone {
  hertz: number;
  /** From when to when, in seconds. */
  from: number;
  to: number;
}

const TONES: Record<Feedback, readonly Tone[]> = {
  right: [{ hertz: 1_800, from: 0, to: 0.07 }],
  wrong: [
    { hertz: 250, from: 0, to: 0.18 },
    { hertz: 250, from: 0.26, to: 0.44 },
  ],
  done: [
    { hertz: 880, from: 0, to: 0.1 },
    { hertz: 1_175, from: 0.12, to: 0.22 },
    { hertz: 1_760, from: 0.24, to: 0.4 },
  ],
};
/** Milliseconds: on, off, on. */
const WRONG_VIBRATION = [120, 60, 120];
const KEY = 'backroom.sound';
/** A tone that starts or ends at full strength clicks. */
const RAMP_S = 0.004;

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
const device: { userActivation?: { hasBeenActive: boolean }; vibrate?: (pattern: number[]) => boolean } = navigator;

function hasBeenActive(): boolean {
  return device.userActivation?.hasBeenActive ?? true;
}

function vibrate(): void {
  device.vibrate?.(WRONG_VIBRATION);
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

/** Plays the tones for what happened, and vibrates where it was wrong. */
export function feedback(what: Feedback): void {
  if (what === 'wrong' && hasBeenActive()) vibrate();
  if (!isOn.peek()) return;
  wake();
  if (audio === undefined || audio.state !== 'running') return;
  for (const tone of TONES[what]) play(audio, tone);
}

function play(context: AudioContext, { hertz, from, to }: Tone): void {
  const start = context.currentTime + from;
  const end = context.currentTime + to;
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  // A low tone is lost in a small speaker unless it has overtones.
  oscillator.type = hertz < 500 ? 'square' : 'sine';
  oscillator.frequency.value = hertz;
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(0.6, start + RAMP_S);
  gain.gain.setValueAtTime(0.6, end - RAMP_S);
  gain.gain.linearRampToValueAtTime(0, end);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(end);
}
