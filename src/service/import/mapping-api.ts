/**
 * The types of an import mapping, for authors of mappings: `import type { Mapping } from 'backroom-fulfillment/mapping'`.
 * This file imports nothing, so that the package can ship its declarations as one file. See docs/importing.md.
 */

/** Types of fulfillment orders. */
export type FulfillmentType = 'STORE_PICK_UP' | 'SHIP_TO_HOME' | 'SHIP_TO_STORE' | 'ASSOCIATE_DELIVERY';

/** Why a row is refused: a code to count by, and a sentence. */
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
  /** Of the store given with `--store`; else undefined. */
  storeId: string | undefined;
  currency: string | undefined;
  /** The store's catalog, else the client's first. */
  catalogId: string;
  /** Nodes of the client, sorted by nodeId. */
  nodes: readonly MappedNode[];
}

/** `Row` is the object of a row: CSV columns as texts, or the JSON value. The functions are pure: same rows, same result. */
export interface Mapping<Row = Record<string, string>> {
  kind: 'items' | 'orders' | 'nodes' | 'node-items' | 'users' | 'inbound' | 'stock';
  /**
   * Rows that follow each other and have the same group make one message; without it each row makes one. For orders, line
   * n of the message must be row n of the group, so that an error of a line refuses its row alone and the rest goes in. A
   * shipment (inbound) goes in as a whole or not at all.
   */
  group?: (row: Row) => string;
  /** Why a row is refused by itself; the first reason is the one that is counted. `first` is the first row of its group. */
  refuse?: (row: Row, first: Row) => readonly Reason[];
  /** The message of the rows that were not refused; at least one. An error that it throws refuses them. */
  build: (rows: readonly Row[], context: MappingContext) => unknown;
  /**
   * Items that exist already: `replace` (default) overwrites them, `fill` only adds fields they lack, so that the first
   * row with a value decides.
   */
  existing?: 'replace' | 'fill';
  /** Orders: names of the columns (JSON: fields) that hold PINs, so that reject files have them sealed; default: `pinNumber`. */
  secrets?: readonly string[];
}
