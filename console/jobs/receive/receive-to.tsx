/** Shows the place for the good units of a shipment, and changes it. */
import { MapPin } from 'lucide';
import { useState } from 'preact/hooks';
import type { InboundSubject } from '../../offline/commands.ts';
import { Button } from '../../ui/button.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { goodToWord } from './good-to.ts';

const PlaceDialog = lazy(async () => (await import('./receive-place.tsx')).PlaceDialog);

export function ReceiveTo({ subject }: { subject: InboundSubject }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button isWide icon={MapPin} onClick={() => setAsking(true)}>
        {goodToWord(subject)}
      </Button>
      {isAsking && <PlaceDialog subject={subject} onClose={() => setAsking(false)} />}
    </>
  );
}
