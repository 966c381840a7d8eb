-- Lines that declined units of an item, to find the order for which an item stays held.
create index order_lines_declined on order_lines (client_id, item_id) where declined > 0;

-- Command ids of nodes, for their deletion by age. Ids of orders and returns go with their orders and returns.
create index commands_of_nodes on commands (at, client_id, scope, command_id) where substr(scope, 1, 6) = 'print:' or substr(scope, 1, 8) = 'decline:';
create index commands_of_stock on commands (at, client_id, scope, command_id) where substr(scope, 1, 10) in ('stockMove:', 'planCount:');
