/** The item that the customer gets in exchange for the units of a line. */
import { useState } from 'preact/hooks';
import { t, takeBackTexts } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Stepper } from '../../ui/field.tsx';
import { useAction } from '../../ui/load.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { useItemChoice } from '../../work/item-choice.tsx';
import { useScan } from '../../work/use-scan.ts';
import { CODE_MAX, findItems, type Wish } from './returning.ts';

/** Maximum number of units in one exchange. */
const UNITS_MAX = 99;

interface ExchangeProps {
  /** The returned line. */
  of: { name: string; units: number };
  wish: Wish | undefined;
  onChoose: (wish: Wish | undefined) => void;
  onClose: () => void;
}

export default function ExchangeDialog({ of, wish, onChoose, onClose }: ExchangeProps) {
  const texts = takeBackTexts();
  const [text, setText] = useState('');
  const [item, setItem] = useState<{ itemId: string; name: string } | undefined>(wish);
  const [quantity, setQuantity] = useState(wish?.quantity ?? of.units);
  const [unknown, setUnknown] = useState<string | undefined>();
  const { choose, dialog } = useItemChoice();
  const find = useAction(async (code: string) => {
    const found = await findItems(code);
    setUnknown(found.length === 0 ? code : undefined);
    const chosen = await choose(found);
    if (chosen !== undefined) setItem(chosen);
  });
  useScan(({ text: code, command }) => {
    if (command === 'UNDO') onClose();
    return command === undefined ? find.run(code) : undefined;
  });
  return (
    <Dialog
      title={texts.exchangeTitle(of.name)}
      onClose={onClose}
      actions={
        <>
          {wish === undefined ? (
            <Button onClick={onClose}>{t().actions.cancel}</Button>
          ) : (
            <Button onClick={() => onChoose(undefined)}>{texts.exchangeNone}</Button>
          )}
          <Button
            look="main"
            blocked={item === undefined ? texts.exchangeScan : undefined}
            onClick={() => item !== undefined && onChoose({ ...item, quantity })}
          >
            {texts.exchangeSet(quantity)}
          </Button>
        </>
      }
    >
      <SearchBox
        label={texts.exchangeItem}
        value={text}
        onInput={setText}
        onSearch={(code) => code !== '' && void find.run(code)}
        max={CODE_MAX}
      />
      {unknown !== undefined && (
        <Notice look="wrong" title={texts.unknownItem(unknown)}>
          <p>{texts.unknownItemHint}</p>
        </Notice>
      )}
      {find.error !== undefined && <ErrorNotice error={find.error} />}
      {item !== undefined && (
        <>
          <p>
            <span class="strong">{item.name}</span> <span class="small quiet code">{item.itemId}</span>
          </p>
          <Stepper label={texts.exchangeUnits} value={quantity} min={1} max={UNITS_MAX} onInput={setQuantity} />
        </>
      )}
      <p class="small quiet">{texts.exchangeHint}</p>
      {dialog}
    </Dialog>
  );
}
