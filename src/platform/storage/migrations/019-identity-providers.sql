-- Identity providers of a client (OpenID Connect), whose users they vouch for, and what a redirect may be used for once only.
create table identity_providers (
  client_id text not null references clients (client_id),
  provider_id text not null,
  name text not null,
  issuer text not null,
  oidc_client_id text not null,
  client_secret text not null,
  scopes text not null,
  role_claim text,
  roles text not null,
  create_users integer not null check (create_users in (0, 1)),
  node_ids text not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (client_id, provider_id)
) strict;

create table user_identities (
  client_id text not null,
  provider_id text not null,
  subject text not null,
  user_id text not null,
  created_at integer not null,
  primary key (client_id, provider_id, subject),
  foreign key (client_id, provider_id) references identity_providers (client_id, provider_id) on delete cascade,
  foreign key (client_id, user_id) references users (client_id, user_id) on delete cascade
) strict;
create index user_identities_by_user on user_identities (client_id, user_id);

create table spent_round_trips (
  client_id text not null,
  trip_id text not null,
  expires_at integer not null,
  primary key (client_id, trip_id)
) strict;
create index spent_round_trips_by_end on spent_round_trips (client_id, expires_at);
