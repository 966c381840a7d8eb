-- Goods in: what arrived of an announcement, by carton and item, and what was decided of it.

-- A shipment is RECEIVING or CLOSED too, and of type BLIND where goods came without papers. Its row has the sums of the worklist.
create table inbound_shipments_received (
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

create table inbound_lines_received (
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
    references inbound_shipments_received (client_id, seller_id, type, number) on delete cascade
) strict;

insert into inbound_shipments_received
select s.client_id, s.seller_id, s.type, s.number, s.message_id, s.store_id, s.node_id, s.receiving_warehouse_id, s.status,
  s.revision, s.content_hash, s.doc, s.total_lines, s.total_units, s.created_at, coalesce(s.expected_on, ''), null, 0,
  s.total_units, coalesce(c.cartons, 0), 0, null, 0, 0, null
from inbound_shipments s left join (
  select client_id, seller_id, type, number, count(*) as cartons from inbound_cartons
  where type = 'ASN' group by client_id, seller_id, type, number
) c on c.client_id = s.client_id and c.seller_id = s.seller_id and c.type = s.type and c.number = s.number;

insert into inbound_lines_received
select client_id, seller_id, type, number, line_index, carton_id, item_id, quantity, item_cost, doc from inbound_lines;

drop table inbound_lines;
drop table inbound_shipments;
alter table inbound_shipments_received rename to inbound_shipments;
alter table inbound_lines_received rename to inbound_lines;
create index inbound_shipments_by_number on inbound_shipments (client_id, type, number, seller_id);
create index inbound_shipments_by_day on inbound_shipments (client_id, node_id, expected_on, type, number, seller_id);
create index inbound_shipments_open on inbound_shipments (client_id, node_id, expected_on, type, number, seller_id)
  where status <> 'CLOSED';

-- The purchase orders that an ASN delivers, each once.
create table inbound_orders (
  client_id text not null,
  seller_id text not null,
  po_number text not null,
  asn_number text not null,
  primary key (client_id, seller_id, po_number, asn_number)
) strict;

-- What somebody did with the goods: a receipt or correction, an approval, a match. Rows are only ever added.
create table inbound_receipts (
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
create unique index inbound_receipts_by_id on inbound_receipts (client_id, seller_id, type, number, kind, receipt_id);

-- What it booked, signed. The place is that of the good units.
create table inbound_entries (
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

-- The sums of the entries by key; a carton or item that nobody touched has no row. '' is no carton.
create table inbound_sums (
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

-- Cartons that somebody touched: who counts one, and the scan that took one whole.
create table inbound_carton_work (
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

-- Each close, as it was told; a later one does not change an earlier one.
create table inbound_statements (
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
create unique index inbound_statements_by_id on inbound_statements (client_id, seller_id, type, number, close_id);
