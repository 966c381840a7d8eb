-- People sign in. A user has a state, a language, a PIN and a badge; people of the operator stand apart, below the client ''.
alter table users add column state text not null default 'ACTIVE' check (state in ('ACTIVE', 'DISABLED'));
alter table users add column language text;
alter table users add column pin_hash text;
-- Not null: the PIN was given by somebody else, is good until then and must be changed at its first use.
alter table users add column pin_once_until integer;
alter table users add column badge_hash text;
create unique index users_by_badge on users (client_id, badge_hash) where badge_hash is not null;

create table people (
  client_id text not null check (client_id = ''),
  user_id text not null,
  name text not null,
  password_hash text not null,
  state text not null default 'ACTIVE' check (state in ('ACTIVE', 'DISABLED')),
  language text,
  created_at integer not null,
  updated_at integer not null,
  primary key (client_id, user_id)
) strict;

-- client_id '' is a person of the operator. seen_at is written at most every five minutes.
create table sessions (
  client_id text not null,
  token_hash text not null,
  session_id text not null,
  user_id text not null,
  method text not null,
  device_id text,
  created_at integer not null,
  full_at integer,
  seen_at integer not null,
  ends_at integer not null,
  locked_at integer,
  must_change_pin integer not null default 0 check (must_change_pin in (0, 1)),
  provider_id text,
  provider_subject text,
  provider_session text,
  primary key (client_id, token_hash)
) strict;
create index sessions_by_user on sessions (client_id, user_id);
create index sessions_by_device on sessions (client_id, device_id) where device_id is not null;
create index sessions_by_end on sessions (ends_at);

create table devices (
  client_id text not null references clients (client_id),
  device_id text not null,
  node_id text not null,
  name text not null,
  token_hash text not null,
  created_at integer not null,
  created_by text not null,
  seen_at integer not null,
  revoked_at integer,
  -- Instants of the latest wrong PINs, a JSON list; locked_at is set by the twentieth in ten minutes.
  wrong_pins text not null default '[]',
  locked_at integer,
  primary key (client_id, device_id)
) strict;

create table device_codes (
  client_id text not null references clients (client_id),
  code_hash text not null,
  node_id text not null,
  created_by text not null,
  expires_at integer not null,
  primary key (client_id, code_hash)
) strict;
create index device_codes_by_hash on device_codes (code_hash);

-- Judged attempts since the last success; of a user that does not exist too, so that nobody learns which do.
create table sign_in_attempts (
  client_id text not null,
  kind text not null check (kind in ('PIN', 'PASSWORD')),
  subject text not null,
  attempts integer not null,
  locks integer not null,
  locked_until integer,
  updated_at integer not null,
  primary key (client_id, kind, subject)
) strict;
create index sign_in_attempts_by_age on sign_in_attempts (updated_at);

-- Tickets under which queued work is sent after its owner has left the device.
create table outbox_tickets (
  client_id text not null,
  ticket_hash text not null,
  user_id text not null,
  device_id text not null,
  session_id text not null,
  expires_at integer not null,
  primary key (client_id, ticket_hash)
) strict;
create index outbox_tickets_by_end on outbox_tickets (expires_at);
create index outbox_tickets_by_user on outbox_tickets (client_id, user_id);

-- Session and device of a person's action, beside its actor; never in the partner's feed.
alter table events add column session_id text;
alter table events add column device_id text;
