-- Passkeys of people; client_id '' is a person of the operator. A browser names a passkey before anybody knows whose it is.
create table passkeys (
  client_id text not null,
  passkey_id text not null,
  user_id text not null,
  name text not null,
  credential_id text not null,
  public_key text not null,
  counter integer not null check (counter >= 0),
  transports text not null,
  created_at integer not null,
  used_at integer,
  primary key (client_id, passkey_id)
) strict;
create unique index passkeys_by_credential on passkeys (credential_id);
create index passkeys_by_user on passkeys (client_id, user_id);
