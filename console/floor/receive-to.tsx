/** Where the good units of a shipment are put: as the node does it, or as somebody says for what comes next. */
import { signal } from '@preact/signals';
import { MapPin } from 'lucide';
import { useState } from 'preact/hooks';
import { choices } from '../choices.ts';
import { type InboundSubject, keyOf } from '../offline/commands.ts';
import type { CountLine, WholeScan } from '../offline/inbound.ts';
import { feedback } from '../scan/feedback.ts';
import { ScanTarget } from '../scan/target.tsx';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Choices, TextField } from '../ui/field.tsx';
import { useScan } from './use-scan.ts';

type GoodTo = Required<Pick<CountLine, 'to' | 'location'>>;

const LOCATION_MAX = 40;
/** What was chosen, by shipment. It is forgotten with the page: tomorrow's goods lie elsewhere. */
const chosen = signal<Readonly<Record<string, GoodTo>>>({});

function usual(): GoodTo {
  return { to: choices.value?.receiveTo ?? 'SHELF', location: '' };
}

/** Adds to what is received where its good units go; nothing where they go as the node has it. */
export function withPlace<T extends CountLine | WholeScan>(subject: InboundSubject, one: T): T {
  const place = chosen.peek()[keyOf(subject)];
  const isGood = 'as' in one ? one.as === 'GOOD' : (one.good ?? 0) > 0;
  if (place === undefined || !isGood) return one;
  return { ...one, to: place.to, ...(place.location !== '' && { location: place.location }) };
}

/** Says where good units go, and changes it. */
export function ReceiveTo({ subject }: { subject: InboundSubject }) {
  const { receive, stock } = t();
  const [isAsking, setAsking] = useState(false);
  const { to, location } = chosen.value[keyOf(subject)] ?? usual();
  return (
    <>
      <Button isWide icon={MapPin} onClick={() => setAsking(true)}>
        {receive.goodTo([stock.places[to] ?? to, location].filter((part) => part !== '').join(' · '))}
      </Button>
      {isAsking && <PlaceDialog subject={subject} onClose={() => setAsking(false)} />}
    </>
  );
}

function PlaceDialog({ subject, onClose }: { subject: InboundSubject; onClose: () => void }) {
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
    setLocation(text.slice(0, LOCATION_MAX));
  });
  return (
    <Dialog
      title={receive.goodToTitle}
      onClose={onClose}
      onSubmit={save}
      actions={
        <>
          <Button onClick={onClose}>{actions.cancel}</Button>
          <Button look="main" onClick={save}>
            {actions.ok}
          </Button>
        </>
      }
    >
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
    </Dialog>
  );
}
