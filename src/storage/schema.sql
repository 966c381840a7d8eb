-- Generated from migrations/ by: npx node scripts/schema-dump.ts

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
  data text not null,
  primary key (client_id, event_id)
) strict;

CREATE INDEX events_by_resource on events (client_id, resource_type, resource_id, event_id);

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
  updated_at integer not null,
  primary key (client_id, fulfillment_order_id),
  foreign key (client_id, store_id) references stores (client_id, store_id),
  foreign key (client_id, node_id) references nodes (client_id, node_id),
  check ((status = 1150) <= (pick_ticket_id is not null))
) strict;

CREATE INDEX fulfillment_orders_by_date on fulfillment_orders
  (client_id, store_id, node_id, fulfillment_order_date, fulfillment_order_id);

CREATE INDEX fulfillment_orders_by_hold on fulfillment_orders (client_id, node_id, hold_location)
  where hold_location is not null and status < 3700;

CREATE UNIQUE INDEX fulfillment_orders_by_number on fulfillment_orders (client_id, fulfillment_id);

CREATE INDEX fulfillment_orders_by_oms_order on fulfillment_orders (client_id, oms_order_id);

CREATE INDEX fulfillment_orders_by_queue on fulfillment_orders
  (client_id, store_id, node_id, queue_id, fulfillment_order_date, fulfillment_order_id);

CREATE INDEX fulfillment_orders_by_ticket on fulfillment_orders (client_id, pick_ticket_id) where pick_ticket_id is not null;

CREATE INDEX fulfillment_orders_by_web_order on fulfillment_orders (client_id, web_order_id);

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

CREATE TABLE inbound_lines (
  client_id text not null,
  type text not null,
  number text not null,
  line_index integer not null,
  carton_id text,
  item_id text not null,
  quantity integer not null check (quantity between 1 and 99999),
  item_cost text not null,
  doc text not null,
  primary key (client_id, type, number, line_index),
  foreign key (client_id, type, number) references inbound_shipments (client_id, type, number) on delete cascade
) strict;

CREATE TABLE inbound_shipments (
  client_id text not null,
  type text not null check (type in ('ASN', 'PO')),
  number text not null,
  message_id text not null,
  store_id text not null,
  node_id text not null,
  receiving_warehouse_id text not null,
  status text not null check (status in ('EXPECTED')),
  revision integer not null,
  content_hash text not null,
  doc text not null,
  total_lines integer not null check (total_lines > 0),
  total_units integer not null check (total_units > 0),
  created_at integer not null,
  primary key (client_id, type, number),
  foreign key (client_id, store_id) references stores (client_id, store_id),
  foreign key (client_id, node_id) references nodes (client_id, node_id)
) strict;

CREATE TABLE installation (
  client_id text not null check (client_id = ''),
  name text not null,
  value text not null,
  primary key (client_id, name)
) strict;

CREATE TABLE items (
  client_id text not null references clients (client_id),
  item_id text not null,
  revision integer not null,
  doc text not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (client_id, item_id)
) strict;

CREATE TABLE migrations (
      number integer primary key, name text not null, hash text not null, applied_at integer not null
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
  updated_at integer not null,
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
  instructions text,
  primary key (client_id, fulfillment_order_id, line_index),
  foreign key (client_id, fulfillment_order_id) references fulfillment_orders (client_id, fulfillment_order_id),
  check (picked + declined <= ordered),
  check (declined = 0 or decline_reason is not null)
) strict;

CREATE UNIQUE INDEX order_lines_by_web_line on order_lines (client_id, fulfillment_order_id, web_line_id);

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
  closed_at integer,
  primary key (client_id, pick_ticket_id),
  foreign key (client_id, store_id) references stores (client_id, store_id),
  foreign key (client_id, node_id) references nodes (client_id, node_id),
  check ((status = 'CLOSED') = (outcome is not null))
) strict;

CREATE INDEX pick_tickets_open on pick_tickets (client_id, node_id, hold_location) where status <> 'CLOSED';

CREATE TABLE sellers (
  client_id text not null references clients (client_id),
  seller_id text not null,
  primary key (client_id, seller_id)
) strict;

CREATE UNIQUE INDEX sellers_by_id on sellers (seller_id);

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
  updated_at integer not null,
  primary key (client_id, store_id)
) strict;

CREATE UNIQUE INDEX stores_by_code on stores (client_id, seller_id, store_code);

CREATE UNIQUE INDEX stores_by_id on stores (store_id);

CREATE TABLE users (
  client_id text not null references clients (client_id),
  user_id text not null,
  name text not null,
  password_hash text not null,
  role text not null,
  node_ids text not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (client_id, user_id)
) strict;
