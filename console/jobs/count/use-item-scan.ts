/** Scans of items on screens that work with one item at a time. */
import { useState } from 'preact/hooks';
import { feedback } from '../../scan/feedback.ts';
import { t } from '../../texts/index.ts';
import { explain } from '../../ui/notice.tsx';
import { useIsOpen } from '../../ui/use-is-open.ts';
import { useScan } from '../../work/use-scan.ts';
import { isAway } from '../receive/receiving.ts';
import { itemOfCode } from './stock-data.ts';

/**
 * Finds the item of each scanned code. If the code leads to no item, `wrong` says why. The next code waits until the
 * promise of `onItem` is settled.
 */
export function useItemScan(onItem: (itemId: string) => unknown) {
  const [wrong, setWrong] = useState<string | undefined>();
  const isOpen = useIsOpen();
  useScan(async ({ text, command }) => {
    if (command !== undefined) return false;
    const { stock } = t();
    try {
      const itemId = await itemOfCode(text);
      if (!isOpen()) return undefined;
      feedback(itemId === undefined ? 'wrong' : 'right');
      setWrong(itemId === undefined ? stock.countUnknown(text) : undefined);
      if (itemId !== undefined) await onItem(itemId);
    } catch (error) {
      if (!isOpen()) return undefined;
      feedback('wrong');
      setWrong(isAway(error) ? stock.countOffline : explain(error).what);
    }
    return undefined;
  });
  return { wrong, clear: () => setWrong(undefined) };
}
