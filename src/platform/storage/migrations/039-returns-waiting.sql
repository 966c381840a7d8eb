-- The work of a node counts the returns that wait there from this index alone.
create index returns_waiting on returns (client_id, coalesce(node_id, expected_node_id), store_id, status) where status in ('REQUESTED', 'RECEIVING');
