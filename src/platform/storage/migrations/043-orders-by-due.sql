-- Open orders of a node, the earliest due first. Orders without a due time come last.
create index fulfillment_orders_by_due on fulfillment_orders (client_id, node_id, coalesce(sla_at, 9000000000000000), fulfillment_order_id) where queue_id is not null;
