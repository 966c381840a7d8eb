-- X12 files: what was agreed with a partner, the interchanges that came and went, and their transaction sets.
create table edi_partners (
  client_id text not null,
  partner_id text not null,
  seller_id text not null,
  our_qualifier text not null,
  our_id text not null,
  their_qualifier text not null,
  their_id text not null,
  usage text not null check (usage in ('P', 'T')),
  doc text not null,
  revision integer not null,
  -- Last control numbers that were used.
  out_interchange integer not null default 0,
  out_group integer not null default 0,
  -- Statements up to this place in the feed were sent.
  feed_position integer not null default 0,
  created_at integer not null,
  updated_at integer not null,
  primary key (client_id, partner_id),
  foreign key (client_id) references clients (client_id)
) strict;
create unique index edi_partners_by_identity
  on edi_partners (client_id, their_qualifier, their_id, our_qualifier, our_id, usage);

create table edi_interchanges (
  client_id text not null,
  interchange_id text not null,
  direction text not null check (direction in ('IN', 'OUT')),
  partner_id text,
  control_number text not null,
  usage text not null,
  content_hash text not null,
  -- One character a byte.
  content text not null,
  bytes integer not null,
  status text not null check (status in ('TAKING', 'ACCEPTED', 'PARTLY', 'REJECTED', 'QUARANTINED', 'TESTED', 'DUPLICATE',
    'WAITING', 'TAKEN', 'ACKNOWLEDGED', 'REFUSED', 'OVERDUE')),
  doc text not null,
  answers text,
  source text,
  -- The statement that an 861 tells: type, number, seller, version.
  statement text,
  group_number text,
  created_at integer not null,
  taken_at integer,
  due_at integer,
  acknowledged_at integer,
  primary key (client_id, interchange_id),
  foreign key (client_id) references clients (client_id)
) strict;
create index edi_interchanges_by_status on edi_interchanges (client_id, direction, status, created_at);
create index edi_interchanges_by_number on edi_interchanges (client_id, partner_id, direction, usage, control_number);
create index edi_interchanges_by_group on edi_interchanges (client_id, partner_id, group_number) where group_number is not null;
create unique index edi_interchanges_by_content on edi_interchanges (client_id, content_hash) where direction = 'IN';
create unique index edi_interchanges_by_statement on edi_interchanges (client_id, partner_id, statement) where statement is not null;
create index edi_interchanges_due on edi_interchanges (due_at) where status in ('TAKING', 'TAKEN');
create index edi_interchanges_by_age on edi_interchanges (created_at);

create table edi_sets (
  client_id text not null,
  interchange_id text not null,
  position integer not null,
  group_number text not null,
  set_number text not null,
  set_id text not null,
  purpose text,
  number text,
  outcome text check (outcome in ('ACCEPTED', 'REJECTED_SYNTAX', 'REJECTED_RULES', 'IGNORED')),
  findings text not null,
  findings_total text not null,
  resources text not null,
  primary key (client_id, interchange_id, position),
  foreign key (client_id, interchange_id) references edi_interchanges (client_id, interchange_id) on delete cascade
) strict;
create index edi_sets_by_number on edi_sets (client_id, set_id, number);

-- ASNs and POs that came by EDI. One that was voided and announced by other means has another message.
create table edi_shipments (
  client_id text not null,
  seller_id text not null,
  type text not null check (type in ('ASN', 'PO')),
  number text not null,
  message_id text not null,
  interchange_id text not null,
  partner_id text not null,
  primary key (client_id, seller_id, type, number),
  foreign key (client_id, interchange_id) references edi_interchanges (client_id, interchange_id) on delete cascade
) strict;
create index edi_shipments_by_interchange on edi_shipments (client_id, interchange_id);
