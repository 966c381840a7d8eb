/** How a state of an order looks: done, at risk, under way, or over. A canceled order is no error, so it is quiet. */
import type { Look } from '../ui/notice.tsx';

export function lookOfState(status: string): Look | undefined {
  const code = Number(status);
  if (code === 1400 || (code >= 3000 && code < 4000)) return 'right';
  if (code >= 9000 || code === 1100) return undefined;
  return code >= 8000 || code === 1000 ? 'risk' : 'info';
}
