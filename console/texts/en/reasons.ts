/** Reasons that every client has unless it says otherwise; one of its own stands in its own words. */
export const reasons = {
  IPD: 'Declined in the store',
  CancelMXOutOfStock: 'Not there, out of stock',
  CancelMXPickDecline: 'Declined at picking',
  CancelMXCustomerAbandon: 'Not collected by the customer',
  CancelMXCreditCustomerRefusal: 'Refused by the customer',
  CancelMXStoreInactivity: 'Not handled in time',
  CancelInventoryDiscrepancy: 'Stock record was wrong',
  CancelCustomerInitiated: 'Canceled by the customer',
  CancelGeneric: 'Other reason',
  STSProductReceivedDamagedExterior: 'Package arrived damaged',
  STSProductReceivedDamagedInterior: 'Product damaged inside its package',
  STSPackageNotReceived: 'Package did not arrive',
  STSProductNotReceived: 'Product was not in the package',
  STSWrongProductReceived: 'Another product was in the package',
} as Record<string, string>;
