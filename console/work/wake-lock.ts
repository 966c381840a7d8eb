/** Keeps the screen of a handheld on while the user works with both hands. */
import { useEffect } from 'preact/hooks';
import { isLocked } from '../session.ts';

/** Keeps the screen on while the component is shown, if the browser and the battery allow it. */
export function useWakeLock(): void {
  useEffect(() => {
    let isLeft = false;
    let lock: WakeLockSentinel | undefined;
    // The browser releases the lock when the page is hidden.
    const ask = () => {
      if (document.visibilityState !== 'visible' || isLocked.peek() || !('wakeLock' in navigator)) return;
      navigator.wakeLock.request('screen').then(
        (given) => {
          if (isLeft || isLocked.peek()) void given.release();
          else {
            void lock?.release();
            lock = given;
          }
        },
        () => undefined,
      );
    };
    // Called immediately and whenever the screen is locked or unlocked. While it is locked, the device may sleep.
    const unsubscribe = isLocked.subscribe((is) => {
      if (is) void lock?.release();
      else ask();
    });
    document.addEventListener('visibilitychange', ask);
    return () => {
      isLeft = true;
      unsubscribe();
      document.removeEventListener('visibilitychange', ask);
      void lock?.release();
    };
  }, []);
}
