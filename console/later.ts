/**
 * The parts that start after the first screen. They are for the idle lock, for scrolling while codes are scanned, for
 * held keys, for work without the network, and for updates.
 */
import { activeAt } from './activity.ts';
import { compareDevice } from './device.ts';
import { startHeldKey } from './held-key.ts';
import { startIdle } from './idle.ts';
import { isInUse } from './keys.ts';
import { outbox } from './offline/index.ts';
import { startKeeping } from './offline/keep.ts';
import { startUpdates } from './offline/update.ts';
import { route } from './router.ts';
import { startAway } from './scan/away.ts';
import { isLocked, session } from './session.ts';

/** Starts these parts. They run until the page is closed. */
export function start(): void {
  // `main.tsx` counts in it.
  sessionStorage.removeItem('backroom.loads');
  // A sign-in at a provider ends with a load of the page, so this code compares the device.
  const who = session.peek();
  if (who?.method === 'OIDC') compareDevice(who);
  startIdle();
  startAway();
  startHeldKey();
  // Loads the lock screen now, because it may be needed without the network.
  void import('./floor/lock-screen.tsx').catch(() => undefined);
  startKeeping();
  startUpdates({
    isIdle: () =>
      route.value.path === '/' && outbox.waiting.value === 0 && !isEnteringPin() && !isInUse() && isResting(),
  });
}

/** Returns whether no key or touch came lately: the next key can be a part of a scanned code. */
function isResting(): boolean {
  return Math.abs(Date.now() - activeAt()) > 2_000;
}

/** Returns whether the user unlocks the screen or chooses the first PIN. The response has a new token of the session. */
function isEnteringPin(): boolean {
  return isLocked.value || session.value?.mustChangePin === true;
}
