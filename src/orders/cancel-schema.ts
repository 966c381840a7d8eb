/** Wire shapes of the customer's cancellation and of a decline while packing; both answer where the units are then. */

import { allowedActions } from '../kernel/allowed.ts';
import { id, login } from '../kernel/shapes.ts';
import { statusFields } from '../kernel/status.ts';
import { identifier, integer, list, named, object, type Static, Type, text } from '../schema.ts';
import { LINES_MAX } from './intake-schema.ts';

const QUANTITY_MAX = 99_999;
const reasonCode = (description: string) => identifier(40, { description });
const units = (description: string) => integer(0, QUANTITY_MAX, { description });

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

export const OrderDecline = named(
  'OrderDecline',
  object({
    nodeId: id('Node of the order'),
    modifyAssociateId: login('Associate who packs'),
    lines: list(
      object({
        webLineId: id('A line of the order; once'),
        quantity: integer(1, QUANTITY_MAX, { description: 'Units that cannot be given, beside those declined before' }),
        reasonCode: reasonCode('Cancel reason of the client'),
      }),
      { min: 1, max: LINES_MAX },
    ),
  }),
);
export type OrderDecline = Static<typeof OrderDecline>;

/** Where the units of an order are. */
export const OrderUnits = named(
  'OrderUnits',
  object({
    fulfillmentOrderId: text(1, 40),
    ...statusFields,
    queueId: Type.Optional(text(1, 40, { description: 'Queue it stands on' })),
    lines: list(
      object({
        webLineId: text(1, 40),
        itemId: text(1, 40),
        orderedQuantity: units('open + held + handed over + refused + returned + missing + declined + canceled'),
        openQuantity: units('Units nobody has answered for yet'),
        heldQuantity: units('Picked units that are in the store'),
        cancelingQuantity: units('Of the open and held ones those that the customer canceled'),
        canceledQuantity: units('Units canceled before they were picked'),
        declinedQuantity: units('Units that the node could not give'),
        handedOverQuantity: units('Units that went to the customer or the carrier'),
        refusedQuantity: units('Units that the customer did not take'),
        returnedQuantity: units('Picked units that were brought back to the shelf'),
        missingQuantity: units('Picked units that were to be brought back and were not found'),
        leftQuantity: units('Units still to be handed on to the customer; the totals of the queue search count them'),
      }),
      { min: 1, max: LINES_MAX },
    ),
    resourceRequestIds: list(text(1, 40), { max: 10_000 }, { description: 'Open re-source requests of the order' }),
    allowedActions,
  }),
);
export type OrderUnits = Static<typeof OrderUnits>;

/** Named schemas of cancellation and decline, for the document. */
export const cancelSchemas = [OrderCancel, OrderDecline, OrderUnits];
