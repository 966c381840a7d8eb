/**
 * Messages of the customer's hand-over: details, confirm, unlocking a PIN
 * (docs/interface.md#operations-of-the-same-family and docs/interface.md#hand-over-and-delivery).
 */
import { allowedActions } from '../kernel/allowed.ts';
import {
  dateTime,
  flag,
  identifier,
  ignoredFields,
  integer,
  list,
  named,
  object,
  oneOf,
  type Static,
  Type,
  text,
} from '../platform/schema.ts';
import { ignoredExtras, itemExtras } from '../shared/extras.ts';
import { LINES_MAX, QUANTITY_MAX } from '../shared/limits.ts';
import { itemTotal, orderTotal } from '../shared/money-schema.ts';
import { associate, Contact, Currency, Instructions, id, ifGiven, login, units } from '../shared/shapes.ts';
import { statusFields } from '../shared/status.ts';

import { Proof } from './proof.ts';

/** The persons who can collect an order. */
export const COLLECTORS = ['CUSTOMER', 'PROXY'] as const;
export type Collector = (typeof COLLECTORS)[number];

/** The field for the method by which the person was verified. No field has the number of a document. */
export const person = {
  verificationMethod: Type.Optional(
    identifier(40, { description: 'How the person was verified: one of the client’s verificationMethods' }),
  ),
};

/** The fields of rejected units at hand-overs and deliveries. */
export const refusal = {
  canceledQuantity: Type.Optional(units('Units that the customer rejected')),
  cancellationReasonCode: Type.Optional(
    text(0, 40, { description: 'Cancel reason of the client. Required if canceledQuantity is above 0' }),
  ),
};

const place = {
  storeId: id('As in the path'),
  nodeId: id('As in the path'),
  fulfillmentOrderId: id('Fulfillment order'),
};

export const CustomerPickupRead = named('CustomerPickupRead', object(place));

const item = {
  webLineId: id('Line of the web order'),
  itemId: id('Item of the line'),
};

/** The goods that wait for a customer (docs/interface.md#operations-of-the-same-family). */
export const CustomerPickupReply = named(
  'CustomerPickupReply',
  object({
    customerPickUpDetails: object({
      ...place,
      webOrderId: id('Identifier of the order in the web store'),
      omsOrderId: id('Identifier of the order in the order management system'),
      externalOrderNumber: Type.Optional(id('A further number of the order')),
      externalOrderNumber2: Type.Optional(id('A further number of the order')),
      orderDate: dateTime(),
      currency: Currency,
      ...statusFields,
      holdLocation: text(1, 40, { description: 'Hold location of the goods, or their last one if they have left' }),
      totalCustomerPickQuantity: integer(0, LINES_MAX * QUANTITY_MAX, {
        description: 'Units that the customer can still take',
      }),
      pinNumber: Type.Optional(
        text(1, 20, {
          description:
            'PIN of the order. Absent if the order has no PIN, or if the client requires the PIN at the hand-over',
          'x-secret': true,
        }),
      ),
      pinRequired: flag({ description: 'true: the hand-over needs the PIN' }),
      pinLockedUntil: Type.Optional(
        dateTime({ description: 'End of the lock after too many wrong PINs. Until then no hand-over is possible' }),
      ),
      customer: Contact,
      proxyDetails: Type.Optional(Contact),
      customerPickUpItems: list(
        object({
          id: integer(1, LINES_MAX, { description: 'Number of the line, 1 to n' }),
          ...item,
          itemDesc: Type.String({ description: 'Description of the item' }),
          upcs: Type.Array(
            object({
              type: Type.String({ description: 'Type of the bar code' }),
              value: Type.String({ description: 'The scanned code' }),
            }),
          ),
          orderedQuantity: units('Units ordered', 1),
          backroomPickedQuantity: units('Units picked or checked in'),
          handedOverQuantity: units('Units that the customer has taken'),
          refusedQuantity: units('Units that the customer rejected'),
          toPickQuantity: units('Units that the customer can still take'),
          itemTotal: itemTotal('the units that the customer can still take'),
          instructions: Type.Optional(Instructions),
          ...itemExtras,
        }),
        { min: 1, max: LINES_MAX },
        { description: 'Every line of the order' },
      ),
      orderTotal: orderTotal(),
      allowedActions,
    }),
  }),
);
export type CustomerPickupReply = Static<typeof CustomerPickupReply>;

/**
 * The message of a hand-over: units that a customer or proxy took, and units that they rejected
 * (docs/interface.md#operations-of-the-same-family). The response with the details is also a valid message
 * (docs/interface.md#fields-sent-back).
 */
export const CustomerPickupConfirm = named(
  'CustomerPickupConfirm',
  object({
    ...associate('Associate who hands over'),
    customerPickUpDetails: object({
      ...place,
      customerPickUpItems: list(
        object({
          ...item,
          customerPickedQuantity: Type.Optional(units('Units that the customer takes now')),
          ...refusal,
          backroomPickedQuantity: units('Picked units of the line, as in the details'),
          ...ignoredFields('id', 'itemDesc', 'upcs', 'orderedQuantity', 'handedOverQuantity', 'refusedQuantity'),
          ...ignoredFields('toPickQuantity', 'itemTotal', 'instructions'),
          ...ignoredExtras,
        }),
        { min: 1, max: LINES_MAX },
        { description: 'Units by line. List a line only once. Units of other lines remain for a later hand-over' },
      ),
      handOverId: Type.Optional(
        identifier(64, { description: 'Your id for this hand-over. If you send the id again, nothing changes' }),
      ),
      pinNumber: Type.Optional(identifier(20, { description: 'PIN that the person gave', 'x-secret': true })),
      collectedBy: Type.Optional(
        oneOf(COLLECTORS, {
          description: 'Person who takes the goods. Default CUSTOMER. PROXY is allowed only if the order has a proxy',
        }),
      ),
      ...person,
      proof: Type.Optional(Proof),
      webOrderId: ifGiven('the value in the order'),
      omsOrderId: ifGiven('the value in the order'),
      ...ignoredFields('orderDate', 'currency', 'status', 'statusName', 'holdLocation', 'totalCustomerPickQuantity'),
      ...ignoredFields('pinRequired', 'pinLockedUntil', 'customer', 'proxyDetails', 'externalOrderNumber'),
      ...ignoredFields('externalOrderNumber2', 'orderTotal', 'allowedActions'),
    }),
  }),
);
export type CustomerPickupConfirm = Static<typeof CustomerPickupConfirm>;

export const PinUnlock = named(
  'PinUnlock',
  object({
    nodeId: id('Node of the order'),
    modifyAssociateId: login('Login of the user who unlocks the PIN'),
    storeId: ifGiven('the value in the path'),
    fulfillmentOrderId: ifGiven('the value in the path'),
  }),
);

/** Named schemas of the hand-over, for the OpenAPI document. */
export const pickupSchemas = [CustomerPickupRead, CustomerPickupReply, CustomerPickupConfirm, PinUnlock];
