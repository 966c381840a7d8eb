-- Orders whose personal data a stored response shows: when an order is anonymized, these responses are deleted.
create table idempotency_orders (
  client_id text not null,
  fulfillment_order_id text not null,
  credential_id text not null,
  method text not null,
  path text not null,
  key text not null,
  created_at integer not null,
  primary key (client_id, fulfillment_order_id, credential_id, method, path, key)
) strict;
create index idempotency_orders_by_age on idempotency_orders (created_at);
