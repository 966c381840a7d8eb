/** What starts after the first screen: the watch over a console that is left alone, what is kept for work without the network, new versions. */
import { startIdle } from './idle.ts';
import { outbox } from './offline/index.ts';
import { startKeeping } from './offline/keep.ts';
import { startUpdates } from './offline/update.ts';
import { route } from './router.ts';

/** Starts it, for as long as the page lives. */
export function start(): void {
  startIdle();
  // It must be there when the network is not.
  void import('./floor/lock-screen.tsx').catch(() => undefined);
  startKeeping();
  startUpdates({ isIdle: () => route.value.path === '/' && outbox.waiting.value === 0 });
}
