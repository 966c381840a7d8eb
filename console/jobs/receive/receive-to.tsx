/** Shows the place for the good units of a shipment, and changes it. */
import { MapPin } from 'lucide';
import { useState } from 'preact/hooks';
import { type InboundSubject, keyOf } from '../../offline/commands.ts';
import { may } from '../../session.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { chosen, goodToWord, usual } from './good-to.ts';

const PlaceDialog = lazy(async () => (await import('./receive-place.tsx')).PlaceDialog);

export function ReceiveTo({ subject }: { subject: InboundSubject }) {
  const { to } = chosen.value[keyOf(subject)] ?? usual();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button isWide icon={MapPin} onClick={() => setAsking(true)}>
        {goodToWord(subject)}
      </Button>
      {to === 'STAGE' && !may('stock.adjust') && <p class="quiet small">{t().receive.putAway}</p>}
      {isAsking && <PlaceDialog subject={subject} onClose={() => setAsking(false)} />}
    </>
  );
}
