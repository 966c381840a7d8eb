/**
 * Receives goods without papers at the counter: items with their condition. If the client's setting is HOLD, all items
 * wait for a decision.
 */

import { CircleCheck } from 'lucide';
import { useRef, useState } from 'preact/hooks';
import { choices as allChoices } from '../../choices.ts';
import { online } from '../../preferences.ts';
import { go } from '../../router.ts';
import { focusScanTarget } from '../../scan/target.tsx';
import { t, takeBackTexts } from '../../texts/index.ts';
import { TextField } from '../../ui/field.tsx';
import { useAction, useLoad } from '../../ui/load.tsx';
import { explain, Notice } from '../../ui/notice.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { SearchBox } from '../../ui/search-box.tsx';
import { useItemChoice } from '../../work/item-choice.tsx';
import { useItemWords } from '../../work/item-words.ts';
import { useSaid } from '../../work/said.tsx';
import { WorkLine } from '../../work/work-line.tsx';
import { JobLoading, WorkScreen } from '../../work/work-screen.tsx';
import { NOT_SAID, ReasonChoice, reasonBlock } from './reason-choice.tsx';
import { ConditionDialog, Counted, type OpenLine, Taken, Unsure, useUnits } from './return-parts.tsx';
import { CODE_MAX, findItems, type Return, type ReturnChoices, returnChoices, takeBack, unitsOf } from './returning.ts';

/** Maximum number of units of an item in a receipt. */
const UNITS_MAX = 99_999;

export default function ReturnBlind({ params }: ScreenProps) {
  const storeId = params['storeId']!;
  const texts = takeBackTexts();
  const [taken, setTaken] = useState<Return | undefined>();
  const loaded = useLoad(`return blind ${storeId}`, () => returnChoices(storeId));
  const store = allChoices.value?.stores.find((one) => one.storeId === storeId);
  const head = { title: texts.blindTitle, sub: store?.name ?? storeId, onBack: () => go('/return') };
  if (taken !== undefined) return <Taken head={head} of={taken} />;
  const choices = loaded.data.value;
  if (choices === undefined) return <JobLoading head={head} of={loaded} />;
  return <Blind head={head} storeId={storeId} choices={choices} onTaken={setTaken} />;
}

interface BlindProps {
  head: { title: string; sub: string; onBack: () => void };
  storeId: string;
  choices: ReturnChoices;
  onTaken: (taken: Return) => void;
}

/** Manages the found items, the latest first. */
function useItems() {
  const [items, setItems] = useState<readonly { itemId: string; name: string }[]>([]);
  return {
    items,
    add: (item: { itemId: string; name: string }) =>
      setItems((before) => [item, ...before.filter(({ itemId }) => itemId !== item.itemId)]),
  };
}

function useBlind({ storeId, choices, onTaken }: BlindProps) {
  const texts = takeBackTexts();
  const said = useSaid();
  const [text, setText] = useState('');
  const [reason, setReason] = useState<string | undefined>();
  const [customerRef, setCustomerRef] = useState('');
  const { items, add } = useItems();
  const { choose, dialog } = useItemChoice();
  const words = useItemWords(
    storeId,
    items.map(({ itemId }) => itemId),
  );
  const lineOf = ({ itemId, name }: { itemId: string; name: string }): OpenLine => {
    return { line: itemId, itemId, name, open: UNITS_MAX, codes: words[itemId]?.upcs ?? [] };
  };
  const units = useUnits(items.map(lineOf), said);
  const find = useAction(async (code: string) => {
    if (code === '' || units.onItem(code)) return;
    const found = await findItems(code).catch((error: unknown) => {
      said.wrong(explain(error).what);
      return undefined;
    });
    if (found?.length === 0) said.wrong(texts.unknownItem(code), texts.unknownItemHint);
    const item = found && (await choose(found));
    if (item === undefined) return;
    add(item);
    setText('');
    units.ask(lineOf(item));
  });
  const last = useRef({ content: '', takeId: '' });
  const take = useAction(async () =>
    onTaken(await takeBack({ storeId, units: units.units, reason: reason ?? NOT_SAID, customerRef }, last.current)),
  );
  // Reasons that ask for a note apply to orders only. Goods without papers have no order.
  const reasons = choices.reasons.filter(({ asks }) => asks === undefined);
  return {
    said,
    text,
    setText,
    reason,
    setReason,
    customerRef,
    setCustomerRef,
    items,
    words,
    lineOf,
    units,
    find,
    take,
    reasons,
    dialog,
  };
}

function Blind(props: BlindProps) {
  const { head, choices } = props;
  const texts = takeBackTexts();
  const of = useBlind(props);
  const { units } = of;
  const count = units.units.reduce((sum, one) => sum + one.quantity, 0);
  const isClosed = choices.blind === 'REFUSE';
  const why = isClosed ? texts.rules.BLIND : count === 0 ? texts.nothingYet : reasonBlock(of.reasons, of.reason);
  return (
    <WorkScreen
      job={{
        ...head,
        scanLabel: isClosed ? undefined : texts.blindScan,
        onCode: ({ text, command }) =>
          command !== undefined || units.asked !== undefined || isClosed ? false : of.find.run(text),
        said: of.said.said,
        needsNetwork: { title: texts.needsNetwork, hint: texts.needsNetworkHint },
        main: {
          label: texts.take(count),
          icon: CircleCheck,
          isBusy: of.take.isBusy,
          blocked: online.value ? why : texts.needsNetwork,
          run: () => of.take.run(),
        },
      }}
    >
      <Notice look={isClosed ? 'wrong' : 'info'} title={isClosed ? texts.rules.BLIND : texts.blindTitle}>
        <p>{texts.blindHints[choices.blind]}</p>
      </Notice>
      <Unsure error={of.take.error} />
      {!isClosed && (
        <SearchBox
          label={texts.typeItem}
          value={of.text}
          onInput={of.setText}
          onSearch={(code) => void of.find.run(code)}
          max={CODE_MAX}
        />
      )}
      {count > 0 && <ReasonChoice reasons={of.reasons} value={of.reason} onInput={of.setReason} />}
      <Items of={of} choices={choices} />
      {count > 0 && (
        <TextField
          label={texts.blindRef}
          hint={texts.blindRefHint}
          value={of.customerRef}
          onInput={of.setCustomerRef}
          maxLength={40}
        />
      )}
      {of.dialog}
      {units.asked !== undefined && (
        <ConditionDialog
          of={units.asked}
          choices={inHouse(choices)}
          onChoose={(condition, label) => {
            units.add(condition, label);
            setTimeout(focusScanTarget);
          }}
          onClose={units.close}
        />
      )}
    </WorkScreen>
  );
}

/**
 * Returns the choices without the conditions of units that the customer keeps: without an order, such units are no
 * return. With the client's setting HOLD, all other units wait for a decision.
 */
function inHouse(choices: ReturnChoices): ReturnChoices {
  const conditions = choices.conditions
    .filter(({ disposition }) => disposition !== 'GIVEN_BACK')
    .map((one) => (choices.blind === 'HOLD' ? { ...one, disposition: 'HELD' as const } : one));
  return { ...choices, conditions };
}

function Items({ of, choices }: { of: ReturnType<typeof useBlind>; choices: ReturnChoices }) {
  const shown = of.items.filter(({ itemId }) => unitsOf(of.units.units, itemId) > 0);
  if (shown.length === 0) return null;
  return (
    <ul class="list">
      {shown.map((item) => {
        const counted = unitsOf(of.units.units, item.itemId);
        return (
          <WorkLine
            key={item.itemId}
            look="hand"
            name={item.name}
            code={item.itemId}
            picture={of.words[item.itemId]?.imageUrl}
            count={String(counted)}
            countLabel={t().units.units(counted)}
            buttons={
              <Counted
                line={item.itemId}
                name={item.name}
                units={of.units.units}
                choices={choices}
                canAdd
                onAdd={() => of.units.ask(of.lineOf(item))}
                onLess={of.units.less}
              />
            }
          />
        );
      })}
    </ul>
  );
}
