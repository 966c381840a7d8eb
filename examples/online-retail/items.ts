/** Makes an item of each good in the invoice lines. Codes that differ only in case are different items. */
import type { Mapping } from 'backroom-fulfillment/mapping';
import { type InvoiceLine, isGood, notGoods } from './goods.ts';

export const mapping: Mapping<InvoiceLine> = {
  kind: 'items',
  // A code has many lines. The first line with a description sets the description of the item.
  existing: 'fill',

  refuse: (row) => (isGood(row.StockCode) ? [] : [notGoods(row.StockCode)]),

  build: ([row], { clientId, catalogId }) => {
    const { StockCode, Description, UnitPrice } = row!;
    const description = Description.trim().replace(/\s+/g, ' ');
    // Lines without a price correct the stock. Many have "damages", "check" or "?" instead of a name.
    // A name is in capital letters.
    const isName = Number(UnitPrice) > 0 || /[A-Z]{2}/.test(description);
    return {
      clientId,
      catalogId,
      clientItemId: StockCode,
      itemId: `${catalogId}-${StockCode}`,
      ...(description !== '' && isName && { description }),
      // The data does not have the country of origin. Shipments abroad need one, and the retailer is British.
      countryOfOrigin: 'GB',
      salesClass: 'stock',
      status: 'Active',
      styleId: '',
      taxCode: '',
      type: 'MERCH',
      associateDeliveryEligible: true,
    };
  },
};
