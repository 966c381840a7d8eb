/**
 * A native dialog. The focus stays inside and returns after closing; Escape closes it. At the desk, a dialog with
 * `isPanel` opens at the side.
 */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { untaken } from '../scan/queue.ts';
import { findScanTarget } from '../scan/target.tsx';
import { loadTexts } from '../texts/index.ts';
import { lazy } from './lazy.tsx';
import { whole } from './whole.tsx';

const Untaken = lazy(async () => (await Promise.all([import('./untaken.tsx'), loadTexts('floor')]))[0].Untaken);

export function Dialog({
  title,
  children,
  actions,
  onClose,
  onSubmit,
  isPanel,
  isText,
}: {
  title: string;
  children: ComponentChildren;
  actions?: ComponentChildren;
  onClose: () => void;
  /** The main action. Enter in a field runs it, too. */
  onSubmit?: () => void;
  isPanel?: boolean;
  /**
   * True if the dialog has a text to read. It then opens at the beginning and scrolls by key, even if it contains
   * links.
   */
  isText?: boolean;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const node = dialog.current!;
    untaken.value = undefined;
    if (!node.open) node.showModal();
    if (isText === true) {
      node.focus();
      node.scrollTop = 0;
    }
    return () => {
      node.close();
      takeCaretBack();
      setTimeout(findScanTarget);
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={isPanel === true ? 'dialog panel' : 'dialog'}
      aria-labelledby={id}
      tabIndex={isText === true ? -1 : undefined}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || onSubmit === undefined) return;
        if ((event.target as HTMLElement).matches('button, a, textarea, summary')) return;
        event.preventDefault();
        onSubmit();
      }}
    >
      <div class="body">
        <h2 id={id}>{whole(title)}</h2>
        {untaken.value && <Untaken />}
        {children}
      </div>
      {actions && <div class="actions">{actions}</div>}
    </dialog>
  );
}

/**
 * Sets the caret in the focused field. After a dialog, Chrome returns the focus, but the caret remains in the removed
 * dialog, and the keys of the next code would be lost.
 */
function takeCaretBack(): void {
  const field = document.activeElement;
  if (field instanceof HTMLInputElement && field.selectionStart !== null)
    field.setSelectionRange(field.selectionStart, field.selectionEnd);
}
