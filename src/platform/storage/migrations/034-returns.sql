-- What customers bring back: returns with their lines and receipts, the held units, fees, and refunds.
alter table order_lines add column came_back integer not null default 0
  check (came_back >= 0 and came_back <= handed_over);
alter table order_lines add column coming_back integer not null default 0
  check (coming_back >= 0 and came_back + coming_back <= handed_over);

-- The line of a return for which an order is the exchange.
alter table fulfillment_orders add column exchange_number text;
alter table fulfillment_orders add column exchange_line integer;
create unique index fulfillment_orders_by_exchange on fulfillment_orders (client_id, store_id, exchange_number, exchange_line)
  where exchange_number is not null;

alter table stores add column returns text;

create table returns (
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
create unique index returns_by_number on returns (client_id, store_id, number);
create unique index returns_by_take on returns (client_id, take_id) where take_id is not null;
create index returns_by_scan on returns (client_id, number);
create index returns_by_tracking on returns (client_id, tracking_number) where tracking_number is not null;
create index returns_by_age on returns (client_id, store_id, created_at, return_id);
create index returns_by_state on returns (client_id, store_id, status, created_at, return_id);
create index returns_by_node on returns (client_id, expected_node_id) where expected_node_id is not null;
create index returns_by_customer on returns (client_id, store_id, customer_ref) where customer_ref is not null;
create index returns_expiring on returns (expires_at) where status = 'REQUESTED';
create index returns_to_blank on returns (blank_at) where blank_at is not null;
create index returns_blind on returns (closed_at) where kind = 'BLIND';

create table return_lines (
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
create index return_lines_by_order on return_lines (client_id, fulfillment_order_id) where fulfillment_order_id is not null;

create table return_receipts (
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
create index return_receipts_by_node on return_receipts (client_id, node_id);

create table return_held (
  client_id text not null,
  return_id text not null,
  position integer not null,
  node_id text not null,
  units integer not null check (units > 0),
  since integer not null,
  primary key (client_id, return_id, position, node_id),
  foreign key (client_id, return_id) references returns (client_id, return_id)
) strict;

create table return_fees (
  client_id text not null,
  fulfillment_order_id text not null,
  return_id text not null,
  amount text not null,
  primary key (client_id, fulfillment_order_id, return_id),
  foreign key (client_id, return_id) references returns (client_id, return_id)
) strict;
create index return_fees_by_return on return_fees (client_id, return_id);

create table refunds (
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
create unique index refunds_by_order on refunds (client_id, fulfillment_order_id, position);
create index refunds_by_status on refunds (client_id, status, due_at, refund_id);
create index refunds_by_age on refunds (client_id, due_at, refund_id);
create index refunds_by_return on refunds (client_id, return_id);
create index refunds_unanswered on refunds (due_at) where status in ('DUE', 'FAILED');
