/**
 * The statements that cross tenants (docs/decisions/190). All other statements name `client_id` for every table. A test
 * compares the statements of all operations with this list. On a sharded server, most statements of this list query
 * every shard.
 */
export interface CrossTenant {
  /** The part of the program that runs the statement. */
  name: string;
  /** Texts that identify the statements of this entry, in lower case, without quotation marks. */
  has: readonly string[];
  reason: string;
}

export const CROSS_TENANT: readonly CrossTenant[] = [
  {
    name: 'store named without its client',
    has: ['select * from stores where store_id = '],
    reason: 'the path of order intake has no client; store ids are unique in an installation',
  },
  {
    name: 'seller named without its client',
    has: ['select client_id from sellers where seller_id = '],
    reason: 'the path of a transmission has no client; seller ids are unique in an installation',
  },
  {
    name: 'passkey that a browser names',
    has: [' from passkeys where credential_id = '],
    reason: 'the user is not known yet at sign-in; credential ids are unique in an installation',
  },
  {
    name: 'code that enrolls a device',
    has: ['delete from device_codes where code_hash = '],
    reason: 'a browser that is not enrolled yet knows only the code; the code identifies the client',
  },
  {
    name: 'list of clients',
    has: ['select * from clients where client_id > '],
    reason: 'the operator asks for all clients, a page at a time',
  },
  {
    name: 'purge of idempotency keys',
    has: [
      'select max(created_at) as last from (select created_at from idempotency_keys where created_at <= ',
      'delete from idempotency_keys where created_at <= ',
      'delete from idempotency_orders where created_at <= ',
    ],
    reason: 'it selects by age only, along an index by age, one batch per transaction',
  },
  {
    name: 'access events of the installation',
    has: [
      'select * from access_events where position > ',
      'select position, at from (select position, at from access_events) as placed order by position limit ',
      'delete from access_events where position <= ',
      'select at from access_events where at <= ',
    ],
    reason: 'the operator reads those of all clients, and they are deleted by age, along an index by position',
  },
  {
    name: 'ended sign-ins',
    has: [
      'select min(ends_at) as at, ',
      ' from sessions where ends_at ',
      ' from outbox_tickets where expires_at <= ',
      ' from sign_in_attempts where updated_at <= ',
    ],
    reason: 'it selects by age only, along indexes by time, one batch per transaction',
  },
  {
    name: 'retention',
    has: [
      ' from fulfillment_orders where ended_at <= ',
      ' from commands where at <= ',
      ' from inbound_shipments where created_at <= ',
      '(select c.client_id from clients c where c.client_id > ',
      ' from stock_transactions where at <= ',
      ' from stock_counts where at <= ',
      ' from count_plans where approved_at <= ',
      ' as id from returns where closed_at <= ',
      ' from event_heads h where not exists ',
      ' from edi_interchanges where created_at <= ',
      'select min(coalesce(revoked_at, expires_at)) as at from credentials ',
      ' where coalesce(revoked_at, expires_at) <= ',
    ],
    reason:
      'expired rows of every client are found along indexes by time (moves of stock: client by client); their removal names the client',
  },
  {
    name: 'towns of trainings',
    has: [
      ' from trainings where ends_at <= ',
      ' from trainings as t left join sessions as s ',
      ' from trainings as t inner join sessions as s ',
      'not exists (select t.slot from trainings as t where ',
    ],
    reason:
      'a town is a separate client, beside the client of the person whose session waits; a statement names both clients, or selects by the end only',
  },
  {
    name: 'scheduler',
    has: [
      ' from fulfillment_orders where due_at ',
      ' from pick_tickets where lease_at ',
      ' as id from edi_interchanges where due_at ',
      ' as id from customer_messages where due_at ',
      ' as id from returns where blank_at ',
      ' as id from returns where expires_at ',
      'select created_at from idempotency_keys where created_at <= ',
    ],
    reason:
      'work of every client that is due, or becomes due next, is found along indexes by time; doing it names the client',
  },
  {
    name: 'statements for partners',
    has: [' from edi_partners p join event_heads h '],
    reason: 'partners of every client are few; each lookup uses the index of a client’s positions',
  },
  {
    name: 'webhooks and positions of events',
    has: [
      'select at, clientid, id from ( select w.client_id ',
      ' as id from events where position is null ',
      ' where lease_id is not null',
      'select updated_at from webhook_deliveries where due_at is null ',
      'select client_id, webhook_id, position from webhook_deliveries where due_at is null ',
    ],
    reason: 'the scheduler looks for work of every client, and does it client by client',
  },
  {
    name: 'metrics of the installation',
    has: [
      'select number, name, hash from migrations order by number',
      ' from fulfillment_orders where queue_id is not null and client_id not in (select client_id from trainings) group by ',
      ' from edi_interchanges where status in (',
      ' from edi_interchanges where status not in (',
      'select alert_type as type, queue_id as queue, count(*) as count from alerts where status = ',
      ' from webhooks as w left join event_heads as h ',
      ' from webhooks as w inner join event_heads as h ',
      ' as kind, (select min(ended_at) ',
      'select state, min(at) as at from ( select case when w.enabled ',
      ' status as state, count(*) as count from returns where status ',
      ' from refunds where status in (',
      ' as oldest from return_held',
    ],
    reason:
      'they cover the whole installation; each is read at most every 15 seconds, along an index of open rows, ended rows once an hour',
  },
  {
    name: 'doctor, restore, backup and key rotation: rows counted',
    has: ['select count(*) as rows from '],
    reason: 'a report of the whole installation',
  },
  {
    name: 'doctor: rules',
    has: [' as what from '],
    reason: 'doctor examines the whole installation; its joins still include client_id',
  },
  {
    name: 'doctor: documents, amounts and keys',
    has: [
      ' from items where term_form > 0 and ',
      'select client_id, fulfillment_order_id, contacts, customer_name_key, ',
      'select * from ( select l.client_id, l.fulfillment_order_id, l.web_line_id, ',
      ' order by client_id, interchange_id limit ',
      ' as sender from edi_shipments where ',
      ' order by client_id, partner_id limit ',
    ],
    reason: 'doctor reads the documents of every client in parts, along the primary key',
  },
  {
    name: 'doctor: columns of JSON',
    has: ['select count(*) as broken from '],
    reason: 'doctor counts the broken documents of the whole installation',
  },
  {
    name: 'doctor: stalled work',
    has: [
      ' from events where position is null group by client_id having min(at) < ',
      ' from events e left join event_heads h on h.client_id = e.client_id where e.position > coalesce(h.position, 0) ',
      ' from event_heads h ) feeds where missing <> 0',
      ' from event_heads h join events e on e.client_id = h.client_id and e.position = h.position where e.at > ',
      ' where reason is not null or (enabled = 1 and failingsince < ',
      'select min(applied_at) as at from migrations',
    ],
    reason: 'doctor examines the whole installation, along indexes of waiting rows',
  },
  {
    name: 'doctor: imports',
    has: [
      'select i.client_id, i.import_id, i.kind, i.file_name, i.rows_read from imports as i where i.finished_at is null',
    ],
    reason: 'unfinished imports of every client',
  },
  {
    name: 'filter keys of an older form',
    has: [' from fulfillment_orders where key_form = 0 '],
    reason: 'they are rebuilt after a migration, for every client, along an index of the rows that are left',
  },
  {
    name: 'search terms of an older form',
    has: [' from items where term_form = 0 '],
    reason:
      'they are rebuilt after a migration, for every client, along an index of the rows that are left; writing them names the client',
  },
  {
    name: 'copy',
    has: ['/* copy */ select '],
    reason: 'it copies the whole installation to another database',
  },
];

/**
 * Unique indexes that do not begin with `client_id`, with the reason. On a sharded server, every shard must have a full
 * copy of the tables of these indexes.
 */
export const UNIQUE_ACROSS_TENANTS: Readonly<Record<string, string>> = {
  passkeys_by_credential: 'a browser names a passkey before the user is known, so its id is unique in an installation',
  sellers_by_id: 'a seller belongs to one client, so two clients cannot both receive its messages',
  trainings_by_slot: 'the number of trainings of a client at a time is limited, and each training is a separate client',
  stores_by_id: 'an operator names a store without its client, so a store id is unique in an installation',
};
