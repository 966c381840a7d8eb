/**
 * The statements that leave their tenant (docs/decisions/190). All others name `client_id` for every table; a test compares the
 * statements of a run through all operations with this list. On a sharded server each of these asks every shard.
 */
export interface CrossTenant {
  /** What asks so. */
  name: string;
  /** What only these statements have, in lower case, without quotation marks. */
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
    name: 'passkey that a browser names',
    has: [' from passkeys where credential_id = '],
    reason: 'nobody has said yet who signs in; credential ids are unique in an installation',
  },
  {
    name: 'code that enrolls a device',
    has: ['delete from device_codes where code_hash = '],
    reason: 'a browser that is no device yet knows the code and nothing else; the code says whose it is',
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
    ],
    reason: 'age is all it asks, along an index by age, a batch a transaction',
  },
  {
    name: 'access events of the installation',
    has: [
      'select * from access_events where position > ',
      'select position, at from access_events order by position limit ',
      'delete from access_events where position <= ',
      'select at from access_events order by position limit ',
    ],
    reason: 'the operator reads those of all clients, and they are forgotten by age, along an index by position',
  },
  {
    name: 'ended sign-ins',
    has: [
      'select min(ends_at) as at, ',
      ' from sessions where ends_at <= ',
      ' from outbox_tickets where expires_at <= ',
      ' from sign_in_attempts where updated_at <= ',
    ],
    reason: 'age is all it asks, along indexes by time, a batch a transaction',
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
      ' from event_heads h where not exists ',
      'select min(coalesce(revoked_at, expires_at)) as at from credentials ',
      ' where coalesce(revoked_at, expires_at) <= ',
    ],
    reason:
      'what is past its time is found along indexes by time, of whichever client (moves of stock: client by client); removing it names the client',
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
      'the town is a client of its own beside that of its person, whose session waits; both are named, or the end is all it asks',
  },
  {
    name: 'scheduler',
    has: [
      ' from fulfillment_orders where due_at ',
      ' from pick_tickets where lease_at ',
      'select created_at from idempotency_keys where created_at <= ',
    ],
    reason:
      'what is due, or becomes due next, is found along indexes by time, of whichever client; doing it names the client',
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
    reason: 'the scheduler looks for work of whichever client; what it finds is done client by client',
  },
  {
    name: 'metrics of the installation',
    has: [
      'select number, name, hash from migrations order by number',
      ' from fulfillment_orders where queue_id is not null group by ',
      'select alert_type as type, queue_id as queue, count(*) as count from alerts where status = ',
      ' from webhooks as w left join event_heads as h ',
      ' from webhooks as w inner join webhook_deliveries as d ',
      ' as kind, (select min(ended_at) ',
      'select state, min(at) as at from ( select case when w.enabled ',
    ],
    reason:
      'an operator looks at the whole installation; each is asked at most every 15 seconds along an index of what is open',
  },
  {
    name: 'doctor, restore and backup: rows counted',
    has: ['select count(*) as rows from '],
    reason: 'a report of the whole installation',
  },
  {
    name: 'doctor: rules',
    has: [' as what from '],
    reason: 'the whole installation is examined; rows meet by their client_id all the same',
  },
  {
    name: 'doctor: what stands still',
    has: [
      ' from events where position is null group by client_id having min(at) < ',
      ' from event_heads h join events e on e.client_id = h.client_id and e.position > h.position',
      ' from event_heads h join events e on e.client_id = h.client_id and e.position = h.position where e.at > ',
      ' where reason is not null or failingsince < ',
      'select min(applied_at) as at from migrations',
    ],
    reason: 'the whole installation is examined, along indexes of what waits',
  },
  {
    name: 'doctor: imports',
    has: ['select client_id, kind, file_name, rows_read from imports where finished_at is null'],
    reason: 'imports that stopped half way, of whichever client',
  },
  {
    name: 'filter keys of an older form',
    has: [' from fulfillment_orders where key_form = 0 '],
    reason: 'made anew after a migration, of whichever client, along an index of those that are left',
  },
  {
    name: 'search terms of an older form',
    has: [' from items where term_form = 0 '],
    reason:
      'made anew after a migration, of whichever client, along an index of those that are left; writing them names it',
  },
  {
    name: 'copy',
    has: ['/* copy */ select '],
    reason: 'moves the whole installation to another database',
  },
];

/** Unique indexes that do not begin with `client_id`, and why. A sharded server needs these in tables that every shard has. */
export const UNIQUE_ACROSS_TENANTS: Readonly<Record<string, string>> = {
  passkeys_by_credential:
    'a browser names a passkey before anybody has said whose it is, so its id is unique in an installation',
  sellers_by_id: 'a seller belongs to one client, so that two clients cannot both receive its messages',
  trainings_by_slot: 'a client has so many trainings at once, each of which is a client of its own',
  stores_by_id: 'an operator names a store without its client, so a store id is unique in an installation',
};
