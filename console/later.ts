/**
 * The parts that start after the first screen. They are for the idle lock, for scrolling while codes are scanned, for
 * held keys, for work without the network, and for updates.
 */
import { compareDevice } from './device.ts';
import { startHeldKey } from './held-key.ts';
import { startIdle } from './idle.ts';
import { outbox } from './offline/index.ts';
import { startKeeping } from './offline/keep.ts';
import { startUpdates } from './offline/update.ts';
import { route } from './router.ts';
import { startAway } from './scan/away.ts';
import { isLocked, session } from './session.ts';

/** Starts these parts. They run until the page is closed. */
export function start(): void {
  // A sign-in at a provider ends with a load of the page, so this code compares the device.
  const who = session.peek();
  if (who?.method === 'OIDC') compareDevice(who);
  startIdle();
  startAway();
  startHeldKey();
  // Loads the lock screen now, because it may be needed without the network.
  void import('./floor/lock-screen.tsx').catch(() => undefined);
  startKeeping();
  startUpdates({ isIdle: () => route.value.path === '/' && outbox.waiting.value === 0 && !isSigningIn() });
}

/**
 * Returns whether the user is unlocking the screen or choosing the first PIN, or has typed something into the sign-in. A
 * load of the page would delete the text, and the response to the PIN has the new token of the session.
 */
function isSigningIn(): boolean {
  if (isLocked.value || session.value?.mustChangePin === true) return true;
  return session.value == null && [...document.querySelectorAll('input')].some(({ value }) => value !== '');
}
