/**
 * Bars of new orders, picked units and late orders by hour. Future hours are not drawn. The CSV has the same numbers.
 */
import { deskTexts, number } from '../texts/index.ts';
import { type BoardsData, hoursToShow } from './boards-data.ts';

type Hour = BoardsData['hours'][number];

const WIDTH = 40;
const SERIES = ['ordersIn', 'unitsPicked', 'late'] as const;

export function Bars({ data, height }: { data: BoardsData; height: number }) {
  const { boards } = deskTexts();
  const hours = hoursToShow(data);
  const most = Math.max(1, ...hours.flatMap((hour) => SERIES.map((name) => hour[name])));
  const best = hours.reduce((one, other) => (other.unitsPicked > one.unitsPicked ? other : one), hours[0]!);
  return (
    <figure class="bars">
      <div class="bars-box">
        <svg
          role="img"
          aria-label={boards.plot(best.hour, best.unitsPicked)}
          viewBox={`0 0 ${hours.length * WIDTH} ${height}`}
          preserveAspectRatio="none"
          style={{ height: `${height}px` }}
        >
          <line x1="0" x2={hours.length * WIDTH} y1={height - 0.5} y2={height - 0.5} class="axis" />
          {hours.map((hour, index) => (
            <HourBars key={hour.hour} hour={hour} left={index * WIDTH} most={most} height={height} />
          ))}
        </svg>
      </div>
      <div class="bar-hours" aria-hidden="true">
        {hours.map((hour) => (
          <span key={hour.hour}>
            <span class="bar-hour">
              {hour.hour}
              <span class="bar-minutes">:00</span>
            </span>
            {SERIES.filter((name) => hour[name] > 0).map((name) => (
              <b class={name} key={name}>
                {number(hour[name])}
              </b>
            ))}
          </span>
        ))}
      </div>
      <div class="visually-hidden">
        <table>
          <caption>{boards.byHour}</caption>
          <thead>
            <tr>
              <th scope="col">{boards.hour}</th>
              {SERIES.map((name) => (
                <th scope="col" key={name}>
                  {boards[name]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {hours.map((hour) => (
              <tr key={hour.hour}>
                <th scope="row">{hour.hour}:00</th>
                {SERIES.map((name) => (
                  <td key={name}>{number(hour[name])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <figcaption class="inline small">
        {SERIES.map((name) => (
          <span class={`legend ${name}`} key={name}>
            {boards[name]}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function HourBars({ hour, left, most, height }: { hour: Hour; left: number; most: number; height: number }) {
  const width = (WIDTH - 8) / SERIES.length;
  return (
    <g>
      {SERIES.map((name, index) => {
        const high = (hour[name] / most) * (height - 6);
        if (high === 0) return null;
        return (
          <rect
            class={name}
            x={left + 4 + index * width}
            y={height - high}
            width={width - 2}
            height={Math.max(2, high)}
          />
        );
      })}
    </g>
  );
}
