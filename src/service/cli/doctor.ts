import { existsSync, readdirSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { type RawBuilder, sql } from 'kysely';
import { PLACE_COLUMNS } from '../../kernel/stock.ts';
import { ON_HAND_UNITS, RESERVED_UNITS } from '../../kernel/units.ts';
import { type Config, loadConfig } from '../../platform/config.ts';
import { loadSecret, secretFile } from '../../platform/secrets.ts';
import { openStore, type Store } from '../../platform/storage/db.ts';
import { currentVersion, isMade, pendingMigrations } from '../../platform/storage/migrate.ts';
import { isPostgres, placeOf, sqliteFile } from '../../platform/storage/url.ts';
import { HOUR_MS } from '../../platform/time.ts';
import { RECEIPT_RULES } from './doctor-receipts.ts';
import { mustFit } from './installation.ts';
import { Failed, type Io, print, printJson } from './io.ts';
import { integrityFaults } from './verify.ts';

/** One thing that was looked at. */
export interface Finding {
  check: string;
  ok: boolean;
  /** What was found, and for an error how to fix it. */
  found: string;
}

const MEBIBYTE = 1024 * 1024;
/** Less free space than this is an error. */
const FREE_BYTES_MIN = 256 * MEBIBYTE;
/** How many offenders are named. */
const NAMED = 3;

export function add(program: Command, io: Io): void {
  program
    .command('doctor')
    .description('Examine the database and its surroundings, changing nothing. Exit 1 when there is an error.')
    .option('--json', 'one JSON line')
    .addHelpText('after', '\nExample:\n  backroom doctor')
    .action((options: { json?: true }) => run(io, options));
}

async function run(io: Io, { json }: { json?: true }): Promise<void> {
  const config = loadConfig(io.env);
  const findings = await examine(config, io.ports(config).now());
  const errors = findings.filter((finding) => !finding.ok);
  if (json) printJson(io, { ok: errors.length === 0, findings });
  else for (const { check, ok, found } of findings) print(io, `${ok ? 'ok   ' : 'error'}  ${check}: ${found}`);
  if (errors.length > 0) throw new Failed(`${errors.length} errors.`);
}

/** Looks at everything; later checks are left out where an earlier one makes them meaningless. */
export async function examine(config: Config, now: number): Promise<Finding[]> {
  const { databaseUrl } = config;
  if (!(await isMade(databaseUrl))) {
    const found = `there is none at ${placeOf(databaseUrl)}; set DATABASE_URL or run backroom migrate`;
    return [{ check: 'database', ok: false, found }];
  }
  // The disk of a server is the server's matter.
  const disk = isPostgres(databaseUrl)
    ? []
    : [modesFinding(sqliteFile(databaseUrl)), await diskSpace(sqliteFile(databaseUrl))];
  const store = await openStore(config.databaseUrl, { readers: 1 });
  try {
    const schema = await schemaFinding(store);
    const file =
      store.engine === 'sqlite'
        ? [finding('file', await integrityFaults(store), 'every page, reference and constraint holds')]
        : [];
    const isWhole = [schema, ...file].every((found) => found.ok);
    const rules = isWhole ? [...(await ruleFindings(store)), await importsFinding(store, now)] : [];
    return [schema, ...file, ...rules, ...disk, await secretFinding(config, isWhole ? store : undefined)];
  } finally {
    await store.close();
  }
}

function finding(check: string, errors: readonly string[], fine: string): Finding {
  return { check, ok: errors.length === 0, found: errors.length === 0 ? fine : errors.slice(0, NAMED).join('; ') };
}

async function schemaFinding(store: Store): Promise<Finding> {
  try {
    const version = await currentVersion(store);
    const pending = await pendingMigrations(store);
    const behind = pending.length === 0 ? [] : [`${pending.length} migrations are missing; run backroom migrate`];
    return finding('schema', behind, `migration ${version}, as this program needs it`);
  } catch (error) {
    return finding('schema', [(error as Error).message], '');
  }
}

const PLACES = Object.values(PLACE_COLUMNS).map((column) => sql.ref(column));

/** Rules that no single constraint can hold; each select names what breaks it. */
const RULES: readonly { check: string; fine: string; broken: RawBuilder<{ what: string }> }[] = [
  {
    check: 'units of picks',
    fine: 'order lines hold what their confirmed tickets picked, or declined it afterwards',
    broken: sql`select l.fulfillment_order_id || ' line ' || l.web_line_id as what
      from order_lines l
      join fulfillment_orders o on o.client_id = l.client_id and o.fulfillment_order_id = l.fulfillment_order_id
      left join (
        select tl.client_id, tl.fulfillment_order_id, tl.line_index, sum(tl.picked) as picked, sum(tl.canceled) as canceled
        from pick_ticket_lines tl
        join pick_tickets t on t.client_id = tl.client_id and t.pick_ticket_id = tl.pick_ticket_id
        where t.outcome = 'CONFIRMED' and t.pick_ticket_type = 'PICK_TICKET' group by 1, 2, 3
      ) p on p.client_id = l.client_id and p.fulfillment_order_id = l.fulfillment_order_id and p.line_index = l.line_index
      where o.fulfillment_type <> 'SHIP_TO_STORE'
        and (l.picked > coalesce(p.picked, 0) or l.picked + l.declined < coalesce(p.picked, 0)
          or l.picked + l.declined > coalesce(p.picked + p.canceled, 0)
          or (p.picked is not null and l.picked + l.declined + l.canceled <> l.ordered)) limit 3`,
  },
  {
    check: 'units of check-ins',
    fine: 'order lines hold what was checked in and canceled',
    broken: sql`select l.fulfillment_order_id || ' line ' || l.web_line_id as what
      from order_lines l
      join fulfillment_orders o on o.client_id = l.client_id and o.fulfillment_order_id = l.fulfillment_order_id
      left join (
        select client_id, fulfillment_order_id, line_index, sum(quantity) as quantity,
          sum(coalesce(checked_in, 0)) as checked_in, sum(coalesce(canceled, 0)) as canceled
        from checkin_package_items group by 1, 2, 3
      ) c on c.client_id = l.client_id and c.fulfillment_order_id = l.fulfillment_order_id and c.line_index = l.line_index
      where o.fulfillment_type = 'SHIP_TO_STORE' and (coalesce(c.quantity, 0) <> l.ordered
        or (o.status <> 1300 and (l.picked <> c.checked_in or l.declined + l.canceled <> c.canceled))) limit 3`,
  },
  {
    check: 'units on their way back',
    fine: 'canceled units that were picked are on open reverse tickets, returned and missing ones were on closed ones',
    broken: sql`select l.fulfillment_order_id || ' line ' || l.web_line_id as what
      from order_lines l
      join fulfillment_orders o on o.client_id = l.client_id and o.fulfillment_order_id = l.fulfillment_order_id
      left join (
        select tl.client_id, tl.fulfillment_order_id, tl.line_index,
          sum(case when t.status = 'CLOSED' then 0 else tl.quantity end) as coming,
          sum(case when t.status = 'CLOSED' then tl.picked else 0 end) as back,
          sum(case when t.status = 'CLOSED' then tl.canceled else 0 end) as missed
        from pick_ticket_lines tl
        join pick_tickets t on t.client_id = tl.client_id and t.pick_ticket_id = tl.pick_ticket_id
        where t.pick_ticket_type = 'REVERSE_PICK_TICKET' group by 1, 2, 3
      ) r on r.client_id = l.client_id and r.fulfillment_order_id = l.fulfillment_order_id and r.line_index = l.line_index
      where l.returned <> coalesce(r.back, 0) or l.missing <> coalesce(r.missed, 0)
        or (o.status not in (1000, 1150, 1300) and l.canceling <> coalesce(r.coming, 0)) limit 3`,
  },
  {
    check: 'units in packages',
    fine: 'no package of an order that is not yet delivered holds a unit that nobody wants',
    broken: sql`select l.fulfillment_order_id || ' line ' || l.web_line_id as what
      from order_lines l
      join fulfillment_orders o on o.client_id = l.client_id and o.fulfillment_order_id = l.fulfillment_order_id
      join (
        select client_id, fulfillment_order_id, line_index, sum(quantity) as packed from package_items group by 1, 2, 3
      ) p on p.client_id = l.client_id and p.fulfillment_order_id = l.fulfillment_order_id and p.line_index = l.line_index
      where o.status in (1200, 1500) and p.packed > l.picked - l.returned - l.missing - l.canceling limit 3`,
  },
  {
    check: 're-source requests',
    fine: 'requests ask for declined units only, no unit twice, and answered ones have their order',
    broken: sql`select l.fulfillment_order_id || ' line ' || l.web_line_id as what
      from order_lines l
      join (
        select r.client_id, r.fulfillment_order_id, rl.line_index, sum(rl.quantity) as quantity
        from resource_requests r
        join resource_request_lines rl on rl.client_id = r.client_id and rl.request_id = r.request_id
        group by 1, 2, 3
      ) q on q.client_id = l.client_id and q.fulfillment_order_id = l.fulfillment_order_id and q.line_index = l.line_index
      where q.quantity > l.declined
      union all
      select r.fulfillment_order_id || ' request ' || r.request_id as what
      from resource_requests r
      left join fulfillment_orders o on o.client_id = r.client_id and o.fulfillment_order_id = r.new_fulfillment_order_id
      where r.status = 'RESOURCED' and coalesce(o.resourced_from, '') <> r.fulfillment_order_id limit 3`,
  },
  {
    check: 'units of tickets',
    fine: 'each ticket item is for as many units as its order lines, of orders that are still kept',
    broken: sql`select i.pick_ticket_id || ' item ' || i.id as what
      from pick_ticket_items i
      join pick_tickets t on t.client_id = i.client_id and t.pick_ticket_id = i.pick_ticket_id
      left join (
        select client_id, pick_ticket_id, id, sum(quantity) as quantity from pick_ticket_lines group by 1, 2, 3
      ) l on l.client_id = i.client_id and l.pick_ticket_id = i.pick_ticket_id and l.id = i.id
      left join (
        select client_id, pick_ticket_id, count(distinct fulfillment_order_id) as orders from pick_ticket_lines group by 1, 2
      ) n on n.client_id = i.client_id and n.pick_ticket_id = i.pick_ticket_id
      where i.quantity < coalesce(l.quantity, 0) or (i.quantity <> coalesce(l.quantity, 0)
        and (t.status <> 'CLOSED' or coalesce(n.orders, 0) >= t.total_fulfillment_orders)) limit 3`,
  },
  {
    check: 'orders and tickets',
    fine: 'orders that are being picked are on an open ticket, and only those',
    broken: sql`select o.fulfillment_order_id as what
      from fulfillment_orders o
      left join pick_tickets t on t.client_id = o.client_id and t.pick_ticket_id = o.pick_ticket_id
      where (o.status = 1150 and coalesce(t.status, 'CLOSED') = 'CLOSED')
        or (o.status <> 1150 and coalesce(t.status, 'CLOSED') <> 'CLOSED') limit 3`,
  },
  {
    check: 'one ticket an order',
    fine: 'no order is on two open tickets that pick it',
    broken: sql`select l.fulfillment_order_id as what
      from pick_ticket_lines l
      join pick_tickets t on t.client_id = l.client_id and t.pick_ticket_id = l.pick_ticket_id
      where t.status <> 'CLOSED' and t.pick_ticket_type = 'PICK_TICKET'
      group by l.client_id, l.fulfillment_order_id having count(distinct l.pick_ticket_id) > 1 limit 3`,
  },
  {
    check: 'levels of stock',
    fine: 'levels of stock are the sums of their moves, those carried forward included',
    broken: sql`select coalesce(l.node_id, m.node_id) || ' ' || coalesce(l.item_id, m.item_id) as what
      from (
        select client_id, node_id, item_id, max(revision) as revision, ${sql.join(PLACES.map((name) => sql`sum(${name}) as ${name}`))}
        from (
          select client_id, node_id, item_id, max(revision) as revision, ${sql.join(Object.keys(PLACE_COLUMNS).map(sumOf))}
          from stock_moves group by 1, 2, 3
          union all select client_id, node_id, item_id, revision, ${sql.join(PLACES)} from stock_carried
        ) moved group by 1, 2, 3
      ) m
      full join stock_levels l on l.client_id = m.client_id and l.node_id = m.node_id and l.item_id = m.item_id
      where l.item_id is null or coalesce(m.revision, 0) > l.revision
        or ${sql.join(Object.values(PLACE_COLUMNS).map(differs), sql` or `)} limit 3`,
  },
  {
    check: 'stock of orders',
    fine: 'where stock is kept, orders hold the staged units that are not loose, and their open units are reserved',
    broken: sql`select coalesce(l.node_id, u.node_id) || ' ' || coalesce(l.item_id, u.item_id) as what
      from (
        select o.client_id, o.node_id, line.item_id, sum(${ON_HAND_UNITS}) as held, sum(${RESERVED_UNITS}) as reserved
        from fulfillment_orders o
        join order_lines line on line.client_id = o.client_id and line.fulfillment_order_id = o.fulfillment_order_id
        group by 1, 2, 3
      ) u
      full join stock_levels l on l.client_id = u.client_id and l.node_id = u.node_id and l.item_id = u.item_id
      join nodes n on n.client_id = coalesce(l.client_id, u.client_id) and n.node_id = coalesce(l.node_id, u.node_id)
      where n.stock = 'KEPT' and (coalesce(l.staged - l.loose, 0) <> coalesce(u.held, 0)
        or coalesce(l.reserved, 0) <> coalesce(u.reserved, 0)) limit 3`,
  },
];

/** Units that moves brought into a place. */
function sumOf(place: string): RawBuilder<unknown> {
  const column = sql.ref(PLACE_COLUMNS[place as keyof typeof PLACE_COLUMNS]);
  const name = sql.lit(place);
  return sql`sum(case when to_spot = ${name} then quantity when from_spot = ${name} then - quantity else 0 end) as ${column}`;
}

function differs(column: string): RawBuilder<unknown> {
  return sql`l.${sql.ref(column)} <> coalesce(m.${sql.ref(column)}, 0)`;
}

// Crosses tenants: the whole installation is examined (docs/decisions/190).
export async function ruleFindings(store: Store): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { check, fine, broken } of [...RULES, ...RECEIPT_RULES]) {
    const { rows } = await store.read((db) => broken.execute(db));
    findings.push(
      finding(
        check,
        rows.map((row) => `${row.what} breaks it; restore a backup or ask for help`),
        fine,
      ),
    );
  }
  return findings;
}

// Crosses tenants, as above.
export async function importsFinding(store: Store, now: number): Promise<Finding> {
  const stale = await store.read((db) =>
    db
      .selectFrom('imports')
      .select(['client_id', 'kind', 'file_name', 'rows_read'])
      .where('finished_at', 'is', null)
      .where('updated_at', '<', now - HOUR_MS)
      .execute(),
  );
  const words = stale.map(
    (run) =>
      `${run.kind} of ${run.file_name} (client ${run.client_id}) stopped after row ${run.rows_read}; run it again`,
  );
  return finding('imports', words, 'none was left half done');
}

/** Ends of the names of what the program puts beside a database; the key has a check of its own. */
const OWN_ENDS = /^(?:-wal|-shm|-journal|\.serve|\.restoring|\.schema-\d+\.backup(?:\.partial)?)?$/;

/** The database and what stands beside it under its name hold customers' data: nobody but their owner may read them. */
function modesFinding(file: string): Finding {
  const folder = dirname(file);
  const name = basename(file);
  const names = readdirSync(folder).filter((one) => one.startsWith(name) && OWN_ENDS.test(one.slice(name.length)));
  const places = [{ path: folder, needed: 0o700 }, ...names.map((one) => ({ path: join(folder, one), needed: 0o600 }))];
  const loose = places.flatMap(({ path, needed }) => {
    const mode = statSync(path).mode & 0o777;
    return (mode & ~needed) === 0
      ? []
      : [`${path} has mode ${mode.toString(8)}; run chmod ${needed.toString(8)} ${path}`];
  });
  return finding('files', loose, 'the database and what stands beside it are private');
}

async function diskSpace(file: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(dirname(file));
  const free = bavail * bsize;
  const needed = Math.max(FREE_BYTES_MIN, statSync(file).size / 4);
  const words = `${Math.floor(free / MEBIBYTE)} MiB are free`;
  return finding(
    'disk',
    free < needed ? [`${words}; make room for at least ${Math.ceil(needed / MEBIBYTE)} MiB`] : [],
    words,
  );
}

/** The key of the PINs: there, private, and (where the database can be read) the one that it was used with. */
async function secretFinding(config: Config, store: Store | undefined): Promise<Finding> {
  const file = secretFile(config.databaseUrl);
  const isSet = config.secret !== undefined;
  if (!isSet && !existsSync(file)) {
    return finding('secret', [`${file} is missing; restore it, or set BACKROOM_SECRET to the key it held`], '');
  }
  const mode = isSet ? 0o600 : statSync(file).mode & 0o777;
  const open = mode === 0o600 ? [] : [`${file} has mode ${mode.toString(8)}; run chmod 600 ${file}`];
  const wrong = store === undefined ? [] : await wrongKey(config, store);
  const fine = isSet ? 'the key of the PINs comes from BACKROOM_SECRET' : `${file} is private`;
  return finding('secret', [...wrong, ...open], fine);
}

async function wrongKey(config: Config, store: Store): Promise<string[]> {
  try {
    await mustFit(store, loadSecret(config), config.previousSecret);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}
