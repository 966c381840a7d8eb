-- Alerts, and what the scheduler looks for.

-- A step of an order that is approaching or expired. An order has at most one open; one that is back in a step (RESET) has its
-- alert opened again. queue, ticket and SLA are those of the order when it was opened last.
create table alerts (
  client_id text not null,
  alert_id text not null,
  store_id text not null,
  node_id text not null,
  fulfillment_order_id text not null,
  oms_order_id text not null,
  web_order_id text not null,
  fulfillment_type text not null,
  alert_type text not null,
  status text not null check (status in ('OPEN', 'CLOSED')),
  revision integer not null,
  queue_id text not null,
  queued_at integer not null,
  pick_ticket_id text,
  sla_type text not null,
  sla_at integer not null,
  generated_at integer not null,
  closed_at integer,
  primary key (client_id, alert_id),
  foreign key (client_id, fulfillment_order_id) references fulfillment_orders (client_id, fulfillment_order_id),
  check ((status = 'OPEN') = (closed_at is null))
) strict;
create unique index alerts_once on alerts (client_id, fulfillment_order_id, alert_type, queued_at);
create unique index alerts_open on alerts (client_id, fulfillment_order_id) where status = 'OPEN';
create index alerts_by_date on alerts (client_id, store_id, node_id, generated_at, alert_id);

-- Orders taken in before there was a scheduler: their steps and their ends are on its agenda now. 180 days are the default.
update fulfillment_orders set due_at = sla_at where due_at is null and sla_at is not null;
update fulfillment_orders set ended_at = updated_at where ended_at is null and status in (3700, 3800, 3900, 9000, 9100);
update fulfillment_orders set due_at = ended_at + 15552000000 where ended_at is not null and blanked_at is null;
