-- Messages to customers: what was asked for, and what became of the mail. The address stays with the order.
create table customer_messages (
  client_id text not null,
  message_id text not null,
  fulfillment_order_id text not null,
  kind text not null check (kind in ('READY', 'PARTLY_READY', 'LATE', 'REMINDER')),
  sent_by text not null check (sent_by in ('EVENTS', 'MAIL')),
  status text not null check (status in ('TOLD', 'WAITING', 'SENDING', 'SENT', 'FAILED')),
  user_id text,
  attempts integer not null default 0,
  failure text,
  created_at integer not null,
  due_at integer,
  ended_at integer,
  primary key (client_id, message_id),
  foreign key (client_id, fulfillment_order_id) references fulfillment_orders (client_id, fulfillment_order_id)
) strict;
create index customer_messages_of_order on customer_messages (client_id, fulfillment_order_id);
create index customer_messages_due on customer_messages (due_at, client_id) where due_at is not null;
