/** Wire shapes of the customer's cancellation and of a decline while packing; both answer where the units are then. */

import { OrderUnits } from '../kernel/order-units.ts';
import { identifier, integer, list, named, object, type Static, Type } from '../platform/schema.ts';
import { LINES_MAX, QUANTITY_MAX } from '../shared/limits.ts';
import { id } from '../shared/shapes.ts';

const reasonCode = (description: string) => identifier(40, { description });

export const OrderCancel = named(
  'OrderCancel',
  object({
    lines: Type.Optional(
      list(
        object({
          webLineId: id('A line of the order; once'),
          quantity: Type.Optional(
            integer(1, QUANTITY_MAX, {
              description: 'Units of the line that the customer does not want, in all; left out: all of them',
            }),
          ),
        }),
        { min: 1, max: LINES_MAX },
        { description: 'Left out: the whole order' },
      ),
    ),
    reasonCode: reasonCode('Cancel reason of the client'),
  }),
);
export type OrderCancel = Static<typeof OrderCancel>;

/** Named schemas of cancellation, for the document. */
export const cancelSchemas = [OrderCancel, OrderUnits];
