/** Secrets that are shown once, and the dialog that contains them. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { o } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

/**
 * A dialog with content that is shown only once. Only its own button closes it, not Escape and not a click outside it.
 * The browser asks before it leaves the page.
 */
export function HeldDialog({ onDone, done, ...dialog }: HeldProps) {
  // Runs before the first paint, because the user can press a key as soon as the dialog is visible.
  useLayoutEffect(() => {
    const node = [...document.querySelectorAll<HTMLDialogElement>('dialog.dialog:modal')].at(-1)!;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') event.preventDefault();
    };
    const onLeave = (event: BeforeUnloadEvent) => event.preventDefault();
    // Browsers on phones close the dialog at the second "back" even if the page cancels the first "back".
    const onClose = () => node.isConnected && !node.open && node.showModal();
    document.addEventListener('keydown', onKey, true);
    addEventListener('beforeunload', onLeave);
    node.addEventListener('close', onClose);
    return () => {
      document.removeEventListener('keydown', onKey, true);
      removeEventListener('beforeunload', onLeave);
      node.removeEventListener('close', onClose);
    };
  }, []);
  return (
    <Dialog
      {...dialog}
      onClose={() => undefined}
      actions={
        <Button look="main" onClick={onDone}>
          {done}
        </Button>
      }
    />
  );
}

interface HeldProps {
  title: string;
  children: ComponentChildren;
  isPanel?: boolean;
  /** Text of the button. */
  done: string;
  onDone: () => void;
}

/** A secret that is shown once. All of it is visible, to copy it or to write it down. */
export function Secret({ label, value }: { label: string; value: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <div class="stack tight">
      <span class="strong" aria-hidden="true">
        {label}
      </span>
      <output class="secret code" aria-label={label}>
        {value}
      </output>
      <div>
        <Button
          onClick={() => {
            void navigator.clipboard.writeText(value).then(() => setCopied(true));
          }}
        >
          {isCopied ? o().common.copied : o().common.copy}
        </Button>
      </div>
    </div>
  );
}
