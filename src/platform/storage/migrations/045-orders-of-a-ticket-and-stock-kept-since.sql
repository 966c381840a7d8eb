-- The lines of a ticket name its orders. On PostgreSQL, processes of 0.5.0 can serve beside this version, and they find
-- the orders by the index, so PostgreSQL keeps it until the next release.
drop index fulfillment_orders_by_ticket; -- SQLite only
-- Migration 42 has the indexes that replace this one.
drop index commands_by_age;
-- The revision at which the node began to keep stock again; 0 if it never stopped.
alter table stock_levels add column kept_since integer not null default 0;
