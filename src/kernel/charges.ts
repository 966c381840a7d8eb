/**
 * Charges units that are shipped, handed over or delivered. An order and the orders re-sourced from it are one chain.
 * The first order of the chain that charges units also charges the once-only amounts: the amounts of the order as a
 * whole (docs/api.md#money).
 */
import { Big } from 'big.js';
import type { Ctx, ReadCtx } from '../platform/ctx.ts';
import { big, decimalText, sumOf } from '../platform/decimal.ts';
import { parseJson, stringifyJson } from '../platform/message/json.ts';
import type { Reader } from '../platform/storage/db.ts';
import { changeOf, statement } from '../platform/storage/statement.ts';
import type { FulfillmentOrderRow, OrderChargeRow } from '../platform/storage/tables.ts';
import { type Amounts, amountsOf, type Dues, type ItemTotal, type OrderTotal } from './money.ts';
import { lockOrders } from './orders.ts';
import type { GoingUnits } from './plan.ts';

declare module '../platform/json-column.ts' {
  interface Shapes {
    Charged: Charged;
  }
}

/** A charge, in the form in which it is stored and shown. */
export interface Charged {
  orderTotal: OrderTotal;
  items: { webLineId: string; quantity: number; itemTotal: ItemTotal }[];
}

type ChargeRow = Pick<
  OrderChargeRow,
  'position' | 'fulfillment_order_id' | 'with_header' | 'cash_on_delivery' | 'grand_total'
>;

/** A chain: its first order, whose row has the once-only amounts, and its charges so far. */
interface Chain {
  first: FulfillmentOrderRow;
  charges: readonly ChargeRow[];
}

/** Returns the chain of an order. */
export async function findChain(db: Reader, order: FulfillmentOrderRow): Promise<Chain> {
  const first = await findFirst(db, order);
  return { first, charges: await findCharges(db, first) };
}

/** Returns the once-only amounts that the chain has not charged yet. */
export function duesOf({ first, charges }: Chain): Dues {
  const isCharged = charges.some((charge) => charge.with_header === 1);
  const collected = sumOf(charges.map((charge) => charge.cash_on_delivery));
  const total = sumOf(charges.map((charge) => charge.grand_total ?? charge.cash_on_delivery));
  const balance = total.minus(collected);
  return {
    charges: isCharged ? '0' : first.header_charges,
    tax: isCharged ? '0' : first.header_tax,
    cash: first.cash_on_delivery === null ? null : big(first.cash_on_delivery).minus(collected),
    credit: balance.lt(0) ? balance : new Big(0),
  };
}

/**
 * Returns the once-only amounts that a shipped order charged. For an order that is not shipped, returns the amounts
 * that are due now.
 */
export function shippingDuesOf(chain: Chain, order: FulfillmentOrderRow): Dues {
  const own = chain.charges.find((charge) => charge.fulfillment_order_id === order.fulfillment_order_id);
  if (own === undefined) return duesOf(chain);
  const { first } = chain;
  return {
    charges: own.with_header === 1 ? first.header_charges : '0',
    tax: own.with_header === 1 ? first.header_tax : '0',
    cash: first.cash_on_delivery === null ? null : big(own.cash_on_delivery),
    credit: new Big(0),
  };
}

/**
 * Charges the units of a locked order that are shipped, handed over or delivered. Returns the written charge, or
 * undefined without such units. The first order of the chain is locked after the order itself, so that only one of two
 * concurrent orders charges the once-only amounts.
 */
export async function chargeUnits(
  ctx: Pick<Ctx, 'db' | 'dialect' | 'now'>,
  order: FulfillmentOrderRow,
  parts: readonly GoingUnits[],
  handOverId: string | null,
): Promise<Charged | undefined> {
  if (parts.every(({ units }) => units === 0)) return undefined;
  const first = await lockFirst(ctx, order);
  const charges = await findCharges(ctx.db, first);
  const amounts = amountsOf(parts, duesOf({ first, charges }), order.currency);
  const charged = chargedOf(parts, amounts);
  await insertCharge(
    ctx.db,
    {},
    {
      client_id: order.client_id,
      chain_id: first.fulfillment_order_id,
      position: charges.length + 1,
      fulfillment_order_id: order.fulfillment_order_id,
      hand_over_id: handOverId,
      with_header: charges.some((charge) => charge.with_header === 1) ? 0 : 1,
      cash_on_delivery: decimalText(amounts.total.cashOnDelivery ?? 0),
      grand_total: decimalText(amounts.total.grandTotal),
      amounts: stringifyJson(charged),
      at: ctx.now,
    },
  );
  return charged;
}

/** Returns the charges of an order with amounts, the oldest first. Charges of earlier releases can lack amounts. */
export async function findCharged(
  db: Reader,
  order: FulfillmentOrderRow,
): Promise<(Charged & { handOverId: string | null; at: number })[]> {
  const { fulfillment_order_id: chainId } = await findFirst(db, order);
  const rows = await selectAmounts(db, { ...keyOf(order), chainId });
  return rows.map((row) => ({ ...parseJson(row.amounts!), handOverId: row.hand_over_id, at: row.at }));
}

function chargedOf(parts: readonly GoingUnits[], { items, total }: Amounts): Charged {
  const going = parts.map(({ line, units }, index) => ({
    webLineId: line.web_line_id,
    quantity: units,
    itemTotal: items[index]!,
  }));
  return { orderTotal: total, items: going.filter(({ quantity }) => quantity > 0) };
}

/** Returns the first order of the chain. */
async function findFirst(db: Reader, order: FulfillmentOrderRow): Promise<FulfillmentOrderRow> {
  let first = order;
  while (first.resourced_from !== null) {
    const [from] = await selectOrder(db, { clientId: order.client_id, orderId: first.resourced_from });
    first = from!;
  }
  return first;
}

async function lockFirst(
  ctx: Pick<ReadCtx, 'dialect'> & Pick<Ctx, 'db'>,
  order: FulfillmentOrderRow,
): Promise<FulfillmentOrderRow> {
  if (order.resourced_from === null) return order;
  const { fulfillment_order_id: id } = await findFirst(ctx.db, order);
  const [first] = await lockOrders(ctx, order.client_id, [id]);
  return first!;
}

function findCharges(db: Reader, first: FulfillmentOrderRow): Promise<ChargeRow[]> {
  return selectCharges(db, { clientId: first.client_id, chainId: first.fulfillment_order_id });
}

function keyOf(order: FulfillmentOrderRow) {
  return { clientId: order.client_id, orderId: order.fulfillment_order_id };
}

const selectOrder = statement((db, { clientId, orderId }: { clientId: string; orderId: string }) =>
  db
    .selectFrom('fulfillment_orders')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('fulfillment_order_id', '=', orderId),
);

const selectCharges = statement((db, { clientId, chainId }: { clientId: string; chainId: string }) =>
  db
    .selectFrom('order_charges')
    .select(['position', 'fulfillment_order_id', 'with_header', 'cash_on_delivery', 'grand_total'])
    .where('client_id', '=', clientId)
    .where('chain_id', '=', chainId)
    .orderBy('position'),
);

const selectAmounts = statement(
  (db, { clientId, chainId, orderId }: { clientId: string; chainId: string; orderId: string }) =>
    db
      .selectFrom('order_charges')
      .select(['hand_over_id', 'amounts', 'at'])
      .where('client_id', '=', clientId)
      .where('chain_id', '=', chainId)
      .where('fulfillment_order_id', '=', orderId)
      .where('amounts', 'is not', null)
      .orderBy('position'),
);

const insertCharge = changeOf((db, _none: object, row: OrderChargeRow) => db.insertInto('order_charges').values(row));
