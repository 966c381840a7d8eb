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
  const ofReceipt = ({ at, userId, corrects, cartons, lines }: Receipt): Entry => ({
    at,
    userId,
    text: corrects === undefined ? texts.received : texts.corrected,
    look: corrects === undefined ? 'right' : 'wrong',
    detail: [
      words(summed(lines)),
      cartons.length === 1
        ? receive.carton(cartons[0]!.cartonId)
        : cartons.length > 1 && t().units.cartons(cartons.length),
      [...new Set(lines.flatMap(({ reason }) => reason ?? []))].map(reasonWord).join(', '),
    ]
      .filter((text) => text !== false && text !== '')
      .join(' · '),
  });
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
  const arrived: Entry[] =
    shipment.arrivedAt === undefined
      ? []
      : [{ at: shipment.arrivedAt, userId: '', text: texts.arrivedEvent, detail: '', look: '' }];
  return [...arrived, ...shipment.receipts.map(ofReceipt), ...approved, ...closed].toSorted(
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
