-- What is charged when units of an order go to the customer.

-- One row for each shipment (hand_over_id is null), hand-over and delivery that gives at least one unit. An order and all orders
-- re-sourced from it are one chain, named by its first order: header charges and tax are charged once for all of them, the cash
-- that was sent is collected once. amounts: {orderTotal, items[]} as JSON. grand_total and amounts are null for what went before
-- there was this table.
create table order_charges (
  client_id text not null,
  chain_id text not null,
  position integer not null,
  fulfillment_order_id text not null,
  hand_over_id text,
  with_header integer not null check (with_header in (0, 1)),
  cash_on_delivery text not null,
  grand_total text,
  amounts text,
  at integer not null,
  primary key (client_id, chain_id, position),
  foreign key (client_id, chain_id) references fulfillment_orders (client_id, fulfillment_order_id),
  foreign key (client_id, fulfillment_order_id) references fulfillment_orders (client_id, fulfillment_order_id)
) strict;
create unique index order_charges_header on order_charges (client_id, chain_id) where with_header = 1;

insert into order_charges
select client_id, fulfillment_order_id, 1, fulfillment_order_id, null, 1, coalesce(cash_on_delivery, '0'), null, null, updated_at
from fulfillment_orders o
where resourced_from is null and exists (
  select 1 from order_lines l
  where l.client_id = o.client_id and l.fulfillment_order_id = o.fulfillment_order_id and l.handed_over > 0
);
