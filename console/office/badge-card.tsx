/** A new badge: asks first, because the old badge becomes invalid; then shows the card for printing. */
import { Printer } from 'lucide';
import { call } from '../api.ts';
import { printLabels } from '../print/index.ts';
import { badgeLabel } from '../print/labels.ts';
import { o, t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { type Person, usersPath } from './person.ts';
import { nameIn, useNodes } from './places.ts';
import { QrCode } from './qr-code.tsx';

export function ConfirmBadge({
  person,
  onMade,
  onClose,
}: {
  person: Person;
  onMade: (badge: string) => void;
  onClose: () => void;
}) {
  const { people: texts } = o();
  const make = useAction(async () => {
    const { badge } = await call<{ badge: string }>('POST', usersPath(person.userId, '/badge'));
    onMade(badge);
  });
  return (
    <Dialog
      title={texts.badgeTitle(person.name)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t().actions.back}</Button>
          <Button look="main" isBusy={make.isBusy} onClick={() => void make.run()}>
            {texts.makeBadge}
          </Button>
        </>
      }
    >
      <p>{texts.badgeHint}</p>
      {make.error !== undefined && <ErrorNotice error={make.error} />}
    </Dialog>
  );
}

/** Shows the card in its real size, with a button that prints it. */
export function BadgeCard({ person, badge }: { person: Person; badge: string }) {
  const nodes = useNodes();
  const [nodeId] = person.nodeIds;
  const store = nodeId === undefined || person.nodeIds.length > 1 ? undefined : nameIn(nodes, nodeId);
  const print = useAction(() =>
    printLabels([badgeLabel({ name: person.name, badge, ...(store !== undefined && { store }) })]),
  );
  return (
    <div class="stack tight">
      <section class="badge-card" aria-label={o().people.badgeCard}>
        <p class="big">{person.name}</p>
        {store !== undefined && <p>{store}</p>}
        <QrCode text={badge} label={o().people.badgeCode} />
      </section>
      <Button look="main" icon={Printer} isBusy={print.isBusy} onClick={() => void print.run()}>
        {t().actions.print}
      </Button>
      {print.error !== undefined && <ErrorNotice error={print.error} />}
    </div>
  );
}
