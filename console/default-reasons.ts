/** The default reasons of a client with the descriptions of the service. The console translates only these. */
export const DEFAULT_MEANINGS: Readonly<Record<string, string>> = {
  IPD: 'Declined in the store',
  CancelMXOutOfStock: 'Out of stock',
  CancelMXPickDecline: 'Declined at picking',
  CancelMXCustomerAbandon: 'Not collected by the customer',
  CancelMXCreditCustomerRefusal: 'Refused by the customer',
  CancelMXStoreInactivity: 'Not handled by the store in time',
  CancelInventoryDiscrepancy: 'Stock record was wrong',
  CancelCustomerInitiated: 'Canceled by the customer',
  CancelGeneric: 'Other reason',
  STSProductReceivedDamagedExterior: 'Package arrived damaged',
  STSProductReceivedDamagedInterior: 'Product arrived damaged inside its package',
  STSPackageNotReceived: 'Package did not arrive',
  STSProductNotReceived: 'Product was not in the package',
  STSWrongProductReceived: 'Another product was in the package',
};
