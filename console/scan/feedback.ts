/** Sound and vibration of a scan. The screen always shows a band with a word as well. */
import { device, hasBeenActive, speaker } from './sound.ts';

export type Feedback = 'right' | 'wrong' | 'done';

interface Tone {
  hertz: number;
  /** Start and end in seconds. */
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
/** Milliseconds of vibration, pause and vibration. */
const WRONG_VIBRATION = [120, 60, 120];
/** Duration of the fade. A tone that starts or ends at full volume clicks. */
const RAMP_S = 0.004;

/** Plays the tones of a result, and vibrates if the scan was wrong. */
export function feedback(what: Feedback): void {
  if (what === 'wrong' && hasBeenActive()) device.vibrate?.(WRONG_VIBRATION);
  const context = speaker();
  if (context === undefined) return;
  for (const tone of TONES[what]) play(context, tone);
}

function play(context: AudioContext, { hertz, from, to }: Tone): void {
  const start = context.currentTime + from;
  const end = context.currentTime + to;
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  // Low tones are square waves, because small speakers hardly play a low tone without overtones.
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
