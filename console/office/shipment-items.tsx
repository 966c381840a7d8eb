/** The items of an inbound shipment with their units. */
import { itemWords } from '../jobs/receive/receiving.ts';
import { allArrivedOf, type Shipment, withoutBrought } from '../offline/inbound.ts';
import { o, t } from '../texts/index.ts';
import { Empty } from '../ui/load.tsx';
import { Table } from '../ui/table.tsx';
import { count } from './count.tsx';
import { COUNTS } from './shipment-counts.ts';

/**
 * Shows the ordered (for a PO), announced and arrived units of each item. Also shows its units by outcome: good,
 * damaged, rejected, held, missing, surplus and open.
 */
export function Items({ shipment }: { shipment: Shipment }) {
  const { inbound: texts } = o();
  const codes = new Map(shipment.sums.keys.map(({ itemId, clientItemId }) => [itemId, clientItemId]));
  const orders = new Map(shipment.orders?.map((one) => [one.itemId, one]));
  type Row = Shipment['sums']['items'][number];
  const ordered = (row: Row) => orders.get(row.itemId)?.ordered ?? 0;
  const announced = (row: Row) => orders.get(row.itemId)?.announced ?? row.announced;
  const arrived = (row: Row) => allArrivedOf(shipment, row);
  // Units of a purchase order that its ASNs brought are neither open nor missing.
  const unitsOf = (row: Row, one: (typeof COUNTS)[number]) => withoutBrought(shipment, row)[one];
  const name = (row: Row) => itemWords.value[row.itemId]?.name ?? '';
  if (shipment.sums.items.length === 0) return <Empty title={t().receive.emptyCarton} />;
  return (
    <Table
      caption={texts.partNames.items}
      csvName={`${shipment.type}-${shipment.number}`}
      keyOf={(row) => row.itemId}
      rows={shipment.sums.items}
      columns={[
        {
          title: texts.item,
          show: (row) => (
            <>
              {name(row)} <span class="code quiet">{codes.get(row.itemId) ?? row.itemId}</span>
            </>
          ),
          csv: (row) => codes.get(row.itemId) ?? row.itemId,
        },
        ...(shipment.orders === undefined
          ? []
          : [{ title: texts.ordered, isNumber: true, show: (row: Row) => count(ordered(row)), csv: ordered }]),
        { title: texts.announced, isNumber: true, show: (row) => count(announced(row)), csv: announced },
        {
          title: texts.arrived,
          isNumber: true,
          show: (row) => <span class="strong">{count(arrived(row))}</span>,
          csv: arrived,
        },
        ...COUNTS.slice(1).map((one) => ({
          title: texts.counts[one],
          isNumber: true,
          show: (row: Row) => count(unitsOf(row, one)),
          csv: (row: Row) => unitsOf(row, one),
        })),
      ]}
    />
  );
}
