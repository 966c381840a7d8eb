/**
 * One announced return. Its units are received one by one, each with its condition, also without the network. Then the
 * return is closed.
 */
import { CircleCheck } from 'lucide';
import { useRef, useState } from 'preact/hooks';
import type { ReturnView } from '../../offline/return-view.ts';
import { countedOf, type Returned, type ReturnedLine } from '../../offline/returned.ts';
import { online } from '../../preferences.ts';
import { go } from '../../router.ts';
import { linesOfCode } from '../../scan/lines-of-code.ts';
import { focusScanTarget } from '../../scan/target.tsx';
import { may } from '../../session.ts';
import { t, takeBackTexts, word } from '../../texts/index.ts';
import { lazy } from '../../ui/lazy.tsx';
import { useLoad } from '../../ui/load.tsx';
import { explain, State } from '../../ui/notice.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { useItemChoice } from '../../work/item-choice.tsx';
import { useItemWords } from '../../work/item-words.ts';
import { useSaid } from '../../work/said.tsx';
import { WorkLine } from '../../work/work-line.tsx';
import { JobWaiting, WorkScreen } from '../../work/work-screen.tsx';
import { AddButton, ConditionDialog, Taken } from './return-parts.tsx';
import { PlaceState } from './return-words.tsx';
import { dispositionOf, findItems, type Return, type ReturnChoices, returnChoices } from './returning.ts';
import { type Returning, useReceipts, useReturned } from './use-returned.ts';

const ReturnConflict = lazy(async () => (await import('../../offline/return-conflict.tsx')).ReturnConflict);
// The list is closed at first, so it loads after the lines.
const ReceiptList = lazy(async () => (await import('./return-receipts.tsx')).ReceiptList);
const CloseDialog = lazy(async () => (await import('./close-return.tsx')).default);

export default function ReturnAnnounced({ params }: ScreenProps) {
  const [storeId, number] = [params['storeId']!, params['number']!];
  const texts = takeBackTexts();
  const [closed, setClosed] = useState<Return | undefined>();
  const returning = useReturned(storeId, number);
  const choices = useLoad(`return choices ${storeId}`, () => returnChoices(storeId));
  const head = { title: texts.tagOf(number), onBack: () => go('/return') };
  if (closed !== undefined) return <Taken head={head} of={closed} />;
  const { view, error, reload } = returning;
  if (view === undefined || choices.data.value === undefined)
    return <JobWaiting head={head} error={error ?? choices.error.value} reload={reload} />;
  const onClosed = (one: Return) => {
    setClosed(one);
    // The copy on the device is closed, too, so the list of this screen no longer has it.
    void reload();
  };
  return <Receiving head={head} returning={returning} view={view} choices={choices.data.value} onClosed={onClosed} />;
}

interface ReceivingProps {
  head: { title: string; onBack: () => void };
  returning: Returning;
  view: ReturnView;
  choices: ReturnChoices;
  onClosed: (closed: Return) => void;
}

/** A unit whose condition the user must choose. */
interface Asked {
  position?: number;
  isOfItem?: boolean;
  itemId: string;
  name: string;
  isOver: boolean;
}

/** Counts units. A scan or a tap asks for the condition; choosing the condition books one unit. */
function useCounting({ returning, view: { returned }, choices }: ReceivingProps) {
  const texts = takeBackTexts();
  const said = useSaid();
  const receipts = useReceipts(returning, said);
  const words = useItemWords(
    returned.storeId,
    returned.lines.map(({ itemId }) => itemId),
  );
  const nameOf = (itemId: string) => words[itemId]?.name ?? itemId;
  const [asked, setAsked] = useState<Asked | undefined>();
  const { choose, dialog } = useItemChoice();
  /** The code of the last scan beyond the announced units. A second scan of this code confirms the unit. */
  const doubted = useRef<string | undefined>(undefined);
  const doubt = (code: string, title: string, hint: string) => {
    doubted.current = code;
    said.wrong(title, hint);
  };
  const onItem = async (text: string) => {
    const isSure = doubted.current === text;
    doubted.current = undefined;
    const fitting = linesOfCode(returned.lines, text, ({ itemId }) => words[itemId]?.upcs ?? []);
    const line = fitting.find(({ open }) => open > 0) ?? fitting[0];
    if (line !== undefined) {
      const { position, itemId, open } = line;
      const name = nameOf(itemId);
      // If several lines have the item, the service chooses the line: only the service knows which one has the least left to
      // refund.
      const isOfItem = fitting.length > 1;
      if (open > 0) setAsked({ position, ...(isOfItem && { isOfItem }), itemId, name, isOver: false });
      else if (isSure) setAsked({ itemId, name, isOver: true });
      else doubt(text, texts.tooMany(name), texts.tooManyHint);
      return;
    }
    if (!online.peek()) {
      said.wrong(texts.notAnnounced(text), texts.needsNetworkHint);
      return;
    }
    const found = await findItems(text).catch((error: unknown) => {
      said.wrong(explain(error).what);
      return undefined;
    });
    if (found?.length === 0) said.wrong(texts.unknownItem(text), texts.unknownItemHint);
    const item = found && (await choose(found));
    if (item === undefined) return;
    if (isSure) setAsked({ ...item, isOver: true });
    else doubt(text, texts.notAnnounced(item.name), texts.notAnnouncedHint);
  };
  const add = (condition: string, label: string) => {
    setAsked(undefined);
    setTimeout(focusScanTarget);
    if (asked === undefined) return;
    const { name, isOver, ...of } = asked;
    const disposition = dispositionOf(choices, condition);
    void receipts.add({ ...of, quantity: 1, condition, disposition }, texts.counted(name, label), isOver);
  };
  return { said, receipts, words, nameOf, asked, setAsked, onItem, add, dialog };
}

function Receiving(props: ReceivingProps) {
  const { head, returning, view, choices, onClosed } = props;
  const texts = takeBackTexts();
  const { returned, conflicts, has } = view;
  const of = useCounting(props);
  const [isClosing, setClosing] = useState(false);
  // Hides the message about a receipt that was rejected or that the user gave up: the receipt is no success and has no
  // undo.
  const isGone = of.said.said?.undo !== undefined && !has(of.receipts.lastId.current);
  const canReceive = returned.state !== 'CLOSED';
  return (
    <WorkScreen
      job={{
        ...head,
        sub: <ReturnedState of={returned} />,
        scanLabel: canReceive ? texts.scanItem : undefined,
        onCode: ({ text, command }) =>
          command !== undefined || of.asked !== undefined || isClosing || !canReceive ? false : of.onItem(text),
        said: isGone ? undefined : of.said.said,
        asOf: online.value ? undefined : view.at,
        error: view.at > 0 && online.value ? returning.error : undefined,
        main: {
          label: texts.close,
          icon: CircleCheck,
          blocked: closeBlock(view),
          run: () => setClosing(true),
        },
      }}
    >
      {conflicts.map((conflict) => (
        <ReturnConflict key={conflict.lane} conflict={conflict} nameOf={of.nameOf} />
      ))}
      <ul class="list">
        {returned.lines.map((line) => (
          <Line
            key={line.position}
            line={line}
            name={of.nameOf(line.itemId)}
            picture={of.words[line.itemId]?.imageUrl}
            onAdd={
              line.open > 0 && canReceive
                ? () => of.setAsked({ ...line, name: of.nameOf(line.itemId), isOver: false })
                : undefined
            }
          />
        ))}
      </ul>
      {returned.receipts.length > 0 && <ReceiptList view={view} nameOf={of.nameOf} onCorrect={of.receipts.correct} />}
      {of.dialog}
      {of.asked !== undefined && (
        <ConditionDialog of={of.asked} choices={choices} onChoose={of.add} onClose={() => of.setAsked(undefined)} />
      )}
      {isClosing && <CloseDialog of={returned} onClosed={onClosed} onClose={() => setClosing(false)} />}
    </WorkScreen>
  );
}

/** Returns the reason why the return cannot be closed now; undefined if it can. */
function closeBlock({ returned, waiting, conflicts }: ReturnView): string | undefined {
  const texts = takeBackTexts();
  if (returned.state === 'CLOSED') return texts.states.CLOSED;
  if (returned.state !== 'RECEIVING' && returned.lines.every((line) => countedOf(line) === 0))
    return texts.nothingCounted;
  if (!may('receipts.close')) return texts.closeByOther;
  if (conflicts.length > 0) return texts.closeSettle;
  return waiting > 0 || !online.value ? texts.closeWaits : undefined;
}

function ReturnedState({ of: { state, totals, inTransitAt } }: { of: Returned }) {
  const texts = takeBackTexts();
  const words = state === 'REQUESTED' && inTransitAt !== undefined ? texts.underWay : word(texts.states, state);
  return (
    <span>
      {words} · {texts.cameOf(countedOf(totals), totals.requested + totals.over)}
    </span>
  );
}

interface LineProps {
  line: ReturnedLine;
  name: string;
  picture: string | undefined;
  onAdd: (() => void) | undefined;
}

function Line({ line, name, picture, onAdd }: LineProps) {
  const texts = takeBackTexts();
  const { itemId, requested, over, open, sellable, damaged, held, givenBack } = line;
  const came = countedOf(line);
  const all = requested + over;
  const places = [
    ['SHELF', sellable],
    ['DAMAGED', damaged],
    ['HELD', held],
    ['GIVEN_BACK', givenBack],
  ] as const;
  return (
    <WorkLine
      look="hand"
      name={name}
      code={itemId}
      picture={picture}
      count={`${came}/${all}`}
      countLabel={t().units.ofUnits(came, all)}
      isNone={all === 0}
      isDone={open === 0 && came > 0}
      states={
        <span class="inline">
          {places.map(([place, units]) => units > 0 && <PlaceState of={place} count={units} />)}
          {over > 0 && (
            <State look="info">
              {over} {texts.extra}
            </State>
          )}
        </span>
      }
      buttons={onAdd !== undefined && <AddButton name={name} onAdd={onAdd} />}
    />
  );
}
