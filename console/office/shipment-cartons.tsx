/** The cartons of an inbound shipment, with their states and units. */
import type { Shipment } from '../offline/inbound.ts';
import { dateTime, o, t, word } from '../texts/index.ts';
import { Table } from '../ui/table.tsx';
import { useNames } from '../work/names.ts';
import { count } from './count.tsx';
import { COUNTS } from './shipment-counts.ts';

export function Cartons({ shipment, nodeId }: { shipment: Shipment; nodeId: string }) {
  const { inbound: texts } = o();
  const { receive } = t();
  const nameOf = useNames(nodeId);
  const sums = new Map(shipment.sums.cartons.map((one) => [one.cartonId, one]));
  return (
    <Table
      caption={texts.partNames.cartons}
      csvName={`${shipment.number}-cartons`}
      keyOf={({ cartonId }) => cartonId}
      rows={shipment.cartons}
      columns={[
        { title: texts.carton, show: (row) => <span class="code">{row.cartonId}</span>, csv: (row) => row.cartonId },
        {
          title: texts.state,
          show: ({ state, holder }) => (
            <>
              {word(receive.cartonStates, state)}
              {holder !== undefined && (
                <span class="quiet"> · {receive.heldBy(nameOf(holder.userId), dateTime(holder.since))}</span>
              )}
            </>
          ),
          csv: ({ state }) => state,
        },
        ...COUNTS.map((one) => ({
          title: texts.counts[one],
          isNumber: true,
          show: ({ cartonId }: { cartonId: string }) => count(sums.get(cartonId)?.[one] ?? 0),
          csv: ({ cartonId }: { cartonId: string }) => sums.get(cartonId)?.[one] ?? 0,
        })),
      ]}
    />
  );
}
