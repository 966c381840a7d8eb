/** A line that is counted, alone or in a plan: what is there so far, and its number typed. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../texts/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Keypad } from '../../ui/keypad.tsx';
import { WorkLine } from '../../work/work-line.tsx';
import { itemWords, nameOf } from '../receive/receiving.ts';

interface CountedLineProps {
  of: { itemId: string };
  /** Undefined: nothing is counted yet. */
  counted: number | undefined;
  isDone?: boolean;
  /** Where it lies, and what is special about it. */
  states: ComponentChildren;
  onNumber: () => void;
  /** The other thing that can be done with it. */
  other: { label: string; word: string; run: () => void };
}

export function CountedLine({ of, counted, isDone = false, states, onNumber, other }: CountedLineProps) {
  const { stock, units } = t();
  const name = nameOf(of);
  return (
    <WorkLine
      look="receive"
      name={name}
      code={of.itemId}
      picture={itemWords.value[of.itemId]?.imageUrl}
      count={counted ?? '–'}
      countLabel={counted === undefined ? stock.plans.lineStates['TO_COUNT']! : units.units(counted)}
      isDone={isDone}
      states={states}
      buttons={
        <>
          <Button label={stock.countNumberOf(name)} onClick={onNumber}>
            {stock.countNumber}
          </Button>
          <Button label={other.label} onClick={other.run}>
            {other.word}
          </Button>
        </>
      }
    />
  );
}

interface NumberDialogProps {
  name: string;
  onClose: () => void;
  onSet: (counted: number) => void;
}

export function NumberDialog({ name, onClose, onSet }: NumberDialogProps) {
  const { receive, actions } = t();
  const [counted, setCounted] = useState(0);
  return (
    <AskDialog title={name} onClose={onClose} act={actions.ok} onAct={() => onSet(counted)} takesEnter>
      <Keypad label={receive.howMany} value={counted} onInput={setCounted} clear={actions.delete} />
    </AskDialog>
  );
}
