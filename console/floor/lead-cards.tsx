/** The cards for leads on Home: exceptions, and counts to approve. */
import { ClipboardCheck, type IconNode, TriangleAlert } from 'lucide';
import { readWaiting } from '../jobs/count/stock-data.ts';
import { href } from '../router.ts';
import { may, place } from '../session.ts';
import { leadTexts, t } from '../texts/index.ts';
import { Icon } from '../ui/icon.tsx';
import { useLoad } from '../ui/load.tsx';
import { State } from '../ui/notice.tsx';
import type { Work } from '../work/node-work.ts';

export default function LeadCards({ counts, held }: { counts: Work['exceptions']; held: number }) {
  const { exceptions } = leadTexts();
  const { late, resourceRequests, pinLocks, notCollected, duplicateCartons } = counts;
  const all = held + late + resourceRequests + pinLocks + notCollected + duplicateCartons;
  const counted = useLoad(
    `counts ${place.value?.nodeId}`,
    async (signal) => (may('stock.adjust') ? (await readWaiting(signal)).length : 0),
    60_000,
  );
  const waiting = counted.data.value ?? 0;
  return (
    <>
      {all > 0 && (
        <Card icon={TriangleAlert} to={href('/exceptions')} title={t().nav.exceptions} text={exceptions.toCheck(all)} />
      )}
      {waiting > 0 && (
        <Card
          icon={ClipboardCheck}
          to={href('/exceptions', { tab: 'counts' })}
          title={exceptions.countsTitle}
          text={exceptions.toApprove(waiting)}
        />
      )}
    </>
  );
}

function Card({ icon, to, title, text }: { icon: IconNode; to: string; title: string; text: string }) {
  return (
    <a class="row card" href={to}>
      <Icon of={icon} />
      <span class="grow stack tight">
        <span class="strong">{title}</span>
        <span class="inline">
          <State look="risk">{text}</State>
        </span>
      </span>
    </a>
  );
}
