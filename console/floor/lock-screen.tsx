/** The sign-in dialog that covers the screens of a user while they are locked. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { findScanTarget } from '../scan/target.tsx';
import { isLocked } from '../session.ts';
import { shellTexts as t } from '../texts/index.ts';

/** Shows the sign-in over the locked screens. As a modal dialog it also covers open dialogs. */
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
        // Some browsers close a dialog at the second Escape even if the page cancels the first Escape.
        if (isLocked.peek() && dialog.current?.open === false) dialog.current.showModal();
      }}
    >
      {children}
    </dialog>
  );
}
