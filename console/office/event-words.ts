/** What an event of an order says, in the person's words. */
import { o } from '../texts/index.ts';
import type { Look } from '../ui/notice.tsx';

const WRONG = /(?:canceled|declined|expired|Refused|refused)$/;
const RIGHT = /(?:shipped|handedOver|delivered|checkedIn|picked|resourced)$/;

/** The sentence of an event, its look, and the units it was about. */
export function eventWords({ type, data }: { type: string; data: Record<string, unknown> }): {
  text: string;
  look: Look | '';
  units: string | undefined;
} {
  const { events, units } = o();
  const counts = (['picked', 'declined', 'canceled', 'units'] as const).flatMap((name) => {
    const count = data[`${name}Units`] ?? data[name];
    return typeof count === 'number' && count > 0 ? [units[name](count)] : [];
  });
  return {
    text: events[type] ?? type,
    look: WRONG.test(type) ? 'wrong' : RIGHT.test(type) ? 'right' : '',
    units: counts.length === 0 ? undefined : counts.join(', '),
  };
}
