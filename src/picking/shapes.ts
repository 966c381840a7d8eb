/** Shapes that the messages of pick tickets share. */
import { exact, integer, object, Type, text } from '../platform/schema.ts';
import { id } from '../shared/shapes.ts';

/** Maximum number of orders on one ticket (docs/interface.md#generate-a-pick-ticket). */
export const ORDERS_MAX = 50;
/** Maximum number of order notes that a ticket shows. */
export const TICKET_NOTES_MAX = 20;
/** Upper bound of units, far above the units of any line. */
const UNITS_MAX = 1_000_000_000;

export const units = (min: number, description: string) => integer(min, UNITS_MAX, { description });
export const price = (description: string, min = 0) => exact({ integer: 19, fraction: 4, min }, { description });

/** URL of an item's picture, as stored on the order line. */
export const imageUrl = Type.Optional(text(1, 255, { description: 'URL of a picture of the item' }));

/** Instructions of customers for the lines of an item, for example a gift message. */
export const itemInstructions = () =>
  Type.Optional(
    Type.Array(
      object({
        fulfillmentOrderId: id('Order of the line'),
        webLineId: id('Line of the web order'),
        type: text(1, 40, { description: 'Type of the instruction, for example GIFT_MESSAGE' }),
        text: text(0, 1000, { description: 'The text', 'x-secret': true }),
      }),
      { description: 'Instructions of the order lines with the item. Absent if there are none' },
    ),
  );
