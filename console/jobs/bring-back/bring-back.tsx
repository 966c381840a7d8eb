/** The list of reverse pick tickets, which bring picked goods back to their shelf. */
import { Undo2 } from 'lucide';
import { useEffect } from 'preact/hooks';
import { go, href } from '../../router.ts';
import { place, session } from '../../session.ts';
import { t } from '../../texts/index.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Empty, Show } from '../../ui/load.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { Screen } from '../../ui/screen.tsx';
import { watchWork } from '../../work/node-work.ts';
import { SyncState } from '../../work/sync-state.tsx';
import { TicketRows, useTickets } from '../pick/ticket-list.tsx';

/** The list: first the user's own tickets and the tickets without a user, then the tickets of other users. */
export default function BringBack(_: ScreenProps) {
  useEffect(() => watchWork(), [place.value?.nodeId]);
  const { tickets: texts, nav, home } = t();
  const { userId } = session.value!.user;
  const loaded = useTickets(['BRING_BACK']);
  return (
    <Screen title={home.kinds.BRING_BACK} tools={<SyncState />} onBack={() => go('/')}>
      <Show of={loaded}>
        {(all) => {
          const isFree = (one: { userId: string }) => one.userId === '' || one.userId === userId;
          const others = all.filter((one) => !isFree(one));
          return all.length === 0 ? (
            <Empty icon={Undo2} title={texts.noneBack} action={<LinkButton to={href('/')}>{nav.home}</LinkButton>}>
              {texts.noneBackHint}
            </Empty>
          ) : (
            <>
              <TicketRows tickets={all.filter(isFree)} />
              {others.length > 0 && (
                <section class="stack tight">
                  <h2>{texts.others}</h2>
                  <TicketRows tickets={others} />
                </section>
              )}
            </>
          );
        }}
      </Show>
    </Screen>
  );
}
