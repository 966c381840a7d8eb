/** The settings of this device's scanner. The browser stores them. */
import { signal } from '@preact/signals';
import { DEFAULT_PROFILE, GAP_MAX_MS, GAP_MIN_MS, type Profile } from './keys.ts';

const KEY = 'backroom.scanner';

/** The profile of this device. */
export const profile = signal<Profile>(stored());

/** Changes the scanner settings of this device permanently. */
export function setProfile(change: Partial<Profile>): void {
  profile.value = valid({ ...profile.peek(), ...change });
  localStorage.setItem(KEY, JSON.stringify(profile.value));
}

function stored(): Profile {
  try {
    return valid({ ...DEFAULT_PROFILE, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Profile>) });
  } catch {
    return DEFAULT_PROFILE;
  }
}

function valid({ prefix, gapMs, endsByGap }: Profile): Profile {
  const gap = Number.isFinite(gapMs)
    ? Math.min(GAP_MAX_MS, Math.max(GAP_MIN_MS, Math.round(gapMs)))
    : DEFAULT_PROFILE.gapMs;
  return { prefix: prefix.slice(0, 10), gapMs: gap, endsByGap };
}
