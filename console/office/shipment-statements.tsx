/** The statements of a shipment, one per close, with their lines, for printing. */
import { useState } from 'preact/hooks';
import { api, send } from '../api.ts';
import { nameOf, reasonWord } from '../jobs/receive/receiving.ts';
import { type Shipment, type Statement, statementWithoutBrought } from '../offline/inbound.ts';
import { ownClient } from '../session.ts';
import { dateTime, o, t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/load.tsx';
import { Table } from '../ui/table.tsx';
import { useNames } from '../work/names.ts';
import { PrintButton } from '../work/print-button.tsx';
import { count } from './count.tsx';

export function Statements({ shipment, nodeId }: { shipment: Shipment; nodeId: string }) {
  const { inbound: texts } = o();
  const { receive } = t();
  const [version, setVersion] = useState<number | undefined>();
  const stored = shipment.statements.find((one) => one.version === version) ?? shipment.statements.at(-1);
  const statement = stored && statementWithoutBrought(stored);
  const personOf = useNames(nodeId);
  if (statement === undefined) return <Empty title={texts.noStatement}>{texts.noStatementHint}</Empty>;
  // The shipment can be of another node than this device.
  const print = async () => {
    const path = { clientId: ownClient(), nodeId };
    const settings = send(api.GET('/operator/v1/clients/{clientId}/nodes/{nodeId}/settings', { params: { path } }));
    const { printStatement } = await import('../work/counter-print.ts');
    const { type, number } = shipment;
    return printStatement({ type, number, closedBy: personOf(statement.userId), ...statement }, await settings);
  };
  type Line = Statement['lines'][number];
  return (
    <div class="stack">
      <div class="inline">
        {shipment.statements.map((one) => (
          <Button key={one.version} look={one === stored ? undefined : 'plain'} onClick={() => setVersion(one.version)}>
            {receive.statementOf(one.version, dateTime(one.closedAt))}
          </Button>
        ))}
        <PrintButton print={print}>{t().actions.print}</PrintButton>
      </div>
      <Table
        caption={receive.statement}
        csvName={`${shipment.number}-v${statement.version}`}
        keyOf={(line) => `${line.cartonId ?? ''} ${line.itemId}`}
        rows={statement.lines}
        columns={[
          {
            title: texts.item,
            show: (line) => (
              <>
                {nameOf(line)} <span class="code quiet">{line.clientItemId}</span>
              </>
            ),
            csv: (line) => line.clientItemId,
          },
          {
            title: texts.carton,
            show: (line) => <span class="code">{line.cartonId ?? ''}</span>,
            csv: (line) => line.cartonId ?? '',
          },
          ...(['announced', 'good', 'damaged', 'refused', 'held', 'short', 'over'] as const).map((one) => ({
            title: texts.counts[one],
            isNumber: true,
            show: (line: Line) => count(line[one]),
            csv: (line: Line) => line[one],
          })),
          {
            title: texts.reasons,
            show: (line) => line.reasons.map(reasonWord).join(', '),
            csv: (line) => line.reasons.join(', '),
          },
        ]}
      />
    </div>
  );
}
