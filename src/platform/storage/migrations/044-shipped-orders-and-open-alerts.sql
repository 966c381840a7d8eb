-- Open alerts of a node in the order of the search.
create index alerts_open_by_date on alerts (client_id, store_id, node_id, generated_at, alert_id) where status = 'OPEN';
-- Open shipments of a client in the order of the list. A shipment loses its entry at its close.
create index inbound_shipments_open_by_number on inbound_shipments (client_id, type, number, seller_id) where status <> 'CLOSED';
-- Orders that a node shipped on a day, for the manifest. An order gets its entry once, at its end.
create index fulfillment_orders_shipped on fulfillment_orders (client_id, node_id, ended_at) where status = 3700;
