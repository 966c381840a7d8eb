/**
 * Returns the stored people and places of an order. Fields that responses always show are empty if they were not sent.
 */

import type { Contacts } from '../kernel/orders.ts';
import type { Contact, Destination, SentContact } from '../shared/shapes.ts';
import type { OrderIntake } from './intake-schema.ts';

export function contactsFrom(order: OrderIntake): Contacts {
  const { customer, proxyDetails, destinations, billToAddress, shippingAddress } = order;
  // Goods that are already in the store ship from the place where the customer collects them.
  const shipFromAddress = order.shipFromAddress ?? (order.inStore === true ? shippingAddress : undefined);
  return {
    customer: wholeContact(customer),
    ...(proxyDetails && { proxyDetails: wholeContact(proxyDetails) }),
    destinations: destinations.map((destination) => wholeDestination(destination, order.fulfillmentType)),
    billToAddress,
    shippingAddress,
    ...(shipFromAddress && { shipFromAddress }),
  };
}

/** Returns a contact whose missing fields are empty. */
export function wholeContact({ name, email = '', phone = '' }: SentContact): Contact {
  return { name, email, phone };
}

/** Fills in the fields that pack slips (SHIP_TO_HOME) and check-in details (SHIP_TO_STORE) always show. */
export function wholeDestination(destination: Destination, type: OrderIntake['fulfillmentType']): Destination {
  if (type !== 'SHIP_TO_HOME' && type !== 'SHIP_TO_STORE') return destination;
  const { personName, address, email = '', phone = '' } = destination;
  const whole = { ...destination, address: { mainDivisionCode: '', postalCode: '', ...address }, email };
  return type === 'SHIP_TO_STORE' ? whole : { ...whole, personName: { lastName: '', ...personName }, phone };
}
