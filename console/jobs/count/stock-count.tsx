/** Counting stock: what is there by scan or by number, from 0, without what the ledger says. What is begun stays on the device. */
import { CircleCheck, ClipboardCheck, ClipboardList } from 'lucide';
import { useEffect, useRef, useState } from 'preact/hooks';
import { call, newId } from '../../api.ts';
import { online } from '../../preferences.ts';
import { go } from '../../router.ts';
import { feedback } from '../../scan/feedback.ts';
import { focusScanTarget, ScanTarget } from '../../scan/target.tsx';
import { place, session } from '../../session.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Keypad } from '../../ui/keypad.tsx';
import { Empty, useAction } from '../../ui/load.tsx';
import { Band, ErrorNotice, type Look } from '../../ui/notice.tsx';
import { Picture } from '../../ui/picture.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { Screen } from '../../ui/screen.tsx';
import { ownId } from '../../work/own-id.ts';
import { SyncState } from '../../work/sync-state.tsx';
import { useScan } from '../../work/use-scan.ts';
import { useWakeLock } from '../../work/wake-lock.ts';
import { isAway, itemWords, loadWordsOf, nameOf, nodePath } from '../receive/receiving.ts';
import { CountLines } from './stock.tsx';
import { itemOfCode, readLevel, STOCK_PLACES, type StockCount, type StockPlace } from './stock-data.ts';

interface Line {
  itemId: string;
  place: StockPlace;
  counted: number;
  /** Of the level when the counting of it began: what moves after that does not matter. */
  revision: number;
}

interface Draft {
  countId: string;
  lines: readonly Line[];
}

const draftKey = () => `backroom.count ${session.peek()!.user.userId} ${place.peek()!.nodeId}`;

function readDraft(): Draft {
  const text = localStorage.getItem(draftKey());
  return text === null ? { countId: newId(), lines: [] } : (JSON.parse(text) as Draft);
}

export default function StockCountScreen({ query }: ScreenProps) {
  const { stock } = t();
  const [draft, setDraft] = useState(readDraft);
  const [where, setWhere] = useState<StockPlace>('SHELF');
  const [said, setSaid] = useState<{ look: Look; text: string; hint?: string } | undefined>();
  const [asked, setAsked] = useState<Line | undefined>();
  const [done, setDone] = useState<StockCount | undefined>();
  const latest = useRef({ draft, where });
  latest.current.where = where;
  const change = (lines: readonly Line[]) => {
    // Other content is another count.
    const next = { countId: newId(), lines };
    latest.current.draft = next;
    localStorage.setItem(draftKey(), JSON.stringify(next));
    setDraft(next);
  };
  const put = async (itemId: string, to: (before: number) => number) => {
    const at = latest.current.where;
    const isOf = (line: Line) => line.itemId === itemId && line.place === at;
    let line = latest.current.draft.lines.find(isOf);
    if (line === undefined) {
      const { revision } = await readLevel(itemId);
      line = latest.current.draft.lines.find(isOf) ?? { itemId, place: at, counted: 0, revision };
    }
    const others = latest.current.draft.lines.filter((one) => !isOf(one));
    change([{ ...line, counted: Math.max(0, to(line.counted)) }, ...others]);
  };
  const failed = (error: unknown, code: string) => {
    feedback('wrong');
    setSaid(
      isAway(error)
        ? { look: 'wrong', text: stock.countOffline, hint: stock.countOfflineHint }
        : { look: 'wrong', text: stock.countUnknown(code) },
    );
  };
  useEffect(() => {
    void loadWordsOf(draft.lines.map(({ itemId }) => itemId)).catch(() => undefined);
    const itemId = query.get('itemId');
    if (itemId === null || latest.current.draft.lines.some((line) => line.itemId === itemId)) return;
    void (async () => {
      await loadWordsOf([itemId]);
      await put(itemId, (before) => before);
      setSaid({ look: 'info', text: stock.countAdded(nameOf({ itemId })) });
    })().catch((error: unknown) => failed(error, itemId));
  }, []);
  useWakeLock();
  useScan(async ({ text, command }) => {
    if (asked !== undefined || command !== undefined) return false;
    if (done !== undefined) setDone(undefined);
    try {
      const itemId = await itemOfCode(text);
      if (itemId === undefined) {
        feedback('wrong');
        setSaid({ look: 'wrong', text: stock.countUnknown(text) });
        return undefined;
      }
      await put(itemId, (before) => before + 1);
      feedback('right');
      setSaid({ look: 'right', text: stock.countRight(nameOf({ itemId })) });
    } catch (error) {
      failed(error, text);
    }
    return undefined;
  });
  const post = useAction(async () => {
    const { countId, lines } = latest.current.draft;
    const made = await call<StockCount>('POST', `${nodePath()}/counts`, {
      body: { countId, userId: ownId(), lines },
    });
    localStorage.removeItem(draftKey());
    const fresh = { countId: newId(), lines: [] };
    latest.current.draft = fresh;
    setDraft(fresh);
    setSaid(undefined);
    setDone(made);
    feedback('done');
  });
  if (done !== undefined) {
    const isWaiting = done.state === 'WAITING';
    return (
      <Screen
        title={stock.countTitle}
        onBack={() => go('/stock')}
        tools={<SyncState />}
        actions={
          <Button isWide look="main" icon={ClipboardList} onClick={() => setDone(undefined)}>
            {stock.countNext}
          </Button>
        }
      >
        <section class={isWaiting ? 'counter-done risk' : 'counter-done'} role="status">
          <Icon of={CircleCheck} />
          <h2 class="big">{isWaiting ? stock.countWaits : stock.countDone}</h2>
        </section>
        <ScanTarget label={stock.countScan} />
        <CountLines of={done} />
      </Screen>
    );
  }
  const blocked = draft.lines.length === 0 ? stock.countNothing : online.value ? undefined : stock.countOffline;
  return (
    <Screen
      title={stock.countTitle}
      sub={stock.countSub(draft.lines.length)}
      onBack={() => go('/stock')}
      tools={<SyncState />}
      band={
        said !== undefined && (
          <Band look={said.look}>
            {said.text}
            {said.hint !== undefined && <span class="receive-hint">{said.hint}</span>}
          </Band>
        )
      }
      actions={
        <Button
          isWide
          look="main"
          icon={ClipboardCheck}
          isBusy={post.isBusy}
          blocked={blocked}
          onClick={() => void post.run()}
        >
          {stock.countPost(draft.lines.length)}
        </Button>
      }
    >
      <ScanTarget label={stock.countScan} />
      {post.error !== undefined && <ErrorNotice error={post.error} />}
      <SelectField
        label={stock.countPlace}
        value={where}
        onInput={(value) => {
          setWhere(value as StockPlace);
          focusScanTarget();
        }}
        options={STOCK_PLACES.map((value) => ({ value, label: stock.places[value]! }))}
      />
      {draft.lines.length === 0 ? (
        <Empty icon={ClipboardList} title={stock.countEmpty}>
          {stock.countEmptyHint}
        </Empty>
      ) : (
        <ul class="list" aria-label={stock.countTitle}>
          {draft.lines.map((line) => (
            <li class="row receive-line" key={`${line.itemId} ${line.place}`}>
              <Picture url={itemWords.value[line.itemId]?.imageUrl} label={nameOf(line)} isSmall />
              <span class="grow stack tight">
                <span class="strong">{nameOf(line)}</span>
                <span class="small quiet">
                  {stock.places[line.place]} · <span class="code">{line.itemId}</span>
                </span>
              </span>
              <span class="big receive-count">{line.counted}</span>
              <span class="receive-buttons">
                <Button label={stock.countNumberOf(nameOf(line))} onClick={() => setAsked(line)}>
                  {stock.countNumber}
                </Button>
                <Button
                  label={stock.countRemoveOf(nameOf(line))}
                  onClick={() => change(draft.lines.filter((one) => one !== line))}
                >
                  {stock.countRemove}
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      {asked !== undefined && (
        <NumberDialog
          line={asked}
          onClose={() => setAsked(undefined)}
          onSet={(counted) => {
            change(latest.current.draft.lines.map((one) => (one === asked ? { ...one, counted } : one)));
            setAsked(undefined);
            setSaid(undefined);
          }}
        />
      )}
    </Screen>
  );
}

function NumberDialog({ line, onClose, onSet }: { line: Line; onClose: () => void; onSet: (counted: number) => void }) {
  const { receive, actions } = t();
  const [counted, setCounted] = useState(0);
  return (
    <Dialog
      title={nameOf(line)}
      onClose={onClose}
      onSubmit={() => onSet(counted)}
      actions={
        <>
          <Button onClick={onClose}>{actions.cancel}</Button>
          <Button look="main" onClick={() => onSet(counted)}>
            {actions.ok}
          </Button>
        </>
      }
    >
      <Keypad label={receive.howMany} value={counted} onInput={setCounted} clear={actions.delete} />
    </Dialog>
  );
}
