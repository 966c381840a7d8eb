/** The default reasons of a client. Reasons that a client adds keep the client's own words. */
export const reasons = {
  IPD: 'Declined in the store',
  CancelMXOutOfStock: 'Not there, out of stock',
  CancelMXPickDecline: 'Declined at picking',
  CancelMXCustomerAbandon: 'Not collected by the customer',
  CancelMXCreditCustomerRefusal: 'Rejected by the customer',
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

/** Names of the reasons in the words of stores, by the step of the work. */
export const stepReasons = {
  pick: {
    CancelMXOutOfStock: 'Not on the shelf',
    CancelInventoryDiscrepancy: 'Fewer here than the system says',
    CancelMXPickDecline: 'Broken or dirty',
    CancelGeneric: 'Another reason',
  } as Record<string, string>,
  pack: {
    IPD: 'Broken',
    CancelMXOutOfStock: 'Missing',
    CancelInventoryDiscrepancy: 'Another item was picked',
    CancelGeneric: 'Another reason',
  } as Record<string, string>,
  checkIn: {
    STSProductReceivedDamagedInterior: 'Product damaged inside its package',
    STSProductReceivedDamagedExterior: 'Package arrived damaged',
    STSWrongProductReceived: 'Another product was in the package',
    STSProductNotReceived: 'Product was not in the package',
    STSPackageNotReceived: 'Package did not arrive',
  } as Record<string, string>,
  refuse: {
    CancelMXCreditCustomerRefusal: 'The customer does not like it',
    IPD: 'It is damaged',
    CancelCustomerInitiated: 'The customer no longer needs it',
    CancelGeneric: 'Another reason',
  } as Record<string, string>,
};
