/**
 * Counts the pieces of a carton, a PO or goods without papers. A scan adds one good unit; the number pad enters a
 * quantity.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CountLine, KeySums } from '../../offline/inbound.ts';
import { arrivedOf } from '../../offline/inbound.ts';
import { feedback } from '../../scan/feedback.ts';
import { focusScanTarget } from '../../scan/target.tsx';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { explain } from '../../ui/notice.tsx';
import { useItemChoice } from '../../work/item-choice.tsx';
import { useScan } from '../../work/use-scan.ts';
import { WorkLine } from '../../work/work-line.tsx';
import { Parts } from './receive-parts.tsx';
import type { Quantity } from './receive-quantity.tsx';
import { isAway, isCodeOf, itemsOfCode, itemWords, nameOf } from './receiving.ts';
import type { Receiving } from './use-shipment.tsx';

const QuantityDialog = lazy(async () => (await import('./receive-quantity.tsx')).QuantityDialog);

const UnitsDialog = lazy(async () => (await import('./receive-ask.tsx')).UnitsDialog);

/** Number of rows that are shown at first. */
const ROWS = 60;

interface LinesProps {
  receiving: Receiving;
  /** The lines that are counted here. */
  keys: readonly KeySums[];
  /** Returns the lines as they are now. A handler of several scans in a row needs the lines after the previous scan. */
  freshKeys: () => readonly KeySums[];
  /** The carton of the lines. */
  cartonId?: string;
  /** True for goods without papers. Then every unit is accepted. */
  isBlind: boolean;
  /** The reason why nothing can be counted now. */
  blocked?: string | undefined;
  /** Handles codes that are not items: other cartons, places. Resolves to true if it handled the code. */
  other: (code: string) => boolean | Promise<boolean>;
}

type Asked =
  | { kind: 'over'; line: CountLine; arrived: number; announced: number }
  | { kind: 'item'; line: CountLine }
  | { kind: 'quantity'; key: KeySums };

/** Counts pieces, and asks before unannounced or surplus units. */
function useCounting({ receiving, freshKeys, cartonId, isBlind, blocked, other }: LinesProps) {
  const { receive } = t();
  const [asked, setAsked] = useState<Asked | undefined>();
  const { choose, dialog } = useItemChoice();
  /** Items for which the user has confirmed more units than announced. */
  const said = useRef(new Set<string>());
  const book = (line: CountLine, isUnannounced: boolean) => {
    const before = freshKeys().find(({ itemId }) => itemId === line.itemId);
    const words = wordsOf(line, before, isBlind);
    return receiving.count({ ...line, ...(cartonId !== undefined && { cartonId }) }, words, isUnannounced);
  };
  const ask = (question: Asked) => {
    feedback('wrong');
    setAsked(question);
  };
  const count = async (line: CountLine) => {
    const key = freshKeys().find(({ itemId }) => itemId === line.itemId);
    const [bucket, units] = partOf(line);
    const announced = key?.announced ?? 0;
    const isOver = key !== undefined && arrivedOf(key) + units > announced;
    const mayAsk = !isBlind && !said.current.has(line.itemId);
    if (mayAsk && announced === 0) ask({ kind: 'item', line });
    else if (mayAsk && isOver && bucket !== 'refused') ask({ kind: 'over', line, arrived: arrivedOf(key), announced });
    else await book(line, !isBlind && announced === 0);
  };
  const take = async () => {
    if (asked === undefined || asked.kind === 'quantity') return;
    const { line, kind } = asked;
    said.current.add(line.itemId);
    setAsked(undefined);
    await book(line, kind === 'item');
    focusScanTarget();
  };
  const find = async (text: string) => {
    const fitting = freshKeys().filter((one) => isCodeOf(text, one));
    // The next carton opens even if nothing more can be counted here.
    if (fitting.length === 0 && (await other(text))) return undefined;
    if (blocked !== undefined) {
      receiving.wrong(blocked);
      return undefined;
    }
    if (fitting.length > 0) {
      const expected = fitting.filter(({ open }) => open > 0).map(({ itemId }) => itemId);
      const named = fitting.map((key) => ({ itemId: key.itemId, name: nameOf(key) }));
      const item = await choose(named, expected);
      const key = freshKeys().find(({ itemId }) => itemId === item?.itemId);
      return key && count(one(key));
    }
    const found = await itemsOfCode(text).catch((error: unknown) => {
      receiving.wrong(isAway(error) ? receive.needsNetwork(text) : explain(error).what);
      return undefined;
    });
    if (found === undefined) return undefined;
    if (found.length === 0) receiving.wrong(receive.unknown(text), isBlind ? receive.unknownHint : receive.notHereHint);
    const item = await choose(found);
    return item && count({ itemId: item.itemId, good: 1 });
  };
  useScan(({ text, command }) => asked === undefined && command === undefined && find(text));
  return { asked, setAsked, count, take, dialog };
}

function wordsOf(line: CountLine, before: KeySums | undefined, isBlind: boolean) {
  const { receive } = t();
  const [bucket, units] = partOf(line);
  const name = nameOf(line);
  const over = before === undefined ? units : Math.max(0, arrivedOf(before) + units - before.announced);
  if (bucket !== 'good')
    return { look: 'risk' as const, title: receive.gotUnitsAs(units, receive.buckets[bucket], name) };
  return !isBlind && over > 0
    ? { look: 'risk' as const, title: receive.gotOver(Math.min(over, units), name) }
    : { look: 'right' as const, title: receive.gotUnits(units, name) };
}

export function ReceiveLines(props: LinesProps) {
  const { keys, isBlind, blocked } = props;
  const { receive } = t();
  const { asked, setAsked, count, take, dialog } = useCounting(props);
  const [isAll, setAll] = useState(false);
  // Loads the dialogs now, because a dialog must be open before the next code is handled.
  useEffect(() => {
    UnitsDialog.preload();
    QuantityDialog.preload();
  }, []);
  const shown = isAll ? keys : keys.slice(0, ROWS);
  return (
    <>
      <ul class="list" aria-label={receive.items}>
        {shown.map((key) => (
          <Line
            key={key.itemId}
            of={key}
            isBlind={isBlind}
            blocked={blocked}
            onOne={() => void count(one(key)).then(focusScanTarget)}
            onNumber={() => setAsked({ kind: 'quantity', key })}
          />
        ))}
      </ul>
      {shown.length < keys.length && (
        <Button isWide onClick={() => setAll(true)}>
          {receive.moreRows(keys.length - shown.length)}
        </Button>
      )}
      {dialog}
      {asked !== undefined && asked.kind !== 'quantity' && (
        <Ask asked={asked} onTake={take} onClose={() => setAsked(undefined)} />
      )}
      {asked?.kind === 'quantity' && (
        <QuantityDialog
          of={asked.key}
          onClose={() => setAsked(undefined)}
          onBook={({ bucket, units, reason }: Quantity) => {
            const { itemId, clientItemId } = asked.key;
            setAsked(undefined);
            void count({ itemId, clientItemId, [bucket]: units, ...(reason !== undefined && { reason }) });
          }}
        />
      )}
    </>
  );
}

const one = ({ itemId, clientItemId }: KeySums): CountLine => ({ itemId, clientItemId, good: 1 });

function partOf(line: CountLine) {
  for (const bucket of ['good', 'damaged', 'refused', 'held'] as const) {
    const units = line[bucket] ?? 0;
    if (units !== 0) return [bucket, units] as const;
  }
  return ['good', 0] as const;
}

function Ask({
  asked,
  onTake,
  onClose,
}: {
  asked: Extract<Asked, { kind: 'over' | 'item' }>;
  onTake: () => Promise<void>;
  onClose: () => void;
}) {
  // A second scan of the code, or OK, confirms the units.
  useScan(({ text, command }) => {
    if (command === 'UNDO') {
      onClose();
      return undefined;
    }
    return (command === 'OK' || isCodeOf(text, { clientItemId: '', ...asked.line })) && onTake();
  });
  return <UnitsDialog {...asked} onTake={() => void onTake()} onClose={onClose} />;
}

function Line({
  of,
  isBlind,
  blocked,
  onOne,
  onNumber,
}: {
  of: KeySums;
  isBlind: boolean;
  blocked: string | undefined;
  onOne: () => void;
  onNumber: () => void;
}) {
  const { receive } = t();
  const name = nameOf(of);
  const arrived = arrivedOf(of);
  const isDone = of.announced > 0 && of.open === 0 && of.short === 0;
  return (
    <WorkLine
      look="receive"
      name={name}
      code={of.clientItemId}
      picture={itemWords.value[of.itemId]?.imageUrl}
      count={
        <>
          {arrived}
          {of.announced > 0 && <span class="quiet">/{of.announced}</span>}
        </>
      }
      countLabel={of.announced === 0 ? receive.toUnits(arrived) : receive.unitsOf(arrived, of.announced)}
      isDone={isDone}
      states={<Parts of={isBlind ? { ...of, announced: 1, over: 0 } : of} />}
      buttons={
        blocked === undefined && (
          <>
            <Button label={receive.plusOneOf(name)} onClick={onOne}>
              {receive.plusOne}
            </Button>
            <Button label={receive.numberOf(name)} onClick={onNumber}>
              {receive.number}
            </Button>
          </>
        )
      }
    />
  );
}
