/** Units at a node. */

/** Units of an item at a node. */
export interface StockLevelRow {
  client_id: string;
  node_id: string;
  item_id: string;
  shelf: number;
  staged: number;
  damaged: number;
  held: number;
  missing: number;
  /** Units that are promised to orders. */
  reserved: number;
  /** Staged units that belong to no order; negative: orders hold more than there is. */
  loose: number;
  revision: number;
  /** Its last move, and how many there were. */
  moved_at: number | null;
  moved_revision: number | null;
  moves: number;
  /** Its first count since the node keeps stock; null: none yet. */
  opened_at: number | null;
  counted_at: number | null;
  wanted_since: number | null;
  wanted_cause: string | null;
  updated_at: number;
  /** JSON of units by place: opening stock that was imported since the node keeps stock; null: none. */
  openings: string | null;
}

export interface StockMoveRow {
  client_id: string;
  /** Not before that of the move before it. */
  at: number;
  node_id: string;
  item_id: string;
  /** Revision of the level after the move. */
  revision: number;
  from_spot: string;
  to_spot: string;
  quantity: number;
  cause: string;
  reference: string;
  line_number: string | null;
  reason: string | null;
  user_id: string;
  /** The move before it of the same item; null: it was the first. */
  previous_at: number | null;
  previous_revision: number | null;
}

/** Every 64th move of an item. */
export interface StockMoveMarkRow {
  client_id: string;
  node_id: string;
  item_id: string;
  revision: number;
  at: number;
}

export interface StockTransactionRow {
  client_id: string;
  node_id: string;
  sequence: number;
  type: 31 | 51 | 61 | 71;
  item_id: string;
  /** Signed. */
  quantity: number;
  reference: string;
  line_number: string | null;
  at: number;
}

interface StockHeadRow {
  client_id: string;
  node_id: string;
  sequence: number;
  /** Transactions up to this number are gone. */
  gone: number;
}

/** Units that moves brought which are gone. */
export interface StockCarriedRow {
  client_id: string;
  node_id: string;
  item_id: string;
  shelf: number;
  staged: number;
  damaged: number;
  held: number;
  missing: number;
  /** Of the last move that is gone. */
  revision: number;
}

export interface StockCountRow {
  client_id: string;
  node_id: string;
  count_id: string;
  state: 'POSTED' | 'WAITING';
  user_id: string;
  at: number;
  approved_by: string | null;
  approved_at: number | null;
}

export interface StockCountLineRow {
  client_id: string;
  node_id: string;
  count_id: string;
  line_index: number;
  item_id: string;
  place: string;
  counted: number;
  revision: number;
  state: 'POSTED' | 'WAITING';
  difference: number;
}

export interface StockTables {
  stock_levels: StockLevelRow;
  stock_moves: StockMoveRow;
  stock_move_marks: StockMoveMarkRow;
  stock_transactions: StockTransactionRow;
  stock_heads: StockHeadRow;
  stock_carried: StockCarriedRow;
  stock_counts: StockCountRow;
  stock_count_lines: StockCountLineRow;
}
