/**
 * Checking in one order: what is in each carton, in order or not. Counts start at 0. What is counted stays on the device until it is saved;
 * saving and CONFIRM go through the outbox, so they work without the network.
 */
import { CircleCheck, CloudUpload, PackageCheck, PackageX, Plus, TriangleAlert } from 'lucide';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { choices, readChoices, reasonChoices, reasonText } from '../../choices.ts';
import type { CheckInPackage, CheckInSubject } from '../../offline/commands.ts';
import { keepCheckIn, outbox } from '../../offline/index.ts';
import type { CheckInView } from '../../offline/view.ts';
import { online } from '../../preferences.ts';
import { go, href, at as pathOf } from '../../router.ts';
import { isOneOf } from '../../scan/codes.ts';
import { feedback } from '../../scan/feedback.ts';
import { focusScanTarget, ScanTarget } from '../../scan/target.tsx';
import { place, session } from '../../session.ts';
import { t } from '../../texts/index.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Choices, Stepper } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Skeleton } from '../../ui/load.tsx';
import { Band, ErrorNotice, type Look, Notice, State } from '../../ui/notice.tsx';
import { Picture } from '../../ui/picture.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { Screen } from '../../ui/screen.tsx';
import { readOrder } from '../../work/counter.ts';
import { printHoldTickets } from '../../work/counter-print.ts';
import { type ItemWords, keepItems } from '../../work/item-words.ts';
import { PlacePicker } from '../../work/place-picker.tsx';
import { PrintButton } from '../../work/print-button.tsx';
import { SyncState } from '../../work/sync-state.tsx';
import { useScan } from '../../work/use-scan.ts';
import { useWakeLock } from '../../work/wake-lock.ts';
import { PLACE_MAX } from '../pick/ticket-work.ts';

const MISSING = ['STSProductNotReceived', 'STSPackageNotReceived'];
const DAMAGED = ['STSProductReceivedDamagedInterior', 'STSProductReceivedDamagedExterior', 'STSWrongProductReceived'];

/** What is counted of one line of one carton. */
interface Count {
  arrived: number;
  problem: number;
  reason: string;
}
type Counts = Readonly<Record<string, Count>>;

/** Counts that are on this screen only, kept so that a closed tab loses none. */
interface Draft {
  counts: Counts;
  place: string;
  /** Cartons that were scanned or counted. */
  seen: readonly string[];
}

type View = CheckInView['details'];
type Line = View['checkInPackages'][number]['checkInPackageItems'][number];

const keyOf = (packageId: string, webLineId: string) => JSON.stringify([packageId, webLineId]);

export default function CheckInOrder({ params }: ScreenProps) {
  const storeId = params['storeId']!;
  const id = params['orderId']!;
  const { nodeId } = place.value!;
  const { checkIn, counter } = t();
  const subject = useMemo<CheckInSubject>(() => ({ kind: 'checkIn', storeId, nodeId, id }), [storeId, nodeId, id]);
  const [error, setError] = useState<unknown>(undefined);
  const [items, setItems] = useState<Record<string, ItemWords> | undefined>();
  const load = async () => {
    try {
      await keepCheckIn(subject);
      setError(undefined);
    } catch (failure) {
      setError(failure);
    }
    await readChoices().catch(() => undefined);
    const kept = outbox.snapshot.checkIn(subject);
    if (kept !== undefined) setItems(await keepItems(kept.details).catch(() => ({})));
  };
  useEffect(() => {
    void load();
  }, [subject]);
  const view = outbox.snapshot.checkIn(subject);
  if (view !== undefined && items !== undefined) {
    return view.confirmed !== undefined && view.conflict === undefined ? (
      <Confirmed view={view} />
    ) : (
      <Counting subject={subject} view={view} items={items} />
    );
  }
  return (
    <Screen title={checkIn.title} sub={counter.order(id)} onBack={() => go('/check-in')} tools={<SyncState />}>
      {error !== undefined && view === undefined ? (
        <ErrorNotice error={error} onRetry={() => void load()} />
      ) : (
        <Skeleton lines={5} onRetry={() => void load()} />
      )}
    </Screen>
  );
}

function countsOf(details: View): Counts {
  return Object.fromEntries(
    details.checkInPackages.flatMap((one) =>
      one.checkInPackageItems.map((line) => [
        keyOf(one.checkInPackageId, line.webLineId),
        {
          arrived: line.checkInQuantity,
          problem: line.checkInCanceledQuantity,
          reason: line.checkInCancellationReasonCode ?? '',
        },
      ]),
    ),
  );
}

function draftKey({ storeId, id }: CheckInSubject): string {
  return `backroom.check-in ${session.peek()!.user.userId} ${storeId} ${id}`;
}

function readDraft(subject: CheckInSubject): Draft | undefined {
  const text = localStorage.getItem(draftKey(subject));
  return text === null ? undefined : (JSON.parse(text) as Draft);
}

function Counting({
  subject,
  view,
  items,
}: {
  subject: CheckInSubject;
  view: CheckInView;
  items: Record<string, ItemWords>;
}) {
  const { checkIn, counter, units, actions } = t();
  const { details } = view;
  const packages = details.checkInPackages;
  const saved = useMemo(() => countsOf(details), [details]);
  const [draft, setDraft] = useState<Draft>(
    () => readDraft(subject) ?? { counts: saved, place: view.holdLocation ?? '', seen: [] },
  );
  const [active, setActive] = useState<string | undefined>(
    packages.length === 1 ? packages[0]!.checkInPackageId : undefined,
  );
  const [said, setSaid] = useState<{ look: Look; text: string } | undefined>();
  const [asked, setAsked] = useState<{ packageId: string; line: Line } | undefined>();
  const [error, setError] = useState<unknown>(undefined);
  const latest = useRef({ draft, active });
  latest.current = { draft, active };
  const isDirty = JSON.stringify(draft.counts) !== JSON.stringify(saved) || draft.place !== (view.holdLocation ?? '');
  const change = (next: Draft) => {
    latest.current.draft = next;
    localStorage.setItem(draftKey(subject), JSON.stringify(next));
    setDraft(next);
  };
  const put = (packageId: string, webLineId: string, count: Count) => {
    const before = latest.current.draft;
    const seen = before.seen.includes(packageId) ? before.seen : [...before.seen, packageId];
    change({ ...before, seen, counts: { ...before.counts, [keyOf(packageId, webLineId)]: count } });
  };
  const countOf = (packageId: string, webLineId: string, from: Draft = draft): Count =>
    from.counts[keyOf(packageId, webLineId)] ?? { arrived: 0, problem: 0, reason: '' };
  const nameOf = (itemId: string) => items[itemId]?.name ?? itemId;
  const codesOf = (itemId: string) => [itemId, ...(items[itemId]?.upcs ?? [])];
  const openOf = (from: Draft) =>
    packages.reduce(
      (sum, one) =>
        sum +
        one.checkInPackageItems.reduce((open, line) => {
          const { arrived, problem } = countOf(one.checkInPackageId, line.webLineId, from);
          return open + line.quantity - arrived - problem;
        }, 0),
      0,
    );
  const open = openOf(draft);
  const lacksReason = Object.values(draft.counts).some(({ problem, reason }) => problem > 0 && reason === '');
  const isAnswered = open === 0 && !lacksReason;

  useWakeLock();
  useScan(({ text, command }) => {
    if (command !== undefined || asked !== undefined) return false;
    const { draft: now, active: open_ } = latest.current;
    const carton = packages.find((one) =>
      isOneOf(
        text,
        [one.trackingNumber, one.checkInPackageId].filter((code) => code !== ''),
      ),
    );
    if (carton !== undefined) {
      feedback('right');
      setActive(carton.checkInPackageId);
      latest.current.active = carton.checkInPackageId;
      if (!now.seen.includes(carton.checkInPackageId)) change({ ...now, seen: [...now.seen, carton.checkInPackageId] });
      setSaid({ look: 'info', text: checkIn.cartonFound(cartonName(carton)) });
      document.getElementById(`carton-${carton.checkInPackageId}`)?.scrollIntoView({ block: 'start' });
      return undefined;
    }
    const fitting = packages
      .toSorted((a, b) => Number(b.checkInPackageId === open_) - Number(a.checkInPackageId === open_))
      .flatMap((one) => one.checkInPackageItems.map((line) => ({ packageId: one.checkInPackageId, line })))
      .filter(({ line }) => isOneOf(text, codesOf(line.itemId)));
    const hit = fitting.find(({ packageId, line }) => {
      const { arrived, problem } = countOf(packageId, line.webLineId, now);
      return arrived + problem < line.quantity;
    });
    if (hit !== undefined) {
      const count = countOf(hit.packageId, hit.line.webLineId, now);
      put(hit.packageId, hit.line.webLineId, { ...count, arrived: count.arrived + 1 });
      const isLast = openOf(latest.current.draft) === 0;
      feedback(isLast ? 'done' : 'right');
      setSaid({ look: 'right', text: checkIn.right(nameOf(hit.line.itemId)) });
      return undefined;
    }
    const known = choices.peek()?.holdLocations ?? [];
    if (fitting.length === 0 && openOf(now) === 0 && (known.length === 0 || isOneOf(text, known))) {
      feedback('right');
      change({ ...now, place: known.find((one) => isOneOf(text, [one])) ?? text.slice(0, PLACE_MAX) });
      return undefined;
    }
    feedback('wrong');
    const name = fitting[0] && nameOf(fitting[0].line.itemId);
    setSaid({ look: 'wrong', text: name === undefined ? counter.notOfOrder(text) : counter.tooMany(name) });
    return undefined;
  });

  const send = async (kind: 'saveCheckIn' | 'confirmCheckIn') => {
    const now = latest.current.draft;
    const sent: CheckInPackage[] = packages.map((one) => ({
      checkInPackageId: one.checkInPackageId,
      checkInPackageItems: one.checkInPackageItems.map(({ itemId, webLineId, quantity }) => {
        const { arrived, problem, reason } = countOf(one.checkInPackageId, webLineId, now);
        return {
          itemId,
          webLineId,
          quantity,
          checkInQuantity: arrived,
          checkInCanceledQuantity: problem,
          ...(problem > 0 && { checkInCancellationReasonCode: reason }),
        };
      }),
    }));
    const holdLocation = now.place.trim();
    try {
      await outbox.add(
        kind === 'confirmCheckIn'
          ? { kind, subject, packages: sent, holdLocation }
          : { kind, subject, packages: sent, ...(holdLocation !== '' && { holdLocation }) },
      );
      localStorage.removeItem(draftKey(subject));
      setError(undefined);
      feedback('done');
      return true;
    } catch (failure) {
      feedback('wrong');
      setError(failure);
      return false;
    }
  };
  const leave = async () => {
    // An unfinished reason cannot be sent yet: the draft stays on this device.
    if (isDirty && !lacksReason && !(await send('saveCheckIn'))) return;
    go('/check-in');
  };
  const blocked =
    open > 0
      ? checkIn.blockedOpen(open)
      : lacksReason
        ? checkIn.blockedReason
        : draft.place.trim() === ''
          ? checkIn.blockedPlace
          : undefined;
  const total = packages.reduce(
    (sum, one) => sum + one.checkInPackageItems.reduce((all, { quantity }) => all + quantity, 0),
    0,
  );
  return (
    <Screen
      title={checkIn.title}
      sub={`${counter.order(subject.id)} · ${units.ofUnits(total - open, total)}`}
      onBack={() => void leave()}
      tools={<SyncState />}
      below={said !== undefined && <Band look={said.look}>{said.text}</Band>}
      actions={
        <>
          <Button blocked={lacksReason ? checkIn.blockedReason : undefined} onClick={() => void leave()}>
            {checkIn.save}
          </Button>
          <Button look="main" icon={CircleCheck} blocked={blocked} onClick={() => void send('confirmCheckIn')}>
            {checkIn.confirm}
          </Button>
        </>
      }
    >
      <ScanTarget label={checkIn.scanUnits} />
      {view.conflict !== undefined && (
        <Notice look="wrong" title={checkIn.conflict}>
          <p>{view.conflict.description}</p>
          <p>{checkIn.conflictHint}</p>
          <LinkButton to={href('/sync')}>{checkIn.openSync}</LinkButton>
        </Notice>
      )}
      {error !== undefined && <ErrorNotice error={error} />}
      {isDirty && <State look="info">{checkIn.draft}</State>}
      {packages.map((one) => (
        <Carton
          key={one.checkInPackageId}
          carton={one}
          isActive={one.checkInPackageId === active}
          isHere={draft.seen.includes(one.checkInPackageId)}
          items={items}
          countOf={(line) => countOf(one.checkInPackageId, line.webLineId)}
          onCount={(line, count) => {
            setSaid(undefined);
            put(one.checkInPackageId, line.webLineId, count);
            setTimeout(focusScanTarget);
          }}
          onProblem={(line) => setAsked({ packageId: one.checkInPackageId, line })}
        />
      ))}
      {isAnswered && (
        <PlacePicker
          label={checkIn.where}
          value={draft.place}
          onInput={(next) => change({ ...latest.current.draft, place: next })}
        />
      )}
      {asked !== undefined && (
        <ProblemDialog
          name={nameOf(asked.line.itemId)}
          quantity={asked.line.quantity}
          count={countOf(asked.packageId, asked.line.webLineId)}
          cancel={actions.cancel}
          onClose={() => setAsked(undefined)}
          onSave={(count) => {
            put(asked.packageId, asked.line.webLineId, count);
            setAsked(undefined);
          }}
        />
      )}
    </Screen>
  );
}

type CartonOf = View['checkInPackages'][number];

function cartonName({ trackingNumber, checkInPackageId }: CartonOf): string {
  return trackingNumber === '' ? checkInPackageId : trackingNumber;
}

function Carton({
  carton,
  isActive,
  isHere,
  items,
  countOf,
  onCount,
  onProblem,
}: {
  carton: CartonOf;
  isActive: boolean;
  isHere: boolean;
  items: Record<string, ItemWords>;
  countOf: (line: Line) => Count;
  onCount: (line: Line, count: Count) => void;
  onProblem: (line: Line) => void;
}) {
  const { checkIn } = t();
  const lines = carton.checkInPackageItems;
  const open = lines.reduce((sum, line) => sum + line.quantity - countOf(line).arrived - countOf(line).problem, 0);
  const all = (of: (line: Line, count: Count) => Count) => {
    for (const line of lines) onCount(line, of(line, countOf(line)));
  };
  const untouched = lines.every((line) => countOf(line).arrived + countOf(line).problem === 0);
  return (
    <section id={`carton-${carton.checkInPackageId}`} class="check-in-carton" data-active={isActive ? '' : undefined}>
      <div class="split">
        <h2>
          {checkIn.carton('')}
          <span class="code">{cartonName(carton)}</span>
        </h2>
        {open === 0 ? (
          <State look="right">{checkIn.allDone}</State>
        ) : isHere ? (
          <State look="info">{checkIn.here}</State>
        ) : (
          <State>{checkIn.open(open)}</State>
        )}
      </div>
      <ul class="list">
        {lines.map((line) => {
          const count = countOf(line);
          const { arrived, problem, reason } = count;
          const left = line.quantity - arrived - problem;
          const name = items[line.itemId]?.name ?? line.itemId;
          const shown = choices.value?.cancelReasons.find(({ code }) => code === reason);
          return (
            <li class="row check-in-line">
              <Picture url={items[line.itemId]?.imageUrl} label={name} isSmall />
              <span class="grow stack tight">
                <span>
                  <span class="strong">{name}</span> <span class="small quiet code">{line.itemId}</span>
                </span>
                {problem > 0 && (
                  <State look="risk" icon={TriangleAlert}>
                    {problem} · {shown === undefined ? checkIn.blockedReason : reasonText(shown)}
                  </State>
                )}
              </span>
              <span
                class="big check-in-count"
                role="img"
                aria-label={`${checkIn.arrived}: ${arrived}/${line.quantity}`}
              >
                {arrived}
                <span class="quiet">/{line.quantity}</span>
              </span>
              <span class="check-in-buttons">
                <Button
                  icon={Plus}
                  label={`${checkIn.arrived} +1: ${name}`}
                  blocked={left === 0 ? ' ' : undefined}
                  onClick={() => onCount(line, { ...count, arrived: arrived + 1 })}
                >
                  {checkIn.arrived}
                </Button>
                <Button icon={PackageX} label={`${checkIn.problem}: ${name}`} onClick={() => onProblem(line)}>
                  {checkIn.problem}
                </Button>
              </span>
            </li>
          );
        })}
      </ul>
      {open > 0 && (
        <div class="inline">
          <Button
            icon={PackageCheck}
            onClick={() => all((line, count) => ({ ...count, arrived: line.quantity - count.problem }))}
          >
            {checkIn.allArrived}
          </Button>
          <Button
            icon={PackageX}
            onClick={() =>
              all((line, count) => ({
                ...count,
                problem: line.quantity - count.arrived,
                reason:
                  count.problem > 0 && count.reason !== ''
                    ? count.reason
                    : knownReason(untouched ? 'STSPackageNotReceived' : 'STSProductNotReceived'),
              }))
            }
          >
            {untouched ? checkIn.cartonMissing : checkIn.restMissing}
          </Button>
        </div>
      )}
    </section>
  );
}

/** A reason only where the client has it: else the person chooses. */
function knownReason(code: string): string {
  return choices.peek()?.cancelReasons.some((one) => one.code === code) === true ? code : '';
}

function ProblemDialog({
  name,
  quantity,
  count,
  cancel,
  onSave,
  onClose,
}: {
  name: string;
  quantity: number;
  count: Count;
  cancel: string;
  onSave: (count: Count) => void;
  onClose: () => void;
}) {
  const { checkIn, actions } = t();
  const left = quantity - count.arrived;
  const [problem, setProblem] = useState(count.problem > 0 ? count.problem : left > 0 ? 1 : 0);
  const [reason, setReason] = useState(count.reason);
  const isMissing = problem > 0 && reason === '';
  return (
    <Dialog
      title={name}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            look="main"
            blocked={isMissing ? checkIn.blockedReason : undefined}
            onClick={() => {
              // Units that turn out damaged were counted as arrived before.
              const arrived = Math.min(count.arrived, quantity - problem);
              onSave({ arrived, problem, reason: problem > 0 ? reason : '' });
            }}
          >
            {actions.ok}
          </Button>
        </>
      }
    >
      <Stepper label={checkIn.howMany} value={problem} max={quantity} onInput={setProblem} />
      <Choices
        label={t().counter.reason}
        value={reason}
        options={reasonChoices([...DAMAGED, ...MISSING])}
        onInput={setReason}
      />
      <p class="small quiet">{checkIn.problemHint}</p>
    </Dialog>
  );
}

function Confirmed({ view }: { view: CheckInView }) {
  const { checkIn, counter } = t();
  const lines = view.details.checkInPackages.flatMap((one) => one.checkInPackageItems);
  const arrived = lines.reduce((sum, { checkInQuantity }) => sum + checkInQuantity, 0);
  const bad = lines.reduce((sum, { checkInCanceledQuantity }) => sum + checkInCanceledQuantity, 0);
  const isSent = view.confirmed === 'SENT';
  const { storeId, fulfillmentOrderId } = view.details;
  return (
    <Screen
      title={checkIn.title}
      sub={counter.order(fulfillmentOrderId)}
      onBack={() => go('/check-in')}
      tools={<SyncState />}
      actions={
        <>
          {isSent && arrived > 0 && (
            <LinkButton to={href(pathOf('hand-over', storeId, fulfillmentOrderId))}>{t().handOver.title}</LinkButton>
          )}
          <LinkButton look="main" to={href('/check-in')}>
            {checkIn.next}
          </LinkButton>
        </>
      }
    >
      <section class={isSent ? 'counter-done' : 'counter-done risk'} role="status">
        <Icon of={isSent ? CircleCheck : CloudUpload} />
        <div class="stack tight">
          <h2 class="big">{isSent ? checkIn.confirmed : checkIn.confirmedWaiting}</h2>
          <p>{checkIn.confirmedSum(arrived, bad)}</p>
        </div>
      </section>
      {!isSent && <p>{checkIn.confirmedWaitingHint}</p>}
      {arrived > 0 ? (
        <>
          <p class="big">{checkIn.putInto(view.holdLocation ?? '')}</p>
          {isSent && (
            <PrintButton
              isWide
              blocked={online.value ? undefined : counter.needsNetwork}
              print={async () => printHoldTickets([await readOrder(storeId, fulfillmentOrderId)])}
            >
              {counter.papers.holdTicket}
            </PrintButton>
          )}
        </>
      ) : (
        <Notice look="risk" title={checkIn.nothingArrived} />
      )}
    </Screen>
  );
}
