/** Messages of delivery by an associate (docs/interface.md#hand-over-and-delivery). */
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
          deliveredQuantity: Type.Optional(units('Units delivered now')),
          ...refusal,
        }),
        { min: 1, max: LINES_MAX },
        { description: 'Units by line. List a line only once. Default: every unit was delivered' },
      ),
    ),
    deliveryId: Type.Optional(
      identifier(64, {
        description: 'Your id for this delivery or attempt. If you send the id again, nothing changes',
      }),
    ),
    deliveredTo: Type.Optional(
      oneOf(COLLECTORS, {
        description: 'Person who got the goods. Default CUSTOMER. PROXY is allowed only if the order has a proxy',
      }),
    ),
    ...person,
    notAtHome: Type.Optional(
      flag({
        description:
          'true: the customer was not at home, and the service records only the attempt. Do not send lines with true',
      }),
    ),
    storeId: Type.Optional(Type.String({ minLength: 1, description: 'Optional; must equal the storeId of the path' })),
    fulfillmentOrderId: Type.Optional(
      Type.String({ minLength: 1, description: 'Optional; must equal the fulfillmentOrderId of the path' }),
    ),
  }),
);
export type Delivery = Static<typeof Delivery>;

/** The order after the delivery. */
export const DeliveryReply = named(
  'DeliveryReply',
  object({
    fulfillmentOrderId: id('Fulfillment order'),
    storeId: id('Web store'),
    nodeId: id('Node that fulfills the order'),
    ...statusFields,
    currency: Currency,
    orderTotal: Type.Optional(orderTotal()),
    lines: list(
      object({
        webLineId: id('Line of the web order'),
        itemId: id('Item of the line'),
        orderedQuantity: units('Units ordered', 1),
        deliveredQuantity: units('All units delivered so far'),
        refusedQuantity: units('All units that the customer rejected so far'),
        toDeliverQuantity: units('Units still to deliver'),
      }),
      { min: 1, max: LINES_MAX },
    ),
    allowedActions,
  }),
);
export type DeliveryReply = Static<typeof DeliveryReply>;

/** Named schemas of delivery, for the OpenAPI document. */
export const deliverySchemas = [Delivery, DeliveryReply];
