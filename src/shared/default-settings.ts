/** Default settings that the settings form of the console shows. It cannot load the module with all of them. */

/** Minutes until a step expires, for clients without own `slaMinutes`. */
export const DEFAULT_MINUTES = {
  START_PICK: 45,
  COMPLETE_PICK: 90,
  PACK: 120,
  CHECK_IN: 240,
  CUSTOMER_PICKUP: 10_080,
  DELIVERY: 240,
  REVERSE_PICK: 240,
};

/** Reasons of clients without own `cancelReasons`. */
export const DEFAULT_REASONS = [
  { code: 'IPD', description: 'Declined in the store' },
  { code: 'CancelMXOutOfStock', description: 'Out of stock' },
  { code: 'CancelMXPickDecline', description: 'Declined at picking' },
  { code: 'CancelMXCustomerAbandon', description: 'Not collected by the customer' },
  { code: 'CancelMXCreditCustomerRefusal', description: 'Refused by the customer' },
  { code: 'CancelMXStoreInactivity', description: 'Not handled by the store in time' },
  { code: 'CancelInventoryDiscrepancy', description: 'Stock record was wrong' },
  { code: 'CancelCustomerInitiated', description: 'Canceled by the customer' },
  { code: 'CancelGeneric', description: 'Other reason' },
  { code: 'STSProductReceivedDamagedExterior', description: 'Package arrived damaged' },
  { code: 'STSProductReceivedDamagedInterior', description: 'Product arrived damaged inside its package' },
  { code: 'STSPackageNotReceived', description: 'Package did not arrive' },
  { code: 'STSProductNotReceived', description: 'Product was not in the package' },
  { code: 'STSWrongProductReceived', description: 'Another product was in the package' },
];
