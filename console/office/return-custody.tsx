/** The custody of a return's goods: the events with their times, users and reasons, and the receipts also with node. */
import { dateTime, returnTexts, word } from '../texts/index.ts';
import { useNames } from '../work/names.ts';
import { nameOfActor } from './actor.ts';
import { nameIn, useNodes } from './places.ts';
import type { Return } from './returns-data.ts';

export function Custody({ of, nameOfItem }: { of: Return; nameOfItem: (itemId: string) => string }) {
  const texts = returnTexts();
  const nodes = useNodes();
  const nameOf = useNames(of.nodeId ?? of.receipts.at(-1)?.nodeId ?? of.expectedNodeId);
  const entries = [...of.receipts, ...(of.stateChanges ?? [])].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
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
        {entries.map((entry) =>
          'state' in entry ? (
            <li>
              <span class="strong">{texts.changes[entry.state]}</span>
              <span class="small quiet">
                {' '}
                {[dateTime(entry.at), entry.name ?? entry.userId ?? nameOfActor(entry.actor), entry.reason]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </li>
          ) : (
            <Receipt of={entry} nameOf={nameOf} node={nameIn(nodes, entry.nodeId)} nameOfItem={nameOfItem} />
          ),
        )}
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

interface ReceiptProps {
  of: Return['receipts'][number];
  nameOf: (userId: string) => string;
  node: string;
  nameOfItem: (itemId: string) => string;
}

function Receipt({ of: receipt, nameOf, node, nameOfItem }: ReceiptProps) {
  const texts = returnTexts();
  return (
    <li class={receipt.corrects === undefined ? 'right' : 'wrong'}>
      <span class="strong">{receipt.corrects === undefined ? texts.events.received : texts.events.corrected}</span>
      <span class="small quiet">
        {' '}
        {dateTime(receipt.at)} · {nameOf(receipt.userId)} · {node}
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
  );
}
