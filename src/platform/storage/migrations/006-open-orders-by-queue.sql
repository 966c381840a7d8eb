-- Only an open order stands on a queue: an index of those alone is what searches and metrics read.
drop index fulfillment_orders_by_queue;
create index fulfillment_orders_by_queue on fulfillment_orders
  (client_id, store_id, node_id, queue_id, fulfillment_order_date, fulfillment_order_id) where queue_id is not null;
