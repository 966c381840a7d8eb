-- The history of items asks for the events of a resource, nobody else does; an entry of every event cost each write a page.
drop index events_by_resource;
create index events_of_items on events (client_id, resource_id, event_id) where resource_type = 'item';
