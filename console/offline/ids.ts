/** Ids of commands. They are created at the tap and sent with every try. */

/** All ids come from this function, so that a test can replace it. */
export const ids = {
  next: (): string => crypto.randomUUID(),
};
