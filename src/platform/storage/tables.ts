/** Generated from migrations/ and columns.ts by: npx node scripts/row-types.ts */
import type { Json, Shape } from '../json-column.ts';

export interface AccessEventRow {
  client_id: string;
  position: number;
  at: number;
  type: string;
  actor: string;
  request_id: string;
  data: Json<Record<string, unknown>>;
}

export interface AccessHeadRow {
  client_id: string;
  position: number;
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

export interface CheckinPackageRow {
  client_id: string;
  fulfillment_order_id: string;
  package_index: number;
  check_in_package_id: string;
  tracking_number: string;
  weight: Json<Shape<'Measure'>> | null;
  volume: Json<Shape<'Measure'>> | null;
}

export interface ClientRow {
  client_id: string;
  name: string;
  catalog_ids: Json<string[]>;
  settings: Json<Shape<'Settings'>>;
  created_at: number;
  updated_at: number;
}

/** Commands that a caller sent under an id of the caller's choice; each is carried out once. */
export interface CommandRow {
  client_id: string;
  /** Kind and subject: `move:<order>`, for example. The kinds are in `src/kernel/commands.ts`. */
  scope: string;
  command_id: string;
  /** The key that sent the command, and a keyed hash of its content. */
  content_hash: string;
  at: number;
  /** Null: the response can be built again from other rows. */
  reply: Json<unknown> | null;
}

/** A line of a count plan: an item and its place. */
export interface CountPlanLineRow {
  client_id: string;
  node_id: string;
  plan_id: string;
  line_index: number;
  item_id: string;
  place: 'SHELF' | 'STAGE' | 'DAMAGED' | 'HELD' | 'MISSING';
  /** Pick location of the item when the plan was made. */
  bin: string | null;
  state: 'TO_COUNT' | 'COUNT_AGAIN' | 'COUNTED';
  first_count_id: string | null;
  first_by: string | null;
  first_at: number | null;
  first_counted: number | null;
  first_revision: number | null;
  second_count_id: string | null;
  second_by: string | null;
  second_at: number | null;
  second_counted: number | null;
  second_revision: number | null;
  /** Difference that the approval posted. */
  difference: number | null;
}

/** A plan of counts at a node. */
export interface CountPlanRow {
  client_id: string;
  node_id: string;
  plan_id: string;
  name: string | null;
  /** The rule that chose the lines, with its limits. */
  rule: Json<Shape<'CountRule'>>;
  second_count: 'NEVER' | 'DIFFERENT' | 'ALWAYS';
  state: 'DRAFT' | 'OPEN' | 'COUNTED' | 'APPROVED';
  revision: number;
  created_by: string;
  created_at: number;
  opened_by: string | null;
  opened_at: number | null;
  counted_at: number | null;
  approved_by: string | null;
  approved_at: number | null;
}

export interface CounterRow {
  client_id: string;
  name: string;
  value: number;
}

export interface CredentialRow {
  client_id: string;
  credential_id: string;
  label: string;
  key_hash: string;
  username: string;
  password_hash: string;
  store_ids: Json<string[]> | null;
  node_ids: Json<string[]> | null;
  groups: Json<readonly Shape<'Group'>[]>;
  expires_at: number | null;
  revoked_at: number | null;
  created_at: number;
}

export interface CustomerMessageRow {
  client_id: string;
  message_id: string;
  fulfillment_order_id: string;
  kind: 'READY' | 'PARTLY_READY' | 'LATE' | 'REMINDER';
  sent_by: 'EVENTS' | 'MAIL';
  status: 'TOLD' | 'WAITING' | 'SENDING' | 'SENT' | 'FAILED';
  user_id: string | null;
  attempts: number;
  failure: string | null;
  created_at: number;
  due_at: number | null;
  ended_at: number | null;
}

export interface DeviceCodeRow {
  client_id: string;
  code_hash: string;
  node_id: string;
  created_by: string;
  expires_at: number;
}

export interface DeviceRow {
  client_id: string;
  device_id: string;
  node_id: string;
  name: string;
  token_hash: string;
  created_at: number;
  created_by: string;
  seen_at: number;
  revoked_at: number | null;
  wrong_pins: Json<number[]>;
  locked_at: number | null;
}

/** An X12 interchange that was received (IN) or written (OUT). */
export interface EdiInterchangeRow {
  client_id: string;
  interchange_id: string;
  direction: 'IN' | 'OUT';
  /** Null: the interchange is quarantined. The partner may have been deleted meanwhile. */
  partner_id: string | null;
  control_number: string;
  usage: string;
  /** SHA-256 of the bytes. Files with equal bytes count as the same interchange. */
  content_hash: string;
  /** The bytes from ISA to IEA, one character per byte. */
  content: string;
  bytes: number;
  status:
    | 'TAKING'
    | 'ACCEPTED'
    | 'PARTLY'
    | 'REJECTED'
    | 'QUARANTINED'
    | 'TESTED'
    | 'DUPLICATE'
    | 'WAITING'
    | 'TAKEN'
    | 'ACKNOWLEDGED'
    | 'REFUSED'
    | 'OVERDUE';
  doc: Json<Shape<'EdiEnvelope'>>;
  /** Interchanges that were written in response to this interchange. */
  answers: Json<string[]> | null;
  /** The interchange to which this interchange responds. */
  source: string | null;
  /** The statement that an 861 reports. */
  statement: string | null;
  /** GS06 of the group of an OUT interchange; a 997 names the group by it. */
  group_number: string | null;
  created_at: number;
  taken_at: number | null;
  /** TAKING: time at which the scheduler continues to read the interchange. TAKEN and OVERDUE: time at which the acknowledgment of the partner is due. */
  due_at: number | null;
  acknowledged_at: number | null;
}

/** A partner that sends X12 files, with the agreed rules. */
export interface EdiPartnerRow {
  client_id: string;
  partner_id: string;
  seller_id: string;
  our_qualifier: string;
  our_id: string;
  their_qualifier: string;
  their_id: string;
  usage: 'P' | 'T';
  doc: Json<Shape<'EdiProfile'>>;
  revision: number;
  out_interchange: number;
  /** Last control number of an OUT group; `out_interchange` is the last control number of an OUT interchange. */
  out_group: number;
  /** Position in the event feed up to which statements were sent. */
  feed_position: number;
  created_at: number;
  updated_at: number;
}

/** A transaction set of an interchange. */
export interface EdiSetRow {
  client_id: string;
  interchange_id: string;
  position: number;
  group_number: string;
  set_number: string;
  set_id: string;
  purpose: string | null;
  number: string | null;
  /** Null for an outbound set. */
  outcome: 'ACCEPTED' | 'REJECTED_SYNTAX' | 'REJECTED_RULES' | 'IGNORED' | null;
  findings: Json<Shape<'EdiFindings'>>;
  findings_total: string;
  /** ASNs and POs that the set made or replaced. */
  resources: Json<Shape<'EdiResources'>>;
}

/** An ASN or PO that was received by EDI. If the stored shipment has another `message_id`, a later message has replaced it. */
export interface EdiShipmentRow {
  client_id: string;
  seller_id: string;
  type: 'ASN' | 'PO';
  number: string;
  message_id: string;
  interchange_id: string;
  partner_id: string;
}

export interface EventHeadRow {
  client_id: string;
  position: number;
  /** Position up to which events were deleted. */
  gone: number;
}

/** Last `sequence` of a resource whose events were all deleted. */
export interface EventSequenceRow {
  client_id: string;
  resource_type: string;
  resource_id: string;
  sequence: number;
}

/** The audit trail. The feed has the events with a position. */
export interface EventRow {
  client_id: string;
  event_id: string;
  at: number;
  type: string;
  resource_type: string;
  resource_id: string;
  revision: number;
  actor: string;
  request_id: string;
  data: Json<object>;
  /** Time of writing, on engines that do not keep the order in which rows were written; see `Dialect.written`. */
  written: number;
  /** Place in the feed of the client; null until the event gets its position. */
  position: number | null;
  /** Place among the events of the resource; null until the event gets its position. */
  sequence: number | null;
  /** Session of a user's action. The feed shows neither the session nor the device. */
  session_id: string | null;
  device_id: string | null;
  /** `traceparent` of the request and, after a space, its `tracestate`; null: the trace is derived from `request_id`. */
  trace: string | null;
}

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
  contacts: Json<Shape<'Contacts'>>;
  member_hashes: Json<Record<string, string>>;
  created_at: number;
  updated_at: number;
  due_at: number | null;
  ended_at: number | null;
  blanked_at: number | null;
  resourced_from: string | null;
  pin_attempts: number;
  pin_locked_until: number | null;
  pin_unlocks: number;
  /** Version of the format of the keys by which searches find names and telephone numbers; 0: format of release 0.1. */
  key_form: number;
  /** Hold location that the last UPDATE or CONFIRM of the check-in has set. */
  checkin_hold_location: string | null;
  /** Number of the return for which this order is an exchange; `exchange_line` is the exchanged line. */
  exchange_number: string | null;
  exchange_line: number | null;
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
  lines: Json<readonly Shape<'HandedUnits'>[]>;
  at: number;
  proof_kind: string | null;
  proof_type: string | null;
  proof_cipher: string | null;
}

export interface IdempotencyKeyRow {
  client_id: string;
  credential_id: string;
  method: string;
  path: string;
  key: string;
  body_hash: string;
  status: number | null;
  reply: string | null;
  headers: Json<Shape<'Headers'>> | null;
  created_at: number;
}

export interface IdempotencyOrderRow {
  client_id: string;
  fulfillment_order_id: string;
  credential_id: string;
  method: string;
  path: string;
  key: string;
  created_at: number;
}

export interface IdentityProviderRow {
  client_id: string;
  provider_id: string;
  name: string;
  issuer: string;
  oidc_client_id: string;
  /** The secret, encrypted with the key of the installation. */
  client_secret: string;
  scopes: Json<string[]>;
  role_claim: string | null;
  /** Map from values of the claim to roles; the first value that matches decides. */
  roles: Json<Shape<'ProviderRoles'>>;
  create_users: number;
  node_ids: Json<string[]>;
  created_at: number;
  updated_at: number;
}

export interface ImportRow {
  client_id: string;
  import_id: string;
  kind: string;
  file_name: string;
  position: number;
  reject_position: number;
  rows_read: number;
  rows_imported: number;
  rows_refused: Json<Record<string, number>>;
  started_at: number;
  updated_at: number;
  finished_at: number | null;
}

/** A carton on which work has begun. */
export interface InboundCartonWorkRow {
  client_id: string;
  seller_id: string;
  type: InboundShipmentRow['type'];
  number: string;
  carton_id: string;
  /** State of the carton until the shipment is closed. */
  state: 'EXPECTED' | 'COUNTING' | 'RECEIVED' | 'DAMAGED' | 'REFUSED' | 'UNEXPECTED';
  /** Not null: the whole carton was received by one scan, in the receipt `receipt_id`. */
  whole_as: 'GOOD' | 'DAMAGED' | 'REFUSED' | 'HELD' | null;
  receipt_id: string | null;
  /** User who scanned the whole carton, or who counts its units. */
  user_id: string | null;
  since: number | null;
  holder_until: number | null;
}

/** An announced carton. */
export interface InboundCartonRow {
  client_id: string;
  carton_id: string;
  seller_id: string;
  type: 'ASN' | 'PO';
  number: string;
}

/** Units that a receipt booked; corrections can book negative units. */
export interface InboundEntryRow {
  client_id: string;
  seller_id: string;
  type: InboundShipmentRow['type'];
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
  /** Place of the good units. */
  place: 'SHELF' | 'STAGE';
  location: string | null;
}

export interface InboundLineRow {
  client_id: string;
  seller_id: string;
  type: string;
  number: string;
  line_index: number;
  carton_id: string | null;
  item_id: string;
  quantity: number;
  item_cost: string;
  doc: Json<Shape<'InboundLine'>>;
}

/** A purchase order that an ASN delivers. */
export interface InboundOrderRow {
  client_id: string;
  seller_id: string;
  po_number: string;
  asn_number: string;
}

/** A receipt, approval or match of arrived goods. */
export interface InboundReceiptRow {
  client_id: string;
  seller_id: string;
  type: InboundShipmentRow['type'];
  number: string;
  position: number;
  kind: 'RECEIPT' | 'APPROVAL' | 'MATCH';
  receipt_id: string;
  user_id: string;
  at: number;
  created_at: number;
  corrects: string | null;
  content_hash: string;
  /** Fields of the receipt that are not in its entries. */
  doc: Json<Shape<'Receipt'>>;
}

export interface InboundShipmentRow {
  client_id: string;
  /** '' for goods without papers whose seller is unknown. */
  seller_id: string;
  type: 'ASN' | 'PO' | 'BLIND';
  number: string;
  message_id: string;
  /** Null for goods without papers. */
  store_id: string | null;
  node_id: string;
  receiving_warehouse_id: string;
  status: 'EXPECTED' | 'RECEIVING' | 'CLOSED';
  revision: number;
  content_hash: string;
  doc: Json<{ catalogId: string; trailerNumbers?: string[]; header: { shipmentNumber?: string }; userId?: string }>;
  total_lines: number;
  total_units: number;
  created_at: number;
  /** Day of the expected arrival as sent; '' for announcements from before this column existed. */
  expected_on: string;
  arrived_at: number | null;
  /** Units that arrived, in any condition. */
  received_units: number;
  open_units: number;
  /** Number of cartons, announced and unexpected. */
  cartons: number;
  cartons_done: number;
  /** First time at which the shipment had no open units. */
  completed_at: number | null;
  /** Number of rows in `inbound_receipts`. */
  receipts: number;
  /** Version of the last statement. */
  statements: number;
  /** The ASN or PO to which the goods without papers were assigned. */
  matched_to: Json<{ type: InboundShipmentRow['type']; number: string; sellerId: string }> | null;
}

/** A statement. Each close of a shipment makes one. */
export interface InboundStatementRow {
  client_id: string;
  seller_id: string;
  type: InboundShipmentRow['type'];
  number: string;
  version: number;
  close_id: string;
  user_id: string;
  closed_at: number;
  content_hash: string;
  doc: Json<Shape<'Statement'>>;
}

/** The sums of one carton and item. */
export interface InboundSumRow {
  client_id: string;
  seller_id: string;
  type: InboundShipmentRow['type'];
  number: string;
  carton_id: string;
  item_id: string;
  good: number;
  damaged: number;
  refused: number;
  held: number;
  /** Good units on STAGE. */
  staged: number;
  /** Held excess units for which a decision was made. */
  decided: number;
}

export interface InstallationRow {
  client_id: string;
  name: string;
  value: string;
}

/** A word or code by which the search finds an item. */
export interface ItemTermRow {
  client_id: string;
  term: string;
  item_id: string;
}

/** The item master. */
export interface ItemRow {
  client_id: string;
  item_id: string;
  revision: number;
  doc: Json<Shape<'Item'>>;
  created_at: number;
  updated_at: number;
  /** Version of the format of the rows in `item_terms`; 0: its words have no rows in `item_terms` yet. */
  term_form: number;
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

export interface NodeItemRow {
  client_id: string;
  node_id: string;
  item_id: string;
  retail_price: string | null;
  pick_location: string | null;
  on_hand: number | null;
  updated_at: number;
}

export interface NodeRow {
  client_id: string;
  node_id: string;
  name: string;
  node_type: 'STORE' | 'WAREHOUSE';
  time_zone: string;
  address: Json<Shape<'NodeAddress'>>;
  phone: string;
  opening_hours: Json<Shape<'OpeningHours'>>;
  hold_locations: Json<string[]>;
  fulfillment_types: Json<Shape<'FulfillmentType'>[]>;
  receiving_warehouse_id: string | null;
  created_at: number;
  updated_at: number;
  holidays: Json<string[]>;
  decline_policy: 'HOLD_UNTIL_FEED' | 'HOLD_UNTIL_RELEASED' | 'NO_HOLD';
  stock: 'NOT_KEPT' | 'KEPT';
  promise: 'ANY' | 'AVAILABLE';
  receive_to: 'SHELF' | 'STAGE';
}

export interface OperatorKeyRow {
  client_id: string;
  key_id: string;
  label: string;
  key_hash: string;
  expires_at: number | null;
  revoked_at: number | null;
  created_at: number;
}

/** Amounts of a shipment, hand-over or delivery; `grand_total` and `amounts` are null in rows of releases before 0.2.0. */
export interface OrderChargeRow {
  client_id: string;
  /** The first order, from which the other orders of the chain were re-sourced. */
  chain_id: string;
  position: number;
  fulfillment_order_id: string;
  /** Null: the charge is for a shipment. */
  hand_over_id: string | null;
  with_header: number;
  cash_on_delivery: string;
  grand_total: string | null;
  amounts: Json<Shape<'Charged'>> | null;
  at: number;
}

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
  snapshot: Json<Shape<'Snapshot'>>;
  instructions: Json<Shape<'Instructions'>> | null;
  canceled: number;
  canceling: number;
  cancel_reason: string | null;
  handed_over: number;
  refused: number;
  refuse_reason: string | null;
  returned: number;
  missing: number;
  /** Handed-over units that were received in a return. */
  came_back: number;
  /** Handed-over units that open returns still expect. */
  coming_back: number;
}

/** Notes of users on an order, the oldest first. */
export interface OrderNoteRow {
  client_id: string;
  fulfillment_order_id: string;
  position: number;
  change_id: string;
  user_id: string;
  at: number;
  note: string;
}

export interface OutboxTicketRow {
  client_id: string;
  ticket_hash: string;
  user_id: string;
  device_id: string;
  session_id: string;
  expires_at: number;
}

export interface PackSlipRow {
  client_id: string;
  fulfillment_order_id: string;
  content_hash: string;
  pack_slip_id: string;
  modify_associate_id: string;
  created_at: number;
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

/** A passkey of a user, or, with `client_id` '', of a person of the operator. */
export interface PasskeyRow {
  client_id: string;
  passkey_id: string;
  user_id: string;
  name: string;
  /** Id of the passkey in the browser, in base64url. The public key is in base64url too. */
  credential_id: string;
  public_key: string;
  counter: number;
  transports: Json<string[]>;
  created_at: number;
  used_at: number | null;
}

/** A person of the operator; `client_id` is ''. */
export interface PersonRow {
  client_id: string;
  user_id: string;
  name: string;
  password_hash: string;
  state: 'ACTIVE' | 'DISABLED';
  language: string | null;
  created_at: number;
  updated_at: number;
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
  snapshot: Json<Shape<'Snapshot'>>;
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
  /** Order whose units are put back on the shelf with a reverse ticket. */
  fulfillment_order_id: string | null;
  /** User who confirmed a pick ticket. This column and the next three are null before the CONFIRM and on reverse tickets. */
  confirmed_by: string | null;
  picked_lines: number | null;
  picked_units: number | null;
  short_units: number | null;
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

/** Money that the service asks the order management system to refund. */
export interface RefundRow {
  client_id: string;
  refund_id: string;
  return_id: string;
  store_id: string;
  number: string;
  fulfillment_order_id: string;
  /** Place among the refunds of the order. */
  position: number;
  amount: string;
  currency: string;
  /** Part of the amount that was paid in cash. */
  collected_at_door: string;
  shipping: string;
  fee: string;
  basis: 'CHARGED' | 'COMPUTED';
  status: 'DUE' | 'DONE' | 'FAILED' | 'CANCELED';
  reference: string | null;
  failure: string | null;
  due_at: number;
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

export interface ResourceRequestRow {
  client_id: string;
  request_id: string;
  fulfillment_order_id: string;
  store_id: string;
  node_id: string;
  status: 'OPEN' | 'RESOURCED' | 'CANCELED';
  revision: number;
  excluded_node_ids: Json<string[]>;
  new_node_id: string | null;
  new_fulfillment_order_id: string | null;
  created_at: number;
  answered_at: number | null;
}

/** Fee of a return that was deducted from the refund of an order. */
export interface ReturnFeeRow {
  client_id: string;
  fulfillment_order_id: string;
  return_id: string;
  amount: string;
}

/** Held units of a line at a node. */
export interface ReturnHeldRow {
  client_id: string;
  return_id: string;
  position: number;
  node_id: string;
  units: number;
  /** Time of the first receipt of units that are still held. */
  since: number;
}

/** Units of an order line in a return. A line without an order has units without papers. */
export interface ReturnLineRow {
  client_id: string;
  return_id: string;
  position: number;
  fulfillment_order_id: string | null;
  line_index: number | null;
  web_line_id: string | null;
  item_id: string;
  requested: number;
  reason: string | null;
  note: string | null;
  sellable: number;
  damaged: number;
  held: number;
  given_back: number;
  missing: number;
  over: number;
}

/** A receipt or a correction; rows are only added. */
export interface ReturnReceiptRow {
  client_id: string;
  return_id: string;
  receipt_id: string;
  position: number;
  node_id: string;
  user_id: string;
  corrects: string | null;
  /** Booked units by line, with their sign. */
  lines: Json<readonly Shape<'ReturnEntry'>[]>;
  at: number;
}

/** A return of a customer. */
export interface ReturnRow {
  client_id: string;
  return_id: string;
  store_id: string;
  number: string;
  kind: 'IN_STORE' | 'BY_MAIL' | 'CARRIER' | 'BLIND';
  /** Node of the first receipt since the return was last REQUESTED, CANCELED or EXPIRED; null in these states. */
  node_id: string | null;
  expected_node_id: string | null;
  status: 'REQUESTED' | 'RECEIVING' | 'CLOSED' | 'CANCELED' | 'EXPIRED';
  revision: number;
  customer_ref: string | null;
  note: string | null;
  override_reason: string | null;
  tracking_number: string | null;
  in_transit_at: number | null;
  expires_at: number | null;
  closed_at: number | null;
  /** Time at which the personal data of a return without an order is anonymized. */
  blank_at: number | null;
  blanked_at: number | null;
  /** Id of the command that opened the return in a store. */
  take_id: string | null;
  /** Whether refunds include the returned units. */
  counted: number;
  /** 1: the fee was deducted from a refund, or has lapsed. */
  fee_taken: number;
  /** Number of rows in `return_receipts`. */
  receipts: number;
  /** Items that the customer wants in exchange for lines of the return. */
  exchanges: Json<readonly Shape<'ExchangeWish'>[]>;
  created_at: number;
  created_by: string;
}

export interface SellerRow {
  client_id: string;
  seller_id: string;
}

export interface SessionRow {
  /** '': the session is of a person of the operator. */
  client_id: string;
  token_hash: string;
  session_id: string;
  user_id: string;
  method: string;
  device_id: string | null;
  created_at: number;
  /** Time of the last sign-in with password, OIDC or passkey in this session; null: no such sign-in. */
  full_at: number | null;
  seen_at: number;
  ends_at: number;
  locked_at: number | null;
  must_change_pin: number;
  provider_id: string | null;
  provider_subject: string | null;
  provider_session: string | null;
}

export interface SignInAttemptRow {
  client_id: string;
  kind: 'PIN' | 'PASSWORD';
  subject: string;
  attempts: number;
  locks: number;
  locked_until: number | null;
  updated_at: number;
}

/** A redirect or challenge that was used. Each can be used only once. */
export interface SpentRoundTripRow {
  client_id: string;
  trip_id: string;
  expires_at: number;
}

/** Sums of the deleted moves. */
export interface StockCarriedRow {
  client_id: string;
  node_id: string;
  item_id: string;
  shelf: number;
  staged: number;
  damaged: number;
  held: number;
  missing: number;
  /** Revision of the last deleted move. */
  revision: number;
}

export interface StockCountLineRow {
  client_id: string;
  node_id: string;
  count_id: string;
  line_index: number;
  item_id: string;
  place: 'SHELF' | 'STAGE' | 'DAMAGED' | 'HELD' | 'MISSING';
  counted: number;
  revision: number;
  state: 'POSTED' | 'WAITING';
  difference: number;
}

export interface StockCountRow {
  client_id: string;
  node_id: string;
  count_id: string;
  state: 'POSTED' | 'WAITING';
  user_id: string;
  at: number;
  approved_by: string | null;
  approved_at: number | null;
  rejected_by: string | null;
  rejected_at: number | null;
  reject_reason: string | null;
}

export interface StockHeadRow {
  client_id: string;
  node_id: string;
  sequence: number;
  /** `sequence` up to which transactions were deleted. */
  gone: number;
}

/** Units of an item at a node. */
export interface StockLevelRow {
  client_id: string;
  node_id: string;
  item_id: string;
  shelf: number;
  staged: number;
  damaged: number;
  held: number;
  missing: number;
  /** Units that are promised to orders. */
  reserved: number;
  /** Staged units that belong to no order; negative: orders hold more units than are staged. */
  loose: number;
  revision: number;
  /** Time of the last move; `moves` is the number of moves. */
  moved_at: number | null;
  moved_revision: number | null;
  moves: number;
  /** Time of the first count or import of opening stock since the node began to keep stock; null: no count and no import yet. */
  opened_at: number | null;
  counted_at: number | null;
  wanted_since: number | null;
  wanted_cause: string | null;
  updated_at: number;
  /** Opening stock by place, imported since the node began to keep stock; null: no import. */
  openings: Json<Shape<'Openings'>> | null;
  /** Number of moves at the last count. */
  moves_counted: number;
  /** Revision at which the node began to keep stock again; 0: it never stopped. */
  kept_since: number;
}

/** Every 64th move of an item. */
export interface StockMoveMarkRow {
  client_id: string;
  node_id: string;
  item_id: string;
  revision: number;
  at: number;
}

export interface StockMoveRow {
  client_id: string;
  /** Time of the move; never before the time of the previous move of the item. */
  at: number;
  node_id: string;
  item_id: string;
  /** Revision of the level after the move. */
  revision: number;
  from_spot: string;
  to_spot: string;
  quantity: number;
  cause: string;
  reference: string;
  line_number: string | null;
  reason: string | null;
  user_id: string;
  /** Time of the previous move of the item; null: this is the first move. */
  previous_at: number | null;
  previous_revision: number | null;
}

export interface StockTransactionRow {
  client_id: string;
  node_id: string;
  sequence: number;
  type: 31 | 41 | 42 | 51 | 61 | 71 | 72 | 73 | 81 | 82;
  item_id: string;
  /** Number of units, with its sign. */
  quantity: number;
  reference: string;
  line_number: string | null;
  at: number;
  /** This column and the columns after it are null in rows of releases before 0.4.0. */
  from_spot: string | null;
  to_spot: string | null;
  user_id: string | null;
  reason: string | null;
  seller_id: string | null;
  receipt_id: string | null;
  item_cost: string | null;
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
  returns: Json<Shape<'StoreReturns'>> | null;
}

/** A training. `client_id` is the client that was made for it. */
export interface TrainingRow {
  client_id: string;
  of_client_id: string;
  user_id: string;
  /** Session that is suspended until the training ends. */
  of_token_hash: string;
  slot: number;
  started_at: number;
  ends_at: number;
}

export interface UserIdentityRow {
  client_id: string;
  provider_id: string;
  subject: string;
  user_id: string;
  created_at: number;
}

export interface UserRow {
  client_id: string;
  user_id: string;
  name: string;
  password_hash: string;
  role: string;
  node_ids: Json<string[]>;
  created_at: number;
  updated_at: number;
  state: 'ACTIVE' | 'DISABLED';
  language: string | null;
  pin_hash: string | null;
  /** Not null: the PIN is a one-time PIN, valid until this time. */
  pin_once_until: number | null;
  badge_hash: string | null;
}

export interface WebhookDeliveryRow {
  client_id: string;
  webhook_id: string;
  position: number;
  status: 'PENDING' | 'DELIVERED' | 'DEAD';
  attempts: number;
  due_at: number | null;
  log: Json<Shape<'Attempt'>[]>;
  created_at: number;
  updated_at: number;
}

export interface WebhookRow {
  client_id: string;
  webhook_id: string;
  url: string;
  /** Null: events of every type. */
  types: Json<string[]> | null;
  enabled: number;
  disabled_reason: string | null;
  secret: string;
  old_secret: string | null;
  old_secret_until: number | null;
  position: number;
  failures: number;
  failing_since: number | null;
  paused_until: number | null;
  lease_id: string | null;
  lease_until: number | null;
  created_at: number;
  updated_at: number;
}

export interface Tables {
  access_events: AccessEventRow;
  access_heads: AccessHeadRow;
  alerts: AlertRow;
  checkin_package_items: CheckinPackageItemRow;
  checkin_packages: CheckinPackageRow;
  clients: ClientRow;
  commands: CommandRow;
  count_plan_lines: CountPlanLineRow;
  count_plans: CountPlanRow;
  counters: CounterRow;
  credentials: CredentialRow;
  customer_messages: CustomerMessageRow;
  device_codes: DeviceCodeRow;
  devices: DeviceRow;
  edi_interchanges: EdiInterchangeRow;
  edi_partners: EdiPartnerRow;
  edi_sets: EdiSetRow;
  edi_shipments: EdiShipmentRow;
  event_heads: EventHeadRow;
  event_sequences: EventSequenceRow;
  events: EventRow;
  fulfillment_orders: FulfillmentOrderRow;
  hand_overs: HandOverRow;
  idempotency_keys: IdempotencyKeyRow;
  idempotency_orders: IdempotencyOrderRow;
  identity_providers: IdentityProviderRow;
  imports: ImportRow;
  inbound_carton_work: InboundCartonWorkRow;
  inbound_cartons: InboundCartonRow;
  inbound_entries: InboundEntryRow;
  inbound_lines: InboundLineRow;
  inbound_orders: InboundOrderRow;
  inbound_receipts: InboundReceiptRow;
  inbound_shipments: InboundShipmentRow;
  inbound_statements: InboundStatementRow;
  inbound_sums: InboundSumRow;
  installation: InstallationRow;
  item_terms: ItemTermRow;
  items: ItemRow;
  node_item_holds: NodeItemHoldRow;
  node_items: NodeItemRow;
  nodes: NodeRow;
  operator_keys: OperatorKeyRow;
  order_charges: OrderChargeRow;
  order_lines: OrderLineRow;
  order_notes: OrderNoteRow;
  outbox_tickets: OutboxTicketRow;
  pack_slips: PackSlipRow;
  package_items: PackageItemRow;
  packages: PackageRow;
  passkeys: PasskeyRow;
  people: PersonRow;
  pick_ticket_items: PickTicketItemRow;
  pick_ticket_lines: PickTicketLineRow;
  pick_ticket_scans: PickTicketScanRow;
  pick_tickets: PickTicketRow;
  printers: PrinterRow;
  refunds: RefundRow;
  resource_request_lines: ResourceRequestLineRow;
  resource_requests: ResourceRequestRow;
  return_fees: ReturnFeeRow;
  return_held: ReturnHeldRow;
  return_lines: ReturnLineRow;
  return_receipts: ReturnReceiptRow;
  returns: ReturnRow;
  sellers: SellerRow;
  sessions: SessionRow;
  sign_in_attempts: SignInAttemptRow;
  spent_round_trips: SpentRoundTripRow;
  stock_carried: StockCarriedRow;
  stock_count_lines: StockCountLineRow;
  stock_counts: StockCountRow;
  stock_heads: StockHeadRow;
  stock_levels: StockLevelRow;
  stock_move_marks: StockMoveMarkRow;
  stock_moves: StockMoveRow;
  stock_transactions: StockTransactionRow;
  stores: StoreRow;
  trainings: TrainingRow;
  user_identities: UserIdentityRow;
  users: UserRow;
  webhook_deliveries: WebhookDeliveryRow;
  webhooks: WebhookRow;
}
