-- Generated from migrations/ by: npx node scripts/schema-dump.ts

CREATE TABLE access_events (
  client_id text not null,
  position integer not null,
  at integer not null,
  type text not null,
  actor text not null,
  request_id text not null,
  data text not null,
  primary key (client_id, position)
) strict;

CREATE INDEX access_events_by_position on access_events (position);

CREATE TABLE access_heads (
  client_id text not null primary key,
  position integer not null
) strict;

CREATE TABLE alerts (
  client_id text not null,
  alert_id text not null,
  store_id text not null,
  node_id text not null,
  fulfillment_order_id text not null,
  oms_order_id text not null,
  web_order_id text not null,
  fulfillment_type text not null,
  alert_type text not null,
  status text not null check (status in ('OPEN', 'CLOSED')),
  revision integer not null,
  queue_id text not null,
  queued_at integer not null,
  pick_ticket_id text,
  sla_type text not null,
  sla_at integer not null,
  generated_at integer not null,
  closed_at integer,
  primary key (client_id, alert_id),
  foreign key (client_id, fulfillment_order_id) references fulfillment_orders (client_id, fulfillment_order_id),
  check ((status = 'OPEN') = (closed_at is null))
) strict;

CREATE INDEX alerts_by_date on alerts (client_id, store_id, node_id, generated_at, alert_id);

CREATE UNIQUE INDEX alerts_once on alerts (client_id, fulfillment_order_id, alert_type, queued_at);

CREATE UNIQUE INDEX alerts_open on alerts (client_id, fulfillment_order_id) where status = 'OPEN';

CREATE INDEX alerts_open_by_date on alerts (client_id, store_id, node_id, generated_at, alert_id) where status = 'OPEN';

CREATE TABLE checkin_package_items (
  client_id text not null,
  fulfillment_order_id text not null,
  package_index integer not null,
  line_index integer not null,
  quantity integer not null check (quantity > 0),
  checked_in integer check (checked_in >= 0),
  canceled integer check (canceled >= 0),
  reason text,
  primary key (client_id, fulfillment_order_id, package_index, line_index),
  foreign key (client_id, fulfillment_order_id, package_index)
    references checkin_packages (client_id, fulfillment_order_id, package_index),
  foreign key (client_id, fulfillment_order_id, line_index)
    references order_lines (client_id, fulfillment_order_id, line_index),
  check (coalesce(checked_in, 0) + coalesce(canceled, 0) <= quantity),
  check (coalesce(canceled, 0) = 0 or reason is not null)
) strict;

CREATE TABLE checkin_packages (
  client_id text not null,
  fulfillment_order_id text not null,
  package_index integer not null,
  check_in_package_id text not null,
  tracking_number text not null,
  weight text,
  volume text,
  primary key (client_id, fulfillment_order_id, package_index),
  foreign key (client_id, fulfillment_order_id) references fulfillment_orders (client_id, fulfillment_order_id)
) strict;

CREATE UNIQUE INDEX checkin_packages_by_id on checkin_packages (client_id, fulfillment_order_id, check_in_package_id);

CREATE INDEX checkin_packages_by_tracking on checkin_packages (client_id, tracking_number);

CREATE TABLE clients (
  client_id text not null primary key,
  name text not null,
  catalog_ids text not null,
  settings text not null,
  created_at integer not null,
  updated_at integer not null
) strict;

CREATE TABLE commands (
  client_id text not null references clients (client_id),
  scope text not null,
  command_id text not null,
  content_hash text not null,
  at integer not null,
  reply text,
  primary key (client_id, scope, command_id)
) strict;

CREATE INDEX commands_of_nodes on commands (at, client_id, scope, command_id) where substr(scope, 1, 6) = 'print:' or substr(scope, 1, 8) = 'decline:';

CREATE INDEX commands_of_stock on commands (at, client_id, scope, command_id) where substr(scope, 1, 10) in ('stockMove:', 'planCount:');

CREATE TABLE count_plan_lines (
  client_id text not null,
  node_id text not null,
  plan_id text not null,
  line_index integer not null,
  item_id text not null,
  place text not null check (place in ('SHELF', 'STAGE', 'DAMAGED', 'HELD', 'MISSING')),
  bin text,
  state text not null check (state in ('TO_COUNT', 'COUNT_AGAIN', 'COUNTED')),
  first_count_id text,
  first_by text,
  first_at integer,
  first_counted integer check (first_counted >= 0),
  first_revision integer,
  second_count_id text,
  second_by text,
  second_at integer,
  second_counted integer check (second_counted >= 0),
  second_revision integer,
  difference integer,
  primary key (client_id, node_id, plan_id, line_index),
  foreign key (client_id, node_id, plan_id) references count_plans (client_id, node_id, plan_id),
  check ((first_count_id is null) = (state = 'TO_COUNT')),
  check ((first_count_id is null) = (first_by is null)),
  check ((first_count_id is null) = (first_at is null)),
  check ((first_count_id is null) = (first_counted is null)),
  check ((first_count_id is null) = (first_revision is null)),
  check (second_count_id is null or state = 'COUNTED'),
  check ((second_count_id is null) = (second_by is null)),
  check ((second_count_id is null) = (second_at is null)),
  check ((second_count_id is null) = (second_counted is null)),
  check ((second_count_id is null) = (second_revision is null)),
  -- The second count is of another person.
  check (second_by is null or second_by <> first_by),
  check (difference is null or state = 'COUNTED')
) strict, without rowid;

CREATE UNIQUE INDEX count_plan_lines_by_item on count_plan_lines (client_id, node_id, plan_id, item_id, place);

CREATE TABLE count_plans (
  client_id text not null,
  node_id text not null,
  plan_id text not null,
  name text,
  rule text not null,
  second_count text not null check (second_count in ('NEVER', 'DIFFERENT', 'ALWAYS')),
  state text not null check (state in ('DRAFT', 'OPEN', 'COUNTED', 'APPROVED')),
  revision integer not null,
  created_by text not null,
  created_at integer not null,
  opened_by text,
  opened_at integer,
  counted_at integer,
  approved_by text,
  approved_at integer,
  primary key (client_id, node_id, plan_id),
  foreign key (client_id, node_id) references nodes (client_id, node_id),
  check ((opened_by is null) = (opened_at is null)),
  check ((opened_at is null) = (state = 'DRAFT')),
  check ((counted_at is null) = (state in ('DRAFT', 'OPEN'))),
  check ((approved_by is null) = (approved_at is null)),
  check ((approved_at is null) = (state <> 'APPROVED'))
) strict;

CREATE INDEX count_plans_at_work on count_plans (client_id, node_id, state) where state in ('OPEN', 'COUNTED');

CREATE INDEX count_plans_by_age on count_plans (approved_at) where state = 'APPROVED';

CREATE TABLE counters (
  client_id text not null,
  name text not null,
  value integer not null,
  primary key (client_id, name)
) strict;

CREATE TABLE credentials (
  client_id text not null references clients (client_id),
  credential_id text not null,
  label text not null,
  key_hash text not null,
  username text not null,
  password_hash text not null,
  store_ids text,
  node_ids text,
  groups text not null,
  expires_at integer,
  revoked_at integer,
  created_at integer not null,
  primary key (client_id, credential_id)
) strict;

CREATE TABLE customer_messages (
  client_id text not null,
  message_id text not null,
  fulfillment_order_id text not null,
  kind text not null check (kind in ('READY', 'PARTLY_READY', 'LATE', 'REMINDER')),
  sent_by text not null check (sent_by in ('EVENTS', 'MAIL')),
  status text not null check (status in ('TOLD', 'WAITING', 'SENDING', 'SENT', 'FAILED')),
  user_id text,
  attempts integer not null default 0,
  failure text,
  created_at integer not null,
  due_at integer,
  ended_at integer,
  primary key (client_id, message_id),
  foreign key (client_id, fulfillment_order_id) references fulfillment_orders (client_id, fulfillment_order_id)
) strict;

CREATE INDEX customer_messages_due on customer_messages (due_at, client_id) where due_at is not null;

CREATE INDEX customer_messages_of_order on customer_messages (client_id, fulfillment_order_id);

CREATE TABLE device_codes (
  client_id text not null references clients (client_id),
  code_hash text not null,
  node_id text not null,
  created_by text not null,
  expires_at integer not null,
  primary key (client_id, code_hash)
) strict;

CREATE INDEX device_codes_by_hash on device_codes (code_hash);

CREATE TABLE devices (
  client_id text not null references clients (client_id),
  device_id text not null,
  node_id text not null,
  name text not null,
  token_hash text not null,
  created_at integer not null,
  created_by text not null,
  seen_at integer not null,
  revoked_at integer,
  -- Instants of the latest wrong PINs, a JSON list; locked_at is set by the twentieth in ten minutes.
  wrong_pins text not null default '[]',
  locked_at integer,
  primary key (client_id, device_id)
) strict;

CREATE TABLE edi_interchanges (
  client_id text not null,
  interchange_id text not null,
  direction text not null check (direction in ('IN', 'OUT')),
  partner_id text,
  control_number text not null,
  usage text not null,
  content_hash text not null,
  -- One character a byte.
  content text not null,
  bytes integer not null,
  status text not null check (status in ('TAKING', 'ACCEPTED', 'PARTLY', 'REJECTED', 'QUARANTINED', 'TESTED', 'DUPLICATE',
    'WAITING', 'TAKEN', 'ACKNOWLEDGED', 'REFUSED', 'OVERDUE')),
  doc text not null,
  answers text,
  source text,
  -- The statement that an 861 tells: type, number, seller, version.
  statement text,
  group_number text,
  created_at integer not null,
  taken_at integer,
  due_at integer,
  acknowledged_at integer,
  primary key (client_id, interchange_id),
  foreign key (client_id) references clients (client_id)
) strict;

CREATE INDEX edi_interchanges_by_age on edi_interchanges (created_at);

CREATE UNIQUE INDEX edi_interchanges_by_content on edi_interchanges (client_id, content_hash) where direction = 'IN';

CREATE INDEX edi_interchanges_by_group on edi_interchanges (client_id, partner_id, group_number) where group_number is not null;

CREATE INDEX edi_interchanges_by_number on edi_interchanges (client_id, partner_id, direction, usage, control_number);

CREATE UNIQUE INDEX edi_interchanges_by_statement on edi_interchanges (client_id, partner_id, statement) where statement is not null;

CREATE INDEX edi_interchanges_by_status on edi_interchanges (client_id, direction, status, created_at);

CREATE INDEX edi_interchanges_due on edi_interchanges (due_at) where status in ('TAKING', 'TAKEN');

CREATE INDEX edi_interchanges_unfinished on edi_interchanges (direction, status, created_at)
  where status in ('TAKING', 'QUARANTINED', 'WAITING', 'OVERDUE');

CREATE TABLE edi_partners (
  client_id text not null,
  partner_id text not null,
  seller_id text not null,
  our_qualifier text not null,
  our_id text not null,
  their_qualifier text not null,
  their_id text not null,
  usage text not null check (usage in ('P', 'T')),
  doc text not null,
  revision integer not null,
  -- Last control numbers that were used.
  out_interchange integer not null default 0,
  out_group integer not null default 0,
  -- Statements up to this place in the feed were sent.
  feed_position integer not null default 0,
  created_at integer not null,
  updated_at integer not null,
  primary key (client_id, partner_id),
  foreign key (client_id) references clients (client_id)
) strict;

CREATE UNIQUE INDEX edi_partners_by_identity
  on edi_partners (client_id, their_qualifier, their_id, our_qualifier, our_id, usage);

CREATE TABLE edi_sets (
  client_id text not null,
  interchange_id text not null,
  position integer not null,
  group_number text not null,
  set_number text not null,
  set_id text not null,
  purpose text,
  number text,
  outcome text check (outcome in ('ACCEPTED', 'REJECTED_SYNTAX', 'REJECTED_RULES', 'IGNORED')),
  findings text not null,
  findings_total text not null,
  resources text not null,
  primary key (client_id, interchange_id, position),
  foreign key (client_id, interchange_id) references edi_interchanges (client_id, interchange_id) on delete cascade
) strict;

CREATE INDEX edi_sets_by_number on edi_sets (client_id, set_id, number);

CREATE TABLE edi_shipments (
  client_id text not null,
  seller_id text not null,
  type text not null check (type in ('ASN', 'PO')),
  number text not null,
  message_id text not null,
  interchange_id text not null,
  partner_id text not null,
  primary key (client_id, seller_id, type, number),
  foreign key (client_id, interchange_id) references edi_interchanges (client_id, interchange_id) on delete cascade
) strict;

CREATE INDEX edi_shipments_by_interchange on edi_shipments (client_id, interchange_id);

CREATE TABLE event_heads (
  client_id text not null primary key,
  position integer not null
, gone integer not null default 0) strict;

CREATE TABLE event_sequences (
  client_id text not null,
  resource_type text not null,
  resource_id text not null,
  sequence integer not null,
  primary key (client_id, resource_type, resource_id)
) strict, without rowid;

CREATE TABLE events (
  client_id text not null,
  event_id text not null,
  at integer not null,
  type text not null,
  resource_type text not null,
  resource_id text not null,
  revision integer not null,
  actor text not null,
  request_id text not null,
  data text not null, written integer not null default 0, position integer, sequence integer check ((sequence is null) = (position is null)), session_id text, device_id text, trace text,
  primary key (client_id, event_id)
) strict;

CREATE UNIQUE INDEX events_by_position on events (client_id, position) where position is not null;

CREATE UNIQUE INDEX events_by_sequence on events (client_id, resource_type, resource_id, sequence) where sequence is not null;

CREATE INDEX events_of_items on events (client_id, resource_id, event_id) where resource_type = 'item';

CREATE INDEX events_unplaced on events (client_id, written) where position is null;

CREATE TABLE fulfillment_orders (
  client_id text not null,
  fulfillment_order_id text not null,
  fulfillment_id integer not null,
  store_id text not null,
  node_id text not null,
  oms_order_id text not null,
  web_order_id text not null,
  external_order_number text,
  external_order_number2 text,
  fulfillment_type text not null,
  status integer not null,
  queue_id text,
  queued_at integer not null,
  sla_type text,
  sla_at integer,
  revision integer not null,
  order_date integer not null,
  fulfillment_order_date integer not null,
  expected_delivery_date integer,
  currency text not null,
  carrier text not null,
  service text not null,
  ship_method text not null,
  hold_location text,
  pick_ticket_id text,
  customer_name_key text not null,
  customer_email_key text not null,
  customer_phone_key text not null,
  proxy_name_key text,
  proxy_email_key text,
  proxy_phone_key text,
  postal_code_key text not null,
  pin_cipher text,
  pin_hash text,
  header_charges text not null,
  header_tax text not null,
  cash_on_delivery text,
  carrier_exception integer not null check (carrier_exception in (0, 1)),
  in_store integer not null check (in_store in (0, 1)),
  contacts text not null,
  member_hashes text not null,
  created_at integer not null,
  updated_at integer not null, due_at integer, ended_at integer, blanked_at integer, resourced_from text, pin_attempts integer not null default 0, pin_locked_until integer, pin_unlocks integer not null default 0 check (pin_unlocks >= 0), key_form integer not null default 0, checkin_hold_location text, exchange_number text, exchange_line integer,
  primary key (client_id, fulfillment_order_id),
  foreign key (client_id, store_id) references stores (client_id, store_id),
  foreign key (client_id, node_id) references nodes (client_id, node_id),
  check ((status = 1150) <= (pick_ticket_id is not null))
) strict;

CREATE INDEX fulfillment_orders_by_arrival on fulfillment_orders (client_id, node_id, created_at);

CREATE INDEX fulfillment_orders_by_change on fulfillment_orders
  (client_id, store_id, status, updated_at, fulfillment_order_id);

CREATE INDEX fulfillment_orders_by_date on fulfillment_orders
  (client_id, store_id, node_id, fulfillment_order_date, fulfillment_order_id);

CREATE INDEX fulfillment_orders_by_due on fulfillment_orders (client_id, node_id, coalesce(sla_at, 9000000000000000), fulfillment_order_id) where queue_id is not null;

CREATE INDEX fulfillment_orders_by_end on fulfillment_orders (ended_at) where ended_at is not null;

CREATE UNIQUE INDEX fulfillment_orders_by_exchange on fulfillment_orders (client_id, store_id, exchange_number, exchange_line)
  where exchange_number is not null;

CREATE INDEX fulfillment_orders_by_hold on fulfillment_orders (client_id, node_id, hold_location)
  where hold_location is not null and (status < 3700 or status = 8000);

CREATE UNIQUE INDEX fulfillment_orders_by_number on fulfillment_orders (client_id, fulfillment_id);

CREATE INDEX fulfillment_orders_by_old_keys on fulfillment_orders (client_id, fulfillment_order_id) where key_form = 0;

CREATE INDEX fulfillment_orders_by_oms_order on fulfillment_orders (client_id, oms_order_id);

CREATE INDEX fulfillment_orders_by_queue on fulfillment_orders
  (client_id, store_id, node_id, queue_id, fulfillment_order_date, fulfillment_order_id) where queue_id is not null;

CREATE INDEX fulfillment_orders_by_saved_hold on fulfillment_orders (client_id, node_id, checkin_hold_location)
  where checkin_hold_location is not null and status = 1300;

CREATE INDEX fulfillment_orders_by_web_order on fulfillment_orders (client_id, web_order_id);

CREATE INDEX fulfillment_orders_due on fulfillment_orders (due_at) where due_at is not null;

CREATE INDEX fulfillment_orders_resourced on fulfillment_orders (client_id, resourced_from) where resourced_from is not null;

CREATE INDEX fulfillment_orders_shipped on fulfillment_orders (client_id, node_id, ended_at) where status = 3700;

CREATE TABLE hand_overs (
  client_id text not null,
  fulfillment_order_id text not null,
  hand_over_id text not null,
  position integer not null,
  content_hash text not null,
  collected_by text not null check (collected_by in ('CUSTOMER', 'PROXY')),
  verification_method text,
  modify_associate_id text not null,
  lines text not null,
  at integer not null, proof_kind text, proof_type text, proof_cipher text,
  primary key (client_id, fulfillment_order_id, hand_over_id),
  foreign key (client_id, fulfillment_order_id) references fulfillment_orders (client_id, fulfillment_order_id)
) strict;

CREATE UNIQUE INDEX hand_overs_by_position on hand_overs (client_id, fulfillment_order_id, position);

CREATE TABLE idempotency_keys (
  client_id text not null,
  credential_id text not null,
  method text not null,
  path text not null,
  key text not null,
  body_hash text not null,
  status integer,
  reply text,
  headers text,
  created_at integer not null,
  primary key (client_id, credential_id, method, path, key)
) strict;

CREATE INDEX idempotency_keys_by_age on idempotency_keys (created_at);

CREATE TABLE idempotency_orders (
  client_id text not null,
  fulfillment_order_id text not null,
  credential_id text not null,
  method text not null,
  path text not null,
  key text not null,
  created_at integer not null,
  primary key (client_id, fulfillment_order_id, credential_id, method, path, key)
) strict;

CREATE INDEX idempotency_orders_by_age on idempotency_orders (created_at);

CREATE TABLE identity_providers (
  client_id text not null references clients (client_id),
  provider_id text not null,
  name text not null,
  issuer text not null,
  oidc_client_id text not null,
  client_secret text not null,
  scopes text not null,
  role_claim text,
  roles text not null,
  create_users integer not null check (create_users in (0, 1)),
  node_ids text not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (client_id, provider_id)
) strict;

CREATE TABLE imports (
  client_id text not null,
  import_id text not null,
  kind text not null,
  file_name text not null,
  position integer not null,
  reject_position integer not null,
  rows_read integer not null,
  rows_imported integer not null,
  rows_refused text not null,
  started_at integer not null,
  updated_at integer not null,
  finished_at integer,
  primary key (client_id, import_id)
) strict;

CREATE TABLE inbound_carton_work (
  client_id text not null,
  seller_id text not null,
  type text not null,
  number text not null,
  carton_id text not null,
  state text not null check (state in ('EXPECTED', 'COUNTING', 'RECEIVED', 'DAMAGED', 'REFUSED', 'UNEXPECTED')),
  whole_as text check (whole_as in ('GOOD', 'DAMAGED', 'REFUSED', 'HELD')),
  receipt_id text,
  user_id text,
  since integer,
  holder_until integer,
  primary key (client_id, seller_id, type, number, carton_id),
  foreign key (client_id, seller_id, type, number) references inbound_shipments (client_id, seller_id, type, number)
) strict;

CREATE TABLE inbound_cartons (
  client_id text not null,
  carton_id text not null,
  seller_id text not null,
  type text not null,
  number text not null,
  primary key (client_id, carton_id, seller_id, type, number)
) strict;

CREATE TABLE inbound_entries (
  client_id text not null,
  seller_id text not null,
  type text not null,
  number text not null,
  position integer not null,
  entry_index integer not null,
  carton_id text not null,
  item_id text not null,
  good integer not null,
  damaged integer not null,
  refused integer not null,
  held integer not null,
  reason text,
  place text not null check (place in ('SHELF', 'STAGE')),
  location text,
  primary key (client_id, seller_id, type, number, position, entry_index),
  foreign key (client_id, seller_id, type, number, position)
    references inbound_receipts (client_id, seller_id, type, number, position)
) strict;

CREATE TABLE inbound_lines (
  client_id text not null,
  seller_id text not null,
  type text not null,
  number text not null,
  line_index integer not null,
  carton_id text,
  item_id text not null,
  quantity integer not null check (quantity between 1 and 99999),
  item_cost text not null,
  doc text not null,
  primary key (client_id, seller_id, type, number, line_index),
  foreign key (client_id, seller_id, type, number)
    references inbound_shipments (client_id, seller_id, type, number) on delete cascade
) strict;

CREATE TABLE inbound_orders (
  client_id text not null,
  seller_id text not null,
  po_number text not null,
  asn_number text not null,
  primary key (client_id, seller_id, po_number, asn_number)
) strict;

CREATE TABLE inbound_receipts (
  client_id text not null,
  seller_id text not null,
  type text not null,
  number text not null,
  position integer not null,
  kind text not null check (kind in ('RECEIPT', 'APPROVAL', 'MATCH')),
  receipt_id text not null,
  user_id text not null,
  at integer not null,
  created_at integer not null,
  corrects text,
  content_hash text not null,
  doc text not null,
  primary key (client_id, seller_id, type, number, position),
  foreign key (client_id, seller_id, type, number) references inbound_shipments (client_id, seller_id, type, number)
) strict;

CREATE UNIQUE INDEX inbound_receipts_by_id on inbound_receipts (client_id, seller_id, type, number, kind, receipt_id);

CREATE TABLE inbound_shipments (
  client_id text not null,
  seller_id text not null,
  type text not null check (type in ('ASN', 'PO', 'BLIND')),
  number text not null,
  message_id text not null,
  store_id text,
  node_id text not null,
  receiving_warehouse_id text not null,
  status text not null check (status in ('EXPECTED', 'RECEIVING', 'CLOSED')),
  revision integer not null,
  content_hash text not null,
  doc text not null,
  total_lines integer not null check (total_lines > 0 or type = 'BLIND'),
  total_units integer not null check (total_units > 0 or type = 'BLIND'),
  created_at integer not null,
  expected_on text not null,
  arrived_at integer,
  received_units integer not null default 0 check (received_units >= 0),
  open_units integer not null check (open_units >= 0),
  cartons integer not null check (cartons >= 0),
  cartons_done integer not null default 0 check (cartons_done between 0 and cartons),
  completed_at integer,
  receipts integer not null default 0 check (receipts >= 0),
  statements integer not null default 0 check (statements >= 0),
  matched_to text,
  primary key (client_id, seller_id, type, number),
  foreign key (client_id, store_id) references stores (client_id, store_id),
  foreign key (client_id, node_id) references nodes (client_id, node_id),
  check (type = 'BLIND' or store_id is not null)
) strict;

CREATE INDEX inbound_shipments_by_day on inbound_shipments (client_id, node_id, expected_on, type, number, seller_id);

CREATE INDEX inbound_shipments_by_number on inbound_shipments (client_id, type, number, seller_id);

CREATE INDEX inbound_shipments_closed on inbound_shipments (created_at) where status = 'CLOSED';

CREATE INDEX inbound_shipments_open on inbound_shipments (client_id, node_id, expected_on, type, number, seller_id)
  where status <> 'CLOSED';

CREATE INDEX inbound_shipments_open_by_number on inbound_shipments (client_id, type, number, seller_id) where status <> 'CLOSED';

CREATE TABLE inbound_statements (
  client_id text not null,
  seller_id text not null,
  type text not null,
  number text not null,
  version integer not null,
  close_id text not null,
  user_id text not null,
  closed_at integer not null,
  content_hash text not null,
  doc text not null,
  primary key (client_id, seller_id, type, number, version),
  foreign key (client_id, seller_id, type, number) references inbound_shipments (client_id, seller_id, type, number)
) strict;

CREATE UNIQUE INDEX inbound_statements_by_id on inbound_statements (client_id, seller_id, type, number, close_id);

CREATE TABLE inbound_sums (
  client_id text not null,
  seller_id text not null,
  type text not null,
  number text not null,
  carton_id text not null,
  item_id text not null,
  good integer not null check (good >= 0),
  damaged integer not null check (damaged >= 0),
  refused integer not null check (refused >= 0),
  held integer not null check (held >= 0),
  staged integer not null check (staged between 0 and good),
  decided integer not null check (decided >= 0),
  primary key (client_id, seller_id, type, number, carton_id, item_id),
  foreign key (client_id, seller_id, type, number) references inbound_shipments (client_id, seller_id, type, number)
) strict;

CREATE INDEX inbound_sums_held on inbound_sums (client_id, seller_id, type, number) where held > 0;

CREATE TABLE installation (
  client_id text not null check (client_id = ''),
  name text not null,
  value text not null,
  primary key (client_id, name)
) strict;

CREATE TABLE item_terms (
  client_id text not null,
  term text not null,
  item_id text not null,
  primary key (client_id, term, item_id)
) strict, without rowid;

CREATE TABLE items (
  client_id text not null references clients (client_id),
  item_id text not null,
  revision integer not null,
  doc text not null,
  created_at integer not null,
  updated_at integer not null, term_form integer not null default 0,
  primary key (client_id, item_id)
) strict;

CREATE INDEX items_by_old_terms on items (client_id, item_id) where term_form = 0;

CREATE TABLE migrations (
      number integer primary key, name text not null, hash text not null, applied_at integer not null
    , needs integer) strict;

CREATE TABLE node_item_holds (
  client_id text not null,
  node_id text not null,
  item_id text not null,
  policy text not null check (policy in ('HOLD_UNTIL_FEED', 'HOLD_UNTIL_RELEASED')),
  reason text not null,
  fulfillment_order_id text not null,
  created_at integer not null,
  primary key (client_id, node_id, item_id),
  foreign key (client_id, node_id) references nodes (client_id, node_id)
) strict;

CREATE TABLE node_items (
  client_id text not null,
  node_id text not null,
  item_id text not null,
  retail_price text,
  pick_location text,
  on_hand integer,
  updated_at integer not null,
  primary key (client_id, node_id, item_id),
  foreign key (client_id, node_id) references nodes (client_id, node_id)
) strict;

CREATE TABLE nodes (
  client_id text not null references clients (client_id),
  node_id text not null,
  name text not null,
  node_type text not null check (node_type in ('STORE', 'WAREHOUSE')),
  time_zone text not null,
  address text not null,
  phone text not null,
  opening_hours text not null,
  hold_locations text not null,
  fulfillment_types text not null,
  receiving_warehouse_id text,
  created_at integer not null,
  updated_at integer not null, holidays text not null default '[]', decline_policy text not null default 'NO_HOLD'
  check (decline_policy in ('HOLD_UNTIL_FEED', 'HOLD_UNTIL_RELEASED', 'NO_HOLD')), stock text not null default 'NOT_KEPT' check (stock in ('NOT_KEPT', 'KEPT')), promise text not null default 'ANY' check (promise in ('ANY', 'AVAILABLE')), receive_to text not null default 'SHELF' check (receive_to in ('SHELF', 'STAGE')),
  primary key (client_id, node_id)
) strict;

CREATE UNIQUE INDEX nodes_by_warehouse on nodes (client_id, receiving_warehouse_id) where receiving_warehouse_id is not null;

CREATE TABLE operator_keys (
  client_id text not null check (client_id = ''),
  key_id text not null,
  label text not null,
  key_hash text not null,
  expires_at integer,
  revoked_at integer,
  created_at integer not null,
  primary key (client_id, key_id)
) strict;

CREATE TABLE order_charges (
  client_id text not null,
  chain_id text not null,
  position integer not null,
  fulfillment_order_id text not null,
  hand_over_id text,
  with_header integer not null check (with_header in (0, 1)),
  cash_on_delivery text not null,
  grand_total text,
  amounts text,
  at integer not null,
  primary key (client_id, chain_id, position),
  foreign key (client_id, chain_id) references fulfillment_orders (client_id, fulfillment_order_id),
  foreign key (client_id, fulfillment_order_id) references fulfillment_orders (client_id, fulfillment_order_id)
) strict;

CREATE INDEX order_charges_by_order on order_charges (client_id, fulfillment_order_id);

CREATE UNIQUE INDEX order_charges_header on order_charges (client_id, chain_id) where with_header = 1;

CREATE TABLE order_lines (
  client_id text not null,
  fulfillment_order_id text not null,
  line_index integer not null,
  web_line_id text not null,
  item_id text not null,
  ordered integer not null check (ordered between 1 and 99999),
  picked integer not null check (picked >= 0),
  declined integer not null check (declined >= 0),
  decline_reason text,
  unit_price text not null,
  charges text not null,
  tax text not null,
  snapshot text not null,
  instructions text, canceled integer not null default 0 check (canceled >= 0), canceling integer not null default 0 check (canceling >= 0), cancel_reason text, handed_over integer not null default 0 check (handed_over >= 0), refused integer not null default 0 check (refused >= 0), refuse_reason text, returned integer not null default 0
  check (picked + declined + canceled <= ordered)
  check (returned >= 0 and handed_over + refused + returned <= picked)
  check (canceling <= ordered - declined - canceled - handed_over - refused - returned)
  check (canceled + canceling = 0 or cancel_reason is not null)
  check (refused = 0 or refuse_reason is not null), missing integer not null default 0
  check (missing >= 0 and handed_over + refused + returned + missing <= picked)
  check (canceling <= ordered - declined - canceled - handed_over - refused - returned - missing), came_back integer not null default 0
  check (came_back >= 0 and came_back <= handed_over), coming_back integer not null default 0
  check (coming_back >= 0 and came_back + coming_back <= handed_over),
  primary key (client_id, fulfillment_order_id, line_index),
  foreign key (client_id, fulfillment_order_id) references fulfillment_orders (client_id, fulfillment_order_id),
  check (picked + declined <= ordered),
  check (declined = 0 or decline_reason is not null)
) strict;

CREATE UNIQUE INDEX order_lines_by_web_line on order_lines (client_id, fulfillment_order_id, web_line_id);

CREATE INDEX order_lines_declined on order_lines (client_id, item_id) where declined > 0;

CREATE TABLE order_notes (
  client_id text not null,
  fulfillment_order_id text not null,
  position integer not null,
  change_id text not null,
  user_id text not null,
  at integer not null,
  note text not null,
  primary key (client_id, fulfillment_order_id, position),
  foreign key (client_id, fulfillment_order_id) references fulfillment_orders (client_id, fulfillment_order_id)
) strict;

CREATE TABLE outbox_tickets (
  client_id text not null,
  ticket_hash text not null,
  user_id text not null,
  device_id text not null,
  session_id text not null,
  expires_at integer not null,
  primary key (client_id, ticket_hash)
) strict;

CREATE INDEX outbox_tickets_by_end on outbox_tickets (expires_at);

CREATE INDEX outbox_tickets_by_user on outbox_tickets (client_id, user_id);

CREATE TABLE pack_slips (
  client_id text not null,
  fulfillment_order_id text not null,
  content_hash text not null,
  pack_slip_id text not null,
  modify_associate_id text not null,
  created_at integer not null,
  primary key (client_id, fulfillment_order_id, content_hash),
  foreign key (client_id, fulfillment_order_id) references fulfillment_orders (client_id, fulfillment_order_id)
) strict;

CREATE TABLE package_items (
  client_id text not null,
  fulfillment_order_id text not null,
  package_index integer not null,
  line_index integer not null,
  quantity integer not null check (quantity > 0),
  instructions text,
  custom_attributes text,
  primary key (client_id, fulfillment_order_id, package_index, line_index),
  foreign key (client_id, fulfillment_order_id, package_index)
    references packages (client_id, fulfillment_order_id, package_index) on delete cascade,
  foreign key (client_id, fulfillment_order_id, line_index)
    references order_lines (client_id, fulfillment_order_id, line_index)
) strict;

CREATE TABLE packages (
  client_id text not null,
  fulfillment_order_id text not null,
  package_index integer not null,
  package_id text not null,
  box_id text not null,
  tracking_number text,
  box_weight text not null,
  packing_material_weight text not null,
  length text not null,
  height text not null,
  width text not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (client_id, fulfillment_order_id, package_index),
  foreign key (client_id, fulfillment_order_id) references fulfillment_orders (client_id, fulfillment_order_id)
) strict;

CREATE UNIQUE INDEX packages_by_box on packages (client_id, fulfillment_order_id, box_id);

CREATE INDEX packages_by_tracking on packages (client_id, tracking_number) where tracking_number is not null;

CREATE TABLE passkeys (
  client_id text not null,
  passkey_id text not null,
  user_id text not null,
  name text not null,
  credential_id text not null,
  public_key text not null,
  counter integer not null check (counter >= 0),
  transports text not null,
  created_at integer not null,
  used_at integer,
  primary key (client_id, passkey_id)
) strict;

CREATE UNIQUE INDEX passkeys_by_credential on passkeys (credential_id);

CREATE INDEX passkeys_by_user on passkeys (client_id, user_id);

CREATE TABLE people (
  client_id text not null check (client_id = ''),
  user_id text not null,
  name text not null,
  password_hash text not null,
  state text not null default 'ACTIVE' check (state in ('ACTIVE', 'DISABLED')),
  language text,
  created_at integer not null,
  updated_at integer not null,
  primary key (client_id, user_id)
) strict;

CREATE TABLE pick_ticket_items (
  client_id text not null,
  pick_ticket_id text not null,
  id integer not null,
  item_id text not null,
  unit_price text not null,
  retail_price text,
  pick_location text,
  quantity integer not null check (quantity > 0),
  picked integer check (picked >= 0),
  canceled integer check (canceled >= 0),
  reason text,
  snapshot text not null,
  primary key (client_id, pick_ticket_id, id),
  foreign key (client_id, pick_ticket_id) references pick_tickets (client_id, pick_ticket_id),
  check (picked is null or picked + canceled = quantity)
) strict;

CREATE TABLE pick_ticket_lines (
  client_id text not null,
  pick_ticket_id text not null,
  fulfillment_order_id text not null,
  line_index integer not null,
  id integer not null,
  quantity integer not null check (quantity > 0),
  picked integer,
  canceled integer,
  primary key (client_id, pick_ticket_id, fulfillment_order_id, line_index),
  foreign key (client_id, pick_ticket_id, id) references pick_ticket_items (client_id, pick_ticket_id, id),
  foreign key (client_id, fulfillment_order_id, line_index)
    references order_lines (client_id, fulfillment_order_id, line_index),
  check (picked is null or picked + canceled = quantity)
) strict;

CREATE INDEX pick_ticket_lines_by_order on pick_ticket_lines (client_id, fulfillment_order_id);

CREATE TABLE pick_ticket_scans (
  client_id text not null,
  pick_ticket_id text not null,
  scan_id text not null,
  position integer not null,
  id integer not null,
  picked integer not null check (picked >= 0),
  canceled integer not null check (canceled >= 0),
  reason text,
  undoes text,
  user_id text not null,
  at integer not null,
  primary key (client_id, pick_ticket_id, scan_id),
  foreign key (client_id, pick_ticket_id, id) references pick_ticket_items (client_id, pick_ticket_id, id),
  check (canceled = 0 or reason is not null)
) strict;

CREATE UNIQUE INDEX pick_ticket_scans_by_position on pick_ticket_scans (client_id, pick_ticket_id, position);

CREATE UNIQUE INDEX pick_ticket_scans_by_undone on pick_ticket_scans (client_id, pick_ticket_id, undoes) where undoes is not null;

CREATE TABLE pick_tickets (
  client_id text not null,
  pick_ticket_id text not null,
  store_id text not null,
  node_id text not null,
  queue_id text not null,
  user_id text not null,
  status text not null check (status in ('NEW', 'IN_PROGRESS', 'CLOSED')),
  outcome text check (outcome in ('CONFIRMED', 'RESET')),
  revision integer not null,
  fulfillment_type text not null,
  currency text not null,
  hold_location text not null,
  pick_ticket_date integer not null,
  pick_sla_date integer not null,
  total_fulfillment_orders integer not null,
  total_skus integer not null,
  total_quantity integer not null,
  confirmation_hash text,
  closed_at integer, pick_ticket_type text not null default 'PICK_TICKET'
  check (pick_ticket_type in ('PICK_TICKET', 'REVERSE_PICK_TICKET')), lease_at integer, fulfillment_order_id text, confirmed_by text, picked_lines integer, picked_units integer, short_units integer,
  primary key (client_id, pick_ticket_id),
  foreign key (client_id, store_id) references stores (client_id, store_id),
  foreign key (client_id, node_id) references nodes (client_id, node_id),
  check ((status = 'CLOSED') = (outcome is not null))
) strict;

CREATE INDEX pick_tickets_by_date on pick_tickets (client_id, store_id, node_id, queue_id, pick_ticket_date, pick_ticket_id);

CREATE INDEX pick_tickets_confirmed on pick_tickets (client_id, node_id, closed_at) where picked_lines is not null;

CREATE INDEX pick_tickets_lease on pick_tickets (lease_at) where lease_at is not null;

CREATE INDEX pick_tickets_open on pick_tickets (client_id, node_id, hold_location) where status <> 'CLOSED';

CREATE INDEX pick_tickets_reverse on pick_tickets (client_id, fulfillment_order_id)
  where fulfillment_order_id is not null and status <> 'CLOSED';

CREATE TABLE printers (
  client_id text not null,
  node_id text not null,
  printer_id text not null,
  name text not null,
  host text not null,
  port integer not null check (port between 1 and 65535),
  dpi integer not null,
  kind text not null,
  -- Place in the list.
  ordinal integer not null,
  primary key (client_id, node_id, printer_id),
  foreign key (client_id, node_id) references nodes (client_id, node_id)
) strict;

CREATE TABLE refunds (
  client_id text not null,
  refund_id text not null,
  return_id text not null,
  store_id text not null,
  number text not null,
  fulfillment_order_id text not null,
  position integer not null,
  amount text not null,
  currency text not null,
  collected_at_door text not null,
  shipping text not null,
  fee text not null,
  basis text not null check (basis in ('CHARGED', 'COMPUTED')),
  status text not null check (status in ('DUE', 'DONE', 'FAILED', 'CANCELED')),
  reference text,
  failure text,
  due_at integer not null,
  answered_at integer,
  primary key (client_id, refund_id),
  foreign key (client_id, return_id) references returns (client_id, return_id)
) strict;

CREATE INDEX refunds_by_age on refunds (client_id, due_at, refund_id);

CREATE UNIQUE INDEX refunds_by_order on refunds (client_id, fulfillment_order_id, position);

CREATE INDEX refunds_by_return on refunds (client_id, return_id);

CREATE INDEX refunds_by_status on refunds (client_id, status, due_at, refund_id);

CREATE INDEX refunds_unanswered on refunds (due_at) where status in ('DUE', 'FAILED');

CREATE TABLE resource_request_lines (
  client_id text not null,
  request_id text not null,
  line_index integer not null,
  web_line_id text not null,
  item_id text not null,
  quantity integer not null check (quantity > 0),
  reason text not null,
  primary key (client_id, request_id, line_index),
  foreign key (client_id, request_id) references resource_requests (client_id, request_id)
) strict;

CREATE TABLE resource_requests (
  client_id text not null,
  request_id text not null,
  fulfillment_order_id text not null,
  store_id text not null,
  node_id text not null,
  status text not null check (status in ('OPEN', 'RESOURCED', 'CANCELED')),
  revision integer not null,
  excluded_node_ids text not null,
  new_node_id text,
  new_fulfillment_order_id text,
  created_at integer not null,
  answered_at integer,
  primary key (client_id, request_id),
  foreign key (client_id, fulfillment_order_id) references fulfillment_orders (client_id, fulfillment_order_id),
  check ((status = 'OPEN') = (answered_at is null))
) strict;

CREATE INDEX resource_requests_by_order on resource_requests (client_id, fulfillment_order_id, request_id);

CREATE INDEX resource_requests_by_store on resource_requests (client_id, store_id, status, request_id);

CREATE INDEX resource_requests_open on resource_requests (client_id, node_id) where status = 'OPEN';

CREATE TABLE return_fees (
  client_id text not null,
  fulfillment_order_id text not null,
  return_id text not null,
  amount text not null,
  primary key (client_id, fulfillment_order_id, return_id),
  foreign key (client_id, return_id) references returns (client_id, return_id)
) strict;

CREATE INDEX return_fees_by_return on return_fees (client_id, return_id);

CREATE TABLE return_held (
  client_id text not null,
  return_id text not null,
  position integer not null,
  node_id text not null,
  units integer not null check (units > 0),
  since integer not null,
  primary key (client_id, return_id, position, node_id),
  foreign key (client_id, return_id) references returns (client_id, return_id)
) strict;

CREATE TABLE return_lines (
  client_id text not null,
  return_id text not null,
  position integer not null,
  fulfillment_order_id text,
  line_index integer,
  web_line_id text,
  item_id text not null,
  requested integer not null check (requested >= 0),
  reason text,
  note text,
  sellable integer not null default 0 check (sellable >= 0),
  damaged integer not null default 0 check (damaged >= 0),
  held integer not null default 0 check (held >= 0),
  given_back integer not null default 0 check (given_back >= 0),
  missing integer not null default 0 check (missing >= 0),
  over integer not null default 0 check (over >= 0),
  primary key (client_id, return_id, position),
  foreign key (client_id, return_id) references returns (client_id, return_id),
  check (sellable + damaged + held + given_back + missing <= requested + over),
  check ((fulfillment_order_id is null) = (line_index is null))
) strict;

CREATE INDEX return_lines_by_order on return_lines (client_id, fulfillment_order_id) where fulfillment_order_id is not null;

CREATE TABLE return_receipts (
  client_id text not null,
  return_id text not null,
  receipt_id text not null,
  position integer not null,
  node_id text not null,
  user_id text not null,
  corrects text,
  lines text not null,
  at integer not null,
  primary key (client_id, return_id, receipt_id),
  foreign key (client_id, return_id) references returns (client_id, return_id)
) strict;

CREATE INDEX return_receipts_by_node on return_receipts (client_id, node_id);

CREATE TABLE returns (
  client_id text not null,
  return_id text not null,
  store_id text not null,
  number text not null,
  kind text not null check (kind in ('IN_STORE', 'BY_MAIL', 'CARRIER', 'BLIND')),
  node_id text,
  expected_node_id text,
  status text not null check (status in ('REQUESTED', 'RECEIVING', 'CLOSED', 'CANCELED', 'EXPIRED')),
  revision integer not null,
  customer_ref text,
  note text,
  override_reason text,
  tracking_number text,
  in_transit_at integer,
  expires_at integer,
  closed_at integer,
  blank_at integer,
  blanked_at integer,
  take_id text,
  counted integer not null default 0 check (counted in (0, 1)),
  fee_taken integer not null default 0 check (fee_taken in (0, 1)),
  receipts integer not null default 0,
  exchanges text not null,
  created_at integer not null,
  created_by text not null,
  primary key (client_id, return_id),
  foreign key (client_id, store_id) references stores (client_id, store_id)
) strict;

CREATE INDEX returns_blind on returns (closed_at) where kind = 'BLIND';

CREATE INDEX returns_by_age on returns (client_id, store_id, created_at, return_id);

CREATE INDEX returns_by_customer on returns (client_id, store_id, customer_ref) where customer_ref is not null;

CREATE INDEX returns_by_kind on returns (kind, status);

CREATE INDEX returns_by_node on returns (client_id, expected_node_id) where expected_node_id is not null;

CREATE UNIQUE INDEX returns_by_number on returns (client_id, store_id, number);

CREATE INDEX returns_by_scan on returns (client_id, number);

CREATE INDEX returns_by_state on returns (client_id, store_id, status, created_at, return_id);

CREATE UNIQUE INDEX returns_by_take on returns (client_id, take_id) where take_id is not null;

CREATE INDEX returns_by_tracking on returns (client_id, tracking_number) where tracking_number is not null;

CREATE INDEX returns_expiring on returns (expires_at) where status = 'REQUESTED';

CREATE INDEX returns_to_blank on returns (blank_at) where blank_at is not null;

CREATE INDEX returns_waiting on returns (client_id, coalesce(node_id, expected_node_id), store_id, status) where status in ('REQUESTED', 'RECEIVING');

CREATE TABLE sellers (
  client_id text not null references clients (client_id),
  seller_id text not null,
  primary key (client_id, seller_id)
) strict;

CREATE UNIQUE INDEX sellers_by_id on sellers (seller_id);

CREATE TABLE sessions (
  client_id text not null,
  token_hash text not null,
  session_id text not null,
  user_id text not null,
  method text not null,
  device_id text,
  created_at integer not null,
  full_at integer,
  seen_at integer not null,
  ends_at integer not null,
  locked_at integer,
  must_change_pin integer not null default 0 check (must_change_pin in (0, 1)),
  provider_id text,
  provider_subject text,
  provider_session text,
  primary key (client_id, token_hash)
) strict;

CREATE INDEX sessions_by_device on sessions (client_id, device_id) where device_id is not null;

CREATE INDEX sessions_by_end on sessions (ends_at);

CREATE INDEX sessions_by_user on sessions (client_id, user_id);

CREATE TABLE sign_in_attempts (
  client_id text not null,
  kind text not null check (kind in ('PIN', 'PASSWORD')),
  subject text not null,
  attempts integer not null,
  locks integer not null,
  locked_until integer,
  updated_at integer not null,
  primary key (client_id, kind, subject)
) strict;

CREATE INDEX sign_in_attempts_by_age on sign_in_attempts (updated_at);

CREATE TABLE spent_round_trips (
  client_id text not null,
  trip_id text not null,
  expires_at integer not null,
  primary key (client_id, trip_id)
) strict;

CREATE INDEX spent_round_trips_by_end on spent_round_trips (client_id, expires_at);

CREATE TABLE stock_carried (
  client_id text not null,
  node_id text not null,
  item_id text not null,
  shelf integer not null,
  staged integer not null,
  damaged integer not null,
  held integer not null,
  missing integer not null,
  -- Of the last move that is gone.
  revision integer not null,
  primary key (client_id, node_id, item_id)
) strict, without rowid;

CREATE TABLE stock_count_lines (
  client_id text not null,
  node_id text not null,
  count_id text not null,
  line_index integer not null,
  item_id text not null,
  place text not null check (place in ('SHELF', 'STAGE', 'DAMAGED', 'HELD', 'MISSING')),
  counted integer not null check (counted >= 0),
  revision integer not null,
  state text not null check (state in ('POSTED', 'WAITING')),
  difference integer not null,
  primary key (client_id, node_id, count_id, line_index),
  foreign key (client_id, node_id, count_id) references stock_counts (client_id, node_id, count_id)
) strict, without rowid;

CREATE INDEX stock_count_lines_by_item on stock_count_lines (client_id, node_id, item_id, place, revision) where state = 'POSTED';

CREATE TABLE stock_counts (
  client_id text not null,
  node_id text not null,
  count_id text not null,
  state text not null check (state in ('POSTED', 'WAITING')),
  user_id text not null,
  at integer not null,
  approved_by text,
  approved_at integer, rejected_by text, rejected_at integer, reject_reason text,
  primary key (client_id, node_id, count_id),
  check ((approved_by is null) = (approved_at is null))
) strict;

CREATE INDEX stock_counts_by_age on stock_counts (at) where state = 'POSTED';

CREATE INDEX stock_counts_waiting on stock_counts (client_id, node_id, at) where state = 'WAITING';

CREATE TABLE stock_heads (
  client_id text not null,
  node_id text not null,
  sequence integer not null, gone integer not null default 0,
  primary key (client_id, node_id)
) strict, without rowid;

CREATE TABLE stock_levels (
  client_id text not null,
  node_id text not null,
  item_id text not null,
  shelf integer not null default 0 check (shelf >= 0),
  staged integer not null default 0 check (staged >= 0),
  damaged integer not null default 0 check (damaged >= 0),
  held integer not null default 0 check (held >= 0),
  missing integer not null default 0 check (missing >= 0),
  reserved integer not null default 0 check (reserved >= 0),
  loose integer not null default 0,
  revision integer not null default 0,
  moved_at integer,
  moved_revision integer,
  moves integer not null default 0 check (moves >= 0),
  opened_at integer,
  counted_at integer,
  wanted_since integer,
  wanted_cause text,
  updated_at integer not null,
  openings text, moves_counted integer not null default 0, kept_since integer not null default 0,
  primary key (client_id, node_id, item_id),
  foreign key (client_id, node_id) references nodes (client_id, node_id),
  check ((wanted_since is null) = (wanted_cause is null)),
  check ((moved_at is null) = (moved_revision is null))
) strict, without rowid;

CREATE INDEX stock_levels_below on stock_levels (client_id, node_id, item_id) where shelf < reserved;

CREATE INDEX stock_levels_by_item on stock_levels (client_id, item_id);

CREATE INDEX stock_levels_wanted on stock_levels (client_id, node_id, item_id) where wanted_since is not null;

CREATE TABLE stock_move_marks (
  client_id text not null,
  node_id text not null,
  item_id text not null,
  revision integer not null,
  at integer not null,
  primary key (client_id, node_id, item_id, revision)
) strict, without rowid;

CREATE TABLE stock_moves (
  client_id text not null,
  -- Never before that of the move before it of the same item.
  at integer not null,
  node_id text not null,
  item_id text not null,
  revision integer not null,
  from_spot text not null,
  to_spot text not null,
  quantity integer not null check (quantity > 0),
  cause text not null,
  reference text not null,
  line_number text,
  reason text,
  user_id text not null,
  previous_at integer,
  previous_revision integer,
  primary key (client_id, at, node_id, item_id, revision),
  check (from_spot <> to_spot),
  check ((previous_at is null) = (previous_revision is null))
) strict, without rowid;

CREATE TABLE stock_transactions (
  client_id text not null,
  node_id text not null,
  sequence integer not null,
  type integer not null check (type in (31, 41, 42, 51, 61, 71, 72, 73, 81, 82)),
  item_id text not null,
  quantity integer not null check (quantity <> 0),
  reference text not null,
  line_number text,
  at integer not null,
  from_spot text,
  to_spot text,
  user_id text,
  reason text,
  seller_id text,
  receipt_id text,
  item_cost text,
  primary key (client_id, node_id, sequence)
) strict, without rowid;

CREATE INDEX stock_transactions_by_age on stock_transactions (at);

CREATE TABLE stores (
  client_id text not null references clients (client_id),
  store_id text not null,
  name text not null,
  catalog_id text not null,
  seller_id text not null,
  store_code text not null,
  currency text not null,
  returns_label integer not null check (returns_label in (0, 1)),
  created_at integer not null,
  updated_at integer not null, returns text,
  primary key (client_id, store_id)
) strict;

CREATE UNIQUE INDEX stores_by_code on stores (client_id, seller_id, store_code);

CREATE UNIQUE INDEX stores_by_id on stores (store_id);

CREATE TABLE trainings (
  client_id text not null,
  -- Client, user and session of the person; the session waits until the training ends.
  of_client_id text not null,
  user_id text not null,
  of_token_hash text not null,
  -- Of the towns that a client has at once, which one this is.
  slot integer not null check (slot between 1 and 10),
  started_at integer not null,
  ends_at integer not null,
  primary key (client_id)
) strict;

CREATE INDEX trainings_by_end on trainings (ends_at);

CREATE UNIQUE INDEX trainings_by_slot on trainings (of_client_id, slot);

CREATE TABLE user_identities (
  client_id text not null,
  provider_id text not null,
  subject text not null,
  user_id text not null,
  created_at integer not null,
  primary key (client_id, provider_id, subject),
  foreign key (client_id, provider_id) references identity_providers (client_id, provider_id) on delete cascade,
  foreign key (client_id, user_id) references users (client_id, user_id) on delete cascade
) strict;

CREATE INDEX user_identities_by_user on user_identities (client_id, user_id);

CREATE TABLE users (
  client_id text not null references clients (client_id),
  user_id text not null,
  name text not null,
  password_hash text not null,
  role text not null,
  node_ids text not null,
  created_at integer not null,
  updated_at integer not null, state text not null default 'ACTIVE' check (state in ('ACTIVE', 'DISABLED')), language text, pin_hash text, pin_once_until integer, badge_hash text,
  primary key (client_id, user_id)
) strict;

CREATE UNIQUE INDEX users_by_badge on users (client_id, badge_hash) where badge_hash is not null;

CREATE TABLE webhook_deliveries (
  client_id text not null,
  webhook_id text not null,
  position integer not null,
  status text not null check (status in ('PENDING', 'DELIVERED', 'DEAD')),
  attempts integer not null check (attempts >= 0),
  due_at integer,
  log text not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (client_id, webhook_id, position),
  foreign key (client_id, webhook_id) references webhooks (client_id, webhook_id) on delete cascade,
  check ((due_at is not null) = (status = 'PENDING'))
) strict;

CREATE INDEX webhook_deliveries_by_status on webhook_deliveries (client_id, webhook_id, status, position);

CREATE INDEX webhook_deliveries_due on webhook_deliveries (client_id, webhook_id, due_at) where due_at is not null;

CREATE INDEX webhook_deliveries_ended on webhook_deliveries (updated_at) where due_at is null;

CREATE TABLE webhooks (
  client_id text not null references clients (client_id),
  webhook_id text not null,
  url text not null,
  types text,
  enabled integer not null check (enabled in (0, 1)),
  disabled_reason text,
  secret text not null,
  old_secret text,
  old_secret_until integer,
  position integer not null,
  failures integer not null,
  failing_since integer,
  paused_until integer,
  lease_id text,
  lease_until integer,
  created_at integer not null,
  updated_at integer not null,
  primary key (client_id, webhook_id),
  check (enabled = 0 or disabled_reason is null),
  check ((old_secret is null) = (old_secret_until is null)),
  check ((lease_id is null) = (lease_until is null))
) strict;
