/** Limits that the messages of several operations share: entries of one order. */
export const LINES_MAX = 2000;
export const PACKAGES_MAX = 500;
export const DESTINATIONS_MAX = 20;
export const NOTES_MAX = 500;

/** Most different items of one bundle; and most units of one of them in one bundle. */
export const COMPONENTS_MAX = 100;

export const COMPONENT_UNITS_MAX = 99_999;
