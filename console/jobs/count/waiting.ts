/** The counts that wait for approval, the oldest first. Stock and Exceptions show their number. */
import { place } from '../../session.ts';
import { type Loaded, useLoad } from '../../ui/load.tsx';
import { firstNames } from '../receive/receiving.ts';
import { readWaiting, type StockCount } from './stock-data.ts';

export function useWaiting(isShown: boolean): Loaded<readonly StockCount[]> {
  const load = async (signal: AbortSignal) => {
    if (!isShown) return [];
    const counts = await readWaiting(signal);
    await firstNames(counts.flatMap(({ lines }) => lines.map(({ itemId }) => itemId)));
    return counts.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  };
  return useLoad(`waiting ${place.value?.nodeId} ${isShown}`, load, 60_000);
}
