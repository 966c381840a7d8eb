/** Picked parcels and deliveries that wait to be packed. */
import { Package } from 'lucide';
import { t, word } from '../../texts/index.ts';
import type { ScreenProps } from '../../ui/route.ts';
import { CounterList } from '../../work/counter-list.tsx';

export default function Pack({ query }: ScreenProps) {
  const { pack, types } = t();
  return (
    <CounterList
      kind="PACK"
      path="pack"
      title={pack.title}
      sub={pack.waiting}
      empty={{ icon: Package, title: pack.empty, hint: pack.emptyHint }}
      query={query}
      more={({ fulfillmentType, carrier, service }) => (
        <span>
          {word(types, fulfillmentType)}
          {carrier !== '' && ` · ${carrier} ${service}`}
        </span>
      )}
    />
  );
}
