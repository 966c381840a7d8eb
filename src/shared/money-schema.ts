/** Request and response schemas of amounts, for all messages with prices. */

import { dateTime, exact, list, object, Type, text } from '../platform/schema.ts';
import { LINES_MAX } from './limits.ts';
import { id, units } from './shapes.ts';

/**
 * Maximum numbers of digits before and after the point. 2000 lines of 99,999 units at 19 + 4 digits have a sum of at
 * most 28 + 4 digits.
 */
const amount = (description: string) => exact({ integer: 28, fraction: 4 }, { description });

/** Amounts of units of one line; `which` names the units. */
export const itemTotal = (which: string) =>
  object({
    unitPrice: amount('Price of one unit'),
    extendedPrice: amount(`unitPrice times ${which}`),
    charges: amount(`Share of the line's charges for ${which}`),
    tax: amount(`Share of the line's tax for ${which}`),
  });

/** Amounts of all units of a shipment, hand-over or delivery. */
export const orderTotal = () =>
  object({
    grandTotal: amount(
      'Sum of the extended prices, charges and taxes of all units and of the header. Only the sum is rounded. Below 0 if a discount is more than the goods: charge less for the next units',
    ),
    grandTax: amount('Sum of the taxes of the lines and `hdrTax`, rounded'),
    grandCharges: amount('Sum of the charges of the lines and `hdrCharges`, rounded'),
    hdrTax: amount('Tax of the whole order. 0 if an earlier shipment or hand-over charged this tax'),
    hdrCharges: amount('Charges of the whole order. 0 if an earlier shipment or hand-over charged these charges'),
    cashOnDelivery: Type.Optional(
      amount(
        'Amount to collect: at most grandTotal, and at most the amount still due. Present only for cash on delivery',
      ),
    ),
  });

/** The amounts of a shipment, hand-over or delivery. */
export const charged = () =>
  object({
    handOverId: Type.Optional(text(1, 64, { description: 'Id of the hand-over or delivery. Absent for a shipment' })),
    chargedDate: dateTime({ description: 'Time at which the units left' }),
    orderTotal: orderTotal(),
    items: list(
      object({
        webLineId: id('Line of the web order'),
        quantity: units('Units that left', 1),
        itemTotal: itemTotal('the units that left'),
      }),
      { min: 1, max: LINES_MAX },
      { description: 'Lines with units that left' },
    ),
  });
