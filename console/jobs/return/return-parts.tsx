/** What the screens of returns share: counting units with their condition, and what came of it. */
import { Minus, Plus } from 'lucide';
import { useRef, useState } from 'preact/hooks';
import { go } from '../../router.ts';
import { isOneOf } from '../../scan/codes.ts';
import type { Scan } from '../../scan/queue.ts';
import { focusScanTarget } from '../../scan/target.tsx';
import { money, returnTexts, t, word } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { useSaid } from '../../work/said.tsx';
import { useScan } from '../../work/use-scan.ts';
import { JobDone, type JobHead } from '../../work/work-screen.tsx';
import { ownWord, type Return, type ReturnChoices, type Unit, unitsOf, withoutUnit, withUnit } from './returning.ts';

/** A line whose units can come back. */
export interface OpenLine {
  line: string;
  itemId: string;
  name: string;
  open: number;
  codes: readonly string[];
  /** The first rule against it. */
  why?: string | undefined;
}

/** Counts units: a scan or a tap asks for the condition, and its choice counts one. */
export function useUnits(lines: readonly OpenLine[], said: ReturnType<typeof useSaid>) {
  const { counter: texts, rules } = returnTexts();
  const [units, setUnits] = useState<readonly Unit[]>([]);
  const [asked, setAsked] = useState<OpenLine | undefined>();
  const latest = useRef(units);
  const set = (next: readonly Unit[]) => {
    latest.current = next;
    setUnits(next);
    setTimeout(focusScanTarget);
  };
  const hasRoom = ({ line, open }: OpenLine) => unitsOf(latest.current, line) < open;
  return {
    units,
    asked,
    close: () => setAsked(undefined),
    ask: (line: string) => setAsked(lines.find((one) => one.line === line)),
    less: (unit: Unit) => set(withoutUnit(latest.current, unit)),
    add: (condition: string, label: string) => {
      if (asked === undefined) return;
      const { line, itemId, name } = asked;
      const unit = { line, itemId, condition };
      set(withUnit(latest.current, unit));
      setAsked(undefined);
      said.right(`${name} · ${label}`, { undo: () => set(withoutUnit(latest.current, unit)) });
    },
    onCode: ({ text, command }: Scan) => {
      // A dialog asks for the condition of the last unit: this code waits for it.
      if (command !== undefined || asked !== undefined) return false;
      const fitting = lines.filter(({ itemId, codes }) => isOneOf(text, [itemId, ...codes]));
      const line = fitting.find(hasRoom);
      if (line !== undefined) setAsked(line);
      else if (fitting.length === 0) said.wrong(texts.notOfOrder(text));
      else said.wrong(texts.noMore(fitting[0]!.name), fitting[0]!.why && word(rules, fitting[0]!.why));
      return undefined;
    },
  };
}

/** Conditions that are large buttons; the others are behind one more tap. */
const LARGE = 3;

export function ConditionDialog({
  of,
  choices,
  onChoose,
  onClose,
}: {
  of: OpenLine;
  choices: ReturnChoices;
  onChoose: (condition: string, label: string) => void;
  onClose: () => void;
}) {
  const { counter: texts, dispositions } = returnTexts();
  const [isAll, setAll] = useState(false);
  // A second code is not for this unit.
  useScan(({ command }) => {
    if (command === 'UNDO') onClose();
    return command === undefined ? false : undefined;
  });
  const shown = isAll ? choices.conditions : choices.conditions.slice(0, LARGE);
  return (
    <Dialog title={texts.condition} onClose={onClose} actions={<Button onClick={onClose}>{t().actions.cancel}</Button>}>
      <p class="strong">{of.name}</p>
      <div class="stack">
        {shown.map((one) => (
          <Button isWide onClick={() => onChoose(one.code, ownWord(one))}>
            <span class="strong">{ownWord(one)}</span>
            <span class="quiet"> · {word(dispositions, one.disposition)}</span>
          </Button>
        ))}
        {!isAll && choices.conditions.length > LARGE && (
          <Button isWide look="plain" onClick={() => setAll(true)}>
            {texts.otherConditions}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

/** The counted units of a line by condition, each with a tap less, and a tap for one more. */
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
  const { counter: texts } = returnTexts();
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
      {canAdd && (
        <Button icon={Plus} label={texts.addOne(name)} onClick={onAdd}>
          {texts.add}
        </Button>
      )}
    </>
  );
}

/** What came of it: where each unit goes, and what the customer is told. */
export function Taken({ head, of }: { head: JobHead; of: Return }) {
  const { counter: texts, dispositions } = returnTexts();
  const refunds = of.refunds.filter(({ status }) => status !== 'CANCELED');
  return (
    <JobDone
      head={head}
      title={texts.taken(of.number)}
      actions={
        <Button look="main" isWide onClick={() => go('/return')}>
          {texts.next}
        </Button>
      }
    >
      <Notice look="info" title={texts.tell}>
        {refunds.map(({ amount, currency }) => (
          <p>{texts.refund(money(amount, currency))}</p>
        ))}
        {refunds.length === 0 && <p>{of.state === 'CLOSED' ? texts.noRefund : texts.refundLater}</p>}
      </Notice>
      <section class="stack tight">
        <h2>{texts.where}</h2>
        <ul class="list">
          {of.receipts.at(-1)?.lines.map((line) => (
            <li class="row">
              <span class="grow code">
                {line.quantity} × {line.itemId}
              </span>
              <span class="strong">{word(dispositions, line.disposition)}</span>
            </li>
          ))}
        </ul>
      </section>
    </JobDone>
  );
}
