-- What people at a node need at a glance: counts of today, arrivals of a day, cartons by their codes.

-- What a CONFIRM found and who confirmed, so that a day is summed without the items of its tickets.
alter table pick_tickets add column confirmed_by text;
alter table pick_tickets add column picked_lines integer;
alter table pick_tickets add column picked_units integer;
alter table pick_tickets add column short_units integer;
create index pick_tickets_confirmed on pick_tickets (client_id, node_id, closed_at) where picked_lines is not null;

-- Tickets of the last week before the upgrade; older ones are in no board.
update pick_tickets set
  confirmed_by = user_id,
  picked_lines = (select count(*) from pick_ticket_items i where i.client_id = pick_tickets.client_id
    and i.pick_ticket_id = pick_tickets.pick_ticket_id and i.picked > 0),
  picked_units = (select coalesce(sum(picked), 0) from pick_ticket_items i where i.client_id = pick_tickets.client_id
    and i.pick_ticket_id = pick_tickets.pick_ticket_id),
  short_units = (select coalesce(sum(canceled), 0) from pick_ticket_items i where i.client_id = pick_tickets.client_id
    and i.pick_ticket_id = pick_tickets.pick_ticket_id)
where outcome = 'CONFIRMED' and pick_ticket_type = 'PICK_TICKET'
  and closed_at > (select max(closed_at) - 604800000 from pick_tickets);

create index resource_requests_open on resource_requests (client_id, node_id) where status = 'OPEN';

create index fulfillment_orders_by_arrival on fulfillment_orders (client_id, node_id, created_at);

-- The day of the expected arrival, as the sender wrote it; what was announced before the upgrade has none.
alter table inbound_shipments add column expected_on text;
create index inbound_shipments_by_day on inbound_shipments (client_id, node_id, expected_on);

-- Each carton of an announcement once. Lines have it too, but an index of theirs would be twenty times as long.
create table inbound_cartons (
  client_id text not null,
  carton_id text not null,
  seller_id text not null,
  type text not null,
  number text not null,
  primary key (client_id, carton_id, seller_id, type, number)
) strict;
insert into inbound_cartons
select distinct client_id, carton_id, seller_id, type, number from inbound_lines where carton_id is not null;
