/** Boards: the day of the store by hour and by person, as plots and as CSV; a wall display renews itself. */
import { Download, Monitor } from 'lucide';
import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { call } from '../api.ts';
import { now, theme } from '../preferences.ts';
import { at, href, setQuery } from '../router.ts';
import type { ScreenProps } from '../routes.ts';
import { place } from '../session.ts';
import { number, percent, t, time } from '../texts/index.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { toCsv } from '../ui/csv.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { Empty, Show, useLoad } from '../ui/load.tsx';
import { Screen } from '../ui/screen.tsx';
import { download } from '../ui/table.tsx';

interface Numbers {
  ordersIn: number;
  unitsPicked: number;
  linesPicked: number;
  unitsShort: number;
  late: number;
}

interface BoardsData {
  date: string;
  timeZone: string;
  hours: ({ hour: number } & Numbers)[];
  days: ({ date: string } & Numbers)[];
  users: { userId: string; lines: number; units: number; short: number; linesPerHour?: number }[];
  totals: Numbers & { linesPerHour?: number };
  oldestOrder?: { fulfillmentOrderId: string; storeId: string; queueId: string; since: string };
}

export default function Boards({ query }: ScreenProps) {
  const { boards } = t();
  const { clientId, nodeId } = place.value!;
  const isWall = query.get('wall') === '1';
  const days = query.get('days') ?? '1';
  const date = query.get('date') ?? '';
  const asked = new URLSearchParams({ days, ...(date !== '' && { date }) });
  const path = `/operator/v1/clients/${encodeURIComponent(clientId)}/nodes/${encodeURIComponent(nodeId)}/boards?${asked}`;
  const loaded = useLoad(`boards ${path}`, (signal) => call<BoardsData>('GET', path, { signal }), 60_000);
  const shown = loaded.data.value;
  return (
    <Screen title={t().nav.boards} sub={shown === undefined ? nodeId : `${nodeId} · ${shown.date}`}>
      {!isWall && (
        <div class="inline board-filters">
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
          <LinkButton icon={Monitor} to={href('/boards', { ...Object.fromEntries(query), wall: '1' })}>
            {boards.wall}
          </LinkButton>
        </div>
      )}
      <Show of={loaded}>{(data) => <Shown data={data} isWall={isWall} />}</Show>
    </Screen>
  );
}

function Shown({ data, isWall }: { data: BoardsData; isWall: boolean }) {
  const { boards } = t();
  const { totals, users, oldestOrder } = data;
  const asked = totals.unitsPicked + totals.unitsShort;
  const numbers: [string, string][] = [
    [boards.ordersIn, number(totals.ordersIn)],
    [boards.unitsPicked, number(totals.unitsPicked)],
    [boards.late, number(totals.late)],
    [boards.short, asked === 0 ? '–' : percent(totals.unitsShort / asked)],
    [boards.linesPerHour, totals.linesPerHour === undefined ? '–' : number(Math.round(totals.linesPerHour))],
  ];
  return (
    <div class={isWall ? 'stack wall' : 'stack'}>
      <dl class="numbers">
        {numbers.map(([name, value]) => (
          <div class="card" key={name}>
            <dt class="quiet">{name}</dt>
            <dd class="huge">{value}</dd>
          </div>
        ))}
      </dl>
      {oldestOrder !== undefined && (
        <p>
          {boards.oldest}{' '}
          <a class="code" href={href(at('office', 'orders', oldestOrder.storeId, oldestOrder.fulfillmentOrderId))}>
            {oldestOrder.fulfillmentOrderId}
          </a>{' '}
          <span class="quiet">{boards.since(time(oldestOrder.since))}</span>
        </p>
      )}
      <section class="card stack tight">
        <h2>{boards.byHour}</h2>
        <Plot data={data} />
      </section>
      {users.length === 0 ? (
        <Empty title={boards.nobody}>{boards.nobodyHint}</Empty>
      ) : (
        <section class="table-wrap" tabIndex={0} aria-label={boards.byUser}>
          <table class="table">
            <caption class="visually-hidden">{boards.byUser}</caption>
            <thead>
              <tr>
                <th scope="col">{boards.user}</th>
                <th scope="col" class="number">
                  {boards.lines}
                </th>
                <th scope="col" class="number">
                  {boards.unitsPicked}
                </th>
                <th scope="col" class="number">
                  {boards.short}
                </th>
                <th scope="col" class="number">
                  {boards.linesPerHour}
                </th>
              </tr>
            </thead>
            <tbody>
              {users.map((user) => (
                <tr key={user.userId}>
                  <td class="strong">{user.userId}</td>
                  <td class="number">{number(user.lines)}</td>
                  <td class="number">{number(user.units)}</td>
                  <td class="number">{number(user.short)}</td>
                  <td class="number">
                    {user.linesPerHour === undefined ? '–' : number(Math.round(user.linesPerHour))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {!isWall && (
        <div>
          <Button icon={Download} onClick={() => download(`boards-${data.date}.csv`, csvOf(data))}>
            {boards.csv}
          </Button>
        </div>
      )}
      <p class="small quiet">{boards.asOf(time(now.value, true), data.timeZone)}</p>
    </div>
  );
}

/** Orders in and units picked by hour. The same numbers stand in the CSV. */
function Plot({ data }: { data: BoardsData }) {
  const { boards } = t();
  const box = useRef<HTMLDivElement>(null);
  const chosen = theme.value;
  useEffect(() => {
    let plot: uPlot | undefined;
    let isGone = false;
    const made = import('uplot').then(({ default: Plotted }) => {
      if (isGone || box.current === null) return;
      const style = getComputedStyle(document.documentElement);
      const color = (name: string) => style.getPropertyValue(name).trim();
      const axis = {
        stroke: color('--text-2'),
        grid: { stroke: color('--line'), width: 1 },
        ticks: { stroke: color('--line'), width: 1 },
      };
      plot = new Plotted(
        {
          width: box.current.clientWidth,
          height: 220,
          cursor: { drag: { setScale: false } },
          scales: { x: { time: false } },
          axes: [{ ...axis, values: (_plot, hours) => hours.map((hour) => `${hour}:00`) }, axis],
          series: [
            { label: boards.hour },
            { label: boards.ordersIn, stroke: color('--amber-line'), width: 2, points: { show: false } },
            { label: boards.unitsPicked, stroke: color('--accent-fill'), width: 3, points: { show: false } },
            { label: boards.late, stroke: color('--red-line'), width: 2, dash: [6, 4], points: { show: false } },
          ],
        },
        [
          data.hours.map(({ hour }) => hour),
          data.hours.map(({ ordersIn }) => ordersIn),
          data.hours.map(({ unitsPicked }) => unitsPicked),
          data.hours.map(({ late }) => late),
        ],
        box.current,
      );
    });
    // Without the plot the numbers are in the table and in the CSV.
    made.catch(() => box.current?.remove());
    const resize = () => {
      if (box.current !== null) plot?.setSize({ width: box.current.clientWidth, height: 220 });
    };
    addEventListener('resize', resize);
    return () => {
      isGone = true;
      removeEventListener('resize', resize);
      plot?.destroy();
    };
  }, [data, chosen]);
  const most = data.hours.reduce((best, hour) => (hour.unitsPicked > best.unitsPicked ? hour : best));
  return <div ref={box} role="img" aria-label={boards.plot(most.hour, most.unitsPicked)} class="plot" />;
}

function csvOf({ hours, users }: BoardsData): string {
  return toCsv([
    ['hour', 'ordersIn', 'unitsPicked', 'linesPicked', 'unitsShort', 'late'],
    ...hours.map((hour) => [hour.hour, hour.ordersIn, hour.unitsPicked, hour.linesPicked, hour.unitsShort, hour.late]),
    [],
    ['user', 'lines', 'units', 'short', 'linesPerHour'],
    ...users.map((user) => [user.userId, user.lines, user.units, user.short, user.linesPerHour ?? '']),
  ]);
}
