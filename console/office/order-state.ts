/** How a state of an order looks: done, at risk, wrong, or under way. */
import type { Look } from '../ui/notice.tsx';

export function lookOfState(status: string): Look {
  const code = Number(status);
  if (code >= 3000 && code < 4000) return 'right';
  if (code >= 9000) return 'wrong';
  return code >= 8000 || code === 1000 ? 'risk' : 'info';
}
