-- The lines of a ticket name its orders. On PostgreSQL, processes of 0.5.0 can serve beside this version, and they find
-- the orders by the index, so PostgreSQL keeps it until the next release.
drop index fulfillment_orders_by_ticket; -- SQLite only
