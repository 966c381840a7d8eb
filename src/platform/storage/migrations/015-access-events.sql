-- Who saw which orders, keys and PINs: apart from the feed of events, which partners read. position rises over all clients in the
-- order of the commits: whoever gives positions locks the one row of access_heads.
create table access_events (
  client_id text not null,
  position integer not null,
  at integer not null,
  type text not null,
  actor text not null,
  request_id text not null,
  data text not null,
  primary key (client_id, position)
) strict;
create index access_events_by_position on access_events (position);

create table access_heads (
  client_id text not null primary key,
  position integer not null
) strict;
