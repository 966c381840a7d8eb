/** Finds and locks returns and their orders, and reads the rows that a plan needs. */
import type { Ctx, ReadCtx } from '../../platform/ctx.ts';
import { readJson } from '../../platform/json-column.ts';
import { parseJson } from '../../platform/message/json.ts';
import type { Reader } from '../../platform/storage/db.ts';
import type { BoundText, Dialect } from '../../platform/storage/dialect.ts';
import { statement } from '../../platform/storage/statement.ts';
import type {
  FulfillmentOrderRow,
  OrderChargeRow,
  RefundRow,
  ReturnHeldRow,
  ReturnLineRow,
  ReturnReceiptRow,
  ReturnRow,
} from '../../platform/storage/tables.ts';
import { numberWithoutIndex, textWithoutIndex } from '../../platform/storage/without-index.ts';
import { settingsOf } from '../../shared/client-settings.ts';
import { type ReturnSettings, returnsOfStore } from '../../shared/return-settings.ts';
import { type Charged, findChain } from '../charges.ts';
import { findLines, lockOrders } from '../orders.ts';
import type { ChargeFact, OrderFacts } from './action.ts';
import { cameOf } from './draft.ts';
import { commandScope } from './scopes.ts';

type SubjectCtx = Pick<ReadCtx, 'db' | 'dialect'>;

interface OfReturn {
  clientId: string;
  returnId: string;
}

/** Selects the returns with units of an order. */
export function selectReturnsOf(db: Reader, clientId: string, orderId: string) {
  return db
    .selectFrom('returns')
    .where('client_id', '=', clientId)
    .where('return_id', 'in', (eb) =>
      eb
        .selectFrom('return_lines')
        .select('return_lines.return_id')
        .where('return_lines.client_id', '=', clientId)
        .where('return_lines.fulfillment_order_id', '=', orderId),
    );
}

/** Returns a return by its id, or undefined. */
export async function findReturn(db: Reader, of: OfReturn): Promise<ReturnRow | undefined> {
  const [row] = await selectReturn(db, of);
  return row;
}

const selectReturn = statement((db, { clientId, returnId }: OfReturn) =>
  db.selectFrom('returns').selectAll().where('client_id', '=', clientId).where('return_id', '=', returnId),
);

/** Returns a return of a store by its number, or undefined. */
export async function findNumbered(
  db: Reader,
  of: { clientId: string; storeId: string; number: string },
): Promise<ReturnRow | undefined> {
  const [row] = await selectNumbered(db, of);
  return row;
}

const selectNumbered = statement(
  (db, { clientId, storeId, number }: { clientId: string; storeId: string; number: string }) =>
    db
      .selectFrom('returns')
      .selectAll()
      .where('client_id', '=', clientId)
      .where('store_id', '=', storeId)
      .where('number', '=', number),
);

const selectLocked = statement((db, { clientId, returnId }: OfReturn, dialect) =>
  db
    .selectFrom('returns')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('return_id', '=', returnId)
    .modifyEnd(dialect.forUpdate),
);

/** Returns the lines of a return, in their order. */
export function findReturnLines(db: Reader, row: Pick<ReturnRow, 'client_id' | 'return_id'>): Promise<ReturnLineRow[]> {
  return selectReturnLines(db, { clientId: row.client_id, returnId: row.return_id });
}

const selectReturnLines = statement((db, { clientId, returnId }: OfReturn) =>
  db
    .selectFrom('return_lines')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('return_id', '=', returnId)
    .orderBy('position'),
);

/** Returns the receipts of a return in their order, except the receipt with the id `exceptId`. */
export function findReceipts(
  db: Reader,
  row: Pick<ReturnRow, 'client_id' | 'return_id'>,
  exceptId = '',
): Promise<ReturnReceiptRow[]> {
  return selectReceipts(db, { clientId: row.client_id, returnId: row.return_id, exceptId });
}

const selectReceipts = statement((db, { clientId, returnId, exceptId }: OfReturn & { exceptId: string }) =>
  db
    .selectFrom('return_receipts')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('return_id', '=', returnId)
    .where('receipt_id', '<>', exceptId)
    .orderBy('position'),
);

/** Returns a receipt of a return by its id, or undefined. */
export async function findReceipt(
  db: Reader,
  row: Pick<ReturnRow, 'client_id' | 'return_id'>,
  receiptId: string,
): Promise<ReturnReceiptRow | undefined> {
  const [receipt] = await selectReceipt(db, { clientId: row.client_id, returnId: row.return_id, receiptId });
  return receipt;
}

const selectReceipt = statement((db, { clientId, returnId, receiptId }: OfReturn & { receiptId: string }) =>
  db
    .selectFrom('return_receipts')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('return_id', '=', returnId)
    .where('receipt_id', '=', receiptId),
);

/** Whether a return was closed at least once. A reopened return has no other trace of its close than the command. */
export async function wasClosed(db: Reader, row: Pick<ReturnRow, 'client_id' | 'return_id'>): Promise<boolean> {
  const scope = commandScope(row.return_id, 'close');
  return (await selectCommands(db, { clientId: row.client_id, scope })).length > 0;
}

const selectCommands = statement((db, { clientId, scope }: { clientId: string; scope: string }) =>
  db.selectFrom('commands').select('at').where('client_id', '=', clientId).where('scope', '=', scope).limit(1),
);

/** Returns the held units of a return. */
export function findHeld(db: Reader, row: Pick<ReturnRow, 'client_id' | 'return_id'>): Promise<ReturnHeldRow[]> {
  return selectHeld(db, { clientId: row.client_id, returnId: row.return_id });
}

const selectHeld = statement((db, { clientId, returnId }: OfReturn) =>
  db
    .selectFrom('return_held')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('return_id', '=', returnId)
    .orderBy('position')
    .orderBy('node_id'),
);

/** A locked return with its lines and its locked orders. */
export interface Locked {
  row: ReturnRow;
  lines: ReturnLineRow[];
  orders: FulfillmentOrderRow[];
}

/**
 * Locks the orders of the return and the orders `moreIds`, sorted by id, and then the return. Returns undefined if the
 * return no longer exists.
 */
export async function lockReturn(
  ctx: Pick<Ctx, 'db' | 'dialect'>,
  found: ReturnRow,
  moreIds: readonly string[] = [],
): Promise<Locked | undefined> {
  const of = { clientId: found.client_id, returnId: found.return_id };
  let lines = await findReturnLines(ctx.db, found);
  for (;;) {
    const ids = [...new Set([...ordersOf(lines), ...moreIds])];
    const orders = ids.length === 0 ? [] : await lockOrders(ctx, found.client_id, ids);
    const [row] = await selectLocked(ctx.db, of);
    if (row === undefined) return undefined;
    // SQLite has one writer, so nothing has changed since the search.
    if (ctx.dialect.engine === 'sqlite') return { row, lines, orders };
    lines = await findReturnLines(ctx.db, found);
    if (ordersOf(lines).every((id) => ids.includes(id))) return { row, lines, orders };
  }
}

/** Returns the distinct order ids of lines. */
export function ordersOf(lines: readonly Pick<ReturnLineRow, 'fulfillment_order_id'>[]): string[] {
  return [...new Set(lines.flatMap((line) => line.fulfillment_order_id ?? []))];
}

/**
 * Reads the facts of orders, without the units of the return `exceptReturnId`: the caller's draft already has these
 * units. `lock` also locks the refunds, so that no concurrent change of a refund is lost.
 */
export async function readFacts(
  ctx: SubjectCtx,
  clientId: string,
  orders: readonly FulfillmentOrderRow[],
  { exceptReturnId = '', lock = false }: { exceptReturnId?: string; lock?: boolean } = {},
): Promise<Map<string, OrderFacts>> {
  if (orders.length === 0) return new Map();
  const ids = orders.map((order) => order.fulfillment_order_id);
  const of = { clientId, orderIds: ctx.dialect.listText(ids) };
  const byOrder = <T extends { fulfillment_order_id: string | null }>(rows: readonly T[]) =>
    Map.groupBy(rows, (row) => row.fulfillment_order_id);
  const lines = byOrder(await findLines(ctx, clientId, ids));
  const charges = byOrder(await selectCharges(ctx.db, of));
  const returned = byOrder(await selectReturned(ctx.db, { ...of, exceptReturnId }));
  const refunds = byOrder(await (lock ? selectRefundsToLock : selectRefunds)(ctx.db, of));
  const fees = byOrder(await selectFees(ctx.db, of));
  const facts = new Map<string, OrderFacts>();
  for (const order of orders) {
    const id = order.fulfillment_order_id;
    const own = charges.get(id) ?? [];
    const isComputed = own.some((row) => row.amounts === null && row.with_header === 1);
    const first = isComputed ? (await findChain(ctx.db, order)).first : order;
    facts.set(id, {
      order,
      lines: lines.get(id) ?? [],
      charges: own.map(chargeFact),
      header: { charges: first.header_charges, tax: first.header_tax },
      returned: (returned.get(id) ?? []).map((row) => ({
        returnId: row.return_id,
        isCounted: row.counted === 1,
        isOpen: row.status === 'RECEIVING',
        lineIndex: row.line_index!,
        units: cameOf(row),
      })),
      refunds: refunds.get(id) ?? [],
      fees: fees.get(id) ?? [],
    });
  }
  return facts;
}

/**
 * Amounts are parsed when they are used: most receipts need no amounts, and parsing the amounts of an order with 1,000
 * lines takes milliseconds.
 */
function chargeFact(row: Pick<OrderChargeRow, 'at' | 'with_header' | 'cash_on_delivery' | 'grand_total' | 'amounts'>) {
  let amounts: Charged | undefined;
  const fact: ChargeFact = {
    at: row.at,
    hasHeader: row.with_header === 1,
    cash: row.cash_on_delivery,
    grandTotal: row.grand_total,
    get amounts() {
      if (row.amounts !== null) amounts ??= parseJson(row.amounts);
      return amounts;
    },
  };
  return fact;
}

interface ByOrders {
  clientId: string;
  orderIds: BoundText;
}

const selectCharges = statement((db, { clientId, orderIds }: ByOrders, dialect) =>
  db
    .selectFrom('order_charges')
    .select(['fulfillment_order_id', 'at', 'with_header', 'cash_on_delivery', 'grand_total', 'amounts'])
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', 'in', dialect.listOf<string>(orderIds, 'text'))
    // This expression is in no index. With the plain column, SQLite reads all charges of the client to sort them.
    .orderBy(textWithoutIndex('chain_id'))
    .orderBy('position'),
);

type Returned = ByOrders & { exceptReturnId: string };

const selectReturned = statement((db, { clientId, orderIds, exceptReturnId }: Returned, dialect) =>
  db
    .selectFrom('return_lines as line')
    .innerJoin('returns', (join) =>
      join.onRef('returns.client_id', '=', 'line.client_id').onRef('returns.return_id', '=', 'line.return_id'),
    )
    .select([
      'line.fulfillment_order_id',
      'line.return_id',
      'line.line_index',
      'line.sellable',
      'line.damaged',
      'line.held',
      'returns.counted',
      'returns.status',
    ])
    .where('line.client_id', '=', clientId)
    .where('line.fulfillment_order_id', 'in', dialect.listOf<string>(orderIds, 'text'))
    .where('line.return_id', '<>', exceptReturnId),
);

function refundsOfOrders(db: Reader, { clientId, orderIds }: ByOrders, dialect: Dialect) {
  return db
    .selectFrom('refunds')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', 'in', dialect.listOf<string>(orderIds, 'text'))
    .orderBy('fulfillment_order_id')
    .orderBy('position');
}

const selectRefunds = statement(refundsOfOrders);
const selectRefundsToLock = statement((db, of: ByOrders, dialect) =>
  refundsOfOrders(db, of, dialect).modifyEnd(dialect.forUpdate),
);

const selectFees = statement((db, { clientId, orderIds }: ByOrders, dialect) =>
  db
    .selectFrom('return_fees')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', 'in', dialect.listOf<string>(orderIds, 'text')),
);

/** Returns the refunds of a return, the oldest first. */
export function findRefunds(db: Reader, row: Pick<ReturnRow, 'client_id' | 'return_id'>): Promise<RefundRow[]> {
  return selectRefundsOfReturn(db, { clientId: row.client_id, returnId: row.return_id });
}

const selectRefundsOfReturn = statement((db, { clientId, returnId }: OfReturn) =>
  db
    .selectFrom('refunds')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('return_id', '=', returnId)
    // This expression is in no index. With the plain column, SQLite reads all refunds of the client to sort them.
    .orderBy(numberWithoutIndex('due_at'))
    .orderBy('fulfillment_order_id')
    .orderBy('position'),
);

/** Returns the return settings of a store, and the number of days after which the client's orders are anonymized. */
export async function findReturnSettings(
  db: Reader,
  of: { clientId: string; storeId: string },
): Promise<{ settings: ReturnSettings; blankAfterDays: number }> {
  const [row] = await selectSettings(db, of);
  const client = settingsOf(row!);
  const own = row!.returns === null ? null : readJson(row!.returns);
  return { settings: returnsOfStore(client.returns, own), blankAfterDays: client.blankAfterDays };
}

const selectSettings = statement((db, { clientId, storeId }: { clientId: string; storeId: string }) =>
  db
    .selectFrom('stores')
    .innerJoin('clients', 'clients.client_id', 'stores.client_id')
    .select(['clients.settings', 'stores.returns'])
    .where('stores.client_id', '=', clientId)
    .where('stores.store_id', '=', storeId),
);
