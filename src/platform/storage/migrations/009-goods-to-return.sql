-- States of their own: 8000 for orders of which every unit that is left waits to be brought back, 9200 for those that ended
-- without a unit for their customer while another node serves some.

update fulfillment_orders set status = 8000 where sla_type = 'REVERSE_PICK';
update fulfillment_orders set status = 9200
where status = 9000
  and exists (
    select 1 from resource_requests r
    where r.client_id = fulfillment_orders.client_id
      and r.fulfillment_order_id = fulfillment_orders.fulfillment_order_id
      and r.status = 'RESOURCED'
  );

-- The goods of an order at 8000 still lie where it was held.
drop index fulfillment_orders_by_hold;
create index fulfillment_orders_by_hold on fulfillment_orders (client_id, node_id, hold_location)
  where hold_location is not null and (status < 3700 or status = 8000);

-- A reverse ticket brings back units of one order, which it names; a pick ticket may have several and names none here.
alter table pick_tickets add column fulfillment_order_id text;
update pick_tickets set fulfillment_order_id = (
  select min(l.fulfillment_order_id) from pick_ticket_lines l
  where l.client_id = pick_tickets.client_id and l.pick_ticket_id = pick_tickets.pick_ticket_id
)
where pick_ticket_type = 'REVERSE_PICK_TICKET';
create index pick_tickets_reverse on pick_tickets (client_id, fulfillment_order_id)
  where fulfillment_order_id is not null and status <> 'CLOSED';
