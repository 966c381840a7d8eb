/**
 * Moves stock: put away, found, written off, or returned to the vendor. The user moves one item at a time and gives a
 * reason.
 */
import { ArrowRightLeft } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { call, newId } from '../../api.ts';
import { online } from '../../preferences.ts';
import { go, setQuery } from '../../router.ts';
import { feedback } from '../../scan/feedback.ts';
import { ScanTarget } from '../../scan/target.tsx';
import { place } from '../../session.ts';
import { number, t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Keypad } from '../../ui/keypad.tsx';
import { Empty, Show, useAction, useLoad } from '../../ui/load.tsx';
import { Band, ErrorNotice } from '../../ui/notice.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { Screen } from '../../ui/screen.tsx';
import { ownId } from '../../work/own-id.ts';
import { SyncState } from '../../work/sync-state.tsx';
import { readLevel, STOCK_PLACES, type StockLevel, type StockPlace, unitsAt } from '../count/stock-data.ts';
import { useItemScan } from '../count/use-item-scan.ts';
import { loadWordsOf, nameOf, nodePath } from '../receive/receiving.ts';

const REASONS = ['PUT_AWAY', 'FOUND', 'BROKEN', 'EXPIRED', 'LOST', 'RETURN', 'OWN_USE'] as const;
const REASON_MAX = 40;

export default function StockMoveScreen({ query }: ScreenProps) {
  const { stock } = t();
  const itemId = query.get('itemId') ?? '';
  const [moved, setMoved] = useState<string | undefined>();
  const { wrong, dialog, clear } = useItemScan((found) => {
    setMoved(undefined);
    setQuery({ itemId: found });
  });
  const band = wrong !== undefined ? <Band look="wrong">{wrong}</Band> : moved && <Band look="right">{moved}</Band>;
  const said = (
    <>
      {band}
      {dialog}
    </>
  );
  const loaded = useLoad(`move ${place.value!.nodeId} ${itemId}`, async (signal) => {
    if (itemId === '') return undefined;
    await loadWordsOf([itemId]).catch(() => undefined);
    return readLevel(itemId, signal);
  });
  const level = loaded.data.value;
  return level === undefined ? (
    <Screen title={stock.moveTitle} onBack={() => go('/stock')} tools={<SyncState />} band={said}>
      <ScanTarget label={stock.scan} />
      {itemId === '' ? (
        <Empty icon={ArrowRightLeft} title={stock.scan}>
          {stock.moveMissing}
        </Empty>
      ) : (
        <Show of={loaded}>{() => null}</Show>
      )}
    </Screen>
  ) : (
    <Moving
      key={level.itemId}
      level={level}
      said={said}
      onMoved={(text) => {
        clear();
        setMoved(text);
        void loaded.reload();
      }}
    />
  );
}

/** A move of units. `COUNT` and `SUPPLIER` are not places of the node. */
interface Wish {
  from: string;
  to: string;
  quantity: number;
  reason: string;
  other: string;
}

function firstWish({ putAway = 0 }: StockLevel): Wish {
  const [from, to, reason] = putAway > 0 ? ['STAGE', 'SHELF', 'PUT_AWAY'] : ['', '', ''];
  return { from, to, quantity: 0, reason, other: '' };
}

function spotName(spot: string): string {
  const { spots, places } = t().stock;
  if (spot === 'COUNT') return spots.COUNT_TO;
  return spot === 'SUPPLIER' ? spots.SUPPLIER : (places[spot] ?? spot);
}

function whyOf({ reason, other }: Wish): string {
  return reason === 'OTHER' ? other.trim() : reason;
}

/** Returns the reason why the units cannot be moved yet; undefined if they can. */
function blockOf(wish: Wish): string | undefined {
  const { stock, receive } = t();
  if (!online.value) return stock.countOffline;
  if (wish.from === '' || wish.to === '') return stock.moveMissing;
  if (wish.quantity === 0) return receive.quantityMissing;
  return whyOf(wish) === '' ? receive.whyMissing : undefined;
}

interface MovingProps {
  level: StockLevel;
  said: ComponentChildren;
  onMoved: (text: string) => void;
}

function Moving({ level, said, onMoved }: MovingProps) {
  const { stock, receive } = t();
  const [wish, setWish] = useState(() => firstWish(level));
  const [moveId, setMoveId] = useState(newId);
  const set = (change: Partial<Wish>) => {
    setWish((before) => ({ ...before, ...change }));
    // A move with other content is another move, so it gets a new id.
    setMoveId(newId());
  };
  const move = useAction(async () => {
    const { from, to, quantity } = wish;
    const line = { itemId: level.itemId, from, to, quantity, reason: whyOf(wish) };
    await call('POST', `${nodePath()}/stock/moves`, { body: { moveId, userId: ownId(), lines: [line] } });
    feedback('done');
    set({ quantity: 0 });
    onMoved(stock.moved(quantity, spotName(to)));
  });
  return (
    <Screen
      title={nameOf(level)}
      sub={<span class="code">{level.itemId}</span>}
      onBack={() => go('/stock')}
      tools={<SyncState />}
      band={said}
      actions={
        <Button
          isWide
          look="main"
          icon={ArrowRightLeft}
          isBusy={move.isBusy}
          blocked={blockOf(wish)}
          onClick={() => void move.run()}
        >
          {stock.movePost(wish.quantity)}
        </Button>
      }
    >
      <ScanTarget label={stock.scan} />
      {move.error !== undefined && <ErrorNotice error={move.error} />}
      <Spots level={level} wish={wish} set={set} />
      <Why wish={wish} set={set} />
      <Keypad
        label={receive.howMany}
        value={wish.quantity}
        onInput={(quantity) => set({ quantity })}
        clear={t().actions.delete}
      />
    </Screen>
  );
}

interface PartProps {
  wish: Wish;
  set: (change: Partial<Wish>) => void;
}

/** Fields for the source and the destination. */
function Spots({ level, wish: { from, to }, set }: PartProps & { level: StockLevel }) {
  const { stock } = t();
  const option = (value: StockPlace, units = unitsAt(level, value)) => ({
    value,
    label: `${stock.places[value]!} · ${number(units)}`,
  });
  return (
    <div class="stock-move">
      <SelectField
        label={stock.moveFrom}
        value={from}
        // The source cannot also be the destination, so an equal destination is cleared.
        onInput={(value) => set({ from: value, ...(value === to && { to: '' }) })}
        options={[
          { value: '', label: '–' },
          // Staged units of orders move only with their orders.
          ...STOCK_PLACES.map((value) => option(value, value === 'STAGE' ? (level.putAway ?? 0) : undefined)),
          { value: 'COUNT', label: stock.spots.COUNT_FROM },
        ]}
      />
      <SelectField
        label={stock.moveTo}
        value={to}
        onInput={(value) => set({ to: value })}
        options={[
          { value: '', label: '–' },
          ...STOCK_PLACES.filter((value) => value !== from).map((value) => option(value)),
          { value: 'SUPPLIER', label: stock.spots.SUPPLIER },
          ...(from === 'COUNT' ? [] : [{ value: 'COUNT', label: stock.spots.COUNT_TO }]),
        ]}
      />
    </div>
  );
}

function Why({ wish: { reason, other }, set }: PartProps) {
  const { stock, receive } = t();
  return (
    <>
      <SelectField
        label={stock.moveWhy}
        value={reason}
        onInput={(value) => set({ reason: value })}
        options={[
          { value: '', label: '–' },
          ...REASONS.map((value) => ({ value, label: stock.reasons[value]! })),
          { value: 'OTHER', label: receive.whyOther },
        ]}
      />
      {reason === 'OTHER' && (
        <TextField
          label={receive.whyOther}
          value={other}
          onInput={(value) => set({ other: value })}
          maxLength={REASON_MAX}
        />
      )}
    </>
  );
}
