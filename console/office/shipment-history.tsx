/** The history of an inbound shipment, with the users. */
import { reasonWord } from '../jobs/receive/receiving.ts';
import { BUCKETS, type Receipt, type Shipment } from '../offline/inbound.ts';
import { dateTime, o, t } from '../texts/index.ts';
import { Empty } from '../ui/load.tsx';
import { useNames } from '../work/names.ts';

interface Entry {
  at: string;
  userId: string;
  text: string;
  detail: string;
  look: 'right' | 'wrong' | '';
}

/** Returns the events of a shipment, the oldest first. They are derived from the shipment itself. */
function entriesOf(shipment: Shipment): Entry[] {
  const { inbound: texts } = o();
  const { receive } = t();
  const words = (units: Record<string, number>) =>
    BUCKETS.flatMap((one) =>
      (units[one] ?? 0) === 0 ? [] : [receive.counted(units[one]!, receive.buckets[one])],
    ).join(', ');
  const summed = (lines: readonly Partial<Record<(typeof BUCKETS)[number], number>>[]) =>
    Object.fromEntries(BUCKETS.map((one) => [one, lines.reduce((sum, line) => sum + (line[one] ?? 0), 0)]));
  // A match removes the units from the goods without papers.
  const isFrom = shipment.type === 'BLIND';
  const textOf = ({ corrects, matched }: Receipt) => {
    if (matched !== undefined) return (isFrom ? texts.movedTo : texts.movedFrom)(matched.number);
    return corrects === undefined ? texts.received : texts.corrected;
  };
  const moved = (units: Record<string, number>) =>
    Object.fromEntries(Object.entries(units).map(([name, n]) => [name, isFrom ? -n : n]));
  const ofReceipt = (receipt: Receipt): Entry => ({
    at: receipt.at,
    userId: receipt.userId,
    text: textOf(receipt),
    look: receipt.corrects !== undefined ? 'wrong' : isFrom && receipt.matched !== undefined ? '' : 'right',
    detail: detailOf(receipt),
  });
  const detailOf = ({ matched, cartons, lines }: Receipt) =>
    [
      words(matched === undefined ? summed(lines) : moved(summed(lines))),
      cartons.length === 1
        ? receive.carton(cartons[0]!.cartonId)
        : cartons.length > 1 && t().units.cartons(cartons.length),
      [...new Set(lines.flatMap(({ reason }) => reason ?? []))].map(reasonWord).join(', '),
    ]
      .filter((text) => text !== false && text !== '')
      .join(' · ');
  const approved = shipment.approvals.map(
    ({ at, userId, lines }): Entry => ({
      at,
      userId,
      text: texts.approved,
      look: 'right',
      detail: words({ ...summed(lines), held: 0 }),
    }),
  );
  const closed = shipment.statements.map(
    ({ closedAt, userId, version }): Entry => ({
      at: closedAt,
      userId,
      text: texts.closed,
      look: 'right',
      detail: receive.statementOf(version, dateTime(closedAt)),
    }),
  );
  const reopened = (shipment.reopenings ?? []).map(
    ({ at, userId, reason }): Entry => ({
      at,
      userId,
      text: texts.reopened,
      look: 'wrong',
      detail: reasonWord(reason),
    }),
  );
  const arrived: Entry[] =
    shipment.arrivedAt === undefined
      ? []
      : [{ at: shipment.arrivedAt, userId: '', text: texts.arrivedEvent, detail: '', look: '' }];
  return [...arrived, ...shipment.receipts.map(ofReceipt), ...approved, ...closed, ...reopened].toSorted(
    (a, b) => Date.parse(a.at) - Date.parse(b.at),
  );
}

export function ShipmentHistory({ shipment, nodeId }: { shipment: Shipment; nodeId: string }) {
  const entries = entriesOf(shipment);
  const { inbound: texts } = o();
  const nameOf = useNames(nodeId);
  if (entries.length === 0) return <Empty title={texts.noHistory} />;
  return (
    <section class="card">
      <ol class="timeline">
        {entries.map(({ at, userId, text, detail, look }) => (
          <li class={look}>
            <div class="split">
              <span class="strong">{text}</span>
              <time dateTime={at} class="quiet small code">
                {dateTime(at)}
              </time>
            </div>
            <div class="quiet small">{[nameOf(userId), detail].filter((one) => one !== '').join(' · ')}</div>
          </li>
        ))}
      </ol>
    </section>
  );
}
