/** Tickets of the store: the user's own, or all. Leads take them over or give them back. */
import { ClipboardList } from 'lucide';
import { useEffect } from 'preact/hooks';
import { go, href } from '../../router.ts';
import { place, session } from '../../session.ts';
import { t } from '../../texts/index.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Empty, Show } from '../../ui/load.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { Screen } from '../../ui/screen.tsx';
import { watchWork, work } from '../../work/node-work.ts';
import { SyncState } from '../../work/sync-state.tsx';
import { ownOnDevice, TicketRows, useTickets } from './ticket-list.tsx';

export default function Tickets({ query }: ScreenProps) {
  useEffect(() => watchWork(), [place.value?.nodeId]);
  const { tickets: texts, nav } = t();
  const isAll = query.get('show') === 'all';
  const loaded = useTickets(['PICK', 'BRING_BACK']);
  const { userId } = session.value!.user;
  const known = loaded.data.value ?? [];
  // Tickets of the service come first. Tickets on this device follow when the service has responded or failed.
  const isKnown = (work.value !== undefined && loaded.data.value !== undefined) || loaded.error.value !== undefined;
  const kept = (isKnown ? ownOnDevice() : []).filter(
    (one) => !known.some(({ pickTicketId }) => pickTicketId === one.pickTicketId),
  );
  return (
    <Screen
      title={nav.tickets}
      tools={<SyncState />}
      onBack={() => go('/')}
      below={
        <nav class="tabs" aria-label={nav.tickets}>
          <a href={href('/tickets')} aria-current={isAll ? undefined : 'page'}>
            {texts.mine}
          </a>
          <a href={href('/tickets', { show: 'all' })} aria-current={isAll ? 'page' : undefined}>
            {texts.all}
          </a>
        </nav>
      }
    >
      <Show of={loaded}>
        {(all) => {
          const shown = isAll ? all : all.filter((ticket) => ticket.userId === userId);
          return shown.length === 0 && (isAll || kept.length === 0) ? (
            <Empty
              icon={ClipboardList}
              title={isAll ? texts.none : texts.noneMine}
              action={<LinkButton to={href('/')}>{nav.home}</LinkButton>}
            >
              {texts.noneHint}
            </Empty>
          ) : (
            shown.length > 0 && <TicketRows tickets={shown} />
          );
        }}
      </Show>
      {!isAll && kept.length > 0 && (
        <section class="stack tight">
          <h2>{texts.onDevice}</h2>
          <TicketRows tickets={kept} />
        </section>
      )}
    </Screen>
  );
}
