/** Offers the training on the home screen, until the user starts it, dismisses it, or has picked a unit with this browser. */
import { GraduationCap } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import { go } from '../router.ts';
import { sendSession } from '../send-session.ts';
import { type Session, session, signedIn } from '../session.ts';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice } from '../ui/notice.tsx';

const keyOf = (one: Session) => `backroom.training.${one.user.clientId}.${one.user.userId}`;

/** Returns whether this browser has already made the offer to the user. */
function isOffered(one: Session): boolean {
  return localStorage.getItem(keyOf(one)) !== null;
}

export function TrainingOffer({ hasPicked }: { hasPicked: boolean }) {
  const { me } = t();
  const who = session.value!;
  const [isOver, setOver] = useState(isOffered(who));
  const decide = () => {
    localStorage.setItem(keyOf(who), 'offered');
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
