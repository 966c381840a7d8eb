/** Every good of the invoice lines as an item. Codes that differ in case only are two items. */
import type { Mapping } from 'backroom-fulfillment/mapping';
import { type InvoiceLine, isGood, notGoods } from './goods.ts';

export const mapping: Mapping<InvoiceLine> = {
  kind: 'items',
  // A code comes with many lines: the first one that has a description gives it.
  existing: 'fill',

  refuse: (row) => (isGood(row.StockCode) ? [] : [notGoods(row.StockCode)]),

  build: ([row], { clientId, catalogId }) => {
    const { StockCode, Description, UnitPrice } = row!;
    const description = Description.trim().replace(/\s+/g, ' ');
    // Lines without a price are corrections of stock; they say "damages", "check" or "?" instead of the good.
    const isName = Number(UnitPrice) > 0 || /[A-Z]{2}/.test(description);
    return {
      clientId,
      catalogId,
      clientItemId: StockCode,
      itemId: `${catalogId}-${StockCode}`,
      ...(description !== '' && isName && { description }),
      // The data does not tell where the goods were made; the retailer is British, and its stores here are abroad.
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
