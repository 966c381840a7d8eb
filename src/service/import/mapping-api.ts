/**
 * The types of an import mapping, for authors of mappings: `import type { Mapping } from
 * 'backroom-fulfillment/mapping'`. This file imports nothing, so that the package can ship its declarations as one
 * file. See docs/importing.md.
 */

/** Types of fulfillment orders. */
export type FulfillmentType = 'STORE_PICK_UP' | 'SHIP_TO_HOME' | 'SHIP_TO_STORE' | 'ASSOCIATE_DELIVERY';

/** The reason for the rejection of a row: a code, by which rejections are counted, and a sentence. */
export interface Reason {
  code: string;
  message: string;
}

/** A node in the form that mappings get. */
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

/** Data of the installation for mappings. It is read once, before the first row. */
export interface MappingContext {
  clientId: string;
  /** The store of the option `--store`. Without the option, `storeId` and `currency` are undefined. */
  storeId: string | undefined;
  currency: string | undefined;
  /** The catalog of the store; without a store, the first catalog of the client. */
  catalogId: string;
  /** Nodes of the client, sorted by nodeId. */
  nodes: readonly MappedNode[];
}

/**
 * `Row` is the object of a row: CSV columns as texts, or the JSON value. The functions must be pure: the same rows
 * always give the same result.
 */
export interface Mapping<Row = Record<string, string>> {
  kind: 'items' | 'orders' | 'nodes' | 'node-items' | 'users' | 'inbound' | 'stock';
  /**
   * Returns the group of a row. Consecutive rows with the same group make one message, of at most 10,000 rows except
   * for shipments. Without `group`, each row makes one message. For orders, line n of the message must be row n of the
   * group: then an error of a line rejects only its row. A shipment (inbound) is imported as a whole or not at all.
   */
  group?: (row: Row) => string;
  /**
   * Returns the reasons to reject `row`; an empty list accepts it. The first reason is counted. `first` is the first
   * row of the group. A shipment (inbound) with a rejected row is rejected as a whole.
   */
  refuse?: (row: Row, first: Row) => readonly Reason[];
  /**
   * Returns the message of the accepted rows, of which there is at least one. If the function throws an error, these
   * rows are rejected.
   */
  build: (rows: readonly Row[], context: MappingContext) => unknown;
  /**
   * The treatment of items that exist already. `replace` (default) overwrites them. `fill` only adds missing fields, so
   * the first row with a value counts.
   */
  existing?: 'replace' | 'fill';
  /**
   * For orders and users: names of the columns (JSON: fields) with secrets. The default is `pinNumber` for orders;
   * `password`, `pin` and `badge` for users. Reject files contain these values encrypted.
   */
  secrets?: readonly string[];
}
