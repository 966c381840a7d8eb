/**
 * Offers the training on the home screen until the user starts it, dismisses it, or has picked a unit today. The
 * browser then remembers that the user needs no offer.
 */
import { GraduationCap } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import { go } from '../router.ts';
import { sendSession } from '../send-session.ts';
import { type Session, signedIn } from '../session.ts';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice } from '../ui/notice.tsx';

interface OfferProps {
  hasPicked: boolean;
  /** Key under which the browser stores that it has made the offer to the user. */
  storedAs: string;
}

export default function TrainingOffer({ hasPicked, storedAs }: OfferProps) {
  const { me } = t();
  const [isOver, setOver] = useState(false);
  const decide = () => {
    localStorage.setItem(storedAs, 'offered');
    setOver(true);
  };
  // The day's counts start at 0 every morning. So the browser remembers that the user has picked a unit and needs no
  // offer.
  useEffect(() => {
    if (hasPicked && !isOver) decide();
  }, [hasPicked, isOver]);
  const start = useAction(async () => {
    const training = await sendSession<Session>('POST', '/training');
    decide();
    signedIn(training);
    go('/');
  });
  if (isOver || hasPicked) return null;
  return (
    <section class="card stack tight" aria-labelledby="training-offer">
      <h2 id="training-offer">{me.offerTitle}</h2>
      <p class="quiet">{me.offerHint}</p>
      {start.error !== undefined && <ErrorNotice error={start.error} />}
      <div class="inline">
        <Button icon={GraduationCap} isBusy={start.isBusy} onClick={() => void start.run()}>
          {me.trainingStart}
        </Button>
        <Button look="plain" onClick={decide}>
          {me.notNow}
        </Button>
      </div>
    </section>
  );
}
