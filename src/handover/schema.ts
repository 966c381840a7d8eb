/** Messages of the customer's hand-over: details, confirm, unlocking a PIN (docs/interface.md#operations-of-the-same-family, docs/decisions/109 and docs/decisions/110). */
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

/** Who took the goods. */
export const COLLECTORS = ['CUSTOMER', 'PROXY'] as const;
export type Collector = (typeof COLLECTORS)[number];

/** What a hand-over and a delivery say of the person; never a number of a document. */
export const person = {
  verificationMethod: Type.Optional(
    identifier(40, { description: 'How the person was verified: one of the client’s verificationMethods' }),
  ),
};

/** What a hand-over and a delivery say of the units of a line beside those that went. */
export const refusal = {
  canceledQuantity: Type.Optional(units('Units that were not taken')),
  cancellationReasonCode: Type.Optional(
    text(0, 40, { description: 'Cancel reason of the client; required where canceledQuantity is above 0' }),
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

/** What waits for a customer (docs/interface.md#operations-of-the-same-family). */
export const CustomerPickupReply = named(
  'CustomerPickupReply',
  object({
    customerPickUpDetails: object({
      ...place,
      webOrderId: id('Identifier of the web store'),
      omsOrderId: id('Identifier of the order management system'),
      externalOrderNumber: Type.Optional(id('A further number of the order')),
      externalOrderNumber2: Type.Optional(id('A further number of the order')),
      orderDate: dateTime(),
      currency: Currency,
      ...statusFields,
      holdLocation: text(1, 40, { description: 'Where the goods wait' }),
      totalCustomerPickQuantity: integer(0, LINES_MAX * QUANTITY_MAX, {
        description: 'Units that the customer may still take',
      }),
      pinNumber: Type.Optional(
        text(1, 20, { description: 'Left out where the client requires it at the hand-over', 'x-secret': true }),
      ),
      pinRequired: flag({ description: 'The hand-over needs the PIN' }),
      pinLockedUntil: Type.Optional(dateTime({ description: 'The PIN was wrong too often; no hand-over until then' })),
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
          handedOverQuantity: units('Units that the customer took before'),
          refusedQuantity: units('Units that the customer did not take'),
          toPickQuantity: units('Units that the customer may still take'),
          itemTotal: itemTotal('the units that the customer may still take'),
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

/** What a customer, or the proxy, took and refused (docs/interface.md#operations-of-the-same-family). What details answered may be sent back (docs/interface.md#fields-sent-back). */
export const CustomerPickupConfirm = named(
  'CustomerPickupConfirm',
  object({
    ...associate('Associate who hands over'),
    customerPickUpDetails: object({
      ...place,
      customerPickUpItems: list(
        object({
          ...item,
          customerPickedQuantity: Type.Optional(units('Units that went now')),
          ...refusal,
          backroomPickedQuantity: units('Units picked for the line, as the details have it'),
          ...ignoredFields('id', 'itemDesc', 'upcs', 'orderedQuantity', 'handedOverQuantity', 'refusedQuantity'),
          ...ignoredFields('toPickQuantity', 'itemTotal', 'instructions'),
          ...ignoredExtras,
        }),
        { min: 1, max: LINES_MAX },
        { description: 'Each line once; the units of a line that is not listed wait for later' },
      ),
      handOverId: Type.Optional(
        identifier(64, { description: 'The caller’s own id of this hand-over: the same again does no harm' }),
      ),
      pinNumber: Type.Optional(identifier(20, { description: 'PIN that the person said', 'x-secret': true })),
      collectedBy: Type.Optional(
        oneOf(COLLECTORS, { description: 'Default CUSTOMER; PROXY only where the order names one' }),
      ),
      ...person,
      webOrderId: ifGiven('that of the order'),
      omsOrderId: ifGiven('that of the order'),
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
    modifyAssociateId: login('Who lets it be tried again'),
    storeId: ifGiven('as in the path'),
    fulfillmentOrderId: ifGiven('as in the path'),
  }),
);

/** Named schemas of the hand-over, for the document. */
export const pickupSchemas = [CustomerPickupRead, CustomerPickupReply, CustomerPickupConfirm, PinUnlock];
