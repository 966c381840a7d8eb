-- The lines of a ticket name its orders. On PostgreSQL, processes of 0.5.0 can serve beside this version, and they find
-- the orders by the index, so PostgreSQL keeps it until the next release.
drop index fulfillment_orders_by_ticket; -- SQLite only
-- Migration 42 has the indexes that replace this one. On PostgreSQL, the drop would lock the commands, and with them all
-- actions, while the next statement waits for readers of the stock.
drop index commands_by_age; -- SQLite only
-- The revision at which the node began to keep stock again; 0 if it never stopped.
alter table stock_levels add column kept_since integer not null default 0;
