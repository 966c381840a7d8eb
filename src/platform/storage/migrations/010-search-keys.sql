-- In which form the filter keys of an order's people were made. Those of 0 are made anew after the migration
-- (src/orders/rewrite-keys.ts): no engine folds names as we do.
alter table fulfillment_orders add column key_form integer not null default 0;
create index fulfillment_orders_by_old_keys on fulfillment_orders (client_id, fulfillment_order_id) where key_form = 0;
