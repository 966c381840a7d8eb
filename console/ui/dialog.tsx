/** A native dialog: focus stays in it and returns; Escape closes it. `panel` stands at the side of the desk. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { findScanTarget } from '../scan/target.tsx';
import { whole } from './whole.tsx';

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
  /** Its main action: Enter in a field does the same. */
  onSubmit?: () => void;
  isPanel?: boolean;
  /** Something to read: it is shown from its beginning and scrolls by key, whatever links it has. */
  isText?: boolean;
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
