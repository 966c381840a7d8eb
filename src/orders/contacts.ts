/** The people and places of an order as they are kept: with what replies must show, blank where it was not sent. */

import type { Contacts } from '../kernel/orders.ts';
import type { Contact, Destination, SentContact } from '../shared/shapes.ts';
import type { OrderIntake } from './intake-schema.ts';

export function contactsFrom(order: OrderIntake): Contacts {
  const { customer, proxyDetails, destinations, billToAddress, shippingAddress } = order;
  // Goods that are in the store already are shipped from where they are collected.
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

/** A contact with the fields that were not sent. */
export function wholeContact({ name, email = '', phone = '' }: SentContact): Contact {
  return { name, email, phone };
}

/** The pack slip of a SHIP_TO_HOME order and the check-in details of a SHIP_TO_STORE order show these fields whatever was sent. */
export function wholeDestination(destination: Destination, type: OrderIntake['fulfillmentType']): Destination {
  if (type !== 'SHIP_TO_HOME' && type !== 'SHIP_TO_STORE') return destination;
  const { personName, address, email = '', phone = '' } = destination;
  const whole = { ...destination, address: { mainDivisionCode: '', postalCode: '', ...address }, email };
  return type === 'SHIP_TO_STORE' ? whole : { ...whole, personName: { lastName: '', ...personName }, phone };
}
