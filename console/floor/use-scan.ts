/** Scans and keys of a screen: registered once, handled by what the screen is now. */
import { useEffect, useRef } from 'preact/hooks';
import { onScan, type ScanHandler } from '../scan/queue.ts';

/** Handles codes while the screen or dialog is open. One that waits for an earlier one is handled after it, not dropped. */
export function useScan(handler: ScanHandler, knows?: (text: string) => boolean): void {
  const latest = useRef({ handler, knows });
  latest.current = { handler, knows };
  useEffect(
    () => onScan((scan) => latest.current.handler(scan), { knows: (text) => latest.current.knows?.(text) ?? false }),
    [],
  );
}

/** Keys of a screen, by `event.key`; with Control, `Ctrl+z`. They do nothing while a dialog is open or a field is filled. */
export function useKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.metaKey || document.querySelector('dialog:modal') !== null)
        return;
      const target = event.target as HTMLElement | null;
      const isFilling =
        target?.matches('textarea, select, input:not([type="checkbox"], [type="radio"], [data-scan-target])') === true;
      if (isFilling && event.key.length === 1) return;
      const run = latest.current[event.ctrlKey ? `Ctrl+${event.key}` : event.key];
      if (run === undefined) return;
      event.preventDefault();
      run();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
