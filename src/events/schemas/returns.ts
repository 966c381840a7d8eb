/** Events of returns, of their refunds, and of exchanges. */
import { exact } from '../../platform/schema.ts';
import { QUANTITY_MAX } from '../../shared/limits.ts';
import { DISPOSALS, DISPOSITIONS } from '../../shared/return-settings.ts';
import { REFUND_STATES, RETURN_STATES } from '../../shared/return-states.ts';
import { event, id, integer, object, oneOf, optional, some, text, units } from './members.ts';

const signed = (description: string) => integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, { description });
const position = (description = 'Line of the return, from 1') => integer(1, 1_000_000, { description });
const amount = (description: string) => exact({ integer: 28, fraction: 4, min: 0 }, { description });

const sums = {
  requested: units('Units that the request announced'),
  sellable: units('Returned units that are for sale'),
  damaged: units('Returned units that are not for sale'),
  held: units('Returned units that wait for a decision'),
  givenBack: units('Inspected units that the customer keeps'),
  missing: units('Units that did not arrive'),
  over: units('Units that arrived without a request'),
  open: units('Units that may still arrive'),
};

const line = object({
  position: position(),
  fulfillmentOrderId: optional(id('Order of the units; absent for units without an order')),
  webLineId: optional(id('Line of the order')),
  itemId: id('Item of the units'),
  reason: optional(text(1, 40, { description: 'Reason of the customer' })),
  ...sums,
});

const ofReturn = {
  number: id('Number of the return'),
  storeId: id('Web store of the return'),
  kind: oneOf(['IN_STORE', 'BY_MAIL', 'CARRIER', 'BLIND'], { description: 'How the goods are returned' }),
  state: oneOf(RETURN_STATES, { description: 'State of the return after the event' }),
  nodeId: optional(
    id('Node of the first receipt since the return was last REQUESTED, CANCELED or EXPIRED; absent in these states'),
  ),
  lines: some(line, { description: 'All lines, with their units after the event' }),
  totals: object(sums, { description: 'Units of all lines' }),
};

const entry = object({
  position: position(),
  itemId: id('Item of the units'),
  quantity: signed('Units; negative in a correction'),
  condition: optional(text(1, 40, { description: 'Condition of the units' })),
  disposition: oneOf(DISPOSITIONS, { description: 'Place of the units' }),
  reason: optional(text(1, 40, { description: 'Reason of the customer' })),
});

const ofReceipt = {
  ...ofReturn,
  receiptId: id('Id of the receipt'),
  userId: id('User who counted the units'),
  receipt: some(entry, { description: 'Units of this receipt' }),
};

const refund = {
  refundId: id('The refund'),
  returnId: id('Return that causes the refund'),
  number: id('Number of the return'),
  storeId: id('Web store of the return'),
  fulfillmentOrderId: id('Order whose charge is refunded'),
  amount: amount('Amount to refund'),
  currency: text(3, 3, { description: 'ISO 4217 code of the currency' }),
  collectedAtDoor: amount('Part of the amount that was paid in cash'),
  shipping: amount(
    'Header charges and header tax in the refund, such as shipping; at most `amount` and `fee` together',
  ),
  fee: amount('Fee of the return, already subtracted from the amount'),
  basis: oneOf(['CHARGED', 'COMPUTED'], {
    description: 'COMPUTED: a charge of the order has no recorded amounts, so the service computed the refund',
  }),
  status: oneOf(REFUND_STATES, { description: 'State of the refund' }),
  reference: optional(text(1, 100, { description: 'Your reference for the payment' })),
  failure: optional(text(1, 200, { description: 'Reason of the failure' })),
  dueAt: text(1, 40, { description: 'Time at which the refund became due' }),
  answeredAt: optional(text(1, 40, { description: 'Time at which the outcome of the refund was reported' })),
};

export const returnEvents = {
  'return.requested': event('A customer requested a return.', ofReturn),
  'return.inTransit': event('A carrier has the parcel of a return.', {
    ...ofReturn,
    inTransitAt: text(1, 40, { description: 'Time at which the carrier got the parcel' }),
  }),
  'return.received': event('Goods were returned; one event for each receipt.', ofReceipt),
  'return.corrected': event('A receipt of a return was corrected by another receipt.', {
    ...ofReceipt,
    corrects: id('The receipt that this receipt corrects'),
  }),
  'return.disposed': event('A decision on held units was made.', {
    ...ofReturn,
    disposeId: id('Id of the decision'),
    userId: id('User who decided on the units'),
    disposed: some(
      object({
        position: position(),
        quantity: integer(1, QUANTITY_MAX, { description: 'Decided units' }),
        to: oneOf(DISPOSALS, { description: 'Destination of the units' }),
        reason: optional(text(1, 200, { description: 'Reason from the request' })),
      }),
      { description: 'The decisions' },
    ),
  }),
  'return.matched': event('Units without papers were assigned to an order.', {
    ...ofReturn,
    matchId: id('Id of the match'),
    userId: id('User who matched the units'),
    matched: some(
      object({
        position: position('Line that had the units'),
        fulfillmentOrderId: id('Order of the units'),
        webLineId: id('Line of the order'),
        quantity: integer(1, QUANTITY_MAX, { description: 'Matched units' }),
        toPosition: position('Line that has the units now'),
      }),
      { description: 'The matched units' },
    ),
  }),
  'return.closed': event(
    'A return was closed. The event has all sums and refunds, so you do not need to read the return.',
    {
      ...ofReturn,
      closeId: id('Id of the close of the return'),
      userId: id('User who closed the return'),
      refunds: some(object(refund), { description: 'All refunds of the return' }),
    },
  ),
  'return.reopened': event('A closed return can be received again.', {
    ...ofReturn,
    userId: id('User who reopened the return'),
    reason: text(1, 200, { description: 'Reason from the request' }),
  }),
  'return.canceled': event('A requested return was canceled.', {
    ...ofReturn,
    reason: optional(text(1, 200, { description: 'Reason from the request' })),
  }),
  'return.expired': event('A requested return did not arrive in time.', ofReturn),
  'refund.due': event('A refund to the customer is due.', refund),
  'refund.canceled': event('A refund that was not paid is no longer due. Another refund can replace it.', refund),
  'refund.answered': event('The outcome of a refund was reported.', refund),
  'refund.overpaid': event(
    'A correction, decision, receipt, close or match lowered the due amount below the paid amount. The service does not reclaim the difference, but subtracts it from later refunds of the order.',
    {
      number: id('Number of the return'),
      storeId: id('Web store of the return'),
      fulfillmentOrderId: id('Order that was refunded'),
      amount: amount(
        'Amount that this action added to the excess of the paid refunds over the due amount. Earlier events have the rest',
      ),
      currency: text(3, 3, { description: 'ISO 4217 code of the currency' }),
    },
  ),
  'exchange.requested': event('A customer wants another item for a line. Send an order with exchangeOf.', {
    number: id('Number of the return'),
    storeId: id('Web store of the return'),
    line: position(),
    fulfillmentOrderId: optional(id('Order of the line')),
    webLineId: optional(id('Line of the order')),
    itemId: id('Item that is returned'),
    wants: object(
      { itemId: id('Item that the customer wants'), quantity: integer(1, QUANTITY_MAX, { description: 'Units' }) },
      { description: 'Items that the customer wants instead' },
    ),
  }),
} as const;
