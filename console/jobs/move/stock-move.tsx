/** Moving stock: put away, found, written off, back to the vendor. One item at a time, with its reason. */
import { ArrowRightLeft } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
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
import { Band, ErrorNotice, type Look } from '../../ui/notice.tsx';
import type { ScreenProps } from '../../ui/route.ts';
import { Screen } from '../../ui/screen.tsx';
import { ownId } from '../../work/own-id.ts';
import { SyncState } from '../../work/sync-state.tsx';
import { useScan } from '../../work/use-scan.ts';
import { itemOfCode, readLevel, STOCK_PLACES, type StockLevel, type StockPlace, unitsAt } from '../count/stock-data.ts';
import { isAway, loadWordsOf, nameOf, nodePath } from '../receive/receiving.ts';

const REASONS = ['PUT_AWAY', 'FOUND', 'BROKEN', 'EXPIRED', 'LOST', 'RETURN', 'OWN_USE'] as const;
const REASON_MAX = 40;

export default function StockMoveScreen({ query }: ScreenProps) {
  const { stock } = t();
  const itemId = query.get('itemId') ?? '';
  const [said, setSaid] = useState<{ look: Look; text: string } | undefined>();
  useScan(async ({ text, command }) => {
    if (command !== undefined) return false;
    try {
      const found = await itemOfCode(text);
      feedback(found === undefined ? 'wrong' : 'right');
      setSaid(found === undefined ? { look: 'wrong', text: stock.countUnknown(text) } : undefined);
      if (found !== undefined) setQuery({ itemId: found });
    } catch (error) {
      feedback('wrong');
      setSaid({ look: 'wrong', text: isAway(error) ? stock.countOffline : stock.countUnknown(text) });
    }
    return undefined;
  });
  const loaded = useLoad(`move ${place.value!.nodeId} ${itemId}`, async (signal) => {
    if (itemId === '') return undefined;
    await loadWordsOf([itemId]).catch(() => undefined);
    return readLevel(itemId, signal);
  });
  const level = loaded.data.value;
  return level === undefined ? (
    <Screen
      title={stock.moveTitle}
      onBack={() => go('/stock')}
      tools={<SyncState />}
      band={said !== undefined && <Band look={said.look}>{said.text}</Band>}
    >
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
        setSaid({ look: 'right', text });
        void loaded.reload();
      }}
    />
  );
}

function Moving({
  level,
  said,
  onMoved,
}: {
  level: StockLevel;
  said: { look: Look; text: string } | undefined;
  onMoved: (text: string) => void;
}) {
  const { stock, receive } = t();
  const first: StockPlace | '' = level.staged > 0 ? 'STAGE' : '';
  const [from, setFrom] = useState<string>(first);
  const [to, setTo] = useState<string>(first === '' ? '' : 'SHELF');
  const [quantity, setQuantity] = useState(0);
  const [reason, setReason] = useState<string>(first === '' ? '' : 'PUT_AWAY');
  const [other, setOther] = useState('');
  const [moveId, setMoveId] = useState(newId);
  useEffect(() => {
    // Other content is another move.
    setMoveId(newId());
  }, [from, to, quantity, reason, other]);
  const why = reason === 'OTHER' ? other.trim() : reason;
  const move = useAction(async () => {
    const line = { itemId: level.itemId, from, to, quantity, reason: why };
    await call('POST', `${nodePath()}/stock/moves`, { body: { moveId, userId: ownId(), lines: [line] } });
    feedback('done');
    setQuantity(0);
    onMoved(stock.moved(quantity, spot(to)));
  });
  const spot = (one: string) =>
    one === 'COUNT' ? stock.spots.COUNT_TO : one === 'SUPPLIER' ? stock.spots.SUPPLIER : (stock.places[one] ?? one);
  const withUnits = (one: StockPlace) => `${stock.places[one]!} · ${number(unitsAt(level, one))}`;
  const blocked = !online.value
    ? stock.countOffline
    : from === '' || to === ''
      ? stock.moveMissing
      : quantity === 0
        ? receive.quantityMissing
        : why === ''
          ? receive.whyMissing
          : undefined;
  return (
    <Screen
      title={nameOf(level)}
      sub={<span class="code">{level.itemId}</span>}
      onBack={() => go('/stock')}
      tools={<SyncState />}
      band={said !== undefined && <Band look={said.look}>{said.text}</Band>}
      actions={
        <Button
          isWide
          look="main"
          icon={ArrowRightLeft}
          isBusy={move.isBusy}
          blocked={blocked}
          onClick={() => void move.run()}
        >
          {stock.movePost(quantity)}
        </Button>
      }
    >
      <ScanTarget label={stock.scan} />
      {move.error !== undefined && <ErrorNotice error={move.error} />}
      <div class="stock-move">
        <SelectField
          label={stock.moveFrom}
          value={from}
          onInput={setFrom}
          options={[
            { value: '', label: '–' },
            ...STOCK_PLACES.map((value) => ({ value, label: withUnits(value) })),
            { value: 'COUNT', label: stock.spots.COUNT_FROM },
          ]}
        />
        <SelectField
          label={stock.moveTo}
          value={to}
          onInput={setTo}
          options={[
            { value: '', label: '–' },
            ...STOCK_PLACES.filter((value) => value !== from).map((value) => ({ value, label: withUnits(value) })),
            { value: 'SUPPLIER', label: stock.spots.SUPPLIER },
            ...(from === 'COUNT' ? [] : [{ value: 'COUNT', label: stock.spots.COUNT_TO }]),
          ]}
        />
      </div>
      <SelectField
        label={stock.moveWhy}
        value={reason}
        onInput={setReason}
        options={[
          { value: '', label: '–' },
          ...REASONS.map((value) => ({ value, label: stock.reasons[value]! })),
          { value: 'OTHER', label: receive.whyOther },
        ]}
      />
      {reason === 'OTHER' && (
        <TextField label={receive.whyOther} value={other} onInput={setOther} maxLength={REASON_MAX} />
      )}
      <Keypad label={receive.howMany} value={quantity} onInput={setQuantity} clear={t().actions.delete} />
    </Screen>
  );
}
