/** Where a package is, by its carrier, in their order; EXCEPTION and RETURNED can come at any time. */
export const TRACKING_STATES = [
  'ACCEPTED',
  'IN_TRANSIT',
  'OUT_FOR_DELIVERY',
  'DELIVERED',
  'EXCEPTION',
  'RETURNED',
] as const;
