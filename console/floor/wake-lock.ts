/** Keeps the screen of a handheld on while somebody works on it with both hands. */
import { useEffect } from 'preact/hooks';

/** The screen stays on while the component is shown, where the browser and the battery allow it. */
export function useWakeLock(): void {
  useEffect(() => {
    let isLeft = false;
    let lock: WakeLockSentinel | undefined;
    // The browser takes it away when the page is hidden.
    const ask = () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
      navigator.wakeLock.request('screen').then(
        (given) => {
          if (isLeft) void given.release();
          else {
            void lock?.release();
            lock = given;
          }
        },
        () => undefined,
      );
    };
    ask();
    document.addEventListener('visibilitychange', ask);
    return () => {
      isLeft = true;
      document.removeEventListener('visibilitychange', ask);
      void lock?.release();
    };
  }, []);
}
