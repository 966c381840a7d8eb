/** Records stock moves as transactions that an ERP system posts (docs/stock.md#for-your-erp-system). */
import { insertInto } from '../platform/storage/insert.ts';
import { change, statement } from '../platform/storage/statement.ts';
import type { StockTransactionRow } from '../platform/storage/tables.ts';
import { settingsOf } from '../shared/client-settings.ts';
import { isPlace, STOCK_CAUSE, type StockCtx, type StockMove, type StockNode, type StockSpot } from './stock-terms.ts';

/** Every type, in the order of the table of docs/stock.md. */
export const TRANSACTION_TYPES = [31, 41, 42, 51, 61, 71, 72, 73, 81, 82] as const;
type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** Types that are always recorded; the other types need the client's setting `stock.transactions` ALL. */
const STANDARD: readonly TransactionType[] = [31, 51, 61, 71];

interface Transaction {
  move: StockMove;
  type: TransactionType;
  /** Number of units, with its sign. */
  quantity: number;
}

/** Records the transactions of moves at a node that keeps stock. */
export async function bookMoves(ctx: StockCtx, node: StockNode, moves: readonly StockMove[]): Promise<void> {
  const made = moves.flatMap(transactionsOf);
  const isAll = made.every(({ type }) => STANDARD.includes(type)) || (await recordsAll(ctx, node));
  await append(ctx, node, isAll ? made : made.filter(({ type }) => STANDARD.includes(type)));
}

/** Records only the receipts (31) among the moves, for a node that keeps no stock. */
export async function bookReceipts(ctx: StockCtx, node: StockNode, moves: readonly StockMove[]): Promise<void> {
  await append(
    ctx,
    node,
    moves.flatMap(transactionsOf).filter(({ type }) => type === 31),
  );
}

function transactionsOf(move: StockMove): Transaction[] {
  const { from, to, quantity } = move;
  if (isPlace(from) && isPlace(to)) {
    const type = lossOf(from, to);
    const isBack = type === 81 ? to !== 'DAMAGED' : to !== 'MISSING';
    return type === undefined ? [] : [{ move, type, quantity: isBack ? quantity : -quantity }];
  }
  const outside = isPlace(from) ? to : from;
  const signed = isPlace(from) ? -quantity : quantity;
  const outer = { move, type: outerType(move, outside), quantity: signed };
  // The return of a damaged unit has two transactions: the unit comes back (41) and is damaged (81).
  const isDamaged = outside === 'CUSTOMER' && (from === 'DAMAGED' || to === 'DAMAGED');
  return isDamaged ? [outer, { move, type: 81, quantity: -signed }] : [outer];
}

/**
 * Returns the type of a move within the node. It is undefined for a move between two places that are neither DAMAGED
 * nor MISSING.
 */
function lossOf(from: StockSpot, to: StockSpot): 81 | 82 | undefined {
  if (from === 'DAMAGED' || to === 'DAMAGED') return 81;
  return from === 'MISSING' || to === 'MISSING' ? 82 : undefined;
}

function outerType({ cause }: StockMove, outside: StockSpot): TransactionType {
  const isByHand = cause === STOCK_CAUSE.MOVE || cause === STOCK_CAUSE.RETURN_DISPOSED;
  switch (outside) {
    case 'SUPPLIER':
      return isByHand ? 51 : 31;
    case 'CUSTOMER':
      return 41;
    case 'CARRIER':
      return 42;
    case 'OPENING':
      return 73;
    default:
      return isByHand ? 61 : cause === STOCK_CAUSE.LEDGER_BEHIND ? 72 : 71;
  }
}

async function recordsAll({ db }: StockCtx, { clientId }: StockNode): Promise<boolean> {
  const [client] = await selectSettings(db, { clientId });
  return settingsOf(client!).stock.transactions === 'ALL';
}

const selectSettings = statement((db, { clientId }: Pick<StockNode, 'clientId'>) =>
  db.selectFrom('clients').select('settings').where('client_id', '=', clientId),
);

async function append(ctx: StockCtx, node: StockNode, made: readonly Transaction[]): Promise<void> {
  if (made.length === 0) return;
  const { rows } = await advanceHead(ctx.db, { ...node, more: made.length });
  const first = rows[0]!.sequence - made.length + 1;
  await insertRows(
    ctx,
    made.map(
      ({ move, type, quantity }, index): StockTransactionRow => ({
        client_id: node.clientId,
        node_id: node.nodeId,
        sequence: first + index,
        type,
        item_id: move.itemId,
        quantity,
        reference: move.reference,
        line_number: move.lineNumber ?? null,
        at: ctx.now,
        from_spot: move.from,
        to_spot: move.to,
        user_id: move.userId,
        reason: move.reason ?? null,
        seller_id: move.receipt?.sellerId || null,
        receipt_id: move.receipt?.receiptId ?? null,
        item_cost: move.receipt?.itemCost ?? null,
      }),
    ),
  );
}

const advanceHead = change((db, { clientId, nodeId, more }: StockNode & { more: number }) =>
  db
    .insertInto('stock_heads')
    .values({ client_id: clientId, node_id: nodeId, sequence: more, gone: 0 })
    .onConflict((on) =>
      on
        .columns(['client_id', 'node_id'])
        .doUpdateSet((eb) => ({ sequence: eb('stock_heads.sequence', '+', eb.ref('excluded.sequence')) })),
    )
    .returning('sequence'),
);

const insertRows = insertInto<StockTransactionRow>('stock_transactions', {
  client_id: 'text',
  node_id: 'text',
  sequence: 'integer',
  type: 'integer',
  item_id: 'text',
  quantity: 'integer',
  reference: 'text',
  line_number: 'text',
  at: 'integer',
  from_spot: 'text',
  to_spot: 'text',
  user_id: 'text',
  reason: 'text',
  seller_id: 'text',
  receipt_id: 'text',
  item_cost: 'text',
});
