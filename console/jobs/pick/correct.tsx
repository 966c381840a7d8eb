/**
 * Corrects a CONFIRM with wrong quantities: the user enters the found quantity of each item. A correction needs the
 * network, and is possible only until the next step of the orders.
 */
import { PencilLine } from 'lucide';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { api, newId, send } from '../../api.ts';
import { likelyReason, useChoices } from '../../choices.ts';
import type { TicketSubject } from '../../offline/commands.ts';
import { outbox } from '../../offline/index.ts';
import { keepTicket } from '../../offline/ticket-now.ts';
import type { ItemView, TicketView } from '../../offline/view.ts';
import { online } from '../../preferences.ts';
import { at, go } from '../../router.ts';
import { place, session } from '../../session.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Stepper, TextField } from '../../ui/field.tsx';
import { Skeleton, useAction } from '../../ui/load.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { Screen } from '../../ui/screen.tsx';
import { Reasons } from '../../work/reasons.tsx';
import { SyncState } from '../../work/sync-state.tsx';
import { LEFT_OUT, placesOf } from './ticket-work.ts';

export default function Correct({ params }: ScreenProps) {
  const { storeId = '', ticketId = '' } = params;
  const { nodeId } = place.value!;
  const subject = useMemo<TicketSubject>(() => ({ kind: 'ticket', storeId, nodeId, id: ticketId }), []);
  const [error, setError] = useState<unknown>();
  const load = () =>
    keepTicket(subject).then(
      () => setError(undefined),
      (failure: unknown) => setError(failure),
    );
  useChoices();
  useEffect(() => void load(), []);
  const view = outbox.snapshot.ticket(subject);
  if (view !== undefined) return <Form subject={subject} view={view} />;
  return (
    <Screen title={ticketId} sub={t().pick.correction.title} tools={<SyncState />}>
      {error === undefined ? <Skeleton lines={4} /> : <ErrorNotice error={error} onRetry={() => void load()} />}
    </Screen>
  );
}

/**
 * Returns the reason of missing units. Units that the customer canceled are left out, but not missing. A closed ticket
 * has only the code: units that a picking program declined with this code therefore get the reason of the correction.
 */
const reasonOf = ({ reason }: ItemView) => (reason === LEFT_OUT ? undefined : reason);

/** Manages the differences from the CONFIRM and sends the correction. */
function useCorrection(subject: TicketSubject, view: TicketView) {
  const [found, setFound] = useState<ReadonlyMap<number, number>>(new Map());
  const [chosen, setChosen] = useState<string>();
  const [why, setWhy] = useState('');
  // The place that the user entered. It is sent even if it is the place of the ticket, because an order can be at
  // another place.
  const [hold, setHold] = useState<string>();
  // One id per correction, so that a retry does not apply it twice.
  const correctionId = useMemo(newId, []);
  const pickedOf = ({ id, picked }: ItemView) => found.get(id) ?? picked;
  const changed = view.items.filter((item) => pickedOf(item) !== item.picked);
  const isShorter = (item: ItemView) => pickedOf(item) < item.picked;
  const shorter = changed.filter(isShorter);
  const missing = chosen ?? shorter.map(reasonOf)[0] ?? likelyReason('pick');
  const holdLocation = hold?.trim() || undefined;
  const action = useAction(async () => {
    const { storeId, nodeId, id } = subject;
    await send(
      api.POST('/operator/v1/stores/{storeId}/nodes/{nodeId}/pickTickets/{pickTicketId}/correct', {
        params: { path: { storeId, nodeId, pickTicketId: id }, header: { 'Idempotency-Key': correctionId } },
        body: {
          correctionId,
          userId: session.peek()!.user.userId,
          reason: why.trim(),
          ...(holdLocation !== undefined && { holdLocation }),
          pickTicketItems: changed.map((item) => {
            const pickedQuantity = pickedOf(item);
            const canceledQuantity = item.quantity - pickedQuantity;
            // Without a code, the service keeps the reason of the CONFIRM. With another reason, it would also move the
            // units that were short before, and replace their re-source requests.
            const isAsked = isShorter(item) && (chosen !== undefined || reasonOf(item) === undefined);
            return {
              id: item.id,
              pickedQuantity,
              canceledQuantity,
              ...(isAsked && { cancellationReasonCode: missing }),
            };
          }),
        },
      }),
    );
    await keepTicket(subject);
    go(at('pick', subject.storeId, subject.id), {}, true);
  });
  return {
    pickedOf,
    put: ({ id }: ItemView, units: number) => setFound(new Map([...found, [id, units]])),
    hasChanges: changed.length > 0,
    isMissing: shorter.length > 0,
    missing,
    setChosen,
    why,
    setWhy,
    hold: hold ?? view.ticket.holdLocation,
    setHold,
    action,
  };
}

function blockOf({ hasChanges, why }: ReturnType<typeof useCorrection>): string | undefined {
  const { correction } = t().pick;
  if (!online.value) return t().errors.codes['OFFLINE'];
  if (!hasChanges) return correction.nothing;
  return why.trim() === '' ? correction.reasonMissing : undefined;
}

function Form({ subject, view }: { subject: TicketSubject; view: TicketView }) {
  const { pick } = t();
  const { correction } = pick;
  const own = useCorrection(subject, view);
  const places = placesOf(view);
  const isSplit = new Set(places.values()).size > 1;
  const totes = view.ticket.orders.flatMap(({ tote, fulfillmentOrderId }) => {
    const at = places.get(fulfillmentOrderId);
    return at === undefined ? [] : pick.toteAt(tote, at);
  });
  const { action } = own;
  return (
    <Screen
      title={subject.id}
      sub={correction.title}
      tools={<SyncState />}
      onBack={() => go(at('pick', subject.storeId, subject.id), {}, true)}
      actions={
        <Button
          look="main"
          icon={PencilLine}
          isBusy={action.isBusy}
          blocked={blockOf(own)}
          onClick={() => void action.run()}
        >
          {correction.send}
        </Button>
      }
    >
      <Notice look="info" title={correction.hint} />
      {action.error !== undefined && <ErrorNotice error={action.error} />}
      <section class="list" aria-label={correction.found}>
        {view.items.map((item) => (
          <div class="row correct-row" key={item.id}>
            <span class="grow">
              <span class="strong">{item.item.itemDetails.itemDesc}</span>
              <span class="quiet code"> {item.item.pickLocation}</span>
            </span>
            <Stepper
              label={`${correction.found} (${pick.of(item.picked, item.quantity)})`}
              value={own.pickedOf(item)}
              max={item.quantity}
              onInput={(units) => own.put(item, units)}
            />
          </div>
        ))}
      </section>
      {own.isMissing && <Reasons step="pick" label={pick.shortReason} value={own.missing} onInput={own.setChosen} />}
      <TextField
        label={correction.reason}
        hint={correction.reasonHint}
        value={own.why}
        maxLength={200}
        error={action.of('reason')}
        onInput={own.setWhy}
      />
      <TextField
        label={pick.whereTo}
        hint={isSplit ? totes.join(' · ') : undefined}
        value={own.hold}
        maxLength={40}
        error={action.of('holdLocation')}
        onInput={own.setHold}
      />
    </Screen>
  );
}
