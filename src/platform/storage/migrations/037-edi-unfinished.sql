-- Metrics count the interchanges that wait for something from this index alone; almost all others are finished.
create index edi_interchanges_unfinished on edi_interchanges (direction, status, created_at)
  where status in ('TAKING', 'QUARANTINED', 'WAITING', 'OVERDUE');
