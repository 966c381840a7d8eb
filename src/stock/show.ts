/** Builds responses with levels. */

import { availableOf } from '../kernel/stock.ts';
import { nextOf } from '../platform/http/list-page.ts';
import type { StockLevelRow } from '../platform/storage/tables.ts';

type Shown = Pick<
  StockLevelRow,
  'item_id' | 'shelf' | 'staged' | 'damaged' | 'held' | 'missing' | 'reserved' | 'revision'
>;

/** Returns the levels of an item for responses. */
export function showLevel({ item_id: itemId, shelf, staged, damaged, held, missing, reserved, revision }: Shown) {
  return {
    itemId,
    shelf,
    staged,
    damaged,
    held,
    missing,
    reserved,
    available: availableOf({ shelf, reserved }),
    revision,
  };
}

/**
 * Returns a page of rows. If the list has more rows than the page, the function also returns the cursor of the next
 * page.
 */
export function pageOf<R>(rows: readonly R[], size: number, idOf: (row: R) => string) {
  const page = rows.slice(0, size);
  const last = page.at(-1);
  return { page, next: rows.length > size && last !== undefined ? nextOf(idOf(last)) : {} };
}
