/** Wire shapes of amounts, alike wherever units are priced. */

import { dateTime, exact, list, object, Type, text } from '../platform/schema.ts';
import { LINES_MAX } from './limits.ts';
import { id, units } from './shapes.ts';

/** Sums of at most 2000 lines of 99,999 units at 19 + 4 digits have at most 28 + 4. */
const amount = (description: string) => exact({ integer: 28, fraction: 4 }, { description });

/** Amounts of units of one line; `which` says of which. */
export const itemTotal = (which: string) =>
  object({
    unitPrice: amount('Price of one unit'),
    extendedPrice: amount(`unitPrice times ${which}`),
    charges: amount(`Share of the line's charges for ${which}`),
    tax: amount(`Share of the line's tax for ${which}`),
  });

/** Amounts of all units that go together. */
export const orderTotal = () =>
  object({
    grandTotal: amount('Extended prices, charges and taxes of all units and of the header, rounded once'),
    grandTax: amount('Taxes of the lines + hdrTax, rounded'),
    grandCharges: amount('Charges of the lines + hdrCharges, rounded'),
    hdrTax: amount('Tax of the order as a whole; 0 once it was charged'),
    hdrCharges: amount('Charges of the order as a whole; 0 once they were charged'),
    cashOnDelivery: Type.Optional(
      amount(
        'Amount to collect, at most grandTotal and what is not collected yet; only where cash on delivery was sent',
      ),
    ),
  });

/** The amounts of a shipment, hand-over or delivery. */
export const charged = () =>
  object({
    handOverId: Type.Optional(text(1, 64, { description: 'The hand-over or delivery; left out: a shipment' })),
    chargedDate: dateTime({ description: 'When the units went' }),
    orderTotal: orderTotal(),
    items: list(
      object({
        webLineId: id('Line of the web order'),
        quantity: units('Units that went', 1),
        itemTotal: itemTotal('the units that went'),
      }),
      { min: 1, max: LINES_MAX },
      { description: 'Lines of which units went' },
    ),
  });
