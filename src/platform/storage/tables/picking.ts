/** Pick tickets and reverse pick tickets. */

export interface PickTicketRow {
  client_id: string;
  pick_ticket_id: string;
  store_id: string;
  node_id: string;
  queue_id: string;
  user_id: string;
  status: 'NEW' | 'IN_PROGRESS' | 'CLOSED';
  outcome: 'CONFIRMED' | 'RESET' | null;
  revision: number;
  fulfillment_type: string;
  currency: string;
  hold_location: string;
  pick_ticket_date: number;
  pick_sla_date: number;
  total_fulfillment_orders: number;
  total_skus: number;
  total_quantity: number;
  confirmation_hash: string | null;
  closed_at: number | null;
  pick_ticket_type: 'PICK_TICKET' | 'REVERSE_PICK_TICKET';
  lease_at: number | null;
  /** The order whose units a reverse ticket brings back. */
  fulfillment_order_id: string | null;
  /** Who confirmed a pick ticket and what came of it; null until then, and of reverse tickets. */
  confirmed_by: string | null;
  picked_lines: number | null;
  picked_units: number | null;
  short_units: number | null;
}

export interface PickTicketItemRow {
  client_id: string;
  pick_ticket_id: string;
  id: number;
  item_id: string;
  unit_price: string;
  retail_price: string | null;
  pick_location: string | null;
  quantity: number;
  picked: number | null;
  canceled: number | null;
  reason: string | null;
  snapshot: string;
}

export interface PickTicketLineRow {
  client_id: string;
  pick_ticket_id: string;
  fulfillment_order_id: string;
  line_index: number;
  id: number;
  quantity: number;
  picked: number | null;
  canceled: number | null;
}

export interface PickTicketScanRow {
  client_id: string;
  pick_ticket_id: string;
  scan_id: string;
  position: number;
  id: number;
  picked: number;
  canceled: number;
  reason: string | null;
  undoes: string | null;
  user_id: string;
  at: number;
}

export interface PickingTables {
  pick_tickets: PickTicketRow;
  pick_ticket_items: PickTicketItemRow;
  pick_ticket_lines: PickTicketLineRow;
  pick_ticket_scans: PickTicketScanRow;
}
