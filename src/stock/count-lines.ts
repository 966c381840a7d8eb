/** Compares counts with the ledger, and reads and writes their rows. */
import { findItemIds } from '../items/find.ts';
import { findLevels, lockLevels, PLACE_COLUMNS, postKept } from '../kernel/stock.ts';
import { unitsMovedSince } from '../kernel/stock-ledger.ts';
import { STOCK_CAUSE, type StockMove, type StockNode, type StockPlace } from '../kernel/stock-terms.ts';
import type { Ctx, ReadCtx } from '../platform/ctx.ts';
import { notFound, type Refusal } from '../platform/http/errors.ts';
import { type FieldError, fieldError } from '../platform/message/field-errors.ts';
import { quote } from '../platform/message/words.ts';
import { insertInto } from '../platform/storage/insert.ts';
import type { StockCountLineRow, StockCountRow, StockLevelRow } from '../platform/storage/tables.ts';
import { formatDateTime } from '../platform/time.ts';
import type { Settings } from '../shared/client-settings.ts';
import { countLineState, countState } from './count-states.ts';
import type { Count } from './schema.ts';
import { say } from './sentences.ts';

/** A line of a count. */
export interface CountedLine {
  itemId: string;
  place: StockPlace;
  counted: number;
  /** Revision of the level when it was counted. */
  revision: number;
}

/** A line compared with the ledger. */
export interface JudgedLine extends CountedLine {
  /** `counted` minus `expected`. */
  difference: number;
  /** The level at the revision of the line, plus later corrections of the ledger. */
  expected: number;
  /** Whether this is the first count of the item: the ledger has nothing to compare with. */
  opens: boolean;
  /**
   * Units that the count first moves from MISSING back to SHELF. `difference` contains these units, so the count then
   * takes them off the shelf again.
   */
  back: number;
}

/**
 * Compares counted lines with the ledger. Lock the levels before the call if the differences will be posted. A line is
 * compared with the level at its revision, so later moves of goods do not matter. Later corrections of the ledger
 * (other counts, LEDGER_BEHIND) are added to that level, because they correct the same difference.
 */
export async function judgeLines(
  ctx: Pick<ReadCtx, 'db' | 'dialect'>,
  node: StockNode,
  lines: readonly CountedLine[],
  levels: ReadonlyMap<string, StockLevelRow>,
): Promise<JudgedLine[]> {
  const moved = await unitsMovedSince(ctx, node, lines, CORRECTIONS);
  return lines.map((line, index) => {
    const level = levels.get(line.itemId)!;
    const since = moved.get(index) ?? { units: 0, notFound: 0, undone: 0 };
    // Units that were not found before the revision are not subtracted. The count that moved them back from MISSING to
    // SHELF has also taken them off the shelf.
    const before = level[PLACE_COLUMNS[line.place]] - since.units - since.undone;
    // Units that were not found for orders, and that the count lacks too. They must be lost only once.
    const lostTwice = Math.max(0, Math.min(since.notFound - since.undone, before - line.counted));
    // The count takes `back` units from MISSING, so the correction of a pick can no longer find them there. The other units
    // of `lostTwice` have left MISSING already, so `difference` does not contain them.
    const back = Math.min(lostTwice, level.missing);
    const expected = before - lostTwice + back;
    return { ...line, expected, difference: line.counted - expected, opens: level.opened_at === null, back };
  });
}

/** Returns the ids of items that the node can have: items of the client, and deleted items that still have a level. */
export async function findStockedIds(
  ctx: ReadCtx,
  node: StockNode,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = await findItemIds(ctx, node.clientId, ids);
  const others = ids.filter((id) => !known.has(id));
  if (others.length === 0) return known;
  return new Set([...known, ...(await findLevels(ctx, node, others)).keys()]);
}

/** Locks and returns the levels of the counted items. */
export function lockCounted(ctx: Ctx, node: StockNode, lines: readonly CountedLine[]) {
  const ids = [...new Set(lines.map((line) => line.itemId))].sort();
  return lockLevels(ctx, node, ids);
}

/** Returns the revision of the last deleted move, by item. */
async function findCarried(
  { db, dialect }: Ctx,
  { clientId, nodeId }: StockNode,
  lines: readonly CountedLine[],
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('stock_carried')
    .select(['item_id', 'revision'])
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .where(
      'item_id',
      'in',
      dialect.listOf(
        lines.map(({ itemId }) => itemId),
        'text',
      ),
    )
    .execute();
  return new Map(rows.map((row) => [row.item_id, row.revision]));
}

/**
 * Throws if a line was counted before the node began to keep stock again: such a count says nothing about the stock
 * now.
 */
export function mustBeOfThisPeriod(
  lines: readonly CountedLine[],
  levels: ReadonlyMap<string, StockLevelRow>,
  reject: (itemId: string) => Refusal,
): void {
  const old = lines.find(({ itemId, revision }) => revision < levels.get(itemId)!.kept_since);
  if (old !== undefined) throw reject(old.itemId);
}

/**
 * Returns errors for revisions that do not exist yet, and for revisions that are too old. A revision is too old if
 * later moves are deleted, or if the node kept no stock for some time after it.
 */
export async function revisionErrors(
  ctx: Ctx,
  node: StockNode,
  lines: readonly CountedLine[],
  levels: ReadonlyMap<string, StockLevelRow>,
): Promise<FieldError[]> {
  const carried = await findCarried(ctx, node, lines);
  return lines.flatMap(({ itemId, revision }, index) => {
    const level = levels.get(itemId)!;
    const current = level.revision;
    const gone = carried.get(itemId) ?? 0;
    const at = `/lines/${index}/revision`;
    const name = JSON.stringify(itemId);
    if (revision > current) {
      const message = say(
        'revision {revision} of {name} does not exist yet; its stock level has revision {current}. Send the revision from the stock response',
        { revision, name, current },
      );
      return [fieldError(at, 'maximum', message, current)];
    }
    const since = level.kept_since;
    if (revision < since) {
      const message = say(
        'revision {revision} of {name} is too old because the node began to keep stock again at revision {since}; count again',
        { revision, name, since },
      );
      return [fieldError(at, 'minimum', message, since)];
    }
    if (revision >= gone) return [];
    const message = say(
      'revision {revision} of {name} is too old because the moves up to revision {gone} were deleted; count again',
      {
        revision,
        name,
        gone,
      },
    );
    return [fieldError(at, 'minimum', message, gone)];
  });
}

/** Causes of corrections: moves of the ledger without a move of goods. */
const CORRECTIONS = [STOCK_CAUSE.COUNT, STOCK_CAUSE.LEDGER_BEHIND, STOCK_CAUSE.OPENING];

/** Whether a difference exceeds the client's tolerance and needs approval. */
export function isBeyond({ stock }: Pick<Settings, 'stock'>, { difference, expected, opens }: JudgedLine): boolean {
  const { percent, units } = stock.countTolerance;
  const allowed = Math.max(Math.floor((Math.max(0, expected) * percent) / 100), units);
  return !opens && Math.abs(difference) > allowed;
}

/** Posts the differences of lines. The first count of an item opens its ledger. */
export async function postLines(
  ctx: Ctx,
  node: StockNode,
  countId: string,
  userId: string,
  lines: readonly (JudgedLine & { lineIndex: number })[],
): Promise<void> {
  const moves = lines.flatMap((line): StockMove[] => {
    const { itemId, place, difference, opens, back, lineIndex } = line;
    if (difference === 0) return [];
    const outside = opens ? 'OPENING' : 'COUNT';
    const cause = opens ? STOCK_CAUSE.OPENING : STOCK_CAUSE.COUNT;
    const of = { itemId, cause, reference: countId, lineNumber: String(lineIndex + 1), userId };
    const spots = difference > 0 ? { from: outside, to: place } : { from: place, to: outside };
    return [
      ...(back > 0 ? [{ ...of, from: 'MISSING', to: 'SHELF', quantity: back } as const] : []),
      { ...of, ...spots, quantity: Math.abs(difference) } as StockMove,
    ];
  });
  await postKept(ctx, node, { moves, counted: [...new Set(lines.map((line) => line.itemId))] });
}

/** Returns a count with its lines, or undefined. */
export async function findCount(
  { db }: Pick<ReadCtx, 'db'>,
  { clientId, nodeId }: StockNode,
  countId: string,
): Promise<{ row: StockCountRow; lines: StockCountLineRow[] } | undefined> {
  const row = await db
    .selectFrom('stock_counts')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .where('count_id', '=', countId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const lines = await db
    .selectFrom('stock_count_lines')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .where('count_id', '=', countId)
    .orderBy('line_index')
    .execute();
  return { row, lines };
}

/**
 * Returns a count with its lines.
 * @throws Refusal 404 if the node does not have it
 */
export async function mustFindCount(ctx: Pick<ReadCtx, 'db'>, node: StockNode, countId: string) {
  const found = await findCount(ctx, node, countId);
  if (found !== undefined) return found;
  throw notFound(
    say('There is no count {countId} at node {nodeId}.', { countId: quote(countId), nodeId: quote(node.nodeId) }),
  );
}

/** The values of the columns about a rejection, for a count that is not rejected. */
export const NOT_REJECTED = { rejected_by: null, rejected_at: null, reject_reason: null } as const;

export const insertCountLines = insertInto<StockCountLineRow>('stock_count_lines', {
  client_id: 'text',
  node_id: 'text',
  count_id: 'text',
  line_index: 'integer',
  item_id: 'text',
  place: 'text',
  counted: 'integer',
  revision: 'integer',
  state: 'text',
  difference: 'integer',
});

/**
 * Returns a count for responses. If a line was not posted because of a newer count, `newer` has the id of this count,
 * by the index of the line.
 */
export function showCount(
  { row, lines }: { row: StockCountRow; lines: readonly StockCountLineRow[] },
  newer?: ReadonlyMap<number, string | undefined>,
): Count {
  return {
    countId: row.count_id,
    state: countState(row),
    userId: row.user_id,
    at: formatDateTime(row.at),
    ...(row.approved_by !== null && { approvedBy: row.approved_by }),
    ...(row.approved_at !== null && { approvedAt: formatDateTime(row.approved_at) }),
    ...(row.rejected_at !== null && {
      rejectedBy: row.rejected_by!,
      rejectedAt: formatDateTime(row.rejected_at),
      rejectReason: row.reject_reason!,
    }),
    lines: lines.map((line) => {
      const newerCountId = newer?.get(line.line_index);
      return {
        itemId: line.item_id,
        place: line.place,
        counted: line.counted,
        revision: line.revision,
        difference: line.difference,
        state: countLineState(row, line),
        ...(newerCountId !== undefined && { newerCountId }),
      };
    }),
  };
}
