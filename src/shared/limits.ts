/** Limits of one order that the messages of several operations share, and of one event. */
export const LINES_MAX = 2000;
export const PACKAGES_MAX = 500;
export const DESTINATIONS_MAX = 20;
export const NOTES_MAX = 500;
/** Maximum number of instructions of one line. */
export const INSTRUCTIONS_MAX = 20;

/** Maximum number of units of one line, and of one item in a bundle. */
export const QUANTITY_MAX = 99_999;

/** Maximum number of lines that an event names. To get all lines, a consumer reads the resource of the event. */
export const EVENT_LINES_MAX = 500;

/** Maximum number of different items in one bundle. */
export const COMPONENTS_MAX = 100;
