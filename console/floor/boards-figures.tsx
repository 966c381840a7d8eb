/** The figures of the chosen days, each with its target and its value in the preceding period of the same length. */
import { href } from '../router.ts';
import { choosePlace, ownClient, place, session } from '../session.ts';
import { deskTexts, number, percent } from '../texts/index.ts';
import { State } from '../ui/notice.tsx';
import { type BoardsData, shortOf } from './boards-data.ts';

interface Figure {
  name: string;
  value: string;
  /** The value in the preceding period with the same number of days, as text. */
  before: string;
  /** The target as text, and whether the figure meets it. */
  target?: { text: string; isMet: boolean };
  /** The number of orders that are late now. `value` counts all orders that became late on the chosen days. */
  present?: { text: string; isNone: boolean };
}

/** Returns the five figures in display order. */
export function figuresOf({ totals, before, targets, days }: BoardsData, lateNow?: number): readonly Figure[] {
  const { boards } = deskTexts();
  const { linesPerHour, shortPercent } = targets;
  // This target is the number of one day.
  const late = targets.late === undefined ? undefined : targets.late * days.length;
  const [short, shortBefore] = [shortOf(totals), shortOf(before)];
  const speed = (value: number | undefined) => (value === undefined ? '–' : number(Math.round(value)));
  const share = (value: number | undefined) => (value === undefined ? '–' : percent(value));
  return [
    { name: boards.ordersIn, value: number(totals.ordersIn), before: number(before.ordersIn) },
    { name: boards.unitsPicked, value: number(totals.unitsPicked), before: number(before.unitsPicked) },
    {
      name: boards.late,
      value: number(totals.late),
      before: number(before.late),
      ...(late !== undefined && { target: { text: boards.atMost(number(late)), isMet: totals.late <= late } }),
      ...(lateNow !== undefined && { present: { text: boards.lateNow(lateNow), isNone: lateNow === 0 } }),
    },
    {
      name: boards.short,
      value: share(short),
      before: share(shortBefore),
      ...(shortPercent !== undefined && {
        target: { text: boards.atMost(percent(shortPercent / 100)), isMet: (short ?? 0) * 100 <= shortPercent },
      }),
    },
    {
      name: boards.linesPerHour,
      value: speed(totals.linesPerHour),
      before: speed(before.linesPerHour),
      ...(linesPerHour !== undefined && {
        target: { text: boards.atLeast(number(linesPerHour)), isMet: (totals.linesPerHour ?? 0) >= linesPerHour },
      }),
    },
  ];
}

interface FiguresProps {
  data: BoardsData;
  days: number;
  nodeId: string;
  /** Number of orders that are late at present. */
  lateNow: number | undefined;
}

export function Figures({ data, days, nodeId, lateNow }: FiguresProps) {
  const { boards } = deskTexts();
  // The link to the exceptions changes the user's node to this node. A device of the store cannot change its node, so it
  // has the link only at its own node.
  const isHere = place.value?.nodeId === nodeId;
  const isLinked = isHere || session.value?.device === undefined;
  return (
    <dl class="numbers">
      {figuresOf(data, lateNow).map(({ name, value, before, target, present }) => (
        <div class="card" key={name}>
          <dt class="quiet">{name}</dt>
          <dd class="huge">{value}</dd>
          <dd class="small quiet">{boards.before(days, before)}</dd>
          {target && (
            <dd>
              <State look={target.isMet ? 'right' : 'risk'}>{target.text}</State>
            </dd>
          )}
          {present && (
            <dd>
              {isLinked ? (
                <a
                  class="board-link"
                  href={href('/exceptions')}
                  onClick={() => isHere || choosePlace({ clientId: ownClient(), nodeId })}
                >
                  <Present of={present} />
                </a>
              ) : (
                <Present of={present} />
              )}
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

function Present({ of: { text, isNone } }: { of: NonNullable<Figure['present']> }) {
  return <State look={isNone ? 'right' : 'wrong'}>{text}</State>;
}
