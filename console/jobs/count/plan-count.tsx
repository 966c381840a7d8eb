/**
 * Counts the lines of a plan in the order of the places, without showing the expected units. Each scan counts one unit,
 * or the user enters the number of units. The device stores the counts until they are sent.
 */
import { Check, ClipboardCheck } from 'lucide';
import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../api.ts';
import { online } from '../../preferences.ts';
import { go } from '../../router.ts';
import { focusScanTarget } from '../../scan/target.tsx';
import { session } from '../../session.ts';
import { leadTexts, t, word } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { type Loaded, useAction } from '../../ui/load.tsx';
import { explain, State } from '../../ui/notice.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { useItemChoice } from '../../work/item-choice.tsx';
import { ownId } from '../../work/own-id.ts';
import { useSaid } from '../../work/said.tsx';
import { JobDone, JobLoading, WorkScreen } from '../../work/work-screen.tsx';
import { isAway, nameOf } from '../receive/receiving.ts';
import { CountedLine, NumberDialog } from './counted-line.tsx';
import {
  type CountPlan,
  type DraftLine,
  keepPlanDraft,
  type PlanLine,
  planPath,
  readPlan,
  readPlanDraft,
  usePlan,
} from './plan-data.ts';
import { planName, planScreen } from './plan-name.tsx';
import { type StockPlace, stockedOfCode } from './stock-data.ts';

type Progress = Pick<CountPlan, 'state' | 'totals'>;
type Key = Pick<PlanLine, 'itemId' | 'place'>;

const isSame = (a: Key, b: Key) => a.itemId === b.itemId && a.place === b.place;

export default function PlanCount({ params }: ScreenProps) {
  const planId = params['planId']!;
  const loaded = usePlan(planId);
  const plan = loaded.data.value;
  const onBack = () => go(planScreen(planId));
  if (plan === undefined) return <JobLoading head={{ title: leadTexts().plans.title, onBack }} of={loaded} />;
  return <Counting plan={plan} loaded={loaded} onBack={onBack} />;
}

/**
 * Returns the lines that this user can count now (`mine`), and the lines that another user must count again (`others`).
 */
function linesOf(plan: CountPlan): { mine: PlanLine[]; others: PlanLine[] } {
  const own = session.value!.user.userId;
  const open = plan.lines.filter(({ state }) => state !== 'COUNTED');
  const mine = open.filter(({ state, firstBy }) => state === 'TO_COUNT' || firstBy !== own);
  return { mine, others: open.filter((line) => !mine.includes(line)) };
}

/** Keeps the counts on this device until they are sent. */
function useDraft(planId: string) {
  const [draft, setDraft] = useState(() => readPlanDraft(planId));
  const latest = useRef(draft);
  const isSaving = useRef(false);
  const keep = (lines: readonly DraftLine[]) => {
    latest.current = keepPlanDraft(planId, lines);
    setDraft(latest.current);
  };
  return {
    draft,
    current: () => latest.current,
    keep,
    /** Saves the lines with `send`, then removes them from this device. */
    async save<T>(send: (saved: typeof draft) => Promise<T>): Promise<T> {
      isSaving.current = true;
      try {
        const made = await send(latest.current);
        keep([]);
        return made;
      } finally {
        isSaving.current = false;
      }
    },
    /**
     * Counts one more unit of a line, or replaces its count by `entered`; returns the new count. The first count of a
     * line and an entered count read and store the present revision of the level. Returns 'SAVING' while the lines are
     * being saved, because the save removes them and a new unit would be lost. Returns 'GONE' if the line is no longer
     * open.
     */
    async put(line: Key, entered?: number): Promise<number | 'SAVING' | 'GONE'> {
      const kept = () => latest.current.lines.find((one) => isSame(one, line));
      let revision = entered === undefined ? kept()?.revision : undefined;
      if (revision === undefined) {
        ({ revision } = (await readPlan(planId)).lines.find((one) => isSame(one, line)) ?? {});
        if (revision === undefined) return 'GONE';
      }
      if (isSaving.current) return 'SAVING';
      const counted = entered ?? (kept()?.counted ?? 0) + 1;
      const others = latest.current.lines.filter((one) => !isSame(one, line));
      keep([{ itemId: line.itemId, place: line.place, counted, revision }, ...others]);
      return counted;
    },
  };
}

/**
 * Counts the lines of a plan that are open for this user: one unit per scan, or by number. Scans count the units of the
 * place `where`.
 */
function useCounting(plan: CountPlan, reload: () => Promise<void>) {
  const said = useSaid();
  const own = useDraft(plan.planId);
  const { choose, dialog } = useItemChoice();
  const { mine, others } = linesOf(plan);
  const places = [...new Set(mine.map((line) => line.place))];
  const [chosen, setWhere] = useState<StockPlace>('SHELF');
  const where = places.includes(chosen) ? chosen : places[0];
  const kept = own.draft.lines.filter((line) => mine.some((one) => isSame(one, line)));
  useEffect(() => {
    // Removes lines that other users have counted in the meantime, so that they are not sent.
    if (kept.length < own.draft.lines.length) own.keep(kept);
  }, [plan]);
  const failed = (error: unknown) => {
    const { stock } = t();
    if (isAway(error)) said.wrong(stock.countOffline, stock.countOfflineHint);
    else said.wrong(explain(error).what);
  };
  const notHere = (itemId: string) => {
    const { plans } = leadTexts();
    said.wrong(plans.notInPlan(nameOf({ itemId })), plans.notInPlanHint);
  };
  const [pending, setPending] = useState(0);
  /** Counts a line. The lines are sent only after this count is stored. @throws ApiError */
  const put = async (line: Key, entered?: number) => {
    setPending((before) => before + 1);
    try {
      const counted = await own.put(line, entered);
      if (counted === 'SAVING') said.wrong(t().stock.countSaving, t().stock.countSavingHint);
      else if (counted === 'GONE') {
        notHere(line.itemId);
        await reload();
      } else said.right([`${counted} × ${nameOf(line)}`, ...placeOf(line, places)].join(' · '));
    } finally {
      setPending((before) => before - 1);
    }
  };
  const onText = async (text: string) => {
    const { stock } = t();
    const { plans } = leadTexts();
    try {
      const found = await stockedOfCode(text);
      if (found.length === 0) {
        said.wrong(stock.countUnknown(text));
        return;
      }
      const planned = found.filter(({ itemId }) => mine.some((one) => one.itemId === itemId));
      if (planned.length === 0) {
        notHere(found[0]!.itemId);
        return;
      }
      const here = mine.filter((one) => one.place === where).map(({ itemId }) => itemId);
      const itemId = (await choose(planned, here))?.itemId;
      if (itemId === undefined) return;
      const ofItem = mine.filter((one) => one.itemId === itemId);
      const line = ofItem.find((one) => one.place === where);
      if (line !== undefined) await put(line);
      else said.wrong(plans.otherPlace(nameOf({ itemId }), word(stock.places, ofItem[0]!.place)), plans.otherPlaceHint);
    } catch (error) {
      failed(error);
    }
  };
  const none = (line: Key) => void put(line, 0).catch(failed);
  return { said, own, mine, others, kept, places, where, setWhere, onText, put, none, dialog, isPending: pending > 0 };
}

/** Returns the name of the line's place if the plan has several places. */
const placeOf = ({ place }: Key, places: readonly StockPlace[]) =>
  places.length > 1 ? [word(t().stock.places, place)] : [];

function Counting({ plan, loaded, onBack }: { plan: CountPlan; loaded: Loaded<CountPlan>; onBack: () => void }) {
  const { stock } = t();
  const { plans } = leadTexts();
  const counting = useCounting(plan, loaded.reload);
  const { said, own, mine, others, kept, places, where } = counting;
  const [asked, setAsked] = useState<PlanLine | undefined>();
  const [done, setDone] = useState<Progress | undefined>();
  const send = useAction(async () => {
    const made = await own
      .save(({ countId, lines }) =>
        call<Progress>('POST', `${planPath(plan.planId)}/counts`, { body: { countId, userId: ownId(), lines } }),
      )
      .catch(async (error: unknown) => {
        // Another user may have counted a line in the meantime. After the reload, the plan leaves this line out.
        if (!isAway(error)) await loaded.reload();
        throw error;
      });
    said.say(undefined, 'done');
    setDone(made);
    await loaded.reload();
  });
  const head = { title: planName(plan), isName: true, sub: plans.leftOf(mine.length, plan.totals.lines), onBack };
  if (done !== undefined || (mine.length === 0 && kept.length === 0))
    return <Counted head={head} of={done ?? plan} left={mine.length} onNext={() => setDone(undefined)} />;
  const blocked = kept.length === 0 ? stock.countNothing : online.value ? undefined : stock.countOffline;
  return (
    <WorkScreen
      job={{
        ...head,
        scanLabel: stock.countScan,
        onCode: ({ text, command }) => (asked !== undefined || command !== undefined ? false : counting.onText(text)),
        said: said.said,
        error: send.error,
        main: {
          label: plans.send(kept.length),
          icon: ClipboardCheck,
          isBusy: send.isBusy || counting.isPending,
          blocked,
          run: send.run,
        },
      }}
    >
      {places.length > 1 && <Places places={places} shown={where} onPlace={counting.setWhere} />}
      <ul class="list" aria-label={plans.title}>
        {mine.map((line) => (
          <Line
            key={`${line.itemId} ${line.place}`}
            of={line}
            counted={kept.find((one) => isSame(one, line))?.counted}
            onNumber={() => setAsked(line)}
            onNone={() => counting.none(line)}
          />
        ))}
      </ul>
      {others.length > 0 && <State look="info">{plans.othersCount(others.length)}</State>}
      {counting.dialog}
      {asked !== undefined && (
        <NumberDialog
          name={nameOf(asked)}
          onClose={() => setAsked(undefined)}
          onSet={(counted) => counting.put(asked, counted)}
        />
      )}
    </WorkScreen>
  );
}

interface PlacesProps {
  places: readonly StockPlace[];
  /** The place whose units are scanned. */
  shown: StockPlace | undefined;
  onPlace: (place: StockPlace) => void;
}

function Places({ places, shown, onPlace }: PlacesProps) {
  const { stock } = t();
  return (
    <div class="inline" role="group" aria-label={stock.countPlace}>
      {places.map((one) => (
        <button
          type="button"
          class="button"
          aria-pressed={one === shown}
          onClick={() => {
            onPlace(one);
            focusScanTarget();
          }}
        >
          {word(stock.places, one)}
        </button>
      ))}
    </div>
  );
}

interface LineProps {
  of: PlanLine;
  counted: number | undefined;
  onNumber: () => void;
  onNone: () => void;
}

function Line({ of, counted, onNumber, onNone }: LineProps) {
  const { stock } = t();
  const { plans } = leadTexts();
  return (
    <CountedLine
      of={of}
      counted={counted}
      isDone={counted !== undefined}
      states={
        <span class="receive-facts">
          {of.bin !== undefined && <span class="strong code">{of.bin}</span>}
          {of.place !== 'SHELF' && <span class="quiet">{word(stock.places, of.place)}</span>}
          {of.state === 'COUNT_AGAIN' && <span class="quiet">{plans.lineStates['COUNT_AGAIN']}</span>}
        </span>
      }
      onNumber={onNumber}
      other={{ label: plans.noneOf(nameOf(of)), word: plans.noneThere, run: onNone }}
    />
  );
}

function Counted({
  head,
  of,
  left,
  onNext,
}: {
  head: { title: string; isName: boolean; sub: string; onBack: () => void };
  of: Progress;
  left: number;
  onNext: () => void;
}) {
  const { plans } = leadTexts();
  const isDone = of.state === 'COUNTED';
  return (
    <JobDone
      head={head}
      title={isDone ? plans.allCounted : plans.sent}
      hint={isDone ? plans.leadApproves : of.totals.countAgain > 0 ? plans.againHint(of.totals.countAgain) : undefined}
      actions={
        left > 0 ? (
          <Button isWide look="main" onClick={onNext}>
            {plans.goOn(left)}
          </Button>
        ) : (
          <Button isWide look="main" icon={Check} onClick={() => go('/stock/plans')}>
            {plans.back}
          </Button>
        )
      }
    />
  );
}
