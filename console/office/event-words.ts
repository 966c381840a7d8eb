/** The words for the events of an order. */
import { o } from '../texts/index.ts';
import type { Look } from '../ui/notice.tsx';

const WRONG = /(?:canceled|declined|expired|Refused|refused)$/;
const RIGHT = /(?:shipped|handedOver|delivered|checkedIn|picked|resourced)$/;

/** The words for a number of units, by the event field that has the number. */
const COUNTS = {
  pickedQuantity: 'picked',
  checkedIn: 'units',
  handedOverQuantity: 'handedOver',
  refusedQuantity: 'refused',
  shippedQuantity: 'units',
  declinedQuantity: 'declined',
  canceledQuantity: 'canceled',
  cancelingQuantity: 'canceled',
  canceled: 'missing',
  expiredQuantity: 'units',
  returnedQuantity: 'returned',
  missingQuantity: 'missing',
} as const;

/** Returns the sentence of an event, its look, and its units. */
export function eventWords({ type, data }: { type: string; data: Record<string, unknown> }): {
  text: string;
  look: Look | '';
  units: string | undefined;
} {
  const { events, units } = o();
  const counts = Object.entries(COUNTS).flatMap(([field, name]) => {
    const count = data[field];
    // In `order.picked`, the canceled units are units that the pick did not find. The node declined them; the customer
    // did not cancel them.
    const said = type === 'order.picked' && name === 'canceled' ? 'declined' : name;
    return typeof count === 'number' && count > 0 ? [units[said](count)] : [];
  });
  return {
    text: events[type] ?? type,
    look: WRONG.test(type) ? 'wrong' : RIGHT.test(type) ? 'right' : '',
    units: counts.length === 0 ? undefined : counts.join(', '),
  };
}
