/** What replies show of levels. */
import { availableOf } from '../kernel/stock.ts';
import type { StockLevelRow } from '../platform/storage/tables.ts';

type Shown = Pick<
  StockLevelRow,
  'item_id' | 'shelf' | 'staged' | 'damaged' | 'held' | 'missing' | 'reserved' | 'revision'
>;

/** The levels of an item as every reply shows them. */
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

/** A page of rows of which one more was read, and the id to go on after. */
export function pageOf<R>(rows: readonly R[], size: number, idOf: (row: R) => string) {
  const page = rows.slice(0, size);
  const last = page.at(-1);
  return { page, next: rows.length > size && last !== undefined ? { lastRecordId: idOf(last) } : {} };
}
