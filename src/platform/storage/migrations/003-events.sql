-- The ordered feed of events, and webhooks.

-- written: order in which rows were written, where the engine does not keep it itself. position: place in the client's feed,
-- from 1 without a gap, given after the commit; sequence: place among the events of its resource, alike. Null: not placed yet.
alter table events add column written integer not null default 0;
alter table events add column position integer;
alter table events add column sequence integer check ((sequence is null) = (position is null));
create index events_unplaced on events (client_id, written) where position is null;
create unique index events_by_position on events (client_id, position) where position is not null;
create unique index events_by_sequence on events (client_id, resource_type, resource_id, sequence) where sequence is not null;

-- The last position given to an event of a client. Whoever gives positions locks the row first.
create table event_heads (
  client_id text not null primary key,
  position integer not null
) strict;

-- position: every event up to here has been tried once, or is not of its types. Secrets are sealed; the old one signs too until
-- old_secret_until. failing_since: first failure since the last success. paused_until: nothing is sent before. lease_id names
-- the run that works on it until lease_until.
create table webhooks (
  client_id text not null references clients (client_id),
  webhook_id text not null,
  url text not null,
  types text,
  enabled integer not null check (enabled in (0, 1)),
  disabled_reason text,
  secret text not null,
  old_secret text,
  old_secret_until integer,
  position integer not null,
  failures integer not null,
  failing_since integer,
  paused_until integer,
  lease_id text,
  lease_until integer,
  created_at integer not null,
  updated_at integer not null,
  primary key (client_id, webhook_id),
  check (enabled = 0 or disabled_reason is null),
  check ((old_secret is null) = (old_secret_until is null)),
  check ((lease_id is null) = (lease_until is null))
) strict;

-- One row an event and webhook, made with its first attempt or a replay. log is a JSON list of the latest attempts.
create table webhook_deliveries (
  client_id text not null,
  webhook_id text not null,
  position integer not null,
  status text not null check (status in ('PENDING', 'DELIVERED', 'DEAD')),
  attempts integer not null check (attempts >= 0),
  due_at integer,
  log text not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (client_id, webhook_id, position),
  foreign key (client_id, webhook_id) references webhooks (client_id, webhook_id) on delete cascade,
  check ((due_at is not null) = (status = 'PENDING'))
) strict;
create index webhook_deliveries_due on webhook_deliveries (client_id, webhook_id, due_at) where due_at is not null;
create index webhook_deliveries_by_status on webhook_deliveries (client_id, webhook_id, status, position);
create index webhook_deliveries_ended on webhook_deliveries (updated_at) where due_at is null;
