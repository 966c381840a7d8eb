/** A native dialog: focus stays in it and returns; Escape closes it, but not one that is held. `panel` stands at the side of the desk. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { findScanTarget } from '../scan/target.tsx';

export function Dialog({
  title,
  children,
  actions,
  onClose,
  onSubmit,
  isPanel,
  isText,
  isHeld = false,
}: {
  title: string;
  children: ComponentChildren;
  actions?: ComponentChildren;
  onClose: () => void;
  /** Its main action: Enter in a field does the same. */
  onSubmit?: () => void;
  isPanel?: boolean;
  /** Something to read: it is shown from its beginning and scrolls by key, whatever links it has. */
  isText?: boolean;
  /** Shows what is never shown again: only its own buttons close it, and the browser asks before it leaves the page. */
  isHeld?: boolean;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const node = dialog.current!;
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
  useEffect(() => {
    if (!isHeld) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isHeld]);
  return (
    <dialog
      ref={dialog}
      class={isPanel === true ? 'dialog panel' : 'dialog'}
      aria-labelledby={id}
      tabIndex={isText === true ? -1 : undefined}
      onCancel={(event) => {
        event.preventDefault();
        if (!isHeld) onClose();
      }}
      onClose={({ currentTarget }) => {
        // A browser closes at the second Escape whatever the page says to the first.
        if (!currentTarget.isConnected || currentTarget.open) return;
        if (isHeld) currentTarget.showModal();
        else onClose();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isHeld) event.preventDefault();
        if (event.key !== 'Enter' || onSubmit === undefined) return;
        if ((event.target as HTMLElement).matches('button, a, textarea, summary')) return;
        event.preventDefault();
        onSubmit();
      }}
    >
      <div class="body">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
      {actions && <div class="actions">{actions}</div>}
    </dialog>
  );
}

/** Chrome gives the focus back without the caret, which stays in what is removed: the keys of the next code would write nowhere. */
function takeCaretBack(): void {
  const field = document.activeElement;
  if (field instanceof HTMLInputElement && field.selectionStart !== null)
    field.setSelectionRange(field.selectionStart, field.selectionEnd);
}
