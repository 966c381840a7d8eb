-- From the shelf into the customer's hands: packing, hand-over, cancellation, re-sourcing, saved progress of tickets.

-- canceled: units the customer canceled before they were picked. canceling: units canceled but still on an open pick
-- ticket, on their way to the store, or picked and not yet brought back. handed_over: units that went to the customer or
-- the carrier. refused: units the customer did not take. returned: picked units that a reverse pick brought back.
-- ordered = open + picked + declined + canceled; picked = held + handed_over + refused + returned. open and held are never stored.
alter table order_lines add column canceled integer not null default 0 check (canceled >= 0);
alter table order_lines add column canceling integer not null default 0 check (canceling >= 0);
alter table order_lines add column cancel_reason text;
alter table order_lines add column handed_over integer not null default 0 check (handed_over >= 0);
alter table order_lines add column refused integer not null default 0 check (refused >= 0);
alter table order_lines add column refuse_reason text;
alter table order_lines add column returned integer not null default 0
  check (picked + declined + canceled <= ordered)
  check (returned >= 0 and handed_over + refused + returned <= picked)
  check (canceling <= ordered - declined - canceled - handed_over - refused - returned)
  check (canceled + canceling = 0 or cancel_reason is not null)
  check (refused = 0 or refuse_reason is not null);

-- due_at: when the scheduler must look at the order next; null: never. resourced_from: the order whose declined units this
-- one serves.
alter table fulfillment_orders add column due_at integer;
alter table fulfillment_orders add column ended_at integer;
alter table fulfillment_orders add column blanked_at integer;
alter table fulfillment_orders add column resourced_from text;
alter table fulfillment_orders add column pin_attempts integer not null default 0;
alter table fulfillment_orders add column pin_locked_until integer;
create index fulfillment_orders_due on fulfillment_orders (due_at) where due_at is not null;
create index fulfillment_orders_resourced on fulfillment_orders (client_id, resourced_from) where resourced_from is not null;

alter table nodes add column holidays text not null default '[]';
alter table nodes add column decline_policy text not null default 'NO_HOLD'
  check (decline_policy in ('HOLD_UNTIL_FEED', 'HOLD_UNTIL_RELEASED', 'NO_HOLD'));

-- A REVERSE_PICK_TICKET brings picked units back to their shelf. lease_at: when an opened ticket nobody works on goes back to the queue.
alter table pick_tickets add column pick_ticket_type text not null default 'PICK_TICKET'
  check (pick_ticket_type in ('PICK_TICKET', 'REVERSE_PICK_TICKET'));
alter table pick_tickets add column lease_at integer;
create index pick_tickets_lease on pick_tickets (lease_at) where lease_at is not null;
create index pick_tickets_by_date on pick_tickets (client_id, store_id, node_id, queue_id, pick_ticket_date, pick_ticket_id);

-- Saved progress, only ever added to: a scan says how many units of an item were picked or not found, an undo names the
-- scan it takes back. scan_id is the caller's, so a repeated one changes nothing.
create table pick_ticket_scans (
  client_id text not null,
  pick_ticket_id text not null,
  scan_id text not null,
  position integer not null,
  id integer not null,
  picked integer not null check (picked >= 0),
  canceled integer not null check (canceled >= 0),
  reason text,
  undoes text,
  user_id text not null,
  at integer not null,
  primary key (client_id, pick_ticket_id, scan_id),
  foreign key (client_id, pick_ticket_id, id) references pick_ticket_items (client_id, pick_ticket_id, id),
  check (canceled = 0 or reason is not null)
) strict;
create unique index pick_ticket_scans_by_position on pick_ticket_scans (client_id, pick_ticket_id, position);
create unique index pick_ticket_scans_by_undone on pick_ticket_scans (client_id, pick_ticket_id, undoes) where undoes is not null;

create table packages (
  client_id text not null,
  fulfillment_order_id text not null,
  package_index integer not null,
  package_id text not null,
  box_id text not null,
  tracking_number text,
  box_weight text not null,
  packing_material_weight text not null,
  length text not null,
  height text not null,
  width text not null,
  created_at integer not null,
  updated_at integer not null,
  primary key (client_id, fulfillment_order_id, package_index),
  foreign key (client_id, fulfillment_order_id) references fulfillment_orders (client_id, fulfillment_order_id)
) strict;
create unique index packages_by_box on packages (client_id, fulfillment_order_id, box_id);
create index packages_by_tracking on packages (client_id, tracking_number) where tracking_number is not null;

create table package_items (
  client_id text not null,
  fulfillment_order_id text not null,
  package_index integer not null,
  line_index integer not null,
  quantity integer not null check (quantity > 0),
  instructions text,
  custom_attributes text,
  primary key (client_id, fulfillment_order_id, package_index, line_index),
  foreign key (client_id, fulfillment_order_id, package_index)
    references packages (client_id, fulfillment_order_id, package_index) on delete cascade,
  foreign key (client_id, fulfillment_order_id, line_index)
    references order_lines (client_id, fulfillment_order_id, line_index)
) strict;

-- One row a hand-over or delivery. lines is what went and what was refused; how the person was verified is kept, never a
-- number of a document. hand_over_id is the caller's where it gave one, so a repeated one changes nothing.
create table hand_overs (
  client_id text not null,
  fulfillment_order_id text not null,
  hand_over_id text not null,
  position integer not null,
  content_hash text not null,
  collected_by text not null check (collected_by in ('CUSTOMER', 'PROXY')),
  verification_method text,
  modify_associate_id text not null,
  lines text not null,
  at integer not null,
  primary key (client_id, fulfillment_order_id, hand_over_id),
  foreign key (client_id, fulfillment_order_id) references fulfillment_orders (client_id, fulfillment_order_id)
) strict;
create unique index hand_overs_by_position on hand_overs (client_id, fulfillment_order_id, position);

-- Declined units of an order that another node may serve; the order's owner answers.
create table resource_requests (
  client_id text not null,
  request_id text not null,
  fulfillment_order_id text not null,
  store_id text not null,
  node_id text not null,
  status text not null check (status in ('OPEN', 'RESOURCED', 'CANCELED')),
  revision integer not null,
  excluded_node_ids text not null,
  new_node_id text,
  new_fulfillment_order_id text,
  created_at integer not null,
  answered_at integer,
  primary key (client_id, request_id),
  foreign key (client_id, fulfillment_order_id) references fulfillment_orders (client_id, fulfillment_order_id),
  check ((status = 'OPEN') = (answered_at is null))
) strict;
create index resource_requests_by_order on resource_requests (client_id, fulfillment_order_id, request_id);
create index resource_requests_by_store on resource_requests (client_id, store_id, status, request_id);

create table resource_request_lines (
  client_id text not null,
  request_id text not null,
  line_index integer not null,
  web_line_id text not null,
  item_id text not null,
  quantity integer not null check (quantity > 0),
  reason text not null,
  primary key (client_id, request_id, line_index),
  foreign key (client_id, request_id) references resource_requests (client_id, request_id)
) strict;

-- A SKU that a node declined and that gets no new orders there until the node's policy frees it.
create table node_item_holds (
  client_id text not null,
  node_id text not null,
  item_id text not null,
  policy text not null check (policy in ('HOLD_UNTIL_FEED', 'HOLD_UNTIL_RELEASED')),
  reason text not null,
  fulfillment_order_id text not null,
  created_at integer not null,
  primary key (client_id, node_id, item_id),
  foreign key (client_id, node_id) references nodes (client_id, node_id)
) strict;
