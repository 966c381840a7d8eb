/** Ids of commands: made at the tap, sent with every try. */

/** The one place that makes them; a test puts its own function here. */
export const ids = {
  next: (): string => crypto.randomUUID(),
};
