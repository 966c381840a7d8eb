/**
 * Request and response schemas of the customer's cancellation. Its response is OrderUnits, like the response to a
 * decline during packing.
 */

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
          webLineId: id('Line of the order. List a line only once'),
          quantity: Type.Optional(
            integer(1, QUANTITY_MAX, {
              description:
                'Units of the line that the customer cancels, including units that were canceled earlier. Default: the whole line. ' +
                'Required for a line that also has units in an open re-source request; it does not count them',
            }),
          ),
        }),
        { min: 1, max: LINES_MAX },
        { description: 'The lines to cancel; default: the whole order' },
      ),
    ),
    reasonCode: reasonCode('A cancel reason of the client'),
  }),
);
export type OrderCancel = Static<typeof OrderCancel>;

/** Named schemas of cancellation, for the OpenAPI document. */
export const cancelSchemas = [OrderCancel, OrderUnits];
