/** One count plan: the chosen lines, the progress of the count, and the approval by the lead after it is counted. */
import { Check, CirclePlay, ClipboardCheck, ClipboardList, RotateCcw, Trash2, X } from 'lucide';
import { useState } from 'preact/hooks';
import { call } from '../../api.ts';
import { go, href } from '../../router.ts';
import { feedback } from '../../scan/feedback.ts';
import { ScanTarget } from '../../scan/target.tsx';
import { may, place, session } from '../../session.ts';
import { leadTexts, number, t, time, word } from '../../texts/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Show, useAction } from '../../ui/load.tsx';
import { ErrorNotice, Notice, State } from '../../ui/notice.tsx';
import { Picture } from '../../ui/picture.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { Screen } from '../../ui/screen.tsx';
import { useNames } from '../../work/names.ts';
import { SyncState } from '../../work/sync-state.tsx';
import { useTurns } from '../../work/use-once.ts';
import { itemWords, nameOf } from '../receive/receiving.ts';
import { type CountPlan, changePlan, type PlanLine, planPath, usePlan } from './plan-data.ts';
import { PlanState, planName, planScreen } from './plan-name.tsx';
import { useItemScan } from './use-item-scan.ts';

/** Returns the name of a user. */
type Who = (userId: string) => string;

/** A draft has no counts, so it needs no names. */
const idOf: Who = (userId) => userId;

/** Interval for reading a plan again, because other users count its lines. */
const EVERY_MS = 15_000;

const keyOf = ({ itemId, place }: PlanLine) => `${itemId} ${place}`;

/** Lines that the lead selects to be counted again. */
interface Again {
  lines: readonly PlanLine[];
  toggle: (line: PlanLine) => void;
}

export default function CountPlanScreen({ params }: ScreenProps) {
  const planId = params['planId']!;
  const loaded = usePlan(planId, EVERY_MS);
  const plan = loaded.data.value;
  // The selected lines by their keys, which remain the same when the plan is read again.
  const [keys, setKeys] = useState<readonly string[]>([]);
  const lines = plan?.lines.filter((line) => keys.includes(keyOf(line))) ?? [];
  const toggle = (line: PlanLine) => {
    const key = keyOf(line);
    setKeys(keys.includes(key) ? keys.filter((one) => one !== key) : [...keys, key]);
  };
  const onDone = () => {
    setKeys([]);
    void loaded.reload();
  };
  return (
    <Screen
      title={plan === undefined ? leadTexts().plans.title : planName(plan)}
      isName
      sub={plan !== undefined && <PlanState of={plan} />}
      onBack={() => go('/stock/plans')}
      tools={<SyncState />}
      actions={plan !== undefined && <Actions of={plan} again={lines} onDone={onDone} />}
    >
      <Show of={loaded} lines={5}>
        {(shown) =>
          shown.state === 'DRAFT' && may('stock.adjust') ? (
            <Draft of={shown} onChange={() => void loaded.reload()} />
          ) : (
            <Shown of={shown} again={{ lines, toggle }} />
          )
        }
      </Show>
    </Screen>
  );
}

interface ActionsProps {
  of: CountPlan;
  again: readonly PlanLine[];
  onDone: () => void;
}

/** Buttons for the actions that are possible in the state of the plan. The main action is the last one. */
function Actions({ of, again, onDone }: ActionsProps) {
  const { plans } = leadTexts();
  const [isAsking, setAsking] = useState(false);
  const act = useAction(async (action: 'open' | 'recount' | 'approve' | 'discard') => {
    setAsking(false);
    const lines = again.map(({ itemId, place }) => ({ itemId, place }));
    await call('POST', `${planPath(of.planId)}/${action}`, { body: action === 'recount' ? { lines } : {} });
    feedback('done');
    if (action === 'discard') go('/stock/plans');
    else onDone();
  });
  const isLead = may('stock.adjust');
  const main = { look: 'main', isBusy: act.isBusy, blocked: isLead ? undefined : plans.leadOnly } as const;
  return (
    <>
      {act.error !== undefined && <ErrorNotice error={act.error} />}
      {of.state !== 'APPROVED' && isLead && (
        <Button icon={Trash2} onClick={() => setAsking(true)}>
          {plans.discard}
        </Button>
      )}
      {of.state === 'DRAFT' && (
        <Button
          {...main}
          blocked={main.blocked ?? (of.lines.length === 0 ? plans.noLinesOpen : undefined)}
          icon={CirclePlay}
          onClick={() => void act.run('open')}
        >
          {plans.open}
        </Button>
      )}
      {of.state === 'OPEN' && may('stock.count', 'fulfillment.write') && (
        <LinkButton look="main" icon={ClipboardList} to={href(`${planScreen(of.planId)}/count`)}>
          {plans.count}
        </LinkButton>
      )}
      {of.state === 'COUNTED' &&
        (again.length > 0 ? (
          <Button {...main} icon={RotateCcw} onClick={() => void act.run('recount')}>
            {plans.recountLines(again.length)}
          </Button>
        ) : (
          <Button {...main} icon={ClipboardCheck} onClick={() => void act.run('approve')}>
            {plans.approve}
          </Button>
        ))}
      {isAsking && (
        <AskDialog
          title={plans.discardAsk}
          onClose={() => setAsking(false)}
          act={plans.discard}
          look="danger"
          onAct={() => void act.run('discard')}
        >
          <p>{plans.discardHint}</p>
        </AskDialog>
      )}
    </>
  );
}

interface Change {
  itemId: string;
  what: Parameters<typeof changePlan>[1];
  /** The message after the change is saved. */
  done: string;
}

/**
 * Sends the changes of a draft one after the other, so that no scan or tap is lost while an earlier one is sent. The
 * error of an item remains on the screen until the next change of this item, because the scan itself had the sound of a
 * success.
 */
function useChanges(planId: string, onChange: () => void) {
  const [said, setSaid] = useState<string | undefined>();
  const [waiting, setWaiting] = useState(0);
  const [failed, setFailed] = useState<readonly { itemId: string; error: unknown }[]>([]);
  const inTurn = useTurns();
  const clear = (itemId: string) => setFailed((all) => all.filter((one) => one.itemId !== itemId));
  const change = ({ itemId, what, done }: Change) => {
    clear(itemId);
    setWaiting((count) => count + 1);
    return inTurn(async () => {
      try {
        await changePlan(planId, what);
        setSaid(done);
        onChange();
      } catch (error) {
        feedback('wrong');
        setSaid(undefined);
        setFailed((all) => [...all, { itemId, error }]);
      }
      setWaiting((count) => count - 1);
    });
  };
  const say = (itemId: string, words: string) => {
    clear(itemId);
    setSaid(words);
  };
  return { said, say, waiting, failed, change };
}

/** A draft: a scan adds an item, and each line can be removed. */
function Draft({ of, onChange }: { of: CountPlan; onChange: () => void }) {
  const { plans } = leadTexts();
  const { said, say, waiting, failed, change } = useChanges(of.planId, onChange);
  const { wrong, dialog, clear } = useItemScan(async (itemId) => {
    const name = nameOf({ itemId });
    const isThere = of.lines.some((line) => line.itemId === itemId && of.rule.places.includes(line.place));
    const add = of.rule.places.map((place) => ({ itemId, place }));
    if (isThere) say(itemId, plans.isThere(name));
    else await change({ itemId, what: { add }, done: plans.added(name) });
  });
  const remove = ({ itemId, place: at }: PlanLine) => {
    clear();
    void change({ itemId, what: { remove: [{ itemId, place: at }] }, done: plans.removed(nameOf({ itemId })) });
  };
  return (
    <>
      <ScanTarget label={plans.add} />
      {dialog}
      {wrong !== undefined && <Notice look="wrong" title={wrong} />}
      {failed.length > 0 && (
        <>
          <Notice look="wrong" title={plans.notSaved(failed.map(nameOf).join(', '))} />
          <ErrorNotice error={failed.at(-1)!.error} />
        </>
      )}
      {wrong === undefined && (waiting > 0 || said !== undefined) && (
        <div role="status" aria-busy={waiting > 0}>
          <Notice look={waiting > 0 ? 'info' : 'right'} title={waiting > 0 ? plans.saving(waiting) : said} />
        </div>
      )}
      <Summary of={of} who={idOf} />
      {of.lines.length === 0 ? (
        <Empty icon={ClipboardList} title={plans.noLines}>
          {plans.noLinesHint}
        </Empty>
      ) : (
        <LineList lines={of.lines} label={plans.title} who={idOf} onRemove={remove} />
      )}
    </>
  );
}

function Shown({ of, again }: { of: CountPlan; again: Again }) {
  const { plans } = leadTexts();
  const differing = of.lines.filter(({ difference }) => difference !== undefined && difference !== 0);
  const agreeing = of.lines.filter((line) => !differing.includes(line));
  const isBlind = of.state === 'DRAFT' || of.state === 'OPEN';
  const who = useNames(place.value!.nodeId);
  const list = { who, ...(of.state === 'COUNTED' && may('stock.adjust') && { again }) };
  return (
    <>
      <Summary of={of} who={who} />
      {!isBlind && differing.length > 0 && (
        <>
          <h2>{plans.differing(differing.length)}</h2>
          <LineList lines={differing} label={plans.differing(differing.length)} {...list} />
        </>
      )}
      {agreeing.length > 0 && (
        <>
          {!isBlind && differing.length > 0 && <h2>{plans.agreeing(agreeing.length)}</h2>}
          <LineList lines={agreeing} label={plans.title} {...list} />
        </>
      )}
    </>
  );
}

/** The progress and the rule of a plan, and what happens next. */
function Summary({ of, who }: { of: CountPlan; who: Who }) {
  const { plans } = leadTexts();
  const { lines, counted, countAgain } = of.totals;
  return (
    <section class="card stack tight">
      {of.state === 'OPEN' && (
        <progress class="progress" value={counted} max={lines} aria-label={plans.countedOf(counted, lines)} />
      )}
      <p>
        {plans.lines(lines)}
        {of.state === 'OPEN' && ` · ${plans.countedOf(counted, lines)}`}
        {countAgain > 0 && ` · ${plans.again(countAgain)}`}
      </p>
      <p class="small quiet">
        {word(plans.rules, of.rule.type)}
        {of.rule.bins !== undefined && ` ${of.rule.bins.join(', ')}`} · {plans.second}:{' '}
        {word(plans.seconds, of.secondCount)}
      </p>
      {of.state === 'DRAFT' && <p>{plans.draftHint}</p>}
      {of.state === 'OPEN' && <p>{plans.blindHint}</p>}
      {of.state === 'COUNTED' && <p>{plans.approveHint}</p>}
      {of.approvedAt !== undefined && <p>{plans.approvedBy(who(of.approvedBy!), time(of.approvedAt))}</p>}
    </section>
  );
}

interface LineListProps {
  lines: readonly PlanLine[];
  label: string;
  who: Who;
  /** The lines chosen for a recount; undefined if no lines can be chosen. */
  again?: Again;
  /** If it is absent, lines cannot be removed. */
  onRemove?: (line: PlanLine) => void;
}

function LineList({ lines, label, who, again, onRemove }: LineListProps) {
  const { plans } = leadTexts();
  return (
    <ul class="list" aria-label={label}>
      {lines.map((line) => (
        <li class="row plan-line" key={keyOf(line)}>
          <Line of={line} who={who} />
          {again !== undefined && <AgainButton of={line} again={again} />}
          {onRemove !== undefined && (
            <Button icon={X} label={plans.removeOf(nameOf(line))} onClick={() => onRemove(line)}>
              {plans.remove}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

function AgainButton({ of, again: { lines, toggle } }: { of: PlanLine; again: Again }) {
  const { plans } = leadTexts();
  return (
    <button
      type="button"
      class="button"
      aria-pressed={lines.includes(of)}
      aria-label={plans.recountOf(nameOf(of))}
      onClick={() => toggle(of)}
    >
      <Icon of={RotateCcw} />
      <span>{plans.recount}</span>
    </button>
  );
}

function Line({ of, who }: { of: PlanLine; who: Who }) {
  const { stock } = t();
  const { plans } = leadTexts();
  const last = of.secondCounted ?? of.firstCounted;
  const own = session.value?.user.userId;
  return (
    <>
      <Picture url={itemWords.value[of.itemId]?.imageUrl} label={nameOf(of)} isSmall />
      <span class="grow stack tight">
        <span class="strong">{nameOf(of)}</span>
        <span class="receive-facts quiet">
          <span class="small code">{of.itemId}</span>
          {of.bin !== undefined && <span class="code">{of.bin}</span>}
          {of.place !== 'SHELF' && <span>{word(stock.places, of.place)}</span>}
          {of.firstCounted !== undefined && (
            <span>{plans.countBy(number(of.firstCounted), of.firstBy === own ? plans.you : who(of.firstBy!))}</span>
          )}
          {of.secondCounted !== undefined && <span>{plans.countBy(number(of.secondCounted), who(of.secondBy!))}</span>}
        </span>
        <span class="inline">
          {of.difference === undefined ? (
            of.state === 'COUNTED' ? (
              <State look="right">{plans.lineStates['COUNTED']}</State>
            ) : (
              of.state === 'COUNT_AGAIN' && <State look="risk">{plans.lineStates['COUNT_AGAIN']}</State>
            )
          ) : of.difference === 0 ? (
            <State look="right" icon={Check}>
              {stock.countAgrees}
            </State>
          ) : (
            <State look="risk">{stock.countDiffers(of.difference)}</State>
          )}
        </span>
      </span>
      {last !== undefined && <span class="big">{number(last)}</span>}
    </>
  );
}
