/** Keeps the screen of a handheld on while somebody works on it with both hands. */
import { useEffect } from 'preact/hooks';
import { isLocked } from '../session.ts';

/** The screen stays on while the component is shown, where the browser and the battery allow it. */
export function useWakeLock(): void {
  useEffect(() => {
    let isLeft = false;
    let lock: WakeLockSentinel | undefined;
    // The browser takes it away when the page is hidden.
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
    // Called at once, and with every lock of the screen, which lets the device sleep.
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
