/** Orders, and what is done with them behind picking. */

export interface FulfillmentOrderRow {
  client_id: string;
  fulfillment_order_id: string;
  fulfillment_id: number;
  store_id: string;
  node_id: string;
  oms_order_id: string;
  web_order_id: string;
  external_order_number: string | null;
  external_order_number2: string | null;
  fulfillment_type: string;
  status: number;
  queue_id: string | null;
  queued_at: number;
  sla_type: string | null;
  sla_at: number | null;
  revision: number;
  order_date: number;
  fulfillment_order_date: number;
  expected_delivery_date: number | null;
  currency: string;
  carrier: string;
  service: string;
  ship_method: string;
  hold_location: string | null;
  pick_ticket_id: string | null;
  customer_name_key: string;
  customer_email_key: string;
  customer_phone_key: string;
  proxy_name_key: string | null;
  proxy_email_key: string | null;
  proxy_phone_key: string | null;
  postal_code_key: string;
  pin_cipher: string | null;
  pin_hash: string | null;
  header_charges: string;
  header_tax: string;
  cash_on_delivery: string | null;
  carrier_exception: number;
  in_store: number;
  contacts: string;
  member_hashes: string;
  created_at: number;
  updated_at: number;
  due_at: number | null;
  ended_at: number | null;
  blanked_at: number | null;
  resourced_from: string | null;
  pin_attempts: number;
  pin_locked_until: number | null;
  pin_unlocks: number;
  /** In which form the keys of its people were made; 0 is that of 0.1. */
  key_form: number;
  /** Where an UPDATE of its check-in said that the goods wait. */
  checkin_hold_location: string | null;
}

/** What names an order. */
export type OrderKey = Pick<FulfillmentOrderRow, 'client_id' | 'fulfillment_order_id'>;

export interface OrderLineRow {
  client_id: string;
  fulfillment_order_id: string;
  line_index: number;
  web_line_id: string;
  item_id: string;
  ordered: number;
  picked: number;
  declined: number;
  decline_reason: string | null;
  unit_price: string;
  charges: string;
  tax: string;
  snapshot: string;
  instructions: string | null;
  canceled: number;
  canceling: number;
  cancel_reason: string | null;
  handed_over: number;
  refused: number;
  refuse_reason: string | null;
  returned: number;
  missing: number;
}

/** What a shipment, hand-over or delivery charged; `grand_total` and `amounts` are null for what went before 0.2.0. */
export interface OrderChargeRow {
  client_id: string;
  /** First order of the chain: the one that the others were re-sourced from. */
  chain_id: string;
  position: number;
  fulfillment_order_id: string;
  /** Null: a shipment. */
  hand_over_id: string | null;
  with_header: number;
  cash_on_delivery: string;
  grand_total: string | null;
  /** JSON. */
  amounts: string | null;
  at: number;
}

/** What people noted of an order, the oldest first. */
export interface OrderNoteRow {
  client_id: string;
  fulfillment_order_id: string;
  position: number;
  change_id: string;
  user_id: string;
  at: number;
  note: string;
}

interface PackSlipRow {
  client_id: string;
  fulfillment_order_id: string;
  content_hash: string;
  pack_slip_id: string;
  modify_associate_id: string;
  created_at: number;
}

export interface PackageRow {
  client_id: string;
  fulfillment_order_id: string;
  package_index: number;
  package_id: string;
  box_id: string;
  tracking_number: string | null;
  box_weight: string;
  packing_material_weight: string;
  length: string;
  height: string;
  width: string;
  created_at: number;
  updated_at: number;
}

export interface PackageItemRow {
  client_id: string;
  fulfillment_order_id: string;
  package_index: number;
  line_index: number;
  quantity: number;
  instructions: string | null;
  custom_attributes: string | null;
}

export interface CheckinPackageRow {
  client_id: string;
  fulfillment_order_id: string;
  package_index: number;
  check_in_package_id: string;
  tracking_number: string;
  weight: string | null;
  volume: string | null;
}

export interface CheckinPackageItemRow {
  client_id: string;
  fulfillment_order_id: string;
  package_index: number;
  line_index: number;
  quantity: number;
  checked_in: number | null;
  canceled: number | null;
  reason: string | null;
}

export interface HandOverRow {
  client_id: string;
  fulfillment_order_id: string;
  hand_over_id: string;
  position: number;
  content_hash: string;
  collected_by: 'CUSTOMER' | 'PROXY';
  verification_method: string | null;
  modify_associate_id: string;
  lines: string;
  at: number;
}

export interface ResourceRequestRow {
  client_id: string;
  request_id: string;
  fulfillment_order_id: string;
  store_id: string;
  node_id: string;
  status: 'OPEN' | 'RESOURCED' | 'CANCELED';
  revision: number;
  excluded_node_ids: string;
  new_node_id: string | null;
  new_fulfillment_order_id: string | null;
  created_at: number;
  answered_at: number | null;
}

export interface ResourceRequestLineRow {
  client_id: string;
  request_id: string;
  line_index: number;
  web_line_id: string;
  item_id: string;
  quantity: number;
  reason: string;
}

export interface NodeItemHoldRow {
  client_id: string;
  node_id: string;
  item_id: string;
  policy: 'HOLD_UNTIL_FEED' | 'HOLD_UNTIL_RELEASED';
  reason: string;
  fulfillment_order_id: string;
  created_at: number;
}

export interface AlertRow {
  client_id: string;
  alert_id: string;
  store_id: string;
  node_id: string;
  fulfillment_order_id: string;
  oms_order_id: string;
  web_order_id: string;
  fulfillment_type: string;
  alert_type: string;
  status: 'OPEN' | 'CLOSED';
  revision: number;
  queue_id: string;
  queued_at: number;
  pick_ticket_id: string | null;
  sla_type: string;
  sla_at: number;
  generated_at: number;
  closed_at: number | null;
}

export interface OrdersTables {
  fulfillment_orders: FulfillmentOrderRow;
  order_lines: OrderLineRow;
  order_charges: OrderChargeRow;
  order_notes: OrderNoteRow;
  pack_slips: PackSlipRow;
  packages: PackageRow;
  package_items: PackageItemRow;
  checkin_packages: CheckinPackageRow;
  checkin_package_items: CheckinPackageItemRow;
  hand_overs: HandOverRow;
  resource_requests: ResourceRequestRow;
  resource_request_lines: ResourceRequestLineRow;
  node_item_holds: NodeItemHoldRow;
  alerts: AlertRow;
}
