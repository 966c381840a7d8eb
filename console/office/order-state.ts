/**
 * Returns the color and icon of an order's state: done, at risk, in progress, or over. A canceled order is not an
 * error, so it has none.
 */
import type { Look } from '../ui/notice.tsx';

export function lookOfState(status: string): Look | undefined {
  const code = Number(status);
  if (code === 1400 || (code >= 3000 && code < 4000)) return 'right';
  if (code >= 9000 || code === 1100) return undefined;
  return code >= 8000 || code === 1000 ? 'risk' : 'info';
}
