-- A seller numbers its own papers: the number of an ASN or PO is unique per seller and type.
create table inbound_shipments_per_seller (
  client_id text not null,
  seller_id text not null,
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
  primary key (client_id, seller_id, type, number),
  foreign key (client_id, store_id) references stores (client_id, store_id),
  foreign key (client_id, node_id) references nodes (client_id, node_id)
) strict;

create table inbound_lines_per_seller (
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
    references inbound_shipments_per_seller (client_id, seller_id, type, number) on delete cascade
) strict;

insert into inbound_shipments_per_seller
select i.client_id, s.seller_id, i.type, i.number, i.message_id, i.store_id, i.node_id, i.receiving_warehouse_id, i.status,
  i.revision, i.content_hash, i.doc, i.total_lines, i.total_units, i.created_at
from inbound_shipments i join stores s on s.client_id = i.client_id and s.store_id = i.store_id;

insert into inbound_lines_per_seller
select l.client_id, i.seller_id, l.type, l.number, l.line_index, l.carton_id, l.item_id, l.quantity, l.item_cost, l.doc
from inbound_lines l join inbound_shipments_per_seller i
  on i.client_id = l.client_id and i.type = l.type and i.number = l.number;

drop table inbound_lines;
drop table inbound_shipments;
alter table inbound_shipments_per_seller rename to inbound_shipments;
alter table inbound_lines_per_seller rename to inbound_lines;
create index inbound_shipments_by_number on inbound_shipments (client_id, type, number, seller_id);
