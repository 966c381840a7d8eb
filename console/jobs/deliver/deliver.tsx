/** Packed orders that an associate takes to their customers. */
import { Truck } from 'lucide';
import { t } from '../../texts/index.ts';
import type { ScreenProps } from '../../ui/route.ts';
import { addressOf } from '../../work/address.ts';
import { CounterList } from '../../work/counter-list.tsx';

export default function Deliver({ query }: ScreenProps) {
  const { deliver } = t();
  return (
    <CounterList
      kind="DELIVER"
      path="deliver"
      title={deliver.title}
      sub={deliver.waiting}
      empty={{ icon: Truck, title: deliver.empty, hint: deliver.emptyHint }}
      query={query}
      more={(order) => {
        const address = addressOf(order)?.short;
        return address !== undefined && <span>{address}</span>;
      }}
    />
  );
}
