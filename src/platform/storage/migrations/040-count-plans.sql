-- Plans of counts: the items and places that a rule chose, and for each a first and, where it is wanted, a second count.
create table count_plans (
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
create index count_plans_at_work on count_plans (client_id, node_id, state) where state in ('OPEN', 'COUNTED');
create index count_plans_by_age on count_plans (approved_at) where state = 'APPROVED';

create table count_plan_lines (
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
create unique index count_plan_lines_by_item on count_plan_lines (client_id, node_id, plan_id, item_id, place);

-- Shipments with units that wait for a decision.
create index inbound_sums_held on inbound_sums (client_id, seller_id, type, number) where held > 0;

-- Number of moves at the last count: a rule chooses the items that moved most since then.
alter table stock_levels add column moves_counted integer not null default 0;
