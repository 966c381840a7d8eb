-- Transactions that an ERP system can post: who, why, from where, for which receipt and at which cost; and types of their own for
-- shipments, arrivals, found units, openings, damaged and missing units. The rename comes first: it locks out writers of the table.

alter table stock_transactions rename to stock_transactions_before;

create table stock_transactions (
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

insert into stock_transactions (client_id, node_id, sequence, type, item_id, quantity, reference, line_number, at)
select client_id, node_id, sequence, type, item_id, quantity, reference, line_number, at from stock_transactions_before;

drop table stock_transactions_before;
create index stock_transactions_by_age on stock_transactions (at);
