/** The counted units of a return, with corrections. */
import { Minus } from 'lucide';
import { useState } from 'preact/hooks';
import type { ReturnView } from '../../offline/return-view.ts';
import { type Came, leftOf, type ReturnedReceipt } from '../../offline/returned.ts';
import { place } from '../../session.ts';
import { takeBackTexts, time } from '../../texts/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Stepper } from '../../ui/field.tsx';
import { useNames } from '../../work/names.ts';
import { PlaceState } from './return-words.tsx';

interface ReceiptListProps {
  view: ReturnView;
  nameOf: (itemId: string) => string;
  onCorrect: (receipt: ReturnedReceipt, came: Came) => Promise<void>;
}

/** A line of a receipt that can be corrected. */
interface Entry {
  receipt: ReturnedReceipt;
  index: number;
  left: number;
}

export function ReceiptList({ view, nameOf, onCorrect }: ReceiptListProps) {
  const texts = takeBackTexts();
  const { receipts } = view.returned;
  const personOf = useNames(place.value?.nodeId);
  const [asked, setAsked] = useState<Entry | undefined>();
  const entries = receipts.flatMap((receipt) =>
    receipt.lines.map((_, index): Entry => ({ receipt, index, left: leftOf(view.returned, receipt, index) })),
  );
  return (
    <details>
      <summary>{texts.receipts(receipts.length)}</summary>
      <ul class="list">
        {entries.toReversed().map((entry) => (
          <ReceiptRow
            personOf={personOf}
            key={`${entry.receipt.receiptId} ${entry.index}`}
            of={entry}
            nameOf={nameOf}
            onAsk={() => setAsked(entry)}
          />
        ))}
      </ul>
      {asked !== undefined && (
        <CorrectDialog
          of={asked}
          name={nameOf(asked.receipt.lines[asked.index]!.itemId)}
          onClose={() => setAsked(undefined)}
          onCorrect={(came) => {
            setAsked(undefined);
            void onCorrect(asked.receipt, came);
          }}
        />
      )}
    </details>
  );
}

function ReceiptRow({
  of: { receipt, index, left },
  nameOf,
  personOf,
  onAsk,
}: {
  of: Entry;
  nameOf: (itemId: string) => string;
  personOf: (userId: string) => string;
  onAsk: () => void;
}) {
  const texts = takeBackTexts();
  const { itemId, quantity, disposition } = receipt.lines[index]!;
  const label = `${quantity} × ${nameOf(itemId)}`;
  const isHere = receipt.nodeId === place.value?.nodeId;
  const isCorrection = receipt.corrects !== undefined;
  return (
    <li class="row">
      <span class="grow stack tight">
        <span class="strong">{label}</span>
        <span class="small quiet">
          {texts.by(personOf(receipt.userId), time(receipt.at))}
          {isCorrection && ` · ${texts.correction}`}
        </span>
        <span>
          <PlaceState of={disposition} />
        </span>
        {!isHere && !isCorrection && <span class="small quiet">{texts.elsewhere(receipt.nodeId)}</span>}
      </span>
      {isHere && !isCorrection && left > 0 && (
        <Button icon={Minus} label={texts.correctLabel(label)} onClick={onAsk}>
          {texts.correct}
        </Button>
      )}
    </li>
  );
}

function CorrectDialog({
  of: { receipt, index, left },
  name,
  onCorrect,
  onClose,
}: {
  of: Entry;
  name: string;
  onCorrect: (came: Came) => void;
  onClose: () => void;
}) {
  const texts = takeBackTexts();
  const [units, setUnits] = useState(1);
  const { position, itemId, disposition } = receipt.lines[index]!;
  const correct = () => onCorrect({ position, itemId, disposition, quantity: units });
  return (
    <AskDialog title={texts.correctTitle} onClose={onClose} act={texts.correctNow(units)} onAct={correct} takesEnter>
      <p class="inline">
        <span class="strong">{name}</span> <PlaceState of={disposition} />
      </p>
      {left > 1 && <Stepper label={texts.correctUnits} value={units} min={1} max={left} onInput={setUnits} />}
      <p class="small quiet">{texts.correctHint}</p>
    </AskDialog>
  );
}
