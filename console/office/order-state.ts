/**
 * Returns the color and icon of an order's state: ready or done, at risk, in progress. Undefined for an order that
 * waits for its pick, and for a canceled order, which is not an error.
 */
import type { Look } from '../ui/notice.tsx';

export function lookOfState(status: string): Look | undefined {
  const code = Number(status);
  if (code === 1400 || (code >= 3000 && code < 4000)) return 'right';
  if (code >= 9000 || code === 1100) return undefined;
  return code >= 8000 || code === 1000 ? 'risk' : 'info';
}
