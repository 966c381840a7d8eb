/** Longest text that the service takes for a place. */
export const PLACE_MAX = 40;
