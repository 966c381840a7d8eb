-- What nodes have of each item: a ledger of moves, its levels, and what the levels are told of.

alter table nodes add column stock text not null default 'NOT_KEPT' check (stock in ('NOT_KEPT', 'KEPT'));
alter table nodes add column promise text not null default 'ANY' check (promise in ('ANY', 'AVAILABLE'));
alter table nodes add column receive_to text not null default 'SHELF' check (receive_to in ('SHELF', 'STAGE'));

-- Keys that were made for all groups have the new ones too. The list is JSON text without white space.
update credentials set groups = replace(groups, ']', ',"receiving","stock"]')
where groups like '%"items"%' and groups like '%"inbound"%' and groups like '%"fulfillment"%' and groups like '%"intake"%'
  and groups like '%"events"%' and groups like '%"supervise"%' and groups not like '%"receiving"%';

-- Units of an item in each place of a node; `reserved` of them are promised, `loose` of the staged ones belong to no order
-- (negative: orders hold more than there is). `opened_at`: its first count since the node keeps stock.
create table stock_levels (
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
  opened_at integer,
  counted_at integer,
  wanted_since integer,
  wanted_cause text,
  updated_at integer not null,
  primary key (client_id, node_id, item_id),
  foreign key (client_id, node_id) references nodes (client_id, node_id),
  check ((wanted_since is null) = (wanted_cause is null))
) strict;
create index stock_levels_by_item on stock_levels (client_id, item_id);
create index stock_levels_below on stock_levels (client_id, node_id, item_id) where shelf < reserved;
create index stock_levels_wanted on stock_levels (client_id, node_id, item_id) where wanted_since is not null;

-- Append-only. `revision` is that of the level after the move.
create table stock_moves (
  client_id text not null,
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
  at integer not null,
  primary key (client_id, node_id, item_id, revision),
  check (from_spot <> to_spot)
) strict, without rowid;

-- What an ERP system books: 31 receipt, 51 return, 61 adjustment, 71 count.
create table stock_transactions (
  client_id text not null,
  node_id text not null,
  sequence integer not null,
  type integer not null check (type in (31, 51, 61, 71)),
  item_id text not null,
  quantity integer not null check (quantity <> 0),
  reference text not null,
  line_number text,
  at integer not null,
  primary key (client_id, node_id, sequence)
) strict, without rowid;

-- The last sequence of a node: its transactions are written one after another, so a reader misses none.
create table stock_heads (
  client_id text not null,
  node_id text not null,
  sequence integer not null,
  primary key (client_id, node_id)
) strict, without rowid;

create table stock_counts (
  client_id text not null,
  node_id text not null,
  count_id text not null,
  state text not null check (state in ('POSTED', 'WAITING')),
  user_id text not null,
  at integer not null,
  approved_by text,
  approved_at integer,
  primary key (client_id, node_id, count_id),
  check ((approved_by is null) = (approved_at is null))
) strict;
create index stock_counts_waiting on stock_counts (client_id, node_id, at) where state = 'WAITING';

create table stock_count_lines (
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
