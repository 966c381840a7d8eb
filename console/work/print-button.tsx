/** Prints a document with one tap, and shows a message if that failed. */
import { Printer } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';

interface PrintButtonProps {
  children: ComponentChildren;
  /** Resolves to true if the print dialog of the browser opened. */
  print: () => Promise<boolean>;
  /** The reason why the user cannot print now. */
  blocked?: string | undefined;
  label?: string;
  isWide?: boolean;
}

export function PrintButton({ children, print, blocked, label, isWide }: PrintButtonProps) {
  const [isPrinted, setPrinted] = useState<boolean | undefined>();
  const action = useAction(async () => setPrinted(await print()));
  return (
    <>
      <Button
        icon={Printer}
        isWide={isWide}
        label={label}
        isBusy={action.isBusy}
        blocked={blocked}
        onClick={() => void action.run()}
      >
        {children}
      </Button>
      {isPrinted === false && <Notice look="risk" title={t().counter.cannotPrint} isAlert />}
      {action.error !== undefined && <ErrorNotice error={action.error} />}
    </>
  );
}
