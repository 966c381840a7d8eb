/** Covers a new screen that does not load its data with `useLoad`, until the data has arrived. */
import { useLayoutEffect } from 'preact/hooks';
import { online } from '../preferences.ts';
import { cover } from './cover.ts';

/** Covers a new screen while `isMissing`. Without the network, the screen does not wait. */
export function useCover(isMissing: boolean): void {
  const isWaiting = isMissing && online.value;
  useLayoutEffect(() => (isWaiting ? cover() : undefined), [isWaiting]);
}
