/** Goods that come in: announcements, and what was received of them. */

export interface InboundShipmentRow {
  client_id: string;
  /** '' for goods without papers of which nobody knows the seller. */
  seller_id: string;
  type: 'ASN' | 'PO' | 'BLIND';
  number: string;
  message_id: string;
  /** null for goods without papers. */
  store_id: string | null;
  node_id: string;
  receiving_warehouse_id: string;
  status: 'EXPECTED' | 'RECEIVING' | 'CLOSED';
  revision: number;
  content_hash: string;
  doc: string;
  total_lines: number;
  total_units: number;
  created_at: number;
  /** Day of the expected arrival as it was sent; '' for what was announced before it was kept. */
  expected_on: string;
  arrived_at: number | null;
  /** Units that arrived, whatever became of them. */
  received_units: number;
  open_units: number;
  /** Cartons that were announced, and those that came unexpectedly. */
  cartons: number;
  cartons_done: number;
  /** When for the first time nothing was open. */
  completed_at: number | null;
  /** Rows of `inbound_receipts`. */
  receipts: number;
  /** Version of the last statement. */
  statements: number;
  /** JSON of type, number and seller of the shipment that has the goods now. */
  matched_to: string | null;
}

interface InboundLineRow {
  client_id: string;
  seller_id: string;
  type: string;
  number: string;
  line_index: number;
  carton_id: string | null;
  item_id: string;
  quantity: number;
  item_cost: string;
  doc: string;
}

/** A carton of an announcement, once. */
interface InboundCartonRow {
  client_id: string;
  carton_id: string;
  seller_id: string;
  type: 'ASN' | 'PO';
  number: string;
}

/** A purchase order that an ASN delivers. */
export interface InboundOrderRow {
  client_id: string;
  seller_id: string;
  po_number: string;
  asn_number: string;
}

/** What somebody did with arrived goods. */
export interface InboundReceiptRow {
  client_id: string;
  seller_id: string;
  type: 'ASN' | 'PO' | 'BLIND';
  number: string;
  position: number;
  kind: 'RECEIPT' | 'APPROVAL' | 'MATCH';
  receipt_id: string;
  user_id: string;
  at: number;
  created_at: number;
  corrects: string | null;
  content_hash: string;
  /** JSON of what its entries do not say. */
  doc: string;
}

/** What a receipt booked, signed. */
export interface InboundEntryRow {
  client_id: string;
  seller_id: string;
  type: 'ASN' | 'PO' | 'BLIND';
  number: string;
  position: number;
  entry_index: number;
  carton_id: string;
  item_id: string;
  good: number;
  damaged: number;
  refused: number;
  held: number;
  reason: string | null;
  /** Of the good units. */
  place: 'SHELF' | 'STAGE';
  location: string | null;
}

/** The sums of a key. */
export interface InboundSumRow {
  client_id: string;
  seller_id: string;
  type: 'ASN' | 'PO' | 'BLIND';
  number: string;
  carton_id: string;
  item_id: string;
  good: number;
  damaged: number;
  refused: number;
  held: number;
  /** Of the good units those on STAGE. */
  staged: number;
  /** Held units that were decided. */
  decided: number;
}

/** A carton that somebody touched. */
export interface InboundCartonWorkRow {
  client_id: string;
  seller_id: string;
  type: 'ASN' | 'PO' | 'BLIND';
  number: string;
  carton_id: string;
  /** While the shipment is not closed. */
  state: 'EXPECTED' | 'COUNTING' | 'RECEIVED' | 'DAMAGED' | 'REFUSED' | 'UNEXPECTED';
  /** Not null: it was scanned whole by `receipt_id`. */
  whole_as: 'GOOD' | 'DAMAGED' | 'REFUSED' | 'HELD' | null;
  receipt_id: string | null;
  /** Who scanned it whole, or counts it. */
  user_id: string | null;
  since: number | null;
  holder_until: number | null;
}

/** One close of a shipment. */
export interface InboundStatementRow {
  client_id: string;
  seller_id: string;
  type: 'ASN' | 'PO' | 'BLIND';
  number: string;
  version: number;
  close_id: string;
  user_id: string;
  closed_at: number;
  content_hash: string;
  doc: string;
}

export interface ReceivingTables {
  inbound_shipments: InboundShipmentRow;
  inbound_lines: InboundLineRow;
  inbound_cartons: InboundCartonRow;
  inbound_orders: InboundOrderRow;
  inbound_receipts: InboundReceiptRow;
  inbound_entries: InboundEntryRow;
  inbound_sums: InboundSumRow;
  inbound_carton_work: InboundCartonWorkRow;
  inbound_statements: InboundStatementRow;
}
