/** Asks for the place of the good units of a shipment. */
import { useState } from 'preact/hooks';
import { type InboundSubject, keyOf } from '../../offline/commands.ts';
import { contentOf } from '../../scan/codes.ts';
import { feedback } from '../../scan/feedback.ts';
import { ScanTarget } from '../../scan/target.tsx';
import { t } from '../../texts/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Choices, TextField } from '../../ui/field.tsx';
import { useScan } from '../../work/use-scan.ts';
import { chosen, type GoodTo, usual } from './good-to.ts';

const LOCATION_MAX = 40;

export function PlaceDialog({ subject, onClose }: { subject: InboundSubject; onClose: () => void }) {
  const { receive, stock, actions } = t();
  const now = chosen.value[keyOf(subject)] ?? usual();
  const [to, setTo] = useState(now.to);
  const [location, setLocation] = useState(now.location);
  const save = () => {
    chosen.value = { ...chosen.peek(), [keyOf(subject)]: { to, location: location.trim() } };
    onClose();
  };
  useScan(({ text, command }) => {
    if (command === 'OK') {
      save();
      return;
    }
    feedback('right');
    setLocation(contentOf(text).slice(0, LOCATION_MAX));
  });
  return (
    <AskDialog title={receive.goodToTitle} onClose={onClose} act={actions.ok} onAct={save} takesEnter>
      <Choices
        label={receive.goodToTitle}
        value={to}
        onInput={(value) => setTo(value as GoodTo['to'])}
        options={(['SHELF', 'STAGE'] as const).map((value) => ({ value, label: stock.places[value] ?? value }))}
      />
      <ScanTarget label={receive.scanBin} />
      <TextField
        label={receive.bin}
        hint={receive.binHint}
        value={location}
        onInput={setLocation}
        maxLength={LOCATION_MAX}
      />
    </AskDialog>
  );
}
