/** The statement of a closed shipment. The receiving clerk and the office see it. */
import { useState } from 'preact/hooks';
import type { Statement } from '../../offline/inbound.ts';
import { place } from '../../session.ts';
import { dateTime, t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { useNames } from '../../work/names.ts';
import { keyName } from './key-name.ts';
import { Parts } from './receive-parts.tsx';
import { nameOf, reasonWord, shortLabel } from './receiving.ts';

/** Number of lines that are shown at first and added by each tap on **More**. */
const ROWS = 100;

/** Shows a statement: its sums, the lines that differ, then the other lines. */
export function StatementView({ statement }: { statement: Statement }) {
  const { receive } = t();
  const { totals, lines, version, closedAt } = statement;
  const [rows, setRows] = useState(ROWS);
  const nameOfPerson = useNames(place.value?.nodeId);
  const isOff = (line: Statement['lines'][number]) => line.good !== line.announced || line.over > 0;
  const sorted = [...lines.filter(isOff), ...lines.filter((line) => !isOff(line))];
  return (
    <>
      <p class="quiet">
        {receive.statementOf(version, dateTime(closedAt))} · {nameOfPerson(statement.userId)}
      </p>
      <section class="card stack tight">
        <p class="big">{receive.unitsOf(totals.good, totals.announced)}</p>
        <Parts of={{ ...totals, announced: 1 }} />
      </section>
      <ul class="list">
        {sorted.slice(0, rows).map((line) => (
          <li class="row" key={keyName(line)}>
            <span class="grow stack tight">
              <span>
                <span class="strong">{nameOf(line)}</span> <span class="small quiet code">{line.clientItemId}</span>
              </span>
              {line.cartonId !== undefined && (
                <span class="small quiet">{receive.carton(shortLabel(line.cartonId))}</span>
              )}
              <Parts of={line} />
              {line.reasons.length > 0 && <span class="quiet">{line.reasons.map(reasonWord).join(', ')}</span>}
            </span>
            <span class="big work-count receive-count">
              {line.good}
              <span class="quiet">/{line.announced}</span>
            </span>
          </li>
        ))}
      </ul>
      {sorted.length > rows && (
        <Button isWide onClick={() => setRows(rows + ROWS)}>
          {t().actions.more}
        </Button>
      )}
    </>
  );
}
