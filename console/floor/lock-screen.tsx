/** The dialog over the screens of a person while they are put away. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { findScanTarget } from '../scan/target.tsx';
import { isLocked } from '../session.ts';
import { shellTexts as t } from '../texts/index.ts';

/** The sign-in over screens that are put away. As a modal dialog it also covers dialogs that were open. */
export function LockScreen({ children }: { children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const node = dialog.current!;
    node.showModal();
    return () => {
      node.close();
      setTimeout(findScanTarget);
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="lock-screen"
      aria-label={t().app}
      onCancel={(event) => event.preventDefault()}
      onClose={() => {
        // Some browsers close a dialog at the second Escape, although the page has canceled the first.
        if (isLocked.peek() && dialog.current?.open === false) dialog.current.showModal();
      }}
    >
      {children}
    </dialog>
  );
}
