-- The list of orders by state and last change, for systems that follow orders without the feed of events.
create index fulfillment_orders_by_change on fulfillment_orders
  (client_id, store_id, status, updated_at, fulfillment_order_id);
