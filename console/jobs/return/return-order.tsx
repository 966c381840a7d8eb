/** One order at the counter: the returned units, their condition, and the information for the customer. */

import { ArrowLeftRight, CircleCheck, Clock } from 'lucide';
import { useRef, useState } from 'preact/hooks';
import { online } from '../../preferences.ts';
import { go } from '../../router.ts';
import { may } from '../../session.ts';
import { t, takeBackTexts, word } from '../../texts/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { useAction, useLoad } from '../../ui/load.tsx';
import { Notice, State } from '../../ui/notice.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { useItemWords } from '../../work/item-words.ts';
import { OrderId } from '../../work/order-id.tsx';
import { useSaid } from '../../work/said.tsx';
import { WorkLine } from '../../work/work-line.tsx';
import { JobLoading, WorkScreen } from '../../work/work-screen.tsx';
import { NOT_SAID, ReasonChoice, reasonBlock } from './reason-choice.tsx';
import { ConditionDialog, Counted, RefundPreview, Taken, Unsure, useUnits } from './return-parts.tsx';
import {
  type AskedWish,
  type CheckedLine,
  type CheckedOrder,
  check,
  dispositionOf,
  fittingWishes,
  lateUnits,
  leftToRefund,
  previewTake,
  type Return,
  type ReturnChoices,
  returnChoices,
  type Taking,
  takeBack,
  type Unit,
  unitsOf,
} from './returning.ts';

const ExchangeDialog = lazy(async () => (await import('./exchange.tsx')).default);

export default function ReturnOrder({ params }: ScreenProps) {
  const [storeId, orderId] = [params['storeId']!, params['orderId']!];
  const texts = takeBackTexts();
  const [taken, setTaken] = useState<Return | undefined>();
  const loaded = useLoad(`return order ${storeId} ${orderId}`, async (signal) => {
    const [{ orders }, choices] = await Promise.all([
      check(storeId, { fulfillmentOrderId: orderId }, signal),
      returnChoices(storeId),
    ]);
    return { order: orders[0], choices };
  });
  const head = { title: texts.title, sub: <OrderId id={orderId} />, onBack: () => go('/return') };
  if (taken !== undefined) return <Taken head={head} of={taken} />;
  const known = loaded.data.value;
  if (known?.order === undefined)
    return <JobLoading head={head} of={loaded} ended={() => <p>{texts.notFound(orderId)}</p>} />;
  return (
    <Counter
      head={head}
      storeId={storeId}
      order={known.order}
      choices={known.choices}
      reload={loaded.reload}
      onTaken={setTaken}
    />
  );
}

interface CounterProps {
  head: { title: string; sub: preact.ComponentChildren; onBack: () => void };
  storeId: string;
  order: CheckedOrder;
  choices: ReturnChoices;
  reload: () => Promise<void>;
  onTaken: (taken: Return) => void;
}

/** Manages the input of the user at the counter. */
function useCounter({ storeId, order, choices, reload, onTaken }: CounterProps) {
  const said = useSaid();
  const [reason, setReason] = useState<string | undefined>();
  const [note, setNote] = useState('');
  const [asked, setWishes] = useState<Readonly<Record<string, AskedWish>>>({});
  const [overrideReason, setOverride] = useState<string | undefined>();
  const itemIds = order.lines.map(({ itemId }) => itemId);
  const words = useItemWords(storeId, itemIds);
  const openOf = (line: CheckedLine) => line.returnableQuantity + (overrideReason === undefined ? 0 : lateUnits(line));
  const lines = order.lines.map((line) => ({
    line: line.webLineId,
    itemId: line.itemId,
    name: line.itemDesc,
    open: openOf(line),
    codes: words[line.itemId]?.upcs ?? [],
    left: leftToRefund(line),
    why: line.reasons[0]?.rule,
  }));
  const units = useUnits(lines, said);
  const stays = ({ condition }: Unit) => dispositionOf(choices, condition) !== 'GIVEN_BACK';
  /** Returns the units of a line that stay here. Units that the customer keeps bring no exchange. */
  const stayingOf = (line: string) => unitsOf(units.units.filter(stays), line);
  const wishes = fittingWishes(asked, stayingOf);
  const taking: Taking = {
    storeId,
    orderId: order.fulfillmentOrderId,
    units: units.units,
    reason: reason ?? NOT_SAID,
    note,
    wishes,
    overrideReason,
  };
  const last = useRef({ content: '', takeId: '' });
  const take = useAction(async () => {
    try {
      onTaken(await takeBack(taking, last.current));
    } catch (error) {
      // Reads the order again, because another counter may have received the units.
      void reload();
      throw error;
    }
  });
  const needsNote = choices.reasons.find(({ code }) => code === reason)?.asks === 'NOTE';
  return {
    ...{ said, reason, setReason, note, setNote, needsNote, wishes, setWishes, overrideReason, setOverride },
    ...{ words, openOf, stayingOf, lines, units, taking, take },
    count: units.units.reduce((sum, one) => sum + one.quantity, 0),
  };
}

type Counting = ReturnType<typeof useCounter>;

function Counter(props: CounterProps) {
  const { head, order, choices } = props;
  const texts = takeBackTexts();
  const of = useCounter(props);
  const { units, said, count, take } = of;
  const [wishFor, setWishFor] = useState<CheckedLine | undefined>();
  return (
    <WorkScreen
      job={{
        ...head,
        scanLabel: texts.scanItem,
        onCode: ({ text, command }) => {
          // While a dialog for the last unit is open, codes are not handled here.
          if (command !== undefined || units.asked !== undefined || wishFor !== undefined) return false;
          if (!units.onItem(text)) said.wrong(texts.notOfOrder(text));
          return undefined;
        },
        said: said.said,
        needsNetwork: { title: texts.needsNetwork, hint: texts.needsNetworkHint },
        main: {
          label: texts.take(count),
          icon: CircleCheck,
          isBusy: take.isBusy,
          blocked: blockOf(of, choices),
          run: () => take.run(),
        },
      }}
    >
      <Unsure error={take.error} />
      <Late of={of} order={order} />
      {count > 0 && <Preview taking={of.taking} />}
      {count > 0 && <Reason of={of} choices={choices} />}
      <ul class="list">
        {order.lines.map((line) => (
          <Line key={line.webLineId} line={line} of={of} choices={choices} onWish={() => setWishFor(line)} />
        ))}
      </ul>
      {units.asked !== undefined && (
        <ConditionDialog of={units.asked} choices={choices} onChoose={units.add} onClose={units.close} />
      )}
      {wishFor !== undefined && (
        <ExchangeDialog
          of={{ name: wishFor.itemDesc, units: of.stayingOf(wishFor.webLineId) }}
          wish={of.wishes[wishFor.webLineId]}
          onChoose={(wish) => {
            const { [wishFor.webLineId]: _, ...rest } = of.wishes;
            const units = of.stayingOf(wishFor.webLineId);
            of.setWishes(wish === undefined ? rest : { ...rest, [wishFor.webLineId]: { ...wish, of: units } });
            setWishFor(undefined);
          }}
          onClose={() => setWishFor(undefined)}
        />
      )}
    </WorkScreen>
  );
}

/** Returns the reason why the goods cannot be received now; undefined if they can. */
function blockOf({ count, reason, needsNote, note }: Counting, choices: ReturnChoices): string | undefined {
  const texts = takeBackTexts();
  if (!online.value) return texts.needsNetwork;
  if (count === 0) return texts.nothingYet;
  return reasonBlock(choices.reasons, reason) ?? (needsNote && note.trim() === '' ? texts.needsNote : undefined);
}

function Preview({ taking }: { taking: Taking }) {
  const { units, overrideReason } = taking;
  const loaded = useLoad(JSON.stringify(['preview', units, overrideReason]), (signal) => previewTake(taking, signal));
  return <RefundPreview of={loaded} />;
}

function Reason({ of, choices }: { of: Counting; choices: ReturnChoices }) {
  const texts = takeBackTexts();
  return (
    <>
      <ReasonChoice reasons={choices.reasons} value={of.reason} onInput={of.setReason} />
      {of.needsNote && <TextField label={texts.note} value={of.note} onInput={of.setNote} maxLength={1_000} />}
    </>
  );
}

/** Units whose return window is over. A lead can accept them with a reason, which is stored. */
function Late({ of, order }: { of: Counting; order: CheckedOrder }) {
  const texts = takeBackTexts();
  const [isAsking, setAsking] = useState(false);
  const late = order.lines.reduce((sum, line) => sum + lateUnits(line), 0);
  if (late === 0) return null;
  if (of.overrideReason !== undefined) return <State look="risk">{texts.lateLifted(of.overrideReason)}</State>;
  return (
    <Notice look="risk" title={texts.late(late)}>
      <p>{texts.lateHint}</p>
      {may('supervise') && (
        <div>
          <Button icon={Clock} onClick={() => setAsking(true)}>
            {texts.lateTake}
          </Button>
        </div>
      )}
      {isAsking && (
        <LateDialog
          onClose={() => setAsking(false)}
          onSet={(reason) => {
            of.setOverride(reason);
            setAsking(false);
          }}
        />
      )}
    </Notice>
  );
}

function LateDialog({ onSet, onClose }: { onSet: (reason: string) => void; onClose: () => void }) {
  const texts = takeBackTexts();
  const [reason, setReason] = useState('');
  const isGiven = reason.trim() !== '';
  const set = () => isGiven && onSet(reason.trim());
  return (
    <AskDialog
      title={texts.lateTake}
      onClose={onClose}
      act={texts.lateTake}
      blocked={isGiven ? undefined : texts.lateReason}
      onAct={set}
      takesEnter
    >
      <TextField
        label={texts.lateReason}
        hint={texts.lateReasonHint}
        value={reason}
        onInput={setReason}
        maxLength={200}
      />
    </AskDialog>
  );
}

interface LineProps {
  line: CheckedLine;
  of: Counting;
  choices: ReturnChoices;
  onWish: () => void;
}

function Line({ line, of, choices, onWish }: LineProps) {
  const texts = takeBackTexts();
  const { handedOverQuantity: all, reasons, webLineId } = line;
  const open = of.openOf(line);
  const counted = unitsOf(of.units.units, webLineId);
  const canExchange = of.stayingOf(webLineId) > 0;
  const wish = of.wishes[webLineId];
  return (
    <WorkLine
      look="hand"
      name={line.itemDesc}
      code={line.itemId}
      picture={of.words[line.itemId]?.imageUrl}
      count={`${counted}/${open}`}
      countLabel={t().units.ofUnits(counted, open)}
      isNone={open === 0}
      isDone={open > 0 && counted === open}
      states={
        <>
          <span class="small quiet">{texts.ofAll(open, all)}</span>
          {open === 0 && reasons.map(({ rule }) => <State look="risk">{word(texts.rules, rule)}</State>)}
          {wish !== undefined && (
            <State look="info" icon={ArrowLeftRight}>
              {texts.exchangeFor(wish.quantity, wish.name)}
            </State>
          )}
        </>
      }
      buttons={
        <>
          <Counted
            line={webLineId}
            name={line.itemDesc}
            units={of.units.units}
            choices={choices}
            canAdd={counted < open}
            onAdd={() => of.units.ask(of.lines.find((one) => one.line === webLineId))}
            onLess={(unit: Unit) => of.units.less(unit)}
          />
          {canExchange && (
            <Button icon={ArrowLeftRight} onClick={onWish}>
              {texts.exchange}
            </Button>
          )}
        </>
      }
    />
  );
}
