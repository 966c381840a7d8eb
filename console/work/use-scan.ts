/** Scans and keys of a screen. Handlers are registered once and always use the latest state of the screen. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { KeyedScreen, SCREEN_KEYS } from '../help/screens.ts';
import { isTypedInto } from '../scan/listen.ts';
import { onScan, type ScanHandler } from '../scan/queue.ts';
import { isLocked } from '../session.ts';

/** The actions for the keys of a screen. */
type KeysOf<S extends KeyedScreen> = { readonly [key in keyof (typeof SCREEN_KEYS)[S]]?: () => void };

/**
 * Handles codes while the screen or dialog is open. Codes are handled one after the other, and none is dropped.
 * `isOverLock` is true for the sign-in, which also gets codes while the screens are locked.
 */
export function useScan(handler: ScanHandler, knows?: (text: string) => boolean, isOverLock = false): void {
  const latest = useRef({ handler, knows });
  latest.current = { handler, knows };
  // A layout effect runs before the first paint. A code may arrive as soon as the screen is visible.
  useLayoutEffect(
    () =>
      onScan((scan) => latest.current.handler(scan), {
        knows: (text) => latest.current.knows?.(text) ?? false,
        isOverLock,
      }),
    [],
  );
}

/**
 * Handles the keys of a screen. `keys` has the actions by `event.key`: letters are in lower case, and a key with
 * Control has the prefix `Ctrl+`, for example `Ctrl+z`. The help of the screen names the keys. Keys do nothing while a
 * dialog is open or the screen is locked. In a field, a character is text. A key that is held down acts once, except
 * arrow and page keys.
 */
export function useKeys<S extends KeyedScreen>(_: S, keys: KeysOf<S>): void {
  const latest = useRef<Readonly<Record<string, (() => void) | undefined>>>(keys);
  latest.current = keys;
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.metaKey || document.querySelector('dialog:modal') !== null)
        return;
      if (isLocked.peek()) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      if (key.length === 1 && isTypedInto(event.target)) return;
      const run = latest.current[event.ctrlKey ? `Ctrl+${key}` : key];
      if (run === undefined) return;
      event.preventDefault();
      // A held key acts only once. Each press acts on the next item, so repeats would pick or undo one unit after the other.
      if (event.repeat && !/^(Arrow|Page)/.test(key)) return;
      run();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
