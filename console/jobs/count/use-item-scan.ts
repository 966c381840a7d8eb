/** Scans of items on screens that work with one item at a time. */
import { useState } from 'preact/hooks';
import { feedback } from '../../scan/feedback.ts';
import { t } from '../../texts/index.ts';
import { explain } from '../../ui/notice.tsx';
import { useIsOpen } from '../../ui/use-is-open.ts';
import { useItemChoice } from '../../work/item-choice.tsx';
import { useScan } from '../../work/use-scan.ts';
import { isAway } from '../receive/receiving.ts';
import { stockedOfCode } from './stock-data.ts';

/**
 * Finds the item of each scanned code. If the code leads to no item, `wrong` says why. If several items have the code,
 * the `dialog` asks for the item. The next code waits until the promise of `onItem` is settled.
 */
export function useItemScan(onItem: (itemId: string) => unknown) {
  const [wrong, setWrong] = useState<string | undefined>();
  const isOpen = useIsOpen();
  const { choose, dialog } = useItemChoice();
  useScan(async ({ text, command }) => {
    if (command !== undefined) return false;
    const { stock } = t();
    try {
      const found = await stockedOfCode(text);
      if (!isOpen()) return undefined;
      setWrong(found.length === 0 ? stock.countUnknown(text) : undefined);
      const item = await choose(found);
      if (!isOpen()) return undefined;
      if (item !== undefined || found.length === 0) feedback(item === undefined ? 'wrong' : 'right');
      if (item !== undefined) await onItem(item.itemId);
    } catch (error) {
      if (!isOpen()) return undefined;
      feedback('wrong');
      setWrong(isAway(error) ? stock.countOffline : explain(error).what);
    }
    return undefined;
  });
  return { wrong, dialog, clear: () => setWrong(undefined) };
}
