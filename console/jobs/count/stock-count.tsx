/**
 * Counts stock by scan or by number, from 0, without showing the units of the ledger. The device keeps a count that has
 * begun.
 */
import { ClipboardCheck, ClipboardList } from 'lucide';
import { useEffect, useRef, useState } from 'preact/hooks';
import { call, newId } from '../../api.ts';
import { choices } from '../../choices.ts';
import { online } from '../../preferences.ts';
import { go } from '../../router.ts';
import { isOneOf } from '../../scan/codes.ts';
import type { Scan } from '../../scan/queue.ts';
import { focusScanTarget, ScanTarget } from '../../scan/target.tsx';
import { place, session } from '../../session.ts';
import { t, time } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Empty, useAction } from '../../ui/load.tsx';
import { explain } from '../../ui/notice.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { useItemChoice } from '../../work/item-choice.tsx';
import { ownId } from '../../work/own-id.ts';
import { useSaid } from '../../work/said.tsx';
import { useScan } from '../../work/use-scan.ts';
import { JobDone, type JobHead, WorkScreen } from '../../work/work-screen.tsx';
import { isAway, loadWordsOf, lookUp, nameOf, nodePath } from '../receive/receiving.ts';
import { CountLines } from './count-lines.tsx';
import { CountedLine, NumberDialog } from './counted-line.tsx';
import { readLevel, STOCK_PLACES, type StockCount, type StockPlace, stockedOfCode } from './stock-data.ts';

/** Places whose units can be counted. Missing units cannot be counted. */
const COUNTED_PLACES = STOCK_PLACES.filter((one) => one !== 'MISSING');

interface Line {
  itemId: string;
  place: StockPlace;
  /** Absent until the first scan or number. A link to an item adds its line without a count. */
  counted?: number | undefined;
  /**
   * Revision of the level when the count of this line began, or when its number was typed. Moves after it do not change
   * the result of the count.
   */
  revision: number;
  /** Time of this revision. Absent in lines that the device has from an earlier version. */
  at?: number;
}

const isCounted = (line: Line) => line.counted !== undefined;

interface Draft {
  countId: string;
  lines: readonly Line[];
}

const draftKey = () => `backroom.count ${session.peek()!.user.userId} ${place.peek()!.nodeId}`;

function readDraft(key: string): Draft {
  const text = localStorage.getItem(key);
  return text === null ? { countId: newId(), lines: [] } : (JSON.parse(text) as Draft);
}

/** Returns whether the code is a place. Only items are counted, so a place is rejected. */
async function isPlace(text: string): Promise<boolean> {
  if (isOneOf(text, choices.peek()?.holdLocations ?? [])) return true;
  return (await lookUp(text)).some(({ kind }) => kind === 'PLACE');
}

/** Keeps the counts on this device until they are saved. */
function useDraft(said: ReturnType<typeof useSaid>) {
  const { stock } = t();
  // The node of the user can change while a request is running; its lines are those of the node before.
  const [key] = useState(draftKey);
  const [draft, setDraft] = useState(() => readDraft(key));
  const latest = useRef(draft);
  const isSaving = useRef(false);
  const keep = (next: Draft) => {
    latest.current = next;
    setDraft(next);
  };
  return {
    draft,
    current: () => latest.current,
    /**
     * Returns whether the lines were changed. The lines cannot change while they are being saved, because a saved count
     * is removed as a whole.
     */
    change: (lines: readonly Line[]): boolean => {
      if (isSaving.current) {
        said.wrong(stock.countSaving, stock.countSavingHint);
        return false;
      }
      // A count with other content is another count, so it gets a new id.
      const next = { countId: newId(), lines };
      localStorage.setItem(key, JSON.stringify(next));
      keep(next);
      return true;
    },
    /** Saves the count with `send`, and begins a new one. */
    save: async <T,>(send: (saved: Draft) => Promise<T>): Promise<T> => {
      isSaving.current = true;
      try {
        const made = await send(latest.current);
        localStorage.removeItem(key);
        keep({ countId: newId(), lines: [] });
        return made;
      } finally {
        isSaving.current = false;
      }
    },
  };
}

/** Counts by scan, by number, and from a link to an item. */
function useCount(said: ReturnType<typeof useSaid>, first: string | null, of: string | null) {
  const { stock } = t();
  const { draft, current, change, save } = useDraft(said);
  const { choose, dialog } = useItemChoice();
  const [where, setWhere] = useState<StockPlace>(() => COUNTED_PLACES.find((one) => one === of) ?? 'SHELF');
  const latestWhere = useRef(where);
  latestWhere.current = where;
  const put = async (itemId: string, to: (before?: number) => number | undefined) => {
    const at = latestWhere.current;
    const isOf = (line: Line) => line.itemId === itemId && line.place === at;
    let line = current().lines.find(isOf);
    if (line?.counted === undefined) {
      const { revision } = await readLevel(itemId);
      line = { itemId, place: at, counted: current().lines.find(isOf)?.counted, revision, at: Date.now() };
    }
    const others = current().lines.filter((one) => !isOf(one));
    return change([{ ...line, counted: to(line.counted) }, ...others]);
  };
  /** Replaces the count of a line. The user has counted now, so the line gets the present revision. @throws ApiError */
  const set = async ({ itemId, place: at }: Line, counted: number) => {
    const { revision } = await readLevel(itemId);
    const others = (one: Line) => one.itemId !== itemId || one.place !== at;
    const line = { itemId, place: at, counted, revision, at: Date.now() };
    if (change([line, ...current().lines.filter(others)])) said.say(undefined);
  };
  const failed = (error: unknown) => {
    if (isAway(error)) said.wrong(stock.countOffline, stock.countOfflineHint);
    else said.wrong(explain(error).what);
  };
  const begin = async (itemId: string) => {
    await loadWordsOf([itemId]);
    if (!(await put(itemId, (before) => before))) return;
    said.say({ look: 'info', title: stock.countAdded(nameOf({ itemId })) });
  };
  useEffect(() => {
    void loadWordsOf(draft.lines.map(({ itemId }) => itemId)).catch(() => undefined);
    if (first === null) return;
    if (current().lines.some((line) => line.itemId === first && (of === null || line.place === of))) return;
    begin(first).catch(failed);
  }, []);
  return {
    draft,
    where,
    setWhere,
    change,
    set,
    save,
    dialog,
    onText: async (text: string) => {
      try {
        const found = await stockedOfCode(text);
        if (found.length === 0) {
          if (await isPlace(text)) said.wrong(stock.countPlaceScanned(text), stock.countPlaceHint);
          else said.wrong(stock.countUnknown(text));
          return;
        }
        const { lines } = current();
        const expected = lines.map((line) => line.itemId);
        const itemId = (await choose(found, expected))?.itemId;
        if (itemId === undefined) return;
        if (!(await put(itemId, (before = 0) => before + 1))) return;
        const undo = () => {
          if (!change(lines)) return;
          said.say({ look: 'info', title: stock.countUndone(nameOf({ itemId })) }, 'right');
          focusScanTarget();
        };
        said.right(stock.countRight(nameOf({ itemId })), { undo });
      } catch (error) {
        failed(error);
      }
    },
  };
}

export default function StockCountScreen({ query }: ScreenProps) {
  const { stock } = t();
  const said = useSaid();
  const count = useCount(said, query.get('itemId'), query.get('place'));
  const [asked, setAsked] = useState<Line | undefined>();
  const [done, setDone] = useState<StockCount | undefined>();
  const { lines } = count.draft;
  const counted = lines.filter(isCounted).length;
  const post = useAction(async () => {
    const made = await count.save(({ countId, lines: all }) => {
      const sent = all.filter(isCounted).map(({ at: _, ...line }) => line);
      return call<StockCount>('POST', `${nodePath()}/counts`, { body: { countId, lines: sent, userId: ownId() } });
    });
    said.say(undefined, 'done');
    setDone(made);
  });
  const head = { title: stock.countTitle, sub: stock.countSub(lines.length), onBack: () => go('/stock') };
  const onCode = ({ text, command }: Scan) => {
    if (asked !== undefined || command !== undefined) return false;
    setDone(undefined);
    return count.onText(text);
  };
  if (done !== undefined) return <Posted head={head} count={done} onCode={onCode} onNext={() => setDone(undefined)} />;
  const blocked = counted === 0 ? stock.countNothing : online.value ? undefined : stock.countOffline;
  const label = stock.countPost(counted);
  return (
    <WorkScreen
      job={{
        ...head,
        scanLabel: stock.countScan,
        onCode,
        said: said.said,
        error: post.error,
        main: { label, icon: ClipboardCheck, isBusy: post.isBusy, blocked, run: post.run },
      }}
    >
      <SelectField
        label={stock.countPlace}
        value={count.where}
        onInput={(value) => {
          count.setWhere(value as StockPlace);
          focusScanTarget();
        }}
        options={COUNTED_PLACES.map((value) => ({ value, label: stock.places[value]! }))}
      />
      {lines.length === 0 ? (
        <Empty icon={ClipboardList} title={stock.countEmpty}>
          {stock.countEmptyHint}
        </Empty>
      ) : (
        <Lines
          lines={lines}
          onNumber={setAsked}
          onRemove={(line) => {
            // Removes the undo of the last scan, because the undo could restore the removed line.
            if (count.change(lines.filter((one) => one !== line))) said.say(undefined);
          }}
        />
      )}
      {count.dialog}
      {asked !== undefined && (
        <NumberDialog
          name={nameOf(asked)}
          onClose={() => setAsked(undefined)}
          onSet={(counted) => count.set(asked, counted)}
        />
      )}
    </WorkScreen>
  );
}

interface PostedProps {
  head: JobHead;
  count: StockCount;
  /** Called for a code after the count is posted. The code begins the next count. */
  onCode: (scan: Scan) => unknown;
  onNext: () => void;
}

function Posted({ head, count, onCode, onNext }: PostedProps) {
  const { stock } = t();
  useScan(onCode);
  const isWaiting = count.state === 'WAITING';
  const isAllWaiting = count.lines.every(({ state }) => state === 'WAITING');
  return (
    <JobDone
      head={head}
      isRisk={isWaiting}
      title={!isWaiting ? stock.countDone : isAllWaiting ? stock.countAllWaits : stock.countWaits}
      actions={
        <Button isWide look="main" icon={ClipboardList} onClick={onNext}>
          {stock.countNext}
        </Button>
      }
    >
      <ScanTarget label={stock.countScan} />
      <CountLines of={count} />
    </JobDone>
  );
}

interface LinesProps {
  lines: readonly Line[];
  onNumber: (line: Line) => void;
  onRemove: (line: Line) => void;
}

function Lines({ lines, onNumber, onRemove }: LinesProps) {
  const { stock } = t();
  return (
    <ul class="list" aria-label={stock.countTitle}>
      {lines.map((line) => (
        <CountedLine
          key={`${line.itemId} ${line.place}`}
          of={line}
          counted={line.counted}
          states={
            <span class="small quiet">
              {stock.places[line.place]}
              {line.at !== undefined && isCounted(line) && ` · ${stock.since(time(line.at))}`}
            </span>
          }
          onNumber={() => onNumber(line)}
          other={{
            label: stock.countRemoveOf(nameOf(line)),
            word: stock.countRemove,
            run: () => onRemove(line),
          }}
        />
      ))}
    </ul>
  );
}
