/** Shows the place for the good units of a shipment, and changes it. */
import { MapPin } from 'lucide';
import { useState } from 'preact/hooks';
import { type InboundSubject, keyOf } from '../../offline/commands.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { chosen, usual } from './good-to.ts';

const PlaceDialog = lazy(async () => (await import('./receive-place.tsx')).PlaceDialog);

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
