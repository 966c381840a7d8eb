/**
 * Parts that the mappings of items and orders share: the columns of the retailer's lines, and which lines are goods.
 */
import { createHash } from 'node:crypto';
import type { Reason } from 'backroom-fulfillment/mapping';

/** Columns of the CSV. */
export interface InvoiceLine {
  InvoiceNo: string;
  StockCode: string;
  Description: string;
  Quantity: string;
  /** `YYYY-MM-DD hh:mm:ss`, London time. */
  InvoiceDate: string;
  /** Pounds sterling. */
  UnitPrice: string;
  CustomerID: string;
  Country: string;
}

/**
 * Stock codes of postage, fees, discounts, samples and vouchers. Every other code is a good, including `DCGS0076` and
 * `PADS`.
 */
const NOT_GOODS = /^(?:POST|DOT|C2|D|M|m|S|B|BANK CHARGES|AMAZONFEE|CRUK|gift_.*)$/;

export function isGood(code: string): boolean {
  return code !== '' && !NOT_GOODS.test(code);
}

export function notGoods(code: string): Reason {
  const message = code === '' ? 'the line has no stock code' : `${code} is no good that could be picked`;
  return { code: 'NOT_GOODS', message };
}

/** Returns a number of 32 bits that depends only on the text. */
export function hash(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}

/** Returns an element of a list, chosen by the hash of a text. */
export function oneBy<T>(text: string, list: readonly T[]): T {
  return list[hash(text) % list.length]!;
}
