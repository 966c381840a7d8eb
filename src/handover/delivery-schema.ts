/** Messages of delivery by an associate (docs/decisions/111). */
import { allowedActions } from '../kernel/allowed.ts';
import { flag, identifier, list, named, object, oneOf, type Static, Type } from '../platform/schema.ts';
import { LINES_MAX } from '../shared/limits.ts';
import { orderTotal } from '../shared/money-schema.ts';
import { Currency, id, login, units } from '../shared/shapes.ts';
import { statusFields } from '../shared/status.ts';
import { COLLECTORS, person, refusal } from './schema.ts';

export const Delivery = named(
  'Delivery',
  object({
    nodeId: id('Node of the order'),
    modifyAssociateId: login('Associate who delivered'),
    lines: Type.Optional(
      list(
        object({
          webLineId: id('Line of the web order'),
          deliveredQuantity: Type.Optional(units('Units that went now')),
          ...refusal,
        }),
        { min: 1, max: LINES_MAX },
        { description: 'Each line once; left out: every unit was delivered' },
      ),
    ),
    deliveryId: Type.Optional(
      identifier(64, {
        description: 'Your own id of this delivery, or of this attempt: the same again changes nothing',
      }),
    ),
    deliveredTo: Type.Optional(
      oneOf(COLLECTORS, { description: 'Default CUSTOMER; PROXY only where the order names one' }),
    ),
    ...person,
    notAtHome: Type.Optional(
      flag({
        description: 'The customer was not there: the attempt is recorded, nothing else changes; send it without lines',
      }),
    ),
    storeId: Type.Optional(Type.String({ minLength: 1, description: 'If given, as in the path' })),
    fulfillmentOrderId: Type.Optional(Type.String({ minLength: 1, description: 'If given, as in the path' })),
  }),
);
export type Delivery = Static<typeof Delivery>;

/** The order as it is after the delivery. */
export const DeliveryReply = named(
  'DeliveryReply',
  object({
    fulfillmentOrderId: id('Fulfillment order'),
    storeId: id('Seller organization'),
    nodeId: id('Ship node'),
    ...statusFields,
    currency: Currency,
    orderTotal: Type.Optional(orderTotal()),
    lines: list(
      object({
        webLineId: id('Line of the web order'),
        itemId: id('Item of the line'),
        orderedQuantity: units('Units ordered', 1),
        deliveredQuantity: units('Units that went, in all'),
        refusedQuantity: units('Units that were not taken, in all'),
        toDeliverQuantity: units('Units still to deliver'),
      }),
      { min: 1, max: LINES_MAX },
    ),
    allowedActions,
  }),
);
export type DeliveryReply = Static<typeof DeliveryReply>;

/** Named schemas of delivery, for the document. */
export const deliverySchemas = [Delivery, DeliveryReply];
