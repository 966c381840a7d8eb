/** The user of a ticket: shows another user's ticket, gives a ticket back, takes one over. */
import { RotateCcw } from 'lucide';
import { useState } from 'preact/hooks';
import { ApiError, api, newId, send } from '../../api.ts';
import type { TicketSubject } from '../../offline/commands.ts';
import { keepTicket, outbox } from '../../offline/index.ts';
import type { TicketView } from '../../offline/view.ts';
import { online } from '../../preferences.ts';
import { go } from '../../router.ts';
import { may, session } from '../../session.ts';
import { t } from '../../texts/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { useAction } from '../../ui/load.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';

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
  const { pick } = t();
  const [isAsking, setAsking] = useState(false);
  const { userId: holder, allowedActions } = view.ticket;
  const refusal = allowedActions.find(({ action }) => action === 'takeOver');
  const take = useAction(async () => {
    try {
      await takeOver(subject, holder);
    } finally {
      await reload();
    }
  });
  const blocked = online.value ? refusal?.reason : t().errors.codes['OFFLINE'];
  return (
    <>
      <Notice look="info" title={holder === '' ? pick.nobodys : pick.others(holder)}>
        <p>{may('supervise') ? pick.othersHint : pick.othersAsk}</p>
      </Notice>
      {take.error !== undefined && <ErrorNotice error={take.error} />}
      {may('supervise') && (
        <>
          <Button look="main" isWide isBusy={take.isBusy} blocked={blocked} onClick={() => void take.run()}>
            {pick.takeOver}
          </Button>
          <Button isWide icon={RotateCcw} blocked={blocked} onClick={() => setAsking(true)}>
            {pick.giveBack}
          </Button>
        </>
      )}
      {isAsking && <GiveBack subject={subject} isReverse={isReverse} onClose={() => setAsking(false)} />}
    </>
  );
}

/** Takes over a ticket from the user whom this device shows as its user. @throws ApiError 409 if another user was faster */
async function takeOver({ storeId, nodeId, id }: TicketSubject, fromUserId: string): Promise<void> {
  const { userId } = session.peek()!.user;
  await send(
    api.POST('/operator/v1/stores/{storeId}/nodes/{nodeId}/pickTickets/{pickTicketId}/takeOver', {
      params: { path: { storeId, nodeId, pickTicketId: id }, header: { 'Idempotency-Key': newId() } },
      body: { userId, fromUserId, modifyAssociateId: userId },
    }),
  );
}

/** Sends RESET: it closes the ticket without a result, and the orders return to their state before the ticket. @throws ApiError */
async function giveBack({ storeId, nodeId, id }: TicketSubject): Promise<void> {
  const { userId } = session.peek()!.user;
  const own = outbox.snapshot.ticket({ kind: 'ticket', storeId, nodeId, id });
  // Waiting commands would arrive after the RESET and be rejected.
  if (own !== undefined && own.waiting > 0) await outbox.flush(true);
  if ((outbox.snapshot.ticket({ kind: 'ticket', storeId, nodeId, id })?.waiting ?? 0) > 0) throw new ApiError(0, {});
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
