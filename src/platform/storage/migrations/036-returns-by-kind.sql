-- Metrics count returns by kind and state from this index alone.
create index returns_by_kind on returns (kind, status);
