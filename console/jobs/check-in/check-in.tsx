/**
 * Orders that are shipped to this store: a scan of a carton opens its check-in. The device keeps the listed check-ins
 * for work without the network.
 */
import { PackageCheck } from 'lucide';
import { keepCheckIn } from '../../offline/check-ins.ts';
import { outbox } from '../../offline/index.ts';
import { place } from '../../session.ts';
import { t } from '../../texts/index.ts';
import type { ScreenProps } from '../../ui/route.ts';
import type { Found } from '../../work/counter.ts';
import { CounterList } from '../../work/counter-list.tsx';
import { keepItems } from '../../work/item-words.ts';

/** Number of check-ins that the device keeps: the most urgent ones. */
const KEPT = 20;

let keeping: Promise<void> = Promise.resolve();

/** Keeps the listed check-ins one after the other, so that requests of the user are not delayed. */
function keep({ orders }: Found): void {
  const { nodeId } = place.peek()!;
  keeping = keeping.then(async () => {
    for (const { storeId, fulfillmentOrderId: id } of orders.slice(0, KEPT)) {
      const subject = { kind: 'checkIn', storeId, nodeId, id } as const;
      if (outbox.snapshot.checkIn(subject) === undefined) await keepCheckIn(subject).catch(() => undefined);
      const view = outbox.snapshot.checkIn(subject);
      if (view !== undefined) await keepItems(view.details).catch(() => undefined);
    }
  });
}

export default function CheckIn({ query }: ScreenProps) {
  const { checkIn, units } = t();
  return (
    <CounterList
      kind="CHECK_IN"
      path="check-in"
      title={checkIn.title}
      sub={checkIn.expected}
      scanLabel={checkIn.scanLabel}
      empty={{ icon: PackageCheck, title: checkIn.empty, hint: checkIn.emptyHint }}
      query={query}
      onLoaded={keep}
      more={({ trackingNumbers = [], totalNoOfPackages }) =>
        trackingNumbers.length === 0 ? (
          <span>{checkIn.inStore}</span>
        ) : (
          <>
            <span>{units.cartons(Number(totalNoOfPackages) || trackingNumbers.length)}</span>
            <span class="code">{trackingNumbers.map((one) => `…${one.slice(-4)}`).join(' ')}</span>
          </>
        )
      }
    />
  );
}
