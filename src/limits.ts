/** Limits that the messages of several operations share: entries of one order. */
export const LINES_MAX = 2000;
export const PACKAGES_MAX = 500;
export const DESTINATIONS_MAX = 20;
