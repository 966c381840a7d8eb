/**
 * The receipts of a shipment or carton, each with the button that corrects the receipt. Corrected receipts are left
 * out.
 */
import { Minus } from 'lucide';
import { useState } from 'preact/hooks';
import { BUCKETS, type Receipt } from '../../offline/inbound.ts';
import type { InboundView } from '../../offline/inbound-view.ts';
import { t, time } from '../../texts/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { useOnce } from '../../work/use-once.ts';
import { nameOf, shortLabel } from './receiving.ts';
import type { Receiving, Shipping } from './use-shipment.tsx';

/** Number of rows that are shown at first. */
const ROWS = 30;

interface ReceiptListProps {
  shipping: Pick<Shipping, 'personOf'>;
  view: InboundView;
  receiving: Receiving;
  /** Shows only the receipts of this carton. */
  cartonId?: string;
}

/**
 * Shows the receipts that are not corrected, the latest first. The undo knows only the receipts of the page; this list
 * has those of all users and devices. Shows nothing for a closed shipment or without receipts.
 */
export function ReceiptList({ shipping: { personOf }, view, receiving, cartonId }: ReceiptListProps) {
  const { receive } = t();
  const [asked, setAsked] = useState<Receipt | undefined>();
  const [isAll, setAll] = useState(false);
  const correct = useOnce(async () => {
    setAsked(undefined);
    if (asked !== undefined) await receiving.correct(asked, labelOf(asked));
  });
  const receipts = view.shipment.receipts.filter(
    ({ receiptId, corrects, lines }) =>
      corrects === undefined &&
      !view.isCorrected(receiptId) &&
      lines.some((one) => cartonId === undefined || one.cartonId === cartonId),
  );
  if (view.shipment.state === 'CLOSED' || receipts.length === 0) return null;
  const latest = receipts.toReversed();
  return (
    <details>
      <summary>{receive.receipts(receipts.length)}</summary>
      <ul class="list">
        {(isAll ? latest : latest.slice(0, ROWS)).map((receipt) => (
          <li key={receipt.receiptId} class="row">
            <span class="grow stack tight">
              <span class="strong">{labelOf(receipt)}</span>
              <span>{unitsOf(receipt.lines)}</span>
              <span class="small quiet">{receive.receivedBy(personOf(receipt), time(receipt.at))}</span>
            </span>
            <Button icon={Minus} label={receive.correctLabel(labelOf(receipt))} onClick={() => setAsked(receipt)}>
              {receive.correct}
            </Button>
          </li>
        ))}
      </ul>
      {!isAll && latest.length > ROWS && (
        <Button isWide onClick={() => setAll(true)}>
          {receive.moreRows(latest.length - ROWS)}
        </Button>
      )}
      {asked !== undefined && (
        <AskDialog
          title={receive.correctTitle}
          onClose={() => setAsked(undefined)}
          act={receive.correctNow}
          onAct={() => void correct()}
          takesEnter
        >
          <ul>
            {asked.lines.map((line) => (
              <li>
                <span class="strong">{wordsOf(line)}</span> {unitsOf([line])}
              </li>
            ))}
          </ul>
          <p class="small quiet">{receive.correctHint}</p>
        </AskDialog>
      )}
    </details>
  );
}

type Line = Receipt['lines'][number];

/** Returns the carton or item of a line in words. */
function wordsOf(line: Line): string {
  return line.cartonId === undefined ? nameOf(line) : `${shortLabel(line.cartonId)}: ${nameOf(line)}`;
}

/** Returns the goods of a receipt in words: the cartons if it has any, otherwise the items. */
function labelOf({ lines }: Receipt): string {
  const names = new Set(
    lines.map((line) => (line.cartonId === undefined ? nameOf(line) : t().receive.carton(shortLabel(line.cartonId)))),
  );
  const [first = ''] = names;
  return names.size > 1 ? `${first} +${names.size - 1}` : first;
}

function unitsOf(lines: readonly Line[]): string {
  const { receive } = t();
  return BUCKETS.flatMap((bucket) => {
    const units = lines.reduce((sum, line) => sum + line[bucket], 0);
    return units === 0 ? [] : [receive.counted(units, receive.buckets[bucket])];
  }).join(' · ');
}
