-- Label printers of a node, as the operator names them.
create table printers (
  client_id text not null,
  node_id text not null,
  printer_id text not null,
  name text not null,
  host text not null,
  port integer not null check (port between 1 and 65535),
  dpi integer not null,
  kind text not null,
  -- Place in the list.
  ordinal integer not null,
  primary key (client_id, node_id, printer_id),
  foreign key (client_id, node_id) references nodes (client_id, node_id)
) strict;
