/**
 * The time of the user's last activity in this browser: a touch, a pointer move, a key or a scanned code. All tabs of
 * the browser share it.
 */

const ACTIVE = 'backroom.active';
/** Minimum time between two writes to the storage that the tabs share. */
const SHARE_MS = 2_000;

let last = Date.now();
let sharedAt = 0;

/** Returns the time of the last activity in any tab, in epoch milliseconds. */
export function activeAt(): number {
  return Math.max(last, keptActiveAt());
}

/**
 * Returns the time of the last activity in the shared storage. The time can be before this page was opened. Returns 0
 * if no time is stored.
 */
export function keptActiveAt(): number {
  return Number(localStorage.getItem(ACTIVE)) || 0;
}

/** Records an activity of the user now. */
export function noteActivity(): void {
  last = Date.now();
  if (Math.abs(last - sharedAt) < SHARE_MS) return;
  sharedAt = last;
  try {
    localStorage.setItem(ACTIVE, String(last));
  } catch {
    // The storage is missing or full. This tab then knows only its own activity.
  }
}

/**
 * Called by the scanner for each key and input event. The scanner gets these events first and does not pass all of them
 * on.
 */
export const doing: { call: (event: Event) => void } = { call: noteActivity };
