/**
 * The types of an import mapping, for authors of mappings: `import type { Mapping } from 'backroom-fulfillment/mapping'`.
 * This file imports nothing, so that the package can ship its declarations as one file. See docs/importing.md.
 */

/** Types of fulfillment orders. */
export type FulfillmentType = 'STORE_PICK_UP' | 'SHIP_TO_HOME' | 'SHIP_TO_STORE' | 'ASSOCIATE_DELIVERY';

/** Reason for the rejection of a row: a code that is counted, and a sentence. */
export interface Reason {
  code: string;
  message: string;
}

/** A node as a mapping sees it. */
export interface MappedNode {
  nodeId: string;
  name: string;
  nodeType: 'STORE' | 'WAREHOUSE';
  address: {
    line1: string;
    line2?: string;
    city: string;
    mainDivisionCode?: string;
    postalCode: string;
    countryCode: string;
  };
  phone: string;
  fulfillmentTypes: FulfillmentType[];
}

/** The installation as a mapping sees it. It is read once, before the first row. */
export interface MappingContext {
  clientId: string;
  /** The store given with `--store`; undefined without it, as is its currency. */
  storeId: string | undefined;
  currency: string | undefined;
  /** The catalog of the store; without a store, the first one of the client. */
  catalogId: string;
  /** Nodes of the client, sorted by nodeId. */
  nodes: readonly MappedNode[];
}

/** `Row` is the object of a row: CSV columns as texts, or the JSON value. The functions are pure: same rows, same result. */
export interface Mapping<Row = Record<string, string>> {
  kind: 'items' | 'orders' | 'nodes' | 'node-items' | 'users' | 'inbound' | 'stock';
  /**
   * Consecutive rows with the same group make one message; without `group`, each row makes one. For orders, line n of the message
   * must be row n of the group, so that an error of a line rejects only its row and the other rows are imported. A shipment
   * (inbound) is imported as a whole or not at all.
   */
  group?: (row: Row) => string;
  /** The reasons to reject a row alone; the first reason is counted. `first` is the first row of its group. */
  refuse?: (row: Row, first: Row) => readonly Reason[];
  /** Returns the message of the rows that were not rejected, at least one. If it throws an error, these rows are rejected. */
  build: (rows: readonly Row[], context: MappingContext) => unknown;
  /**
   * Items that exist already: `replace` (default) overwrites them, `fill` only adds missing fields, so the first row with a value
   * counts.
   */
  existing?: 'replace' | 'fill';
  /** Orders: names of the columns (JSON: fields) with PINs, which reject files contain sealed; default: `pinNumber`. */
  secrets?: readonly string[];
}
