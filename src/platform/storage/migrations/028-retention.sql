-- Data that is kept for a time only: indexes by time, the way from an order to its tickets, and what stays of rows that are gone.

create index fulfillment_orders_by_end on fulfillment_orders (ended_at) where ended_at is not null;
create index pick_ticket_lines_by_order on pick_ticket_lines (client_id, fulfillment_order_id);
create index order_charges_by_order on order_charges (client_id, fulfillment_order_id);
create index commands_by_age on commands (at);
create index inbound_shipments_closed on inbound_shipments (created_at) where status = 'CLOSED';
create index stock_moves_by_age on stock_moves (at);
create index stock_transactions_by_age on stock_transactions (at);
create index stock_counts_by_age on stock_counts (at) where state = 'POSTED';

-- Events up to this position are gone.
alter table event_heads add column gone integer not null default 0;

-- The last number of a resource whose events are all gone: its next event goes on from here.
create table event_sequences (
  client_id text not null,
  resource_type text not null,
  resource_id text not null,
  sequence integer not null,
  primary key (client_id, resource_type, resource_id)
) strict, without rowid;

-- Transactions up to this number are gone.
alter table stock_heads add column gone integer not null default 0;

-- Units that moves brought which are gone: with the moves that are left they make the levels.
create table stock_carried (
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
