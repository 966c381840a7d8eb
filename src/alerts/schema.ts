/**
 * Request and response schemas of the alert search (docs/interface.md#operations-of-the-same-family). The interface
 * does not specify the response.
 */

import { ALERT_TYPES } from '../kernel/alerts.ts';
import { lastPageId, PAGE_SIZE_MAX, pageEcho, pageMembers, totalsEcho } from '../platform/http/page.ts';
import { dateTime, list, named, object, oneOf, plainDate, type Static, Type, text } from '../platform/schema.ts';
import { FULFILLMENT_TYPES } from '../shared/client-settings.ts';
import { DateRange, id } from '../shared/shapes.ts';

const { Optional } = Type;

const ALERT_STATUSES = ['OPEN', 'CLOSED'] as const;

export const AlertSearch = named(
  'AlertSearch',
  object({
    storeId: id('Must be the storeId of the path'),
    nodeId: id('Node that fulfills the order'),
    webOrderId: Optional(id('Order of the web store')),
    omsOrderId: Optional(id('Identifier of the order in the order management system')),
    alertType: Optional(
      oneOf(ALERT_TYPES as [string, ...string[]], {
        description: 'Step of the order, and whether its deadline is near or has passed',
      }),
    ),
    description: Optional(text(1, 120, { description: 'Text of the alert, exactly as in a response' })),
    queueName: Optional(id('Queue that the order was in when the alert was opened')),
    pickTicketId: Optional(id('Pick ticket that the order had when the alert was opened')),
    fulfillmentTypes: Optional(list(oneOf(FULFILLMENT_TYPES), { min: 1, max: FULFILLMENT_TYPES.length })),
    statuses: Optional(
      list(
        oneOf(ALERT_STATUSES),
        { min: 1, max: ALERT_STATUSES.length },
        { description: 'Only alerts in one of these statuses' },
      ),
    ),
    generatedOnDateRange: Optional(DateRange),
    closedDate: Optional(plainDate({ description: 'Local day of the node on which the alert was closed' })),
    ...pageMembers,
    lastPageId,
  }),
);
export type AlertSearch = Static<typeof AlertSearch>;

const Alert = object({
  alertId: id('Id of the alert; the id of the last alert is the lastRecordId for the next page'),
  alertType: oneOf(ALERT_TYPES as [string, ...string[]]),
  description: text(1, 120, { description: 'Text of the alert' }),
  status: oneOf(ALERT_STATUSES, { description: 'CLOSED: the order has left the step' }),
  storeId: id('Store that sold the order'),
  nodeId: id('Node that fulfills the order'),
  fulfillmentOrderId: id('Order'),
  webOrderId: id('Order of the web store'),
  omsOrderId: id('Identifier of the order in the order management system'),
  fulfillmentType: oneOf(FULFILLMENT_TYPES),
  queueName: id('Queue that the order was in when the alert was opened'),
  pickTicketId: Optional(id('Pick ticket that the order had when the alert was opened')),
  slaDate: object(
    { slaTypeId: text(1, 40), value: dateTime({ description: 'Time at which the step expires' }) },
    { description: 'Step and the time at which it expires' },
  ),
  generatedOnDate: dateTime({ description: 'Time at which the alert was first opened' }),
  closedDate: Optional(
    dateTime({ description: 'Time at which the order left the step. Present only in a closed alert' }),
  ),
});
export type Alert = Static<typeof Alert>;

export const AlertSearchReply = named(
  'AlertSearchReply',
  object({
    alerts: list(Alert, { max: PAGE_SIZE_MAX }),
    ...pageEcho,
    ...totalsEcho,
  }),
);

export const alertSchemas = [AlertSearch, AlertSearchReply];
