/** Minutes until a step expires, for clients without own `slaMinutes`. The settings form of the console shows them. */
export const DEFAULT_MINUTES = {
  START_PICK: 45,
  COMPLETE_PICK: 90,
  PACK: 120,
  CHECK_IN: 240,
  CUSTOMER_PICKUP: 10_080,
  DELIVERY: 240,
  REVERSE_PICK: 240,
};
