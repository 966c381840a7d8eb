-- How often the PIN of an order was unlocked since it was last right: whoever unlocks must not be able to guess on.
alter table fulfillment_orders add column pin_unlocks integer not null default 0 check (pin_unlocks >= 0);
