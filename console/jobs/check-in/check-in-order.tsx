/**
 * Checks in one order: the units in each carton, good or with a problem. A new count starts at 0. The device keeps the
 * counts until they are saved. Saving and CONFIRM go through the outbox, so they work without the network.
 */
import { CircleCheck, CloudUpload, PackageX } from 'lucide';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { components } from '../../../contract/client.d.ts';
import { readChoices, useChoices } from '../../choices.ts';
import { keepCheckIn } from '../../offline/check-ins.ts';
import type { CheckInSubject } from '../../offline/commands.ts';
import { outbox } from '../../offline/index.ts';
import type { CheckInView } from '../../offline/view.ts';
import { go, href, at as pathOf } from '../../router.ts';
import { isOneOf } from '../../scan/codes.ts';
import { feedback } from '../../scan/feedback.ts';
import { linesOfCode } from '../../scan/lines-of-code.ts';
import type { Scan } from '../../scan/queue.ts';
import { focusScanTarget } from '../../scan/target.tsx';
import { may, place, whenBack } from '../../session.ts';
import { t, word } from '../../texts/index.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Notice, State } from '../../ui/notice.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { Blocked } from '../../work/blocked.ts';
import { readOrder } from '../../work/counter.ts';
import { HoldTickets, isLeft } from '../../work/hold-tickets.tsx';
import { type ItemWords, keepItems } from '../../work/item-words.ts';
import { OrderId } from '../../work/order-id.tsx';
import { PlacePicker } from '../../work/place-picker.tsx';
import { ReasonDialog } from '../../work/reasons.tsx';
import { useSaid } from '../../work/said.tsx';
import { usePlace } from '../../work/use-place.tsx';
import { JobDone, type JobHead, JobWaiting, type MainAction, WorkScreen } from '../../work/work-screen.tsx';
import { CartonCard } from './carton-card.tsx';
import { type CountsOfCheckIn, cartonName, type Line, useCounts } from './counts.ts';

type Items = Record<string, ItemWords>;
type Order = components['schemas']['OrderDetails'];

export default function CheckInOrder({ params }: ScreenProps) {
  const storeId = params['storeId']!;
  const id = params['orderId']!;
  const { nodeId } = place.value!;
  const { checkIn } = t();
  const subject = useMemo<CheckInSubject>(() => ({ kind: 'checkIn', storeId, nodeId, id }), [storeId, nodeId, id]);
  const [error, setError] = useState<unknown>(undefined);
  const [items, setItems] = useState<Items | undefined>();
  const [order, setOrder] = useState<Order | undefined>();
  useChoices();
  const load = async () => {
    try {
      await keepCheckIn(subject);
      // The check-in has no state of the order.
      setOrder(await readOrder(storeId, id));
      setError(undefined);
    } catch (failure) {
      setError(failure);
    }
    await readChoices().catch(() => undefined);
    const kept = outbox.snapshot.checkIn(subject);
    if (kept !== undefined) setItems(await keepItems(kept.details).catch(() => ({})));
  };
  const view = outbox.snapshot.checkIn(subject);
  const isSent = view?.confirmed === 'SENT';
  // Whether this visit of the screen has seen the check-in without a sent CONFIRM.
  const wasOpen = useRef(false);
  if (view !== undefined && !isSent) wasOpen.current = true;
  // Other users can save lines in the meantime. A CONFIRM keeps the counts of other users, so the counts are read again
  // after the CONFIRM, too.
  useEffect(() => {
    void load();
    return whenBack(() => void load());
  }, [subject, isSent]);
  const head = { title: checkIn.title, sub: <OrderId id={id} />, onBack: () => go('/check-in') };
  if (view === undefined || items === undefined) {
    return <JobWaiting head={head} error={view === undefined ? error : undefined} reload={load} />;
  }
  if (view.conflict === undefined) {
    const isOver = order !== undefined && order.status !== '1300';
    // A CONFIRM of an earlier visit says nothing about the goods now: they may have left, and a carton may be late.
    const isOwn = view.confirmed === 'WAITING' || (isSent && wasOpen.current);
    if (isOver && !isOwn) return <NotHere head={head} order={order} />;
    // The details have a place only after the CONFIRM, also after that of another device.
    if ((view.confirmed ?? view.details.holdLocation) !== undefined) {
      return <Confirmed head={head} view={view} order={order} isRead={isOver} />;
    }
  }
  return <Counting head={head} subject={subject} view={withPlace(view, order)} order={order} items={items} />;
}

/** Returns the view with the place that was saved last, also by another user. Unsent work of this device is newer. */
function withPlace(view: CheckInView, order: Order | undefined): CheckInView {
  const saved = order?.checkIn?.savedHoldLocation;
  return saved === undefined || (view.waiting > 0 && view.holdLocation !== undefined)
    ? view
    : { ...view, holdLocation: saved };
}

interface CountingProps {
  head: JobHead;
  subject: CheckInSubject;
  view: CheckInView;
  /** Undefined if the order cannot be read now. */
  order: Order | undefined;
  items: Items;
}

function Counting({ head, subject, view, order, items }: CountingProps) {
  const { checkIn, units } = t();
  const counts = useCounts(subject, view);
  const said = useSaid();
  const [asked, setAsked] = useState<{ packageId: string; line: Line } | undefined>();
  const { save, error } = useSaving(subject, counts);
  const { cartons, open, total, lacksReason } = counts;
  const isCounted = open === 0 && !lacksReason;
  const leave = async () => {
    // A problem without a reason cannot be sent yet, so the draft stays on this device.
    if (counts.isDirty && !lacksReason && !(await save('saveCheckIn'))) return;
    if (!counts.isDirty) counts.keepSeen();
    head.onBack();
  };
  const { isPlace, question } = usePlace(said.wrong);
  const onCode = codesOf(subject.id, counts, items, said, isPlace);
  // A typed place is checked like a scanned place. The check sends no request, so it works without the network.
  const confirm = () =>
    isPlace(counts.place.trim(), {
      codes: { numbers: [subject.id] },
      isAsking: false,
      use: (to) => {
        counts.change({ place: to });
        return save('confirmCheckIn');
      },
    });
  return (
    <WorkScreen
      job={{
        ...head,
        sub: <OrderId id={subject.id}>{units.ofUnits(total - open, total)}</OrderId>,
        onBack: () => void leave(),
        scanLabel: isCounted ? checkIn.scanPlace : checkIn.scanUnits,
        onCode: (scan) => (asked === undefined ? onCode(scan) : false),
        said: said.said,
        conflict: view.conflict,
        error,
        others: (
          <Button blocked={lacksReason ? checkIn.blockedReason : undefined} onClick={() => void leave()}>
            {checkIn.save}
          </Button>
        ),
        main: mainOf(counts, confirm),
      }}
    >
      <Canceled of={order} hint={checkIn.countToo} />
      {counts.isDirty && <State look="info">{checkIn.draft}</State>}
      {counts.isOvertaken && <State look="risk">{checkIn.overtaken}</State>}
      {cartons.map((one) => (
        <CartonCard
          key={one.checkInPackageId}
          carton={one}
          counts={counts}
          items={items}
          onCount={(title, change) => countWith(counts, said, title, change)}
          onProblem={(line) => setAsked({ packageId: one.checkInPackageId, line })}
        />
      ))}
      {isCounted && (
        <Place
          value={counts.place}
          onInput={(next) => {
            counts.change({ place: next });
            said.say(undefined);
          }}
        />
      )}
      {asked !== undefined && (
        <Problem
          {...asked}
          name={nameIn(items, asked.line)}
          counts={counts}
          onSaved={(title) => said.say(title === undefined ? title : { look: 'info', title, detail: nextOf(counts) })}
          onClose={() => setAsked(undefined)}
        />
      )}
      {question}
    </WorkScreen>
  );
}

/**
 * Asks for the place of the goods. The question is below the cartons, so it scrolls into view when it appears after the
 * last unit.
 */
function Place({ value, onInput }: { value: string; onInput: (place: string) => void }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.scrollIntoView({ block: 'center' }), []);
  return (
    <div ref={box}>
      <PlacePicker label={t().checkIn.where} value={value} onInput={onInput} />
    </div>
  );
}

/** Returns the text about the next step if all units are counted; otherwise undefined. */
function nextOf(counts: CountsOfCheckIn): string | undefined {
  return counts.openNow() === 0 ? t().checkIn.nextPlace : undefined;
}

const nameIn = (items: Items, { itemId }: Line) => items[itemId]?.name ?? itemId;

function mainOf({ open, lacksReason, place: where }: CountsOfCheckIn, run: () => unknown): MainAction {
  const { checkIn } = t();
  const blocked =
    open > 0
      ? checkIn.blockedOpen(open)
      : lacksReason
        ? checkIn.blockedReason
        : where.trim() === ''
          ? checkIn.blockedPlace
          : undefined;
  return { label: checkIn.confirm, icon: CircleCheck, blocked, run };
}

/** Saves or confirms the counts. Both go through the outbox. */
function useSaving(subject: CheckInSubject, counts: CountsOfCheckIn) {
  const [error, setError] = useState<unknown>(undefined);
  const save = async (kind: 'saveCheckIn' | 'confirmCheckIn') => {
    try {
      await outbox.add(
        kind === 'confirmCheckIn' ? { kind, subject, ...counts.toConfirm() } : { kind, subject, ...counts.toSave() },
      );
      if (kind === 'confirmCheckIn') counts.forget();
      else counts.keepSeen();
      setError(undefined);
      feedback('done');
      return true;
    } catch (failure) {
      feedback('wrong');
      setError(failure);
      return false;
    }
  };
  return { save, error };
}

/**
 * Runs a change of the counts and shows it. The band shows the last change only, so its undo restores the counts before
 * it.
 */
function countWith(counts: CountsOfCheckIn, said: ReturnType<typeof useSaid>, title: string, change: () => void): void {
  const before = counts.latest.current.changes;
  change();
  const detail = nextOf(counts);
  const undo = () => {
    counts.change({ changes: before });
    said.say({ look: 'info', title: t().pick.undone(title) }, 'right');
    focusScanTarget();
  };
  said.say({ look: 'right', title, detail, undo }, detail === undefined ? 'right' : 'done');
}

/** Handles a code: a carton opens; a unit counts in the open carton first; a place becomes the hold location. */
function codesOf(
  orderId: string,
  counts: CountsOfCheckIn,
  items: Items,
  said: ReturnType<typeof useSaid>,
  isPlace: ReturnType<typeof usePlace>['isPlace'],
) {
  const { checkIn, counter } = t();
  const { cartons, countOf, latest } = counts;
  return ({ text, command }: Scan) => {
    if (command === 'UNDO') return said.latest.current?.undo?.();
    if (command !== undefined) return false;
    const carton = cartons.find((one) =>
      isOneOf(
        text,
        [one.trackingNumber, one.checkInPackageId].filter((code) => code !== ''),
      ),
    );
    if (carton !== undefined) {
      counts.see(carton.checkInPackageId, { active: carton.checkInPackageId });
      said.say({ look: 'info', title: checkIn.cartonFound(cartonName(carton)) }, 'right');
      document.getElementById(`carton-${carton.checkInPackageId}`)?.scrollIntoView({ block: 'start' });
      return undefined;
    }
    const { active } = latest.current;
    const all = cartons
      .toSorted((a, b) => Number(b.checkInPackageId === active) - Number(a.checkInPackageId === active))
      .flatMap(({ checkInPackageId: packageId, checkInPackageItems }) =>
        checkInPackageItems.map((line) => ({ packageId, itemId: line.itemId, line })),
      );
    const fitting = linesOfCode(all, text, ({ itemId }) => items[itemId]?.upcs ?? []);
    const hit = fitting.find(({ packageId, line }) => {
      const { arrived, problem } = countOf(packageId, line, latest.current);
      return arrived + problem < line.quantity;
    });
    if (hit !== undefined) {
      const count = countOf(hit.packageId, hit.line, latest.current);
      countWith(counts, said, checkIn.right(nameIn(items, hit.line)), () =>
        counts.put(hit.packageId, hit.line, { ...count, arrived: count.arrived + 1 }),
      );
      return undefined;
    }
    if (fitting.length === 0 && counts.openNow() === 0) {
      const use = (to: string) => {
        counts.change({ place: to });
        said.right(checkIn.placed(to), { detail: checkIn.nextConfirm });
      };
      return isPlace(text.trim(), { codes: { numbers: [orderId] }, use }).then(() => undefined);
    }
    said.wrong(fitting[0] === undefined ? counter.notOfOrder(text) : counter.tooMany(nameIn(items, fitting[0].line)));
    return undefined;
  };
}

function Problem({
  packageId,
  line,
  name,
  counts,
  onSaved,
  onClose,
}: {
  packageId: string;
  line: Line;
  name: string;
  counts: CountsOfCheckIn;
  onSaved: (title: string | undefined) => void;
  onClose: () => void;
}) {
  const { checkIn, counter, actions } = t();
  const { arrived, problem, reason } = counts.countOf(packageId, line);
  const left = line.quantity - arrived;
  return (
    <ReasonDialog
      step="checkIn"
      title={name}
      label={counter.reason}
      hint={checkIn.problemHint}
      units={{ label: checkIn.howMany, first: problem > 0 ? problem : Math.min(1, left), min: 0, max: line.quantity }}
      reason={reason}
      main={() => actions.ok}
      run={(bad, why) => {
        // Arrived units that turn out to be damaged are subtracted from the good units.
        const good = Math.min(arrived, line.quantity - bad);
        counts.put(packageId, line, { arrived: good, problem: bad, reason: bad > 0 ? why : '' });
        onSaved(bad > 0 ? checkIn.bad(bad, name) : undefined);
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** An order that was checked in before, or that cannot be checked in now: its state and the place of its goods. */
function NotHere({ head, order }: { head: JobHead; order: Order }) {
  const { status, holdLocation, storeId, fulfillmentOrderId } = order;
  const isReady = status === '1400';
  return (
    <JobDone
      head={head}
      icon={isReady ? CircleCheck : PackageX}
      isRisk
      title={word(t().states, status)}
      hint={<Blocked of={order} action="confirmCheckIn" />}
      actions={
        <>
          {isReady && may('fulfillment.write') && (
            <LinkButton to={href(pathOf('hand-over', storeId, fulfillmentOrderId))}>{t().handOver.title}</LinkButton>
          )}
          <LinkButton look="main" to={href('/check-in')}>
            {t().checkIn.next}
          </LinkButton>
        </>
      }
    >
      {holdLocation !== undefined && (
        <p>
          {t().counter.lies}: <span class="big code">{holdLocation}</span>
        </p>
      )}
      {cancelingOf(order) > 0 && <BringBack />}
      {isReady && <HoldTickets storeId={storeId} orderIds={[fulfillmentOrderId]} />}
    </JobDone>
  );
}

/** Returns the units to bring back. Before and directly after a CONFIRM, the customer has canceled all of them. */
const cancelingOf = (order: Order) => order.lines.reduce((sum, { cancelingQuantity }) => sum + cancelingQuantity, 0);

function BringBack() {
  return may('fulfillment.write') && <LinkButton to={href('/bring-back')}>{t().pick.reverseSub}</LinkButton>;
}

/**
 * Says how many units the customer has canceled. They are counted like the others, and then brought back.
 * @param hint the next step, if it is not to bring them back
 */
function Canceled({ of, hint }: { of: Order | undefined; hint?: string }) {
  const units = of === undefined ? 0 : cancelingOf(of);
  if (units === 0) return null;
  return (
    <Notice look="risk" title={t().counter.canceled(units)}>
      {hint === undefined ? <BringBack /> : <p>{hint}</p>}
    </Notice>
  );
}

interface ConfirmedProps {
  head: JobHead;
  view: CheckInView;
  order: Order | undefined;
  /** Whether the order has been read since the CONFIRM. */
  isRead: boolean;
}

function Confirmed({ head, view, order, isRead }: ConfirmedProps) {
  const { checkIn } = t();
  const lines = view.details.checkInPackages.flatMap((one) => one.checkInPackageItems);
  const arrived = lines.reduce((sum, { checkInQuantity }) => sum + checkInQuantity, 0);
  const bad = lines.reduce((sum, { checkInCanceledQuantity }) => sum + checkInCanceledQuantity, 0);
  const isSent = view.confirmed !== 'WAITING';
  const { storeId, fulfillmentOrderId } = view.details;
  // If the customer has canceled all units, the order does not wait for its pickup.
  const isReady = isSent && (isRead ? order?.status === '1400' : arrived > 0 && (order === undefined || isLeft(order)));
  return (
    <JobDone
      head={head}
      icon={isSent ? CircleCheck : CloudUpload}
      isRisk={!isSent}
      title={isSent ? checkIn.confirmed : checkIn.confirmedWaiting}
      hint={checkIn.confirmedSum(arrived, bad)}
      actions={
        <>
          {isReady && may('fulfillment.write') && (
            <LinkButton to={href(pathOf('hand-over', storeId, fulfillmentOrderId))}>{t().handOver.title}</LinkButton>
          )}
          <LinkButton look="main" to={href('/check-in')}>
            {checkIn.next}
          </LinkButton>
        </>
      }
    >
      {!isSent && <p>{checkIn.confirmedWaitingHint}</p>}
      {arrived === 0 && <Notice look="risk" title={checkIn.nothingArrived} />}
      {arrived > 0 && <p class="big">{checkIn.putInto(view.holdLocation ?? '')}</p>}
      {isSent && <Canceled of={isRead ? order : undefined} />}
      {isReady && <HoldTickets storeId={storeId} orderIds={[fulfillmentOrderId]} />}
    </JobDone>
  );
}
