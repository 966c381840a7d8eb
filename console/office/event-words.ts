/** What an event of an order says, in the person's words. */
import { o } from '../texts/index.ts';
import type { Look } from '../ui/notice.tsx';

const WRONG = /(?:canceled|declined|expired|Refused|refused)$/;
const RIGHT = /(?:shipped|handedOver|delivered|checkedIn|picked|resourced)$/;

/** The words for a number of units by the field of an event that has it. */
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

/** The sentence of an event, its look, and the units it was about. */
export function eventWords({ type, data }: { type: string; data: Record<string, unknown> }): {
  text: string;
  look: Look | '';
  units: string | undefined;
} {
  const { events, units } = o();
  const counts = Object.entries(COUNTS).flatMap(([field, name]) => {
    const count = data[field];
    // What a pick did not find is declined by the node: its customer canceled nothing.
    const said = type === 'order.picked' && name === 'canceled' ? 'declined' : name;
    return typeof count === 'number' && count > 0 ? [units[said](count)] : [];
  });
  return {
    text: events[type] ?? type,
    look: WRONG.test(type) ? 'wrong' : RIGHT.test(type) ? 'right' : '',
    units: counts.length === 0 ? undefined : counts.join(', '),
  };
}
