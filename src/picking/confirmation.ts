/** The content of a CONFIRM. */
import type { ItemResult } from './item-results.ts';

/** The content of a CONFIRM: two of them are the same when all of this is equal (docs/interface.md#confirm). */
export interface Confirmation {
  userId: string;
  holdLocation: string;
  /** One for each item of the ticket, by its number. */
  answers: ItemResult[];
}
