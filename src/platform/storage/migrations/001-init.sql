-- Every key starts with the tenant (client_id). Times are epoch milliseconds, money is decimal text, documents are JSON
-- text, booleans are 0 or 1. Tables without a tenant of their own use the empty client_id.

create table clients (
  client_id text not null primary key,
  name text not null,
  catalog_ids text not null,
  settings text not null,
  created_at integer not null,
  updated_at integer not null
) strict;

-- A seller belongs to one client, so the pair (seller_id, store_code) of an inbound message names one store.
create table sellers (
  client_id text not null references clients (client_id),
  seller_id text not null,
  primary key (client_id, seller_id)
) strict;
create unique index sellers_by_id on sellers (seller_id);

create table stores (
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
create unique index stores_by_id on stores (store_id);
create unique index stores_by_code on stores (client_id, seller_id, store_code);

create table nodes (
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
create unique index nodes_by_warehouse on nodes (client_id, receiving_warehouse_id) where receiving_warehouse_id is not null;

create table credentials (
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

-- Keys of the operator belong to the installation, not to a client.
create table operator_keys (
  client_id text not null check (client_id = ''),
  key_id text not null,
  label text not null,
  key_hash text not null,
  expires_at integer,
  revoked_at integer,
  created_at integer not null,
  primary key (client_id, key_id)
) strict;

-- What belongs to the installation as a whole, for example the fingerprint of the key that seals PINs.
create table installation (
  client_id text not null check (client_id = ''),
  name text not null,
  value text not null,
  primary key (client_id, name)
) strict;

create table users (
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

-- One row an effect: the audit trail and the source of events at once. resource_type and resource_id name the aggregate,
-- revision its state after the effect.
create table events (
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
create index events_by_resource on events (client_id, resource_type, resource_id, event_id);

create table idempotency_keys (
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
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table counters (
  client_id text not null,
  name text not null,
  value integer not null,
  primary key (client_id, name)
) strict;

-- doc is the item as a read answers it, byte for byte.
create table items (
  client_id text not null references clients (client_id),
  item_id text not null,
  revision integer not null,
  doc text not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (client_id, item_id)
) strict;

create table node_items (
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

create table inbound_shipments (
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

create table inbound_lines (
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

-- contacts holds the people and addresses as sent; member_hashes a hash of each member as sent, to name what differs when
-- the same order comes again. queued_at is when the order entered its queue: SLA minutes count from it. The *_key columns are what filters compare.
create table fulfillment_orders (
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
create unique index fulfillment_orders_by_number on fulfillment_orders (client_id, fulfillment_id);
create index fulfillment_orders_by_queue on fulfillment_orders
  (client_id, store_id, node_id, queue_id, fulfillment_order_date, fulfillment_order_id);
create index fulfillment_orders_by_date on fulfillment_orders
  (client_id, store_id, node_id, fulfillment_order_date, fulfillment_order_id);
create index fulfillment_orders_by_web_order on fulfillment_orders (client_id, web_order_id);
create index fulfillment_orders_by_oms_order on fulfillment_orders (client_id, oms_order_id);
create index fulfillment_orders_by_ticket on fulfillment_orders (client_id, pick_ticket_id) where pick_ticket_id is not null;
create index fulfillment_orders_by_hold on fulfillment_orders (client_id, node_id, hold_location)
  where hold_location is not null and status < 3700;

-- ordered = open + picked + declined; open is never stored.
create table order_lines (
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
create unique index order_lines_by_web_line on order_lines (client_id, fulfillment_order_id, web_line_id);

create table checkin_packages (
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
create unique index checkin_packages_by_id on checkin_packages (client_id, fulfillment_order_id, check_in_package_id);
create index checkin_packages_by_tracking on checkin_packages (client_id, tracking_number);

-- checked_in and canceled are null until somebody has answered for the line.
create table checkin_package_items (
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

create table pick_tickets (
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
create index pick_tickets_open on pick_tickets (client_id, node_id, hold_location) where status <> 'CLOSED';

create table pick_ticket_items (
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

-- Which units of which order a ticket item is for, and, once confirmed, how they were allotted.
create table pick_ticket_lines (
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

create table pack_slips (
  client_id text not null,
  fulfillment_order_id text not null,
  content_hash text not null,
  pack_slip_id text not null,
  modify_associate_id text not null,
  created_at integer not null,
  primary key (client_id, fulfillment_order_id, content_hash),
  foreign key (client_id, fulfillment_order_id) references fulfillment_orders (client_id, fulfillment_order_id)
) strict;

-- Progress of one input file, committed with each batch of its rows. client_id + import_id (hash of kind, mapping and
-- content) name the run, so the same file run again goes on where it stopped.
create table imports (
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
