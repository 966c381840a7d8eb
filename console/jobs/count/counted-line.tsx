/** A line to count, alone or in a plan: the counted units so far, and a typed number. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../../texts/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Keypad } from '../../ui/keypad.tsx';
import { useAction } from '../../ui/load.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { WorkLine } from '../../work/work-line.tsx';
import { itemWords, nameOf } from '../receive/receiving.ts';

interface CountedLineProps {
  of: { itemId: string };
  /** The counted units; undefined if the line is not counted yet. */
  counted: number | undefined;
  isDone?: boolean;
  /** The text below the item: the place of the units, and marks such as a second count. */
  states: ComponentChildren;
  onNumber: () => void;
  /** The second action of the line. */
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
      countLabel={counted === undefined ? stock.countNothing : units.units(counted)}
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
  /** Stores the number. The dialog closes when the number is stored, and remains open if this fails. */
  onSet: (counted: number) => Promise<void>;
}

export function NumberDialog({ name, onClose, onSet }: NumberDialogProps) {
  const { receive, actions } = t();
  const [counted, setCounted] = useState(0);
  const set = useAction(async () => {
    await onSet(counted);
    onClose();
  });
  return (
    <AskDialog
      title={name}
      onClose={onClose}
      act={actions.ok}
      onAct={() => void set.run()}
      isBusy={set.isBusy}
      takesEnter
    >
      <Keypad label={receive.howMany} value={counted} onInput={setCounted} clear={actions.delete} />
      {set.error !== undefined && <ErrorNotice error={set.error} />}
    </AskDialog>
  );
}
