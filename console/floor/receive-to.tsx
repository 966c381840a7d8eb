/** Where the good units of a shipment are put: as the node does it, or as somebody says for what comes next. */
import { signal } from '@preact/signals';
import { MapPin } from 'lucide';
import { useState } from 'preact/hooks';
import { choices } from '../choices.ts';
import { type InboundSubject, keyOf } from '../offline/commands.ts';
import type { CountLine, WholeScan } from '../offline/inbound.ts';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { lazy } from '../ui/lazy.tsx';

const PlaceDialog = lazy(async () => (await import('./receive-place.tsx')).PlaceDialog);

export type GoodTo = Required<Pick<CountLine, 'to' | 'location'>>;

/** What was chosen, by shipment. It is forgotten with the page: tomorrow's goods lie elsewhere. */
export const chosen = signal<Readonly<Record<string, GoodTo>>>({});

/** Where the node puts them. */
export function usual(): GoodTo {
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
