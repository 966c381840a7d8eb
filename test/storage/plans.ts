/**
 * The plans of SQLite for the statements of the program (docs/storage.md#plans-of-sqlite). SQLite has no statistics, so
 * its plan depends only on the statement and on the indexes. A bad plan walks along an index in the order of the
 * statement and reads all rows of a client, also ended ones. The older the installation is, the longer such a walk
 * takes.
 */

interface Walk {
  /** What the program does with the statements. */
  name: string;
  /** Texts that identify the statements, in lower case, without quotation marks. */
  has: readonly string[];
  because: string;
}

/** The permitted exceptions: statements that read all rows of a table, of a client or of a place, with the reason. */
export const WALKS: readonly Walk[] = [
  {
    name: 'copy, doctor, backup and restore',
    has: [
      '/* copy */ select ',
      ' as what from ',
      'select count(*) as rows from ',
      'select count(*) as broken from ',
      ' from items where term_form > 0 and ',
      'select client_id, fulfillment_order_id, contacts, customer_name_key, ',
      'select * from ( select l.client_id, l.fulfillment_order_id, l.web_line_id, ',
      'select * from edi_interchanges where 1 = 1 order by ',
      ' as sender from edi_shipments where ',
      ' from events e left join event_heads h on h.client_id = e.client_id where e.position > coalesce(h.position, 0) ',
      ' from event_heads h join events e on e.client_id = h.client_id and e.position = h.position where e.at > ',
    ],
    because: 'a command of the operator reads the whole installation',
  },
  {
    name: 'export',
    has: [
      'select * from fulfillment_orders where client_id = +? and resourced_from is null order by fulfillment_order_id',
      'select doc from items where client_id = +? order by item_id',
      'select seller_id, type, number from inbound_shipments where client_id = +? and type <> ',
      'select level.* from stock_levels as level inner join nodes as node ',
    ],
    because: 'an export has all rows of the client, read as a stream or in pages',
  },
  {
    name: 'ended interchanges and returns of the metrics',
    has: [' from edi_interchanges where status not in (', ' from returns where status not in ('],
    because: 'they are counted once an hour',
  },
  {
    name: 'the oldest rows',
    has: [
      'select at from access_events where at <= +? order by position limit ',
      'e.position > h.gone and e.at <= +? order by e.position limit 1) as at',
      'select position, at from (select position, at from access_events) as placed order by position limit ',
      'select position, at from ( select position, at from events where client_id = +? and position > +?) as placed order by ',
      '(select at from access_events order by position limit 1)',
      'select client_id as clientid, at, node_id as node, item_id as id, revision from ( ',
    ],
    because: 'the walk begins at the oldest row and ends with the first row that is not from a clock that was ahead',
  },
  {
    name: 'opening of stock',
    has: [
      ' as reserved from fulfillment_orders as o cross join order_lines as line ',
      'update stock_levels set opened_at = ',
    ],
    because: 'a node opens its stock once, from its orders and with all of its items',
  },
  {
    name: 'change of a store',
    has: ['update stores set name = '],
    because: 'an operator changes a store rarely; the first order or shipment of the store ends the walk',
  },
  {
    name: 'places in stock that begin with a text',
    has: [' as bin from node_items i left join stock_levels l '],
    because: 'a node has as many items with a place as its shelves hold, however old it is',
  },
  {
    name: 'orders by the name of a customer',
    has: [' customer_name_key like '],
    because: 'a part of a name has no index; the walk is along the orders of one node',
  },
  {
    name: 'interchanges of one direction',
    has: [
      ' from edi_interchanges as i where i.client_id = +? and i.interchange_id > +? and i.direction = +? order by ',
    ],
    because: 'a client writes about as many interchanges as it receives, so a page is full after a few pages of rows',
  },
  {
    name: 'orders by state',
    has: [' and (status + 0 >= +? and status + 0 <= +?) order by fulfillment_order_date, '],
    because: 'the index by state has the orders of all nodes; the walk is along the orders of one node',
  },
  {
    name: 'count plans by state',
    has: ['select * from count_plans where client_id = +? and node_id = +? and plan_id > +? and state = '],
    because: 'a list of drafts or approved plans; a lead makes few plans, and most are approved',
  },
  {
    name: 'closed shipments of partners',
    has: ['with closes as materialized ( select h.client_id, (select e.position from events e '],
    because: 'the walk is along the last 1,000 events of a client with partners, once per client',
  },
];

/** Tables that do not grow with the work of the client, or that have only rows of waiting work. */
const SMALL = new Set([
  'access_heads',
  'clients',
  'counters',
  'credentials',
  'device_codes',
  'devices',
  'edi_partners',
  'event_heads',
  'identity_providers',
  'imports',
  'installation',
  'migrations',
  'nodes',
  'operator_keys',
  'outbox_tickets',
  'passkeys',
  'people',
  'printers',
  'return_held',
  'sellers',
  'sessions',
  'sign_in_attempts',
  'spent_round_trips',
  'stock_heads',
  'stores',
  'trainings',
  'user_identities',
  'users',
  'webhooks',
]);

/** Partial indexes that have only rows of waiting work. */
const OF_WAITING = new Set([
  'alerts_open',
  'alerts_open_by_date',
  'count_plans_at_work',
  'edi_interchanges_due',
  'edi_interchanges_unfinished',
  'events_unplaced',
  'fulfillment_orders_by_due',
  'fulfillment_orders_by_hold',
  'fulfillment_orders_by_old_keys',
  'fulfillment_orders_by_queue',
  'fulfillment_orders_by_saved_hold',
  'inbound_shipments_open',
  'inbound_shipments_open_by_number',
  'inbound_sums_held',
  'items_by_old_terms',
  'pick_tickets_open',
  'pick_tickets_reverse',
  'refunds_unanswered',
  'resource_requests_open',
  'returns_expiring',
  'returns_waiting',
  'stock_counts_waiting',
  'stock_levels_below',
  'stock_levels_wanted',
]);

/** Columns that many rows share. An index search by these columns alone reads all rows of a client or of a place. */
const SHARED = new Set(['client_id', 'store_id', 'node_id', 'direction', 'type']);

/**
 * Returns the walks of a plan: steps that read all rows of a table, of a client or of a place. The statement wants only
 * some of these rows. Leaves out steps that end with the page of the statement and steps between two limits. `text` has
 * lower case, and no quotation marks.
 */
export function walksIn(text: string, steps: readonly string[], tables: ReadonlySet<string>): string[] {
  // Deletes a client with all of its rows.
  if (/^delete from \w+ where client_id = \+\?$/.test(text)) return [];
  const named = new Map<string, string>();
  for (const [, table = '', alias = table] of text.matchAll(/\b(?:from|join|update|into) (\w+)(?: as)?(?: (\w+))?/gi)) {
    if (!tables.has(table)) continue;
    named.set(table, table);
    if (!named.has(alias)) named.set(alias, table);
  }
  return steps.filter((step) => {
    const [, verb, name = '', rest = ''] = /^(SCAN|SEARCH) (\w+)(.*)$/.exec(step) ?? [];
    const table = named.get(name);
    if (table === undefined || SMALL.has(table)) return false;
    const index = /INDEX (\w+)/.exec(rest)?.[1] ?? '';
    if (OF_WAITING.has(index)) return false;
    if (verb === 'SCAN') return true;
    const terms = /\((.*)\)/.exec(rest)?.[1]?.split(' AND ') ?? [];
    const equal = terms.flatMap((term) => /^(\w+)=\?$/.exec(term)?.[1] ?? []);
    if (!equal.includes('client_id') || equal.some((column) => !SHARED.has(column))) return false;
    if (terms.some((term) => term.includes('>')) && terms.some((term) => term.includes('<'))) return false;
    return !endsWithPage(text, steps, terms.join());
  });
}

/** Returns whether each row that the walk reads is in the page, so that the walk ends with the page. */
function endsWithPage(text: string, steps: readonly string[], terms: string): boolean {
  const [, conditions] =
    /^select (?:(?!\bfrom\b).)* from \w+(?: as \w+)? where ((?:(?!\bselect\b).)*) limit [^)]*$/.exec(text) ?? [];
  if (conditions === undefined || steps.length > 1) return false;
  const columns = conditions
    .replace(/ order by .*$/, '')
    .split(' and ')
    .flatMap((condition) => condition.match(/[a-z]\w*(?= ?(?:[,)]|[<>=!]|in\b|is\b|like\b))/g) ?? ['?']);
  return columns.every((column) => new RegExp(`\\b${column.replace('?', 'none')}\\b`).test(terms));
}
