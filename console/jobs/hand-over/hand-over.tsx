/** Orders that are ready for their customers, with the places of the goods. */
import { HandHelping } from 'lucide';
import { online } from '../../preferences.ts';
import { t } from '../../texts/index.ts';
import { Notice } from '../../ui/notice.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { CounterList } from '../../work/counter-list.tsx';

export default function HandOver({ query }: ScreenProps) {
  const { handOver } = t();
  return (
    <CounterList
      kind="HAND_OVER"
      path="hand-over"
      title={handOver.title}
      sub={handOver.ready}
      empty={{ icon: HandHelping, title: handOver.empty, hint: handOver.emptyHint }}
      query={query}
      above={
        !online.value && (
          <Notice look="risk" title={handOver.notOffline}>
            <p>{handOver.notOfflineHint}</p>
          </Notice>
        )
      }
      more={({ proxyDetails }) => proxyDetails !== undefined && <span>{handOver.forProxy(proxyDetails.name)}</span>}
    />
  );
}
