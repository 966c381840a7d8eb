-- commands: what was asked under an id of the caller's choice, so that the same again changes nothing. scope says what it is about
-- (change:<order>, move:<order>, correct:<ticket>, decline:<node>); reply is kept where it cannot be made anew.
create table commands (
  client_id text not null references clients (client_id),
  scope text not null,
  command_id text not null,
  content_hash text not null,
  at integer not null,
  reply text,
  primary key (client_id, scope, command_id)
) strict;

create table order_notes (
  client_id text not null,
  fulfillment_order_id text not null,
  position integer not null,
  change_id text not null,
  user_id text not null,
  at integer not null,
  note text not null,
  primary key (client_id, fulfillment_order_id, position),
  foreign key (client_id, fulfillment_order_id) references fulfillment_orders (client_id, fulfillment_order_id)
) strict;
