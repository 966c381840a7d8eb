/** Parts that the screens of returns share: counting units with their condition, and the result of a return. */

import { Minus, Plus } from 'lucide';
import { useRef, useState } from 'preact/hooks';
import { ApiError } from '../../api.ts';
import { ownWord } from '../../choices.ts';
import { linesOfCode } from '../../scan/lines-of-code.ts';
import { focusScanTarget } from '../../scan/target.tsx';
import { t, takeBackTexts, word } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { lazy } from '../../ui/lazy.tsx';
import type { Loaded } from '../../ui/load.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import type { useSaid } from '../../work/said.tsx';
import { useScan } from '../../work/use-scan.ts';
import { CloseWords, liveOf, RefundWords } from './return-words.tsx';
import {
  type Preview,
  type Return,
  type ReturnChoices,
  type Unit,
  unitsOf,
  withoutUnit,
  withUnit,
} from './returning.ts';

/** A line with returnable units. */
export interface OpenLine {
  line: string;
  itemId: string;
  name: string;
  open: number;
  codes: readonly string[];
  /** Amount that is left to refund. Of several lines of an item, a scan takes the one with the smallest amount. */
  left?: number;
  /** The first rule that prevents the return. */
  why?: string | undefined;
}

/** Counts units. A scan or a tap asks for the condition; choosing the condition counts one unit. */
export function useUnits(lines: readonly OpenLine[], said: ReturnType<typeof useSaid>) {
  const texts = takeBackTexts();
  const [units, setUnits] = useState<readonly Unit[]>([]);
  const [asked, setAsked] = useState<OpenLine | undefined>();
  const latest = useRef(units);
  const set = (next: readonly Unit[]) => {
    latest.current = next;
    setUnits(next);
    setTimeout(focusScanTarget);
  };
  const less = (unit: Omit<Unit, 'quantity'>) => {
    set(withoutUnit(latest.current, unit));
    // Removes the undo of the last count, because it could remove another unit.
    said.say(undefined);
  };
  const hasRoom = ({ line, open }: OpenLine) => unitsOf(latest.current, line) < open;
  return {
    units,
    asked,
    close: () => setAsked(undefined),
    ask: setAsked,
    less,
    add: (condition: string, label: string) => {
      if (asked === undefined) return;
      Taken.preload();
      const { line, itemId, name } = asked;
      const unit = { line, itemId, condition };
      set(withUnit(latest.current, unit));
      setAsked(undefined);
      said.right(texts.counted(name, label), { undo: () => less(unit) });
    },
    /** Finds the line of a code and asks for the condition of the unit. Returns true if a line has this code. */
    onItem: (text: string) => {
      const fitting = linesOfCode(lines, text, ({ codes }) => codes);
      const line = fitting.toSorted((a, b) => (a.left ?? 0) - (b.left ?? 0)).find(hasRoom);
      if (line !== undefined) setAsked(line);
      else if (fitting.length > 0)
        said.wrong(texts.noMore(fitting[0]!.name), fitting[0]!.why && word(texts.rules, fitting[0]!.why));
      return fitting.length > 0;
    },
  };
}

/** Number of conditions that are shown at first. One more tap shows all of them. */
const LARGE = 3;

export function ConditionDialog({
  of,
  choices,
  onChoose,
  onClose,
}: {
  of: Pick<OpenLine, 'name'>;
  choices: ReturnChoices;
  onChoose: (condition: string, label: string) => void;
  onClose: () => void;
}) {
  const texts = takeBackTexts();
  const [isAll, setAll] = useState(false);
  // A scan while the dialog is open does not count another unit.
  useScan(({ command }) => {
    if (command === 'UNDO') onClose();
    return command === undefined ? false : undefined;
  });
  const shown = isAll ? choices.conditions : choices.conditions.slice(0, LARGE);
  return (
    <Dialog title={texts.condition} onClose={onClose} actions={<Button onClick={onClose}>{t().actions.cancel}</Button>}>
      <p class="strong">{of.name}</p>
      <div class="stack">
        {shown.map((one) => {
          const [name, place] = [ownWord(one), word(texts.dispositions, one.disposition)];
          return (
            <Button isWide onClick={() => onChoose(one.code, name)}>
              <span class="strong">{name}</span>
              {place.toLowerCase() !== name.toLowerCase() && <span class="quiet"> · {place}</span>}
            </Button>
          );
        })}
        {!isAll && choices.conditions.length > LARGE && (
          <Button isWide look="plain" onClick={() => setAll(true)}>
            {texts.otherConditions}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

/** The counted units of a line by condition. A tap removes a unit or adds one. */
export function Counted({
  line,
  name,
  units,
  choices,
  canAdd,
  onAdd,
  onLess,
}: {
  line: string;
  name: string;
  units: readonly Unit[];
  choices: ReturnChoices;
  canAdd: boolean;
  onAdd: () => void;
  onLess: (unit: Unit) => void;
}) {
  const texts = takeBackTexts();
  return (
    <>
      {units
        .filter((one) => one.line === line)
        .map((one) => {
          const condition = choices.conditions.find(({ code }) => code === one.condition);
          const label = `${one.quantity} × ${condition === undefined ? one.condition : ownWord(condition)}`;
          return (
            <Button icon={Minus} label={texts.less(label, name)} onClick={() => onLess(one)}>
              {label}
            </Button>
          );
        })}
      {canAdd && <AddButton name={name} onAdd={onAdd} />}
    </>
  );
}

/** Button that adds a unit of a line. */
export function AddButton({ name, onAdd }: { name: string; onAdd: () => void }) {
  const texts = takeBackTexts();
  return (
    <Button icon={Plus} label={texts.addOne(name)} onClick={onAdd}>
      {texts.add}
    </Button>
  );
}

// The result is shown after the service has responded, so it loads later.
export const Taken = lazy(async () => (await import('./taken.tsx')).Taken);

/** Shows the refunds that the service would request now, after those of the return that it has requested `before`. */
export function RefundPreview({ of, before = [] }: { of: Loaded<Preview>; before?: Return['refunds'] }) {
  const texts = takeBackTexts();
  const seen = of.data.value;
  const error = of.error.value;
  if (error !== undefined) return <Failed error={error} />;
  const isKept = ({ refundId }: Return['refunds'][number]) => !seen?.canceledRefundIds?.includes(refundId);
  const refunds = seen === undefined ? [] : [...liveOf(before).filter(isKept), ...seen.refunds];
  return (
    <div class="take-money" role="status" aria-busy={seen === undefined ? 'true' : undefined}>
      {seen === undefined && <p class="quiet">{texts.computing} …</p>}
      {refunds.map((refund) => (
        <RefundWords of={refund} />
      ))}
      {seen !== undefined && <CloseWords of={{ state: seen.state, refunds }} />}
    </div>
  );
}

/** Shows an error and the next step for the user. */
function Failed({ error }: { error: unknown }) {
  const texts = takeBackTexts();
  const isApi = error instanceof ApiError;
  const nodes = isApi && Array.isArray(error.body['nodeIds']) ? (error.body['nodeIds'] as string[]).join(', ') : '';
  const step =
    isApi && error.code === 'WRONG_NODE'
      ? texts.wrongNode(nodes)
      : isApi
        ? texts.steps[error.code as 'CONFLICT']
        : undefined;
  return (
    <>
      <ErrorNotice error={error} />
      {step !== undefined && <p class="strong">{step}</p>}
    </>
  );
}

/** Shows that the response to a command was lost, so it may have been carried out. */
export function Unsure({ error }: { error: unknown }) {
  const texts = takeBackTexts();
  if (!(error instanceof ApiError && error.passes)) return error === undefined ? null : <Failed error={error} />;
  return (
    <Notice look="risk" title={texts.unsure} isAlert>
      <p>{texts.unsureHint}</p>
    </Notice>
  );
}
