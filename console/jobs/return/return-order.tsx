/** One order at the counter: what of it comes back, in which condition, and what the customer is told. */
import { CircleCheck } from 'lucide';
import { useState } from 'preact/hooks';
import { online } from '../../preferences.ts';
import { go } from '../../router.ts';
import { money, returnTexts, t, word } from '../../texts/index.ts';
import { Choices, TextField } from '../../ui/field.tsx';
import { useAction, useLoad } from '../../ui/load.tsx';
import { State } from '../../ui/notice.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { useItemWords } from '../../work/item-words.ts';
import { OrderId } from '../../work/order-id.tsx';
import { useSaid } from '../../work/said.tsx';
import { WorkLine } from '../../work/work-line.tsx';
import { JobLoading, WorkScreen } from '../../work/work-screen.tsx';
import { ConditionDialog, Counted, Taken, useUnits } from './return-parts.tsx';
import {
  type CheckedLine,
  type CheckedOrder,
  check,
  ownWord,
  type Return,
  type ReturnChoices,
  returnChoices,
  takeBack,
  type Unit,
  unitsOf,
} from './returning.ts';

export default function ReturnOrder({ params }: ScreenProps) {
  const [storeId, orderId] = [params['storeId']!, params['orderId']!];
  const { counter: texts } = returnTexts();
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

function Counter({ head, storeId, order, choices, reload, onTaken }: CounterProps) {
  const { counter: texts } = returnTexts();
  const said = useSaid();
  const [reason, setReason] = useState('');
  const [note, setNote] = useState('');
  const words = useItemWords(
    storeId,
    order.lines.map(({ itemId }) => itemId),
  );
  const units = useUnits(
    order.lines.map((line) => ({
      line: line.webLineId,
      itemId: line.itemId,
      name: line.itemDesc,
      open: line.returnableQuantity,
      codes: words[line.itemId]?.upcs ?? [],
      why: line.reasons[0]?.rule,
    })),
    said,
  );
  const take = useAction(async () => {
    try {
      onTaken(await takeBack({ storeId, orderId: order.fulfillmentOrderId, units: units.units, reason, note }));
    } catch (error) {
      // Another counter may have taken the units.
      void reload();
      throw error;
    }
  });
  const needsNote = choices.reasons.find(({ code }) => code === reason)?.asks === 'NOTE';
  const count = units.units.reduce((sum, one) => sum + one.quantity, 0);
  return (
    <WorkScreen
      job={{
        ...head,
        scanLabel: texts.scanItem,
        onCode: units.onCode,
        said: said.said,
        needsNetwork: { title: texts.needsNetwork, hint: texts.needsNetworkHint },
        error: take.error,
        main: {
          label: texts.take(count),
          icon: CircleCheck,
          isBusy: take.isBusy,
          blocked: blockOf(count, needsNote && note.trim() === ''),
          run: () => take.run(),
        },
      }}
    >
      <ul class="list">
        {order.lines.map((line) => (
          <Line
            key={line.webLineId}
            line={line}
            picture={words[line.itemId]?.imageUrl}
            units={units.units}
            choices={choices}
            onTap={() => units.ask(line.webLineId)}
            onLess={units.less}
          />
        ))}
      </ul>
      {count > 0 && (
        <>
          <Preview order={order} units={units.units} choices={choices} />
          <Choices
            label={texts.reason}
            value={reason}
            onInput={setReason}
            options={choices.reasons.map((one) => ({ value: one.code, label: ownWord(one) }))}
          />
          {needsNote && <TextField label={texts.note} value={note} onInput={setNote} maxLength={1_000} />}
        </>
      )}
      {units.asked !== undefined && (
        <ConditionDialog of={units.asked} choices={choices} onChoose={units.add} onClose={units.close} />
      )}
    </WorkScreen>
  );
}

/** Why the goods cannot be taken now. */
function blockOf(count: number, lacksNote: boolean): string | undefined {
  const { counter: texts } = returnTexts();
  if (!online.value) return texts.needsNetwork;
  if (count === 0) return texts.nothingYet;
  return lacksNote ? texts.needsNote : undefined;
}

interface LineProps {
  line: CheckedLine;
  picture: string | undefined;
  units: readonly Unit[];
  choices: ReturnChoices;
  onTap: () => void;
  onLess: (unit: Unit) => void;
}

function Line({ line, picture, units, choices, onTap, onLess }: LineProps) {
  const { counter: texts, rules } = returnTexts();
  const { returnableQuantity: open, handedOverQuantity: all, reasons } = line;
  const counted = unitsOf(units, line.webLineId);
  return (
    <WorkLine
      look="hand"
      name={line.itemDesc}
      code={line.itemId}
      picture={picture}
      count={`${counted}/${open}`}
      countLabel={t().units.ofUnits(counted, open)}
      isNone={open === 0}
      isDone={open > 0 && counted === open}
      states={
        <>
          <span class="small quiet">{texts.ofAll(open, all)}</span>
          {reasons.map(({ rule }) => (
            <State look="risk">{word(rules, rule)}</State>
          ))}
        </>
      }
      buttons={
        <Counted
          line={line.webLineId}
          name={line.itemDesc}
          units={units}
          choices={choices}
          canAdd={counted < open}
          onAdd={onTap}
          onLess={onLess}
        />
      }
    />
  );
}

/** The refund of the goods: exact where whole lines come back, else about, because the service rounds once for the order. */
function Preview({ order, units, choices }: { order: CheckedOrder; units: readonly Unit[]; choices: ReturnChoices }) {
  const { counter: texts } = returnTexts();
  const kept = new Set(choices.conditions.filter((one) => one.disposition === 'GIVEN_BACK').map(({ code }) => code));
  const back = units.filter(({ condition }) => !kept.has(condition));
  let sum = 0;
  let isWhole = true;
  for (const { webLineId, refundAmount, returnableQuantity } of order.lines) {
    const n = unitsOf(back, webLineId);
    if (n === 0) continue;
    sum += (refundAmount * n) / returnableQuantity;
    isWhole &&= n === returnableQuantity;
  }
  const amount = money(sum.toFixed(2), order.currency);
  return (
    <p class="big" role="status">
      {isWhole ? texts.refund(amount) : texts.refundAbout(amount)}
    </p>
  );
}
