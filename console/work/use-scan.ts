/** Scans and keys of a screen: registered once, handled by what the screen is now. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { KeyedScreen, SCREEN_KEYS } from '../help/screens.ts';
import { isTypedInto } from '../scan/listen.ts';
import { onScan, type ScanHandler } from '../scan/queue.ts';
import { isLocked } from '../session.ts';

/** What a screen does on each of its keys. */
type KeysOf<S extends KeyedScreen> = { readonly [key in keyof (typeof SCREEN_KEYS)[S]]?: () => void };

/** Handles codes while the screen or dialog is open. One that waits for an earlier one is handled after it, not dropped. */
export function useScan(handler: ScanHandler, knows?: (text: string) => boolean): void {
  const latest = useRef({ handler, knows });
  latest.current = { handler, knows };
  // Before the first paint: a code may come as soon as something is to be seen.
  useLayoutEffect(
    () => onScan((scan) => latest.current.handler(scan), { knows: (text) => latest.current.knows?.(text) ?? false }),
    [],
  );
}

/**
 * Keys of a screen, by `event.key`; with Control, `Ctrl+z`; letters in lower case. The help of the screen names them. They do nothing
 * while a dialog is open or a field is filled.
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
      run();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
