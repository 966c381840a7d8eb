/** A native dialog: focus stays in it and returns; Escape closes it. `panel` stands at the side of the desk. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

export function Dialog({
  title,
  children,
  actions,
  onClose,
  isPanel,
}: {
  title: string;
  children: ComponentChildren;
  actions?: ComponentChildren;
  onClose: () => void;
  isPanel?: boolean;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const node = dialog.current!;
    if (!node.open) node.showModal();
    return () => node.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={isPanel === true ? 'dialog panel' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
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
