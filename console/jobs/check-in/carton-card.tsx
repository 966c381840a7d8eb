/** One carton of a check-in with its counted units. */
import { PackageCheck, PackageX, Plus, TriangleAlert } from 'lucide';
import { reasonsOf } from '../../choices.ts';
import { focusScanTarget } from '../../scan/target.tsx';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { State } from '../../ui/notice.tsx';
import type { ItemWords } from '../../work/item-words.ts';
import { WorkLine } from '../../work/work-line.tsx';
import { type Carton, type Count, type CountsOfCheckIn, cartonName, knownReason, type Line } from './counts.ts';

interface CartonProps {
  carton: Carton;
  counts: CountsOfCheckIn;
  items: Readonly<Record<string, ItemWords>>;
  /** Runs a change of the counts, and shows it with its undo. */
  onCount: (title: string, change: () => void) => void;
  onProblem: (line: Line) => void;
}

export function CartonCard({ carton, counts, items, onCount, onProblem }: CartonProps) {
  const { checkIn } = t();
  const { checkInPackageId: id, checkInPackageItems: lines } = carton;
  const open = counts.openOf(carton);
  const count = (title: string, changes: readonly (readonly [Line, Count])[]) => {
    onCount(title, () => {
      for (const [line, to] of changes) counts.put(id, line, to);
    });
    setTimeout(focusScanTarget);
  };
  const nameOf = ({ itemId }: Line) => items[itemId]?.name ?? itemId;
  const isHere = counts.draft.seen.includes(id);
  return (
    <section id={`carton-${id}`} class="check-in-carton" data-active={counts.draft.active === id ? '' : undefined}>
      <div class="split">
        <h2>
          {checkIn.carton('')}
          <span class="code">{cartonName(carton)}</span>
        </h2>
        {open === 0 ? (
          <State look="right">{checkIn.allDone}</State>
        ) : isHere ? (
          <State look="info">{checkIn.here}</State>
        ) : (
          <State>{checkIn.open(open)}</State>
        )}
      </div>
      <ul class="list">
        {lines.map((line) => (
          <CountLine
            key={line.webLineId}
            line={line}
            words={items[line.itemId]}
            count={counts.countOf(id, line)}
            onCount={(to) => count(checkIn.right(nameOf(line)), [[line, to]])}
            onProblem={() => onProblem(line)}
          />
        ))}
      </ul>
      {open > 0 && <Whole lines={lines} countOf={(line) => counts.countOf(id, line)} onCount={count} />}
    </section>
  );
}

function CountLine({
  line,
  words,
  count,
  onCount,
  onProblem,
}: {
  line: Line;
  words: ItemWords | undefined;
  count: Count;
  onCount: (count: Count) => void;
  onProblem: () => void;
}) {
  const { checkIn } = t();
  const { arrived, problem, reason } = count;
  const name = words?.name ?? line.itemId;
  const left = line.quantity - arrived - problem;
  const why = reasonsOf('checkIn').find(({ value }) => value === reason)?.label ?? checkIn.blockedReason;
  return (
    <WorkLine
      look="check-in"
      name={name}
      code={line.itemId}
      picture={words?.imageUrl}
      count={
        <>
          {arrived}
          <span class="quiet">/{line.quantity}</span>
        </>
      }
      countLabel={`${checkIn.arrived}: ${arrived}/${line.quantity}`}
      states={
        problem > 0 && (
          <State look="risk" icon={TriangleAlert}>
            {problem} · {why}
          </State>
        )
      }
      buttons={
        <>
          <Button
            icon={Plus}
            label={`${checkIn.arrived} +1: ${name}`}
            blocked={left === 0 ? ' ' : undefined}
            onClick={() => onCount({ ...count, arrived: arrived + 1 })}
          >
            {checkIn.arrived}
          </Button>
          <Button icon={PackageX} label={`${checkIn.problem}: ${name}`} onClick={onProblem}>
            {checkIn.problem}
          </Button>
        </>
      }
    />
  );
}

/** Marks all open units of a carton as arrived, or as not arrived. */
function Whole({
  lines,
  countOf,
  onCount,
}: {
  lines: readonly Line[];
  countOf: (line: Line) => Count;
  onCount: (title: string, changes: readonly (readonly [Line, Count])[]) => void;
}) {
  const { checkIn } = t();
  const isUntouched = lines.every((line) => countOf(line).arrived + countOf(line).problem === 0);
  const usual = knownReason(isUntouched ? 'STSPackageNotReceived' : 'STSProductNotReceived');
  const all = (title: string, of: (line: Line, count: Count) => Count) =>
    onCount(
      title,
      lines.map((line) => [line, of(line, countOf(line))]),
    );
  const missing = isUntouched ? checkIn.cartonMissing : checkIn.restMissing;
  return (
    <div class="inline">
      <Button
        icon={PackageCheck}
        onClick={() => all(checkIn.allArrived, (line, count) => ({ ...count, arrived: line.quantity - count.problem }))}
      >
        {checkIn.allArrived}
      </Button>
      <Button
        icon={PackageX}
        onClick={() =>
          all(missing, (line, count) => ({
            ...count,
            problem: line.quantity - count.arrived,
            reason: count.problem > 0 && count.reason !== '' ? count.reason : usual,
          }))
        }
      >
        {missing}
      </Button>
    </div>
  );
}
