/**
 * Stores stock moves as rows (docs/decisions/219). Rows are ordered by time, so that the moves of one transaction are
 * on one page of the table. Each move links to the previous move of its item, the level links to the last move, and
 * every 64th move has a mark.
 */
import { sql } from 'kysely';
import type { Ctx } from '../platform/ctx.ts';
import type { Reader } from '../platform/storage/db.ts';
import type { Columns } from '../platform/storage/dialect.ts';
import { insertInto } from '../platform/storage/insert.ts';
import type { StockLevelRow, StockMoveMarkRow, StockMoveRow } from '../platform/storage/tables.ts';

/** Number of moves of an item from one mark to the next. */
const MARK_EVERY = 64;

/** An item at a node. */
export interface ItemAtNode {
  clientId: string;
  nodeId: string;
  itemId: string;
}

/** The data of a posted move. */
export interface PostedMove {
  itemId: string;
  from: string;
  to: string;
  /** Number of units, above 0. */
  quantity: number;
  /** The cause, for example RECEIPT or PICKED. */
  cause: string;
  /** The number of the shipment, or the id of the order, count or move. */
  reference: string;
  /** The line number as sent. */
  lineNumber?: string;
  /** The reason, as the user gave it. */
  reason?: string;
  userId: string;
}

/** The moves of one transaction. `add` links each move, and `save` writes all of them. */
export class Ledger {
  readonly #rows: StockMoveRow[] = [];
  readonly #marks: StockMoveMarkRow[] = [];

  /** Adds a move after the last move of its item. `level`, which is locked, then links to the new move. */
  add(level: StockLevelRow, move: PostedMove, now: number): void {
    const { client_id, node_id, item_id } = level;
    // Clocks of processes may differ, but times must increase with revisions: old moves are deleted by time.
    const at = Math.max(now, level.moved_at ?? now);
    const previous = { previous_at: level.moved_at, previous_revision: level.moved_revision };
    const revision = level.revision + 1;
    Object.assign(level, { revision, moved_at: at, moved_revision: revision, moves: level.moves + 1 });
    this.#rows.push({
      client_id,
      at,
      node_id,
      item_id,
      revision,
      from_spot: move.from,
      to_spot: move.to,
      quantity: move.quantity,
      cause: move.cause,
      reference: move.reference,
      line_number: move.lineNumber ?? null,
      reason: move.reason ?? null,
      user_id: move.userId,
      ...previous,
    });
    if (level.moves % MARK_EVERY === 0) this.#marks.push({ client_id, node_id, item_id, revision, at });
  }

  async save(ctx: Pick<Ctx, 'db' | 'dialect'>): Promise<void> {
    await insertMoves(ctx, this.#rows);
    if (this.#marks.length > 0) await insertMarks(ctx, this.#marks);
  }
}

const insertMoves = insertInto<StockMoveRow>('stock_moves', {
  client_id: 'text',
  at: 'integer',
  node_id: 'text',
  item_id: 'text',
  revision: 'integer',
  from_spot: 'text',
  to_spot: 'text',
  quantity: 'integer',
  cause: 'text',
  reference: 'text',
  line_number: 'text',
  reason: 'text',
  user_id: 'text',
  previous_at: 'integer',
  previous_revision: 'integer',
});

const insertMarks = insertInto<StockMoveMarkRow>('stock_move_marks', {
  client_id: 'text',
  node_id: 'text',
  item_id: 'text',
  revision: 'integer',
  at: 'integer',
});

/** Returns the next moves of an item after a revision, the oldest first, at most `limit`. */
export async function findMovesOf(
  db: Reader,
  { clientId, nodeId, itemId }: ItemAtNode,
  after: number,
  limit: number,
): Promise<StockMoveRow[]> {
  const from = (await markBehind(db, { clientId, nodeId, itemId }, after, limit)) ?? { at: null, revision: null };
  const { rows } = await sql<StockMoveRow>`
    with recursive chain as (
      select m.* from stock_levels l cross join stock_moves m
      where l.client_id = ${clientId} and l.node_id = ${nodeId} and l.item_id = ${itemId}
        and m.client_id = ${clientId} and m.at = coalesce(${from.at}, l.moved_at) and m.node_id = ${nodeId}
        and m.item_id = ${itemId} and m.revision = coalesce(${from.revision}, l.moved_revision) and m.revision > ${after}
      union all
      select m.* from chain c cross join stock_moves m
      where m.client_id = ${clientId} and m.at = c.previous_at and m.node_id = ${nodeId}
        and m.item_id = ${itemId} and m.revision = c.previous_revision and m.revision > ${after}
    )
    select * from chain order by revision limit ${limit}`.execute(db);
  return rows;
}

/**
 * Returns a mark with at least `limit` moves between the revision `after` and the mark; undefined if too few marks
 * follow the revision.
 */
function markBehind(db: Reader, { clientId, nodeId, itemId }: ItemAtNode, after: number, limit: number) {
  return db
    .selectFrom('stock_move_marks')
    .select(['at', 'revision'])
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .where('item_id', '=', itemId)
    .where('revision', '>', after)
    .orderBy('revision')
    .limit(1)
    .offset(Math.ceil(limit / MARK_EVERY))
    .executeTakeFirst();
}

/** A place of an item at a revision. */
export interface PlaceSince {
  itemId: string;
  place: string;
  revision: number;
}

interface Asked {
  line_index: number;
  item: string;
  place: string;
  since: number;
}

const ASKED: Columns<Asked> = { line_index: 'integer', item: 'text', place: 'text', since: 'integer' };

/** Units of a place since a revision. */
interface UnitsSince {
  /** Units that were moved into the place, minus the units that were moved out. */
  units: number;
  /** Units that were moved out of SHELF because they were not found for orders, minus those that were moved back. */
  notFound: number;
  /** Units of `notFound` that later moves with an excepted cause moved back to SHELF. `units` does not have them. */
  undone: number;
}

/**
 * Returns the units of each place since its revision, by index in `places`. Leaves out moves with a cause in
 * `exceptCauses`, except moves from MISSING to SHELF: these units were found, so they undo earlier moves to MISSING.
 * Units that the ledger added to the shelf before the revision and took off again since (LEDGER_BEHIND) count as moved.
 * They came back from the stage only in the ledger, and only orders of the same ticket take them off.
 */
export async function unitsMovedSince(
  { db, dialect }: { db: Reader; dialect: Ctx['dialect'] },
  { clientId, nodeId }: Pick<ItemAtNode, 'clientId' | 'nodeId'>,
  places: readonly PlaceSince[],
  exceptCauses: readonly string[],
): Promise<Map<number, UnitsSince>> {
  const asked = places.map(
    ({ itemId, place, revision }, index): Asked => ({ line_index: index, item: itemId, place, since: revision }),
  );
  // A move back from MISSING undoes only moves to MISSING that came earlier, but after the revision. `unmatched` are the
  // other units that came back. `quantity > 0` is always true. With this condition, SQLite reads the lines of the order
  // by index; otherwise it reads all lines of the client in the primary key.
  const { rows } = await sql<UnitsSince & { line_index: number }>`
    with recursive chain as (
      select a.line_index, a.since, a.place, m.item_id, m.revision, m.from_spot, m.to_spot, m.quantity, m.cause, m.reference, m.previous_at, m.previous_revision
      from ${dialect.rowsOf(asked, ASKED)} a cross join stock_levels l cross join stock_moves m
      where l.client_id = ${clientId} and l.node_id = ${nodeId} and l.item_id = a.item
        and m.client_id = ${clientId} and m.at = l.moved_at and m.node_id = ${nodeId}
        and m.item_id = a.item and m.revision = l.moved_revision and m.revision > a.since
      union all
      select c.line_index, c.since, c.place, m.item_id, m.revision, m.from_spot, m.to_spot, m.quantity, m.cause, m.reference, m.previous_at, m.previous_revision
      from chain c cross join stock_moves m
      where m.client_id = ${clientId} and m.at = c.previous_at and m.node_id = ${nodeId}
        and m.item_id = c.item_id and m.revision = c.previous_revision and m.revision > c.since
    ), moved as (
      select line_index, revision,
        case when goods or (back and not shelf) then units else 0 end as units,
        case when goods and shelf and cause <> 'MOVE' and 'MISSING' in (from_spot, to_spot) then - units else 0 end as not_found,
        case when not goods and shelf and back then units else 0 end as back,
        case when not goods and shelf and cause = 'LEDGER_BEHIND' then units else 0 end as added,
        case when not goods and shelf and cause = 'LEDGER_BEHIND' then coalesce((select t.pick_ticket_id
          from pick_ticket_lines t cross join pick_tickets p
          where t.client_id = ${clientId} and t.fulfillment_order_id = reference and t.quantity > 0 and p.client_id = ${clientId}
            and p.pick_ticket_id = t.pick_ticket_id and p.pick_ticket_type = 'PICK_TICKET' and p.outcome = 'CONFIRMED'
          order by p.closed_at limit 1), reference) end as ticket
      from (
        select chain.*, case when to_spot = place then quantity when from_spot = place then - quantity else 0 end as units,
          cause not in (${sql.join(exceptCauses)}) as goods, place = 'SHELF' as shelf, from_spot = 'MISSING' and to_spot = 'SHELF' as back
        from chain
      ) moves
    ), summed as (
      select line_index, ticket, sum(units) as units, sum(not_found) as not_found, sum(back) as back, sum(added) as added, max(unmatched) as unmatched
      from (
        select moved.*, case when back > 0 then sum(back - not_found) over (partition by line_index order by revision) else 0 end as unmatched
        from moved
      ) matched group by line_index, ticket
    )
    select line_index, cast(sum(units + case when added < 0 then added else 0 end) as bigint) as units,
      cast(sum(not_found) as bigint) as "notFound", cast(sum(back) - max(unmatched) as bigint) as undone
    from summed group by line_index`.execute(db);
  return new Map(rows.map(({ line_index, ...since }) => [line_index, since]));
}

/** Units that moves of an order line on a pick ticket took from the shelf to a spot, minus those that came back. */
export interface UnitsOfTicket {
  itemId: string;
  /** The id of the order. */
  reference: string;
  lineNumber: string;
  /** Neither SHELF nor STAGE. For COUNT, units that the ledger added to the shelf are negative. */
  spot: string;
  units: number;
}

/**
 * Returns the units that orders of a closed pick ticket took from the shelf, by item, order line and spot. Only moves
 * with a cause in `causes` count. The moves have no index by order, so this reads all moves of the items since the
 * ticket was closed.
 */
export async function unitsOfTicket(
  { db, dialect }: { db: Reader; dialect: Ctx['dialect'] },
  { clientId, nodeId }: Pick<ItemAtNode, 'clientId' | 'nodeId'>,
  pickTicketId: string,
  itemIds: readonly string[],
  causes: readonly string[],
): Promise<UnitsOfTicket[]> {
  const { rows } = await sql<UnitsOfTicket>`
    with recursive chain as (
      select p.closed_at as since, m.item_id, m.from_spot, m.to_spot, m.quantity, m.cause, m.reference, m.line_number, m.previous_at, m.previous_revision
      from ${dialect.listOf(itemIds, 'text')} a cross join pick_tickets p cross join stock_levels l cross join stock_moves m
      where p.client_id = ${clientId} and p.pick_ticket_id = ${pickTicketId}
        and l.client_id = ${clientId} and l.node_id = ${nodeId} and l.item_id = a.value
        and m.client_id = ${clientId} and m.at = l.moved_at and m.node_id = ${nodeId}
        and m.item_id = a.value and m.revision = l.moved_revision and m.at >= p.closed_at
      union all
      select c.since, m.item_id, m.from_spot, m.to_spot, m.quantity, m.cause, m.reference, m.line_number, m.previous_at, m.previous_revision
      from chain c cross join stock_moves m
      where m.client_id = ${clientId} and m.at = c.previous_at and m.node_id = ${nodeId}
        and m.item_id = c.item_id and m.revision = c.previous_revision and m.at >= c.since
    )
    select item_id as "itemId", reference, line_number as "lineNumber", spot, cast(sum(units) as bigint) as units from (
      select chain.*, case when from_spot = 'SHELF' then to_spot else from_spot end as spot,
        case when from_spot = 'SHELF' then quantity else - quantity end as units
      from chain where cause in (${sql.join(causes)}) and 'SHELF' in (from_spot, to_spot) and 'STAGE' not in (from_spot, to_spot)
        and reference in (select fulfillment_order_id from pick_ticket_lines where client_id = ${clientId} and pick_ticket_id = ${pickTicketId})
    ) moved group by item_id, reference, line_number, spot order by item_id, reference, line_number, spot`.execute(db);
  return rows;
}
