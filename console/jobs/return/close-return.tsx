/** The end of a return: shows the units that did not arrive and the refund that the close causes, then closes it. */
import { useState } from 'preact/hooks';
import { newId } from '../../api.ts';
import type { Returned } from '../../offline/returned.ts';
import { t, takeBackTexts } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useAction, useLoad } from '../../ui/load.tsx';
import { RefundPreview, Taken, Unsure } from './return-parts.tsx';
import { closeReturn, previewClose, type Return } from './returning.ts';

interface CloseProps {
  of: Returned;
  onClosed: (closed: Return) => void;
  onClose: () => void;
}

export default function CloseDialog({ of, onClosed, onClose }: CloseProps) {
  const texts = takeBackTexts();
  const [closeId] = useState(newId);
  const preview = useLoad(`preview ${of.returnId} ${of.revision}`, (signal) => previewClose(of, signal));
  const close = useAction(async () => onClosed(await closeReturn(of, closeId)));
  const run = () => {
    Taken.preload();
    void close.run();
  };
  return (
    <Dialog
      title={texts.closeTitle(of.number)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t().actions.back}</Button>
          <Button
            look="main"
            isBusy={close.isBusy}
            blocked={preview.data.value === undefined ? texts.computing : undefined}
            onClick={run}
          >
            {texts.close}
          </Button>
        </>
      }
    >
      <p>{of.totals.open === 0 ? texts.closeAll : texts.closeMissing(of.totals.open)}</p>
      <RefundPreview of={preview} before={of.refunds} />
      <Unsure error={close.error} />
    </Dialog>
  );
}
