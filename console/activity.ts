/** When the person at this browser last did something: a touch, a move of the pointer, a key, a code. All tabs of the browser share it. */

const ACTIVE = 'backroom.active';
/** Tabs hear of it at most so often. */
const SHARE_MS = 2_000;

let last = Date.now();
let sharedAt = 0;

/** When somebody last did something in any tab, epoch milliseconds. */
export function activeAt(): number {
  return Math.max(last, keptActiveAt() ?? 0);
}

/** What the tabs have shared of it, also before this page was opened. */
export function keptActiveAt(): number | undefined {
  const kept = Number(localStorage.getItem(ACTIVE) ?? Number.NaN);
  return Number.isFinite(kept) ? kept : undefined;
}

/** Notes that somebody does something now. */
export function noteActivity(): void {
  last = Date.now();
  if (Math.abs(last - sharedAt) < SHARE_MS) return;
  sharedAt = last;
  try {
    localStorage.setItem(ACTIVE, String(last));
  } catch {
    // Without storage, or with one that is full, this tab watches over itself alone.
  }
}

/** Told of each key and input by the scanner, which hears them first and keeps some to itself. */
export const doing: { call: (event: Event) => void } = { call: noteActivity };
