/** Clients, their stores and nodes, and who may call. */

export interface ClientRow {
  client_id: string;
  name: string;
  catalog_ids: string;
  settings: string;
  created_at: number;
  updated_at: number;
}

interface SellerRow {
  client_id: string;
  seller_id: string;
}

export interface StoreRow {
  client_id: string;
  store_id: string;
  name: string;
  catalog_id: string;
  seller_id: string;
  store_code: string;
  currency: string;
  returns_label: number;
  created_at: number;
  updated_at: number;
}

export interface NodeRow {
  client_id: string;
  node_id: string;
  name: string;
  node_type: 'STORE' | 'WAREHOUSE';
  time_zone: string;
  address: string;
  phone: string;
  opening_hours: string;
  hold_locations: string;
  fulfillment_types: string;
  receiving_warehouse_id: string | null;
  created_at: number;
  updated_at: number;
  /** JSON list of plain dates. */
  holidays: string;
  decline_policy: 'HOLD_UNTIL_FEED' | 'HOLD_UNTIL_RELEASED' | 'NO_HOLD';
  stock: 'NOT_KEPT' | 'KEPT';
  promise: 'ANY' | 'AVAILABLE';
  receive_to: 'SHELF' | 'STAGE';
}

export interface NodeItemRow {
  client_id: string;
  node_id: string;
  item_id: string;
  retail_price: string | null;
  pick_location: string | null;
  on_hand: number | null;
  updated_at: number;
}

/** A label printer of a node. */
export interface PrinterRow {
  client_id: string;
  node_id: string;
  printer_id: string;
  name: string;
  host: string;
  port: number;
  dpi: number;
  kind: string;
  ordinal: number;
}

export interface CredentialRow {
  client_id: string;
  credential_id: string;
  label: string;
  key_hash: string;
  username: string;
  password_hash: string;
  store_ids: string | null;
  node_ids: string | null;
  groups: string;
  expires_at: number | null;
  revoked_at: number | null;
  created_at: number;
}

interface OperatorKeyRow {
  client_id: string;
  key_id: string;
  label: string;
  key_hash: string;
  expires_at: number | null;
  revoked_at: number | null;
  created_at: number;
}

export interface ProvisioningTables {
  clients: ClientRow;
  sellers: SellerRow;
  stores: StoreRow;
  nodes: NodeRow;
  node_items: NodeItemRow;
  printers: PrinterRow;
  credentials: CredentialRow;
  operator_keys: OperatorKeyRow;
}
