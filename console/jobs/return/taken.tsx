/** The result of a return: the places of its units, and the information for the customer. */
import { placedIn, type ReturnedReceipt } from '../../offline/returned.ts';
import { go } from '../../router.ts';
import { place } from '../../session.ts';
import { t, takeBackTexts } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useItemWords } from '../../work/item-words.ts';
import { PrintButton } from '../../work/print-button.tsx';
import { Shelf, useShelves } from '../../work/shelves.tsx';
import { JobDone, type JobHead } from '../../work/work-screen.tsx';
import { CloseWords, liveOf, PlaceState, RefundWords } from './return-words.tsx';
import type { Return } from './returning.ts';

/** Shows the result of the return: the place of each unit, and the information for the customer. */
export function Taken({ head, of }: { head: JobHead; of: Return }) {
  const texts = takeBackTexts();
  const refunds = liveOf(of.refunds);
  const entries = placedIn(of, place.peek()?.nodeId);
  const words = useItemWords(
    of.storeId,
    of.exchanges.map(({ wants }) => wants.itemId),
  );
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
      <PrintButton isWide print={async () => (await import('./print-receipt.ts')).printReceipt(of)}>
        {t().handOver.receipt}
      </PrintButton>
      <Notice look="info" title={texts.tell}>
        {refunds.map((refund) => (
          <RefundWords of={refund} />
        ))}
        <CloseWords of={{ state: of.state, refunds }} />
        {of.exchanges.map(({ wants }) => (
          <p>{texts.exchangeAsked(wants.quantity, words[wants.itemId]?.name ?? wants.itemId)}</p>
        ))}
      </Notice>
      <Placed of={of} entries={entries} />
    </JobDone>
  );
}

type Entries = ReturnedReceipt['lines'];

/** Shows the places of the units, and prints tags for those that wait for a decision. */
function Placed({ of, entries }: { of: Return; entries: Entries }) {
  const texts = takeBackTexts();
  const words = useItemWords(
    of.storeId,
    entries.map(({ itemId }) => itemId),
  );
  const shelves = useShelves(entries.filter(({ disposition }) => disposition === 'SHELF').map(({ itemId }) => itemId));
  const held = entries.filter(({ disposition }) => disposition === 'HELD');
  return (
    <section class="stack tight">
      <h2>{texts.where}</h2>
      <ul class="list">
        {entries.map(({ itemId, quantity, disposition }) => (
          <li class="row">
            <span class="grow">
              <span class="strong">
                {quantity} × {words[itemId]?.name ?? itemId}
              </span>{' '}
              <span class="small quiet code">{itemId}</span>
            </span>
            <span class="stack tight">
              <PlaceState of={disposition} />
              {disposition === 'SHELF' && <Shelf of={shelves.get(itemId)} />}
            </span>
          </li>
        ))}
      </ul>
      {held.length > 0 && (
        <PrintButton isWide print={async () => (await import('./hold-tags.ts')).printHoldTags(of, held)}>
          {texts.printTag}
        </PrintButton>
      )}
    </section>
  );
}
