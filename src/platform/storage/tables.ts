/** Rows of the database as Kysely sees them: one interface a table, in the order of the migrations, which have the rules. */

export interface ClientRow {
  client_id: string;
  name: string;
  catalog_ids: string;
  settings: string;
  created_at: number;
  updated_at: number;
}

export interface SellerRow {
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

export interface OperatorKeyRow {
  client_id: string;
  key_id: string;
  label: string;
  key_hash: string;
  expires_at: number | null;
  revoked_at: number | null;
  created_at: number;
}

export interface AccessEventRow {
  client_id: string;
  position: number;
  at: number;
  type: string;
  actor: string;
  request_id: string;
  data: string;
}

export interface AccessHeadRow {
  client_id: string;
  position: number;
}

export interface InstallationRow {
  client_id: string;
  name: string;
  value: string;
}

export interface UserRow {
  client_id: string;
  user_id: string;
  name: string;
  password_hash: string;
  role: string;
  node_ids: string;
  created_at: number;
  updated_at: number;
  state: 'ACTIVE' | 'DISABLED';
  language: string | null;
  pin_hash: string | null;
  /** Not null: a one-time PIN, good until then. */
  pin_once_until: number | null;
  badge_hash: string | null;
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

/** A town of a training; `client_id` is that of the town. */
export interface TrainingRow {
  client_id: string;
  of_client_id: string;
  user_id: string;
  /** Session that waits until the training ends. */
  of_token_hash: string;
  slot: number;
  started_at: number;
  ends_at: number;
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

export interface SessionRow {
  /** '': a person of the operator. */
  client_id: string;
  token_hash: string;
  session_id: string;
  user_id: string;
  method: string;
  device_id: string | null;
  created_at: number;
  /** When the whole secret was last given (password, OIDC, passkey); null: never in this session. */
  full_at: number | null;
  seen_at: number;
  ends_at: number;
  locked_at: number | null;
  must_change_pin: number;
  provider_id: string | null;
  provider_subject: string | null;
  provider_session: string | null;
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
  /** JSON list of instants. */
  wrong_pins: string;
  locked_at: number | null;
}

export interface DeviceCodeRow {
  client_id: string;
  code_hash: string;
  node_id: string;
  created_by: string;
  expires_at: number;
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

export interface OutboxTicketRow {
  client_id: string;
  ticket_hash: string;
  user_id: string;
  device_id: string;
  session_id: string;
  expires_at: number;
}

/** A provider of a client that says who somebody is (OpenID Connect). */
export interface IdentityProviderRow {
  client_id: string;
  provider_id: string;
  name: string;
  issuer: string;
  oidc_client_id: string;
  /** Sealed. */
  client_secret: string;
  scopes: string;
  role_claim: string | null;
  /** Claim value -> role, as JSON; the first that matches counts. */
  roles: string;
  create_users: number;
  node_ids: string;
  created_at: number;
  updated_at: number;
}

export interface UserIdentityRow {
  client_id: string;
  provider_id: string;
  subject: string;
  user_id: string;
  created_at: number;
}

/** A passkey of a person; `client_id` '' is a person of the operator. */
export interface PasskeyRow {
  client_id: string;
  passkey_id: string;
  user_id: string;
  name: string;
  /** As its browser names it, base64url; so is the key. */
  credential_id: string;
  public_key: string;
  counter: number;
  transports: string;
  created_at: number;
  used_at: number | null;
}

/** A redirect or challenge that has come back: it counts once. */
export interface SpentRoundTripRow {
  client_id: string;
  trip_id: string;
  expires_at: number;
}

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
  data: string;
  /** Order of writing where the engine keeps none; see `Dialect.written`. */
  written: number;
  /** Place in the client's feed, null until it is given. */
  position: number | null;
  /** Place among the events of the resource, null until it is given. */
  sequence: number | null;
  /** Session and device of a person's action; not in the feed. */
  session_id: string | null;
  device_id: string | null;
  /** `traceparent` and, behind a space, `tracestate` of the request; null: they follow from `request_id`. */
  trace: string | null;
}

export interface EventHeadRow {
  client_id: string;
  position: number;
  /** Events up to this position are gone. */
  gone: number;
}

/** The last number of a resource whose events are all gone. */
export interface EventSequenceRow {
  client_id: string;
  resource_type: string;
  resource_id: string;
  sequence: number;
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
  headers: string | null;
  created_at: number;
}

export interface CounterRow {
  client_id: string;
  name: string;
  value: number;
}

export interface ItemRow {
  client_id: string;
  item_id: string;
  revision: number;
  doc: string;
  created_at: number;
  updated_at: number;
  /** Form of its rows of item_terms; 0: it has none yet. */
  term_form: number;
}

/** A word or code by which an item is found. */
export interface ItemTermRow {
  client_id: string;
  term: string;
  item_id: string;
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

/** A carton of an announcement, once. */
export interface InboundCartonRow {
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
  doc: string;
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

export interface PackSlipRow {
  client_id: string;
  fulfillment_order_id: string;
  content_hash: string;
  pack_slip_id: string;
  modify_associate_id: string;
  created_at: number;
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
  rows_refused: string;
  started_at: number;
  updated_at: number;
  finished_at: number | null;
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

export interface WebhookRow {
  client_id: string;
  webhook_id: string;
  url: string;
  /** JSON list; null: every type. */
  types: string | null;
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

export interface WebhookDeliveryRow {
  client_id: string;
  webhook_id: string;
  position: number;
  status: 'PENDING' | 'DELIVERED' | 'DEAD';
  attempts: number;
  due_at: number | null;
  /** JSON list of the latest attempts. */
  log: string;
  created_at: number;
  updated_at: number;
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

/** What was asked under an id of the caller's choice. */
export interface CommandRow {
  client_id: string;
  /** What it is about: `change:<order>`, `move:<order>`, `correct:<ticket>`, `decline:<node>`. */
  scope: string;
  command_id: string;
  /** Which key made it, and a keyed hash of the content. */
  content_hash: string;
  at: number;
  /** JSON text of the reply, where it cannot be made anew. */
  reply: string | null;
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
  /** Staged units that belong to no order; negative: orders hold more than there is. */
  loose: number;
  revision: number;
  /** Its first count since the node keeps stock; null: none yet. */
  opened_at: number | null;
  counted_at: number | null;
  wanted_since: number | null;
  wanted_cause: string | null;
  updated_at: number;
  /** JSON of units by place: opening stock that was imported since the node keeps stock; null: none. */
  openings: string | null;
}

export interface StockMoveRow {
  client_id: string;
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
  at: number;
}

export interface StockTransactionRow {
  client_id: string;
  node_id: string;
  sequence: number;
  type: 31 | 51 | 61 | 71;
  item_id: string;
  /** Signed. */
  quantity: number;
  reference: string;
  line_number: string | null;
  at: number;
}

export interface StockHeadRow {
  client_id: string;
  node_id: string;
  sequence: number;
  /** Transactions up to this number are gone. */
  gone: number;
}

/** Units that moves brought which are gone. */
export interface StockCarriedRow {
  client_id: string;
  node_id: string;
  item_id: string;
  shelf: number;
  staged: number;
  damaged: number;
  held: number;
  missing: number;
  /** Of the last move that is gone. */
  revision: number;
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
}

export interface StockCountLineRow {
  client_id: string;
  node_id: string;
  count_id: string;
  line_index: number;
  item_id: string;
  place: string;
  counted: number;
  revision: number;
  state: 'POSTED' | 'WAITING';
  difference: number;
}

export interface Tables {
  clients: ClientRow;
  sellers: SellerRow;
  stores: StoreRow;
  nodes: NodeRow;
  credentials: CredentialRow;
  operator_keys: OperatorKeyRow;
  access_events: AccessEventRow;
  access_heads: AccessHeadRow;
  installation: InstallationRow;
  users: UserRow;
  people: PersonRow;
  sessions: SessionRow;
  trainings: TrainingRow;
  printers: PrinterRow;
  devices: DeviceRow;
  device_codes: DeviceCodeRow;
  sign_in_attempts: SignInAttemptRow;
  outbox_tickets: OutboxTicketRow;
  identity_providers: IdentityProviderRow;
  user_identities: UserIdentityRow;
  passkeys: PasskeyRow;
  spent_round_trips: SpentRoundTripRow;
  events: EventRow;
  idempotency_keys: IdempotencyKeyRow;
  counters: CounterRow;
  items: ItemRow;
  item_terms: ItemTermRow;
  node_items: NodeItemRow;
  inbound_shipments: InboundShipmentRow;
  inbound_lines: InboundLineRow;
  inbound_cartons: InboundCartonRow;
  inbound_orders: InboundOrderRow;
  inbound_receipts: InboundReceiptRow;
  inbound_entries: InboundEntryRow;
  inbound_sums: InboundSumRow;
  inbound_carton_work: InboundCartonWorkRow;
  inbound_statements: InboundStatementRow;
  fulfillment_orders: FulfillmentOrderRow;
  order_lines: OrderLineRow;
  checkin_packages: CheckinPackageRow;
  checkin_package_items: CheckinPackageItemRow;
  pick_tickets: PickTicketRow;
  pick_ticket_items: PickTicketItemRow;
  pick_ticket_lines: PickTicketLineRow;
  pack_slips: PackSlipRow;
  imports: ImportRow;
  pick_ticket_scans: PickTicketScanRow;
  packages: PackageRow;
  package_items: PackageItemRow;
  hand_overs: HandOverRow;
  resource_requests: ResourceRequestRow;
  resource_request_lines: ResourceRequestLineRow;
  node_item_holds: NodeItemHoldRow;
  event_heads: EventHeadRow;
  event_sequences: EventSequenceRow;
  webhooks: WebhookRow;
  webhook_deliveries: WebhookDeliveryRow;
  alerts: AlertRow;
  order_charges: OrderChargeRow;
  commands: CommandRow;
  order_notes: OrderNoteRow;
  stock_levels: StockLevelRow;
  stock_moves: StockMoveRow;
  stock_transactions: StockTransactionRow;
  stock_heads: StockHeadRow;
  stock_carried: StockCarriedRow;
  stock_counts: StockCountRow;
  stock_count_lines: StockCountLineRow;
}
