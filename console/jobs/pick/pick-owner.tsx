/** The user of a ticket: shows another user's ticket, gives a ticket back, takes one over. */
import { RotateCcw, UserRoundCheck } from 'lucide';
import { useState } from 'preact/hooks';
import { ApiError, api, newId, send } from '../../api.ts';
import type { TicketSubject } from '../../offline/commands.ts';
import { outbox } from '../../offline/index.ts';
import { keepTicket } from '../../offline/ticket-now.ts';
import type { TicketView } from '../../offline/view.ts';
import { online } from '../../preferences.ts';
import { go } from '../../router.ts';
import { may, session } from '../../session.ts';
import { loadTexts, t } from '../../texts/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { useAction } from '../../ui/load.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Blocked } from '../../work/blocked.ts';
import { takeOver } from '../../work/give-work.ts';
import { useNames } from '../../work/names.ts';

/** Only leads assign work to other users, so the dialog loads on demand. */
const GiveTo = lazy(async () => (await Promise.all([import('../../work/give-to.tsx'), loadTexts('lead')]))[0].GiveTo);

interface OthersProps {
  subject: TicketSubject;
  view: TicketView;
  isReverse: boolean;
  reload: () => Promise<void>;
}

/** Asks before a RESET, because it discards the counts. */
export function GiveBack({
  subject,
  isReverse,
  onClose,
}: {
  subject: TicketSubject;
  isReverse: boolean;
  onClose: () => void;
}) {
  const { pick } = t();
  const reset = useAction(async () => {
    await giveBack(subject);
    void keepTicket(subject).catch(() => undefined);
    go('/');
  });
  return (
    <AskDialog
      title={pick.giveBackTitle}
      onClose={onClose}
      act={pick.giveBack}
      look="danger"
      isBusy={reset.isBusy}
      onAct={() => void reset.run()}
    >
      <p>{isReverse ? pick.giveBackReverseHint : pick.giveBackHint}</p>
      {reset.error !== undefined && <ErrorNotice error={reset.error} />}
    </AskDialog>
  );
}

/** Shows another user's ticket in the state of the service. Leads can take it over. */
export function Others({ view, subject, isReverse, reload }: OthersProps) {
  const { pick, queue } = t();
  const [isAsking, setAsking] = useState(false);
  const [isGiving, setGiving] = useState(false);
  const nameOf = useNames(subject.nodeId);
  const { userId: holder, allowedActions } = view.ticket;
  const isOver = allowedActions.some(({ action, allowed }) => action === 'takeOver' && !allowed);
  const ticket = { storeId: subject.storeId, pickTicketId: subject.id, fromUserId: holder };
  const take = useAction(async () => {
    try {
      await takeOver(ticket, session.peek()!.user.userId);
    } finally {
      await reload();
    }
  });
  const blocked = online.value ? undefined : t().errors.codes['OFFLINE'];
  return (
    <>
      <Notice look="info" title={holder === '' ? pick.nobodys : pick.others(view.ticket.userName ?? nameOf(holder))}>
        {!isOver && <p>{may('supervise') ? pick.othersHint : pick.othersAsk}</p>}
      </Notice>
      {take.error !== undefined && <ErrorNotice error={take.error} />}
      {isOver && <Blocked of={view.ticket} action="takeOver" />}
      {may('supervise') && !isOver && (
        <>
          <Button look="main" isWide isBusy={take.isBusy} blocked={blocked} onClick={() => void take.run()}>
            {pick.takeOver}
          </Button>
          <Button isWide icon={UserRoundCheck} blocked={blocked} onClick={() => setGiving(true)}>
            {queue.giveTo}
          </Button>
          <Button isWide icon={RotateCcw} blocked={blocked} onClick={() => setAsking(true)}>
            {pick.giveBack}
          </Button>
        </>
      )}
      {isGiving && (
        <GiveTo
          what={subject.id}
          without={holder}
          give={(userId) => takeOver(ticket, userId)}
          onDone={() => {
            setGiving(false);
            void reload();
          }}
        />
      )}
      {isAsking && <GiveBack subject={subject} isReverse={isReverse} onClose={() => setAsking(false)} />}
    </>
  );
}

/** Gives the lead's own ticket to another user. */
export function GiveOn({ subject }: { subject: TicketSubject }) {
  const [isGiving, setGiving] = useState(false);
  const { userId } = session.value!.user;
  const { storeId, id: pickTicketId } = subject;
  return (
    <>
      <Button
        isWide
        icon={UserRoundCheck}
        blocked={online.value ? undefined : t().errors.codes['OFFLINE']}
        onClick={() => setGiving(true)}
      >
        {t().queue.giveTo}
      </Button>
      {isGiving && (
        <GiveTo
          what={pickTicketId}
          without={userId}
          give={async (to) => {
            await sendWaiting(subject);
            await takeOver({ storeId, pickTicketId, fromUserId: userId }, to);
          }}
          onDone={(name) => {
            setGiving(false);
            if (name !== undefined) void keepTicket(subject).catch(() => undefined);
          }}
        />
      )}
    </>
  );
}

/**
 * Sends the waiting commands of a ticket before another user takes over the ticket. Afterwards, the service would
 * reject these commands.
 * @throws ApiError if some commands cannot be sent
 */
async function sendWaiting(subject: TicketSubject): Promise<void> {
  const waiting = () => outbox.snapshot.ticket(subject)?.waiting ?? 0;
  if (waiting() > 0) await outbox.flush(true);
  if (waiting() > 0) throw new ApiError(0, {});
}

/**
 * Sends RESET: it closes the ticket without a result, and the orders return to their state before the ticket. @throws
 * ApiError
 */
async function giveBack(subject: TicketSubject): Promise<void> {
  const { storeId, nodeId, id } = subject;
  const { userId } = session.peek()!.user;
  await sendWaiting(subject);
  await send(
    api.PUT('/stores/{storeId}/nodes/{nodeId}/pickTicket/update', {
      params: { path: { storeId, nodeId }, header: { 'Idempotency-Key': newId() } },
      body: {
        modifyAssociateId: userId,
        pickTicketDetails: { action: 'RESET', pickTicketId: id, storeId, nodeId, userId },
      },
    }),
  );
}
