/** States of a package at its carrier, in their order; EXCEPTION and RETURNED are possible at any time. */
export const TRACKING_STATES = [
  'ACCEPTED',
  'IN_TRANSIT',
  'OUT_FOR_DELIVERY',
  'DELIVERED',
  'EXCEPTION',
  'RETURNED',
] as const;
