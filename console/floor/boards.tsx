/**
 * Boards: the figures of one or several days of a store, by hour and by user, as charts and as CSV. Each figure has its
 * target and its value in the preceding period of the same length.
 */
import { Download, Monitor } from 'lucide';
import { href, setQuery } from '../router.ts';
import { deskTexts, number, t } from '../texts/index.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { ChooseField } from '../ui/choose.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Empty, Show } from '../ui/load.tsx';
import type { ScreenProps } from '../ui/route.ts';
import { NO_SUB, Screen } from '../ui/screen.tsx';
import { download } from '../ui/table.tsx';
import { Bars } from './boards-bars.tsx';
import {
  type BoardNodes,
  type BoardsData,
  csvOf,
  keepNode,
  timeIn,
  useBoardNodes,
  useBoards,
  useLateNow,
} from './boards-data.ts';
import { Figures } from './boards-figures.tsx';
import { Wall } from './boards-wall.tsx';

export default function Boards({ query }: ScreenProps) {
  const loaded = useBoardNodes(query.get('node'));
  const of = loaded.data.value;
  if (of !== undefined)
    return query.get('wall') === '1' ? <Wall key={of.shown.nodeId} node={of.shown} /> : <Day of={of} query={query} />;
  const { boards } = deskTexts();
  return (
    <Screen title={t().nav.boards} sub={NO_SUB}>
      <Show of={loaded}>{() => <Empty title={boards.noNode}>{boards.noNodeHint}</Empty>}</Show>
    </Screen>
  );
}

function Day({ of: { nodes, shown: node }, query }: { of: BoardNodes; query: URLSearchParams }) {
  const { boards } = deskTexts();
  const [days, date] = [query.get('days') ?? '1', query.get('date') ?? ''];
  const loaded = useBoards(node.nodeId, days, date);
  const lateNow = useLateNow(node.nodeId);
  const shown = loaded.data.value;
  return (
    <Screen title={t().nav.boards} sub={node.name}>
      <div class="inline board-filters">
        {nodes.length > 1 && (
          <ChooseField
            label={boards.node}
            value={node.nodeId}
            onInput={(value) => {
              keepNode(value);
              setQuery({ node: value });
            }}
            options={nodes.map(({ nodeId, name }) => ({ value: nodeId, label: name }))}
          />
        )}
        <TextField
          label={boards.day}
          type="date"
          value={date || (shown?.date ?? '')}
          onInput={(value) => setQuery({ date: value })}
        />
        <SelectField
          label={boards.span}
          value={days}
          onInput={(value) => setQuery({ days: value })}
          options={['1', '7', '28'].map((value) => ({ value, label: boards.days(Number(value)) }))}
        />
        <LinkButton icon={Monitor} to={href('/boards', { wall: '1', node: node.nodeId })}>
          {boards.wall}
        </LinkButton>
      </div>
      <Show of={loaded}>
        {(data) => (
          <Shown
            data={data}
            at={date === '' ? Date.parse(data.at) : undefined}
            days={Number(days)}
            nodeId={node.nodeId}
            lateNow={date === '' ? lateNow : undefined}
          />
        )}
      </Show>
    </Screen>
  );
}

interface ShownProps {
  data: BoardsData;
  /** Time of the data by the clock of the service; undefined for a chosen day. */
  at: number | undefined;
  days: number;
  nodeId: string;
  lateNow: number | undefined;
}

function Shown({ data, at, days, nodeId, lateNow }: ShownProps) {
  const { boards } = deskTexts();
  return (
    <div class="stack">
      <Figures data={data} days={days} nodeId={nodeId} lateNow={lateNow} />
      <section class="card stack tight">
        <h2>{boards.byHour}</h2>
        <Bars data={data} height={220} />
      </section>
      <People data={data} />
      <div>
        <Button icon={Download} onClick={() => download(`boards-${nodeId}-${data.date}-${days}.csv`, csvOf(data))}>
          {boards.csv}
        </Button>
      </div>
      <p class="small quiet">{boards.asOf(at === undefined ? at : timeIn(data.timeZone, at), data.timeZone)}</p>
    </div>
  );
}

function People({ data: { users } }: { data: BoardsData }) {
  const { boards } = deskTexts();
  if (users.length === 0) return <Empty title={boards.nobody}>{boards.nobodyHint}</Empty>;
  const titles = [boards.lines, boards.unitsPicked, boards.short, boards.linesPerHour];
  return (
    <section class="table-wrap" tabIndex={0} aria-label={boards.byUser}>
      <table class="table">
        <caption class="visually-hidden">{boards.byUser}</caption>
        <thead>
          <tr>
            <th scope="col">{boards.user}</th>
            {titles.map((title) => (
              <th scope="col" class="number">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {users.map(({ userId, name, lines, units, short, linesPerHour }) => (
            <tr key={userId}>
              <td class="strong" title={userId}>
                {name ?? userId}
              </td>
              <td class="number">{number(lines)}</td>
              <td class="number">{number(units)}</td>
              <td class="number">{number(short)}</td>
              <td class="number">{linesPerHour === undefined ? '–' : number(Math.round(linesPerHour))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
