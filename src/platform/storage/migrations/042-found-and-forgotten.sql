-- Hashes of customers' data that has been anonymized. They have no key, so a person with a list of customers could compare
-- them. The hash of a slip is part of its key, so the id of the slip replaces it.
update pack_slips set content_hash = pack_slip_id where exists (select 1 from fulfillment_orders as o
  where o.client_id = pack_slips.client_id and o.fulfillment_order_id = pack_slips.fulfillment_order_id and o.blanked_at is not null);
update hand_overs set content_hash = '-' where exists (select 1 from fulfillment_orders as o
  where o.client_id = hand_overs.client_id and o.fulfillment_order_id = hand_overs.fulfillment_order_id and o.blanked_at is not null);

-- Lines that declined units of an item, to find the order for which an item stays held.
create index order_lines_declined on order_lines (client_id, item_id) where declined > 0;

-- Command ids of nodes, for their deletion by age. Ids of orders and returns go with their orders and returns.
create index commands_of_nodes on commands (at, client_id, scope, command_id) where substr(scope, 1, 6) = 'print:' or substr(scope, 1, 8) = 'decline:';
create index commands_of_stock on commands (at, client_id, scope, command_id) where substr(scope, 1, 10) in ('stockMove:', 'planCount:');
