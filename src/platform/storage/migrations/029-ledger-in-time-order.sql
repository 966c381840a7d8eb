-- The ledger of stock in the order of time: moves of one transaction lie together, each with a link to the move before it of the same
-- item, and every 64th move of an item is marked. No release wrote moves before, so no older program needs the old order.

create table stock_moves_by_time (
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

insert into stock_moves_by_time
select client_id, moved_at, node_id, item_id, revision, from_spot, to_spot, quantity, cause, reference, line_number, reason, user_id,
  lag(moved_at) over (partition by client_id, node_id, item_id order by revision),
  lag(revision) over (partition by client_id, node_id, item_id order by revision)
from (
  select m.*, max(at) over (partition by client_id, node_id, item_id order by revision) as moved_at from stock_moves m
) timed;

create table stock_move_marks (
  client_id text not null,
  node_id text not null,
  item_id text not null,
  revision integer not null,
  at integer not null,
  primary key (client_id, node_id, item_id, revision)
) strict, without rowid;

insert into stock_move_marks
select client_id, node_id, item_id, revision, at
from (
  select client_id, node_id, item_id, revision, at,
    row_number() over (partition by client_id, node_id, item_id order by revision) as number
  from stock_moves_by_time
) numbered
where number % 64 = 0;

-- `moved_at`, `moved_revision`: the last move; `moves`: how many there were. The rest as in migrations 022 and 026, by its key alone.
create table stock_levels_by_key (
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
  openings text,
  primary key (client_id, node_id, item_id),
  foreign key (client_id, node_id) references nodes (client_id, node_id),
  check ((wanted_since is null) = (wanted_cause is null)),
  check ((moved_at is null) = (moved_revision is null))
) strict, without rowid;

insert into stock_levels_by_key
select l.client_id, l.node_id, l.item_id, l.shelf, l.staged, l.damaged, l.held, l.missing, l.reserved, l.loose, l.revision,
  m.at, m.revision, coalesce(m.moves, 0), l.opened_at, l.counted_at, l.wanted_since, l.wanted_cause, l.updated_at, l.openings
from stock_levels l
left join (
  select client_id, node_id, item_id, max(at) as at, max(revision) as revision, count(*) as moves
  from stock_moves_by_time group by client_id, node_id, item_id
) m on m.client_id = l.client_id and m.node_id = l.node_id and m.item_id = l.item_id;

drop table stock_levels;
alter table stock_levels_by_key rename to stock_levels;
create index stock_levels_by_item on stock_levels (client_id, item_id);
create index stock_levels_below on stock_levels (client_id, node_id, item_id) where shelf < reserved;
create index stock_levels_wanted on stock_levels (client_id, node_id, item_id) where wanted_since is not null;
drop table stock_moves;
alter table stock_moves_by_time rename to stock_moves;
