-- Towns in which people train: each is a client of its own, made for one session and thrown away with it.
create table trainings (
  client_id text not null,
  -- Client, user and session of the person; the session waits until the training ends.
  of_client_id text not null,
  user_id text not null,
  of_token_hash text not null,
  -- Of the towns that a client has at once, which one this is.
  slot integer not null check (slot between 1 and 10),
  started_at integer not null,
  ends_at integer not null,
  primary key (client_id)
) strict;

create unique index trainings_by_slot on trainings (of_client_id, slot);
create index trainings_by_end on trainings (ends_at);
