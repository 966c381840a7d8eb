/**
 * Events of alerts. No event reports that an alert was closed: an alert closes when its order leaves the step, and the
 * order then has an event.
 */
import { event, id, text } from './members.ts';

export const alertEvents = {
  'alert.opened': event('The deadline (SLA) of a step of an order is near or has passed.', {
    alertType: text(1, 40),
    fulfillmentOrderId: id(),
    storeId: id(),
    nodeId: id(),
    fulfillmentType: text(1, 40),
    queueId: text(1, 40),
    slaTypeId: text(1, 40),
    slaDate: text(20, 40),
  }),
} as const;
