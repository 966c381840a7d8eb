/**
 * The wall display: full screen, numbers readable from a distance, names of the users. It reloads automatically. Escape
 * or its button closes it.
 */
import { Minimize } from 'lucide';
import { useEffect } from 'preact/hooks';
import { now } from '../preferences.ts';
import { go } from '../router.ts';
import { deskTexts, number } from '../texts/index.ts';
import { Icon } from '../ui/icon.tsx';
import { Show } from '../ui/load.tsx';
import { State } from '../ui/notice.tsx';
import { Bars } from './boards-bars.tsx';
import { type BoardNodes, type BoardsData, timeIn, useBoards, useLateNow } from './boards-data.ts';
import { figuresOf } from './boards-figures.tsx';

/** Number of users that the wall display shows. These are the users who picked the most lines. */
const PEOPLE = 6;

export function Wall({ node: { nodeId, name } }: { node: BoardNodes['shown'] }) {
  const { boards } = deskTexts();
  const loaded = useBoards(nodeId, '1');
  const lateNow = useLateNow(nodeId);
  const leaveWall = () => go('/boards', { node: nodeId });
  useEffect(() => {
    const leave = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') leaveWall();
    };
    addEventListener('keydown', leave);
    return () => removeEventListener('keydown', leave);
  }, []);
  return (
    <main id="main" class="wall" tabIndex={-1}>
      <header class="split">
        <h1>{name}</h1>
        <span class="inline">
          <span class="wall-time">{timeIn(loaded.data.value?.timeZone, now.value)}</span>
          <button type="button" class="button plain" aria-label={boards.leaveWall} onClick={leaveWall}>
            <Icon of={Minimize} />
          </button>
        </span>
      </header>
      <Show of={loaded}>{(data) => <Shown data={data} lateNow={lateNow} />}</Show>
    </main>
  );
}

function Shown({ data, lateNow }: { data: BoardsData; lateNow: number | undefined }) {
  const { boards } = deskTexts();
  return (
    <>
      <dl class="wall-numbers">
        {figuresOf(data, lateNow).map(({ name, value, before, target, present }) => (
          <div class="card" key={name}>
            <dt>{name}</dt>
            <dd class="wall-value">{value}</dd>
            <dd class="wall-beside">
              <span class="quiet">{boards.before(1, before)}</span>
              {target && <State look={target.isMet ? 'right' : 'risk'}>{target.text}</State>}
              {present && <State look={present.isNone ? 'right' : 'wrong'}>{present.text}</State>}
            </dd>
          </div>
        ))}
      </dl>
      <div class="wall-below">
        <section class="card" aria-label={boards.byHour}>
          <Bars data={data} height={200} />
        </section>
        {data.users.length > 0 && (
          <section class="card" aria-label={boards.byUser}>
            <p class="split quiet wall-people-head">
              <span>{boards.user}</span>
              <span>{boards.lines}</span>
            </p>
            <ol class="wall-people">
              {data.users.slice(0, PEOPLE).map(({ userId, name, lines }) => (
                <li key={userId}>
                  <span>{name ?? userId}</span>
                  <span class="number">{number(lines)}</span>
                </li>
              ))}
            </ol>
          </section>
        )}
      </div>
    </>
  );
}
