/**
 * Sync: the waiting commands, and the commands that the service rejected. Each conflict shows the user's work, the
 * present state, and the possible actions.
 */
import { Download, RefreshCw, Send, Trash2, Undo2 } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import { call } from '../api.ts';
import { may } from '../session.ts';
import { dateTime, loadTexts, t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { lazy } from '../ui/lazy.tsx';
import { useAction } from '../ui/load.tsx';
import { ErrorNotice, Notice, RequestId, State } from '../ui/notice.tsx';
import { Screen } from '../ui/screen.tsx';
import { download } from '../ui/table.tsx';
import { SYNC_LOOKS, shownSync } from '../work/sync-state.tsx';
import type { CheckInSubject, TicketDetails, TicketSubject } from './commands.ts';
import type { Conflict } from './database.ts';
import { sendAgain, setAside } from './decision.ts';
import { countAside, deleteAside, unsentName, unsentText } from './given-up.ts';
import { InboundConflict } from './inbound-conflict.tsx';
import { outbox } from './index.ts';
import { situationOf, unsentUnits, waysOf } from './situation.ts';
import { useTicketNow } from './ticket-now.ts';
import { applyUpdate } from './update.ts';
import { isUpdateReady } from './update-ready.ts';

const LeftWork = lazy(async () => (await import('./left-work.tsx')).LeftWork);
const ReturnConflict = lazy(async () => {
  const [{ ReturnConflict: Card }] = await Promise.all([import('./return-conflict.tsx'), loadTexts('take-back')]);
  return Card;
});

export default function Sync() {
  const { sync, syncStates, shell } = t();
  const state = shownSync();
  const [own, all] = [outbox.ownWaiting.value, outbox.waiting.value];
  const conflicts = outbox.decisions.value;
  const left = outbox.left.value;
  const [aside, setAsides] = useState(0);
  const countAgain = () => countAside(outbox).then(setAsides, () => undefined);
  useEffect(() => void countAgain(), [own, conflicts]);
  const isGivenUp = state === 'SENT' && aside > 0;
  const saving = useAction(async () => {
    download(unsentName(), await unsentText(outbox), 'application/json');
  });
  const sending = useAction(() => outbox.flush(true));
  const deleting = useAction(async () => {
    await deleteAside(outbox);
    await countAgain();
  });
  return (
    <Screen title={sync.title} sub={<State look={SYNC_LOOKS[state]}>{syncStates[state]}</State>}>
      <div class="stack">
        {(state !== 'SENT' || isGivenUp || left.length === 0) && (
          <Notice
            look={isGivenUp ? 'info' : SYNC_LOOKS[state]}
            title={isGivenUp ? sync.givenUp(aside) : sync.hints[state]}
          >
            {own > 0 && <p>{sync.waiting(own)}</p>}
            {all > own && <p>{sync.others(all - own)}</p>}
            {all > 0 && !outbox.isPersisted.value && <p>{sync.notPersisted}</p>}
          </Notice>
        )}
        {left.length > 0 && <LeftWork commands={left} />}
        {all > 0 && (
          <Button
            isWide
            look={conflicts.length === 0 ? 'main' : undefined}
            icon={Send}
            isBusy={sending.isBusy}
            onClick={() => void sending.run()}
          >
            {sync.sendNow}
          </Button>
        )}
        {isUpdateReady.value && (
          <Notice look="info" title={shell.update}>
            <div>
              <Button icon={RefreshCw} onClick={applyUpdate}>
                {shell.updateNow}
              </Button>
            </div>
          </Notice>
        )}
        {conflicts.length > 0 && (
          <section class="stack" aria-label={sync.conflicts}>
            <h2>{sync.conflicts}</h2>
            {conflicts.map((conflict) => (
              <OneConflict key={conflict.lane} conflict={conflict} />
            ))}
          </section>
        )}
        {(own > 0 || conflicts.length > 0 || aside > 0) && (
          <section class="card stack">
            <p>{sync.fileHint}</p>
            <Button isWide icon={Download} isBusy={saving.isBusy} onClick={() => void saving.run()}>
              {sync.file}
            </Button>
            {aside > 0 && (
              <Button isWide look="plain" icon={Trash2} isBusy={deleting.isBusy} onClick={() => void deleting.run()}>
                {sync.deleteAside}
              </Button>
            )}
            {saving.error !== undefined && <ErrorNotice error={saving.error} />}
          </section>
        )}
      </div>
    </Screen>
  );
}

function OneConflict({ conflict }: { conflict: Conflict }) {
  const { subject } = conflict;
  if (subject.kind === 'inbound') return <InboundConflict conflict={conflict} />;
  if (subject.kind === 'return') return <ReturnConflict conflict={conflict} />;
  return <ConflictCard conflict={conflict} subject={subject} />;
}

interface CardProps {
  conflict: Conflict;
  subject: TicketSubject | CheckInSubject;
}

function ConflictCard({ conflict, subject }: CardProps) {
  const { sync } = t();
  const { lane, owner } = conflict;
  const now = useTicketNow(subject, lane);
  const name = subject.kind === 'ticket' ? sync.ticket(subject.id) : sync.checkIn(subject.id);
  const situation = situationOf(conflict, now);
  // For these causes, the texts of the card are sufficient. The description from the service is for callers of the API.
  const isSaid = conflict.holder !== undefined || situation === 'RESET' || situation === 'CONFIRMED';
  return (
    <article class="card stack" aria-label={name}>
      <h3>{name}</h3>
      <Notice look="wrong" title={sync.why[situation]}>
        {!isSaid && <p>{conflict.description}</p>}
        <RequestId id={conflict.requestId}> · {dateTime(conflict.at)}</RequestId>
      </Notice>
      <dl class="facts">
        <dt>{sync.mine}</dt>
        <dd>
          <Mine lane={lane} />
        </dd>
        {subject.kind === 'ticket' && (
          <>
            <dt>{sync.now}</dt>
            <dd>{now === undefined ? sync.nowUnknown : <Now ticket={now} userId={owner.userId} />}</dd>
          </>
        )}
      </dl>
      <Ways conflict={conflict} subject={subject} now={now} />
    </article>
  );
}

/** Buttons for the possible actions. */
function Ways({ conflict, subject, now }: CardProps & { now: TicketDetails | undefined }) {
  const { sync } = t();
  const { lane, owner } = conflict;
  const settles = (one: Conflict) => one.lane === lane;
  const ways = waysOf(conflict, now, outbox.commandsOf(lane));
  const action = useAction(async (run: () => Promise<void>) => run());
  const takeBack = async (from: string) => {
    const { storeId, nodeId, id } = subject;
    const path = `/operator/v1/stores/${encodeURIComponent(storeId)}/nodes/${encodeURIComponent(nodeId)}/pickTickets/${encodeURIComponent(id)}/takeOver`;
    const { userId } = owner;
    await call('POST', path, { body: { userId, fromUserId: from, modifyAssociateId: userId } });
    await sendAgain(outbox, settles);
  };
  const run = (work: () => Promise<void>) => () => void action.run(work);
  const giveUp = (ids?: readonly string[]) => run(() => setAside(outbox, settles, ids));
  return (
    <>
      {ways.takeBackFrom !== undefined && (
        <Button
          isWide
          look="main"
          icon={Undo2}
          isBusy={action.isBusy}
          blocked={may('supervise') ? undefined : sync.onlyLeads}
          onClick={run(() => takeBack(ways.takeBackFrom!))}
        >
          {sync.takeBack}
        </Button>
      )}
      {ways.leaveOut.length > 0 && (
        <Button isWide look="main" isBusy={action.isBusy} onClick={giveUp(ways.leaveOut)}>
          {sync.leaveOut(ways.leaveOut.length)}
        </Button>
      )}
      {ways.canRetry && (
        <Button isWide icon={RefreshCw} isBusy={action.isBusy} onClick={run(() => sendAgain(outbox, settles))}>
          {sync.retry}
        </Button>
      )}
      <Button isWide look="danger" isBusy={action.isBusy} onClick={giveUp()}>
        {sync.setAside}
      </Button>
      <p class="small quiet">{sync.setAsideHint}</p>
      {action.error !== undefined && <ErrorNotice error={action.error} />}
    </>
  );
}

/** Shows the user's work that the service does not have. */
function Mine({ lane }: { lane: string }) {
  const { sync } = t();
  const { picked, missing, isConfirm, checkIns } = unsentUnits(outbox.commandsOf(lane));
  return (
    <>
      {picked + missing > 0 && <p>{sync.mineUnits(picked, missing)}</p>}
      {isConfirm && <p>{sync.mineConfirm}</p>}
      {checkIns > 0 && <p>{sync.mineCheckIn(checkIns)}</p>}
    </>
  );
}

/** Shows the present state at the service. */
function Now({ ticket, userId }: { ticket: TicketDetails; userId: string }) {
  const { sync } = t();
  const name = ticket.userName ?? ticket.userId;
  const picked = ticket.pickTicketItems.reduce((sum, item) => sum + item.pickedQuantity, 0);
  const who =
    ticket.outcome === 'RESET'
      ? sync.nowReset
      : ticket.outcome === 'CONFIRMED'
        ? sync.nowConfirmed(name)
        : ticket.userId === userId
          ? sync.nowMine
          : sync.nowWith(name);
  return (
    <>
      <p class="strong">{who}</p>
      <p>{sync.nowCounts(picked, ticket.totalQuantity)}</p>
    </>
  );
}
