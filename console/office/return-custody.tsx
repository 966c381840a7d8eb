/** The custody of a return's goods: the events with their times, and the receipts also with user and node. */
import { dateTime, returnTexts, word } from '../texts/index.ts';
import { useNames } from '../work/names.ts';
import { nameIn, useNodes } from './places.ts';
import type { Return } from './returns-data.ts';

export function Custody({ of, nameOfItem }: { of: Return; nameOfItem: (itemId: string) => string }) {
  const texts = returnTexts();
  const nodes = useNodes();
  const nameOf = useNames(of.nodeId ?? of.expectedNodeId);
  return (
    <section class="stack tight" aria-label={texts.custody}>
      <h2>{texts.custody}</h2>
      <ol class="timeline">
        <li>
          <span class="strong">{texts.events.created}</span>
          <span class="small quiet"> {dateTime(of.createdAt)}</span>
        </li>
        {of.inTransitAt !== undefined && (
          <li>
            <span class="strong">{texts.events.inTransit}</span>
            <span class="small quiet"> {dateTime(of.inTransitAt)}</span>
          </li>
        )}
        {of.receipts.map((receipt) => (
          <li class={receipt.corrects === undefined ? 'right' : 'wrong'}>
            <span class="strong">
              {receipt.corrects === undefined ? texts.events.received : texts.events.corrected}
            </span>
            <span class="small quiet">
              {' '}
              {dateTime(receipt.at)} · {nameOf(receipt.userId)} · {nameIn(nodes, receipt.nodeId)}
            </span>
            <ul>
              {receipt.lines.map((line) => (
                <li>
                  {texts.counted(line.quantity, nameOfItem(line.itemId), word(texts.dispositions, line.disposition))}
                  {line.note !== undefined && <span class="quiet"> {line.note}</span>}
                </li>
              ))}
            </ul>
          </li>
        ))}
        {of.closedAt !== undefined && (
          <li class="right">
            <span class="strong">{texts.events.closed}</span>
            <span class="small quiet"> {dateTime(of.closedAt)}</span>
          </li>
        )}
      </ol>
    </section>
  );
}
