import { existsSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import { type RawBuilder, sql } from 'kysely';
import { PLACE_COLUMNS } from '../../kernel/stock.ts';
import { ON_HAND_UNITS, RESERVED_UNITS } from '../../kernel/units.ts';
import { type Config, loadConfig } from '../../platform/config.ts';
import { loadSecret, otherSecret, secretFile } from '../../platform/secrets.ts';
import { openStore, StorageUnavailable, type Store } from '../../platform/storage/db.ts';
import { currentVersion, isMade, pendingMigrations } from '../../platform/storage/migrate.ts';
import { remedyOf } from '../../platform/storage/postgres-connection.ts';
import { KEEP_STATEMENTS, LOSES_STATEMENTS, LOST_STATEMENT, Unfit } from '../../platform/storage/postgres-server.ts';
import { isPostgres, placeOf, sqliteFile } from '../../platform/storage/url.ts';
import { type Check, type Finding, finding, fine, sentenceOf, type Trouble } from './doctor-finding.ts';
import { certificateFinding, diskFinding, modesFinding, plainTextFinding, tracesFinding } from './doctor-machine.ts';
import { RECEIPT_RULES, type Rule } from './doctor-receipts.ts';
import { backupsFinding, eventFindings, importsFinding, webhooksFinding } from './doctor-work.ts';
import { mustFit } from './installation.ts';
import { Failed, type Io, print, printJson } from './io.ts';
import { integrityFaults } from './verify.ts';

/** Whole tables are read: with ten million orders some of it takes a minute. */
const LOOK_MS = 3_600_000;

/** Exit code when something could not be looked at, so that nobody knows. */
const COULD_NOT_LOOK = 3;

export function add(program: Command, io: Io): void {
  program
    .command('doctor')
    .description(
      'Examine the database and its surroundings, changing nothing. Exit 1 when there is an error, 3 when something could not be looked at.',
    )
    .option('--json', 'one JSON line')
    .addHelpText('after', '\nExample:\n  backroom doctor')
    .action((options: { json?: true }) => run(io, options));
}

async function run(io: Io, { json }: { json?: true }): Promise<void> {
  const config = loadConfig(io.env);
  const findings = await examine(config, io.ports(config).now(), showCheck(io));
  if (io.err.isTTY) io.err.write(CLEAR_LINE);
  const errors = findings.filter((found) => !found.ok);
  if (json) printJson(io, { ok: errors.length === 0, findings });
  else for (const found of findings) print(io, `${found.level.padEnd(5)}  ${found.check}: ${sentenceOf(found)}`);
  if (findings.some(({ level }) => level === 'unknown')) throw new Failed('Something is not known.', COULD_NOT_LOOK);
  if (errors.length > 0) throw new Failed(`${errors.length} errors.`);
}

const CLEAR_LINE = '\r\u001b[K';

/** What is looked at now, for whoever waits at a terminal. */
function showCheck(io: Io): OnCheck {
  return (check) => {
    if (io.err.isTTY) io.err.write(`${CLEAR_LINE}${check} ...`);
  };
}

type OnCheck = (check: Check) => void;

/**
 * Looks at everything; later checks are left out where an earlier one makes them meaningless. `onCheck` is told what is looked
 * at before it is.
 */
export async function examine(config: Config, now: number, onCheck: OnCheck = () => {}): Promise<Finding[]> {
  const { databaseUrl } = config;
  let store: Store;
  try {
    if (!(await isMade(databaseUrl))) {
      const fix = 'set DATABASE_URL or run backroom migrate';
      return [finding('database', [{ found: `there is none at ${placeOf(databaseUrl)}`, fix }], '')];
    }
    store = await openStore(databaseUrl, { readers: 1, connections: 3, jobTimeoutMs: LOOK_MS });
  } catch (error) {
    return [...closedFindings(error), ...(await machineFindings(config, now))];
  }
  try {
    const schema = await schemaFinding(store);
    const file =
      store.engine === 'sqlite'
        ? [faults('file', await integrityFaults(store), 'every page, reference and constraint holds')]
        : [];
    const isWhole = [schema, ...file].every((found) => found.ok);
    return [
      fine('database', `${placeOf(databaseUrl)} answers`),
      ...(store.engine === 'postgres' ? await fitFindings(store, config) : []),
      schema,
      ...file,
      ...(isWhole ? await contentFindings(store, now, onCheck) : []),
      ...(await machineFindings(config, now)),
      await secretFinding(config, isWhole ? store : undefined),
    ];
  } finally {
    await store.close();
  }
}

/** Those that a start says in the log: quick ones, of which something is wrong. `processes` serve together. */
export async function startFindings(config: Config, store: Store, now: number, processes: number): Promise<Finding[]> {
  const certificate = certificateFinding(config, now);
  const server =
    store.engine === 'postgres'
      ? await (await import('./doctor-server.ts')).serverFindings(store, config, Date.now, processes)
      : [await diskFinding(sqliteFile(store.url))];
  return [certificate, plainTextFinding(config), ...server].filter(({ level }) => level !== 'ok');
}

/** Why the database could not be opened. */
function closedFindings(error: unknown): Finding[] {
  if (error instanceof Unfit) {
    const { part, found, fix } = error;
    return [finding(part, [phrased(found, fix)], '')];
  }
  const { message, code = '' } = error as Error & { code?: string };
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
    return [finding('file', [{ found: `it is damaged, or no database: ${message}`, fix: 'restore a backup' }], '')];
  }
  // A pooler that loses statements shows on the first connection already.
  if (LOST_STATEMENT.test(code)) {
    return [finding('pooler', [phrased(LOSES_STATEMENTS, KEEP_STATEMENTS)], '')];
  }
  const pooler = /^The database cannot be reached: (the pooler refuses the setting \w+)\. (Add .*)$/.exec(message);
  if (pooler !== null) return [finding('pooler', [phrased(pooler[1]!, pooler[2]!)], '')];
  const remedy = remedyOf((error as Error).cause);
  const fix = remedy ?? 'correct DATABASE_URL, or the permissions of the user that runs this';
  const found = remedy === undefined ? message : message.replace(` ${remedy}`, '');
  return [finding('database', [phrased(found, fix)], '', 'unknown')];
}

/** Sentences of errors as the two parts of a line. */
function phrased(found: string, fix: string): Trouble {
  return { found, fix: fix[0]!.toLowerCase() + fix.slice(1).replace(/\.$/, '') };
}

async function fitFindings(store: Store, config: Config): Promise<Finding[]> {
  const { serverFindings } = await import('./doctor-server.ts');
  return [
    fine('server', 'version and encoding are supported'),
    fine('pooler', 'prepared statements are kept'),
    ...(await serverFindings(store, config, Date.now, 1)),
  ];
}

async function contentFindings(store: Store, now: number, onCheck: OnCheck): Promise<Finding[]> {
  const looks: [Check, () => Promise<Finding[]>][] = [
    ...rulesOf(store),
    ['imports', async () => [await importsFinding(store, now)]],
    ['events to come', () => eventFindings(store, now)],
    ['webhooks', async () => [await webhooksFinding(store, now)]],
    ['backups', async () => [await backupsFinding(store, now)]],
  ];
  const findings: Finding[] = [];
  for (const [check, look] of looks) {
    onCheck(check);
    findings.push(...(await look().catch((error: unknown) => notLookedAt(check, error))));
  }
  return findings;
}

/** What the database could not answer is not known; the other checks go on. */
function notLookedAt(check: Check, error: unknown): Finding[] {
  if (!(error instanceof StorageUnavailable)) throw error;
  const { cause } = error;
  const why = cause instanceof Error ? cause.message : error.message;
  const fix = 'run it when less is written, or give the role of this command a longer statement_timeout';
  return [finding(check, [{ found: `could not be looked at: ${why}`, fix }], '', 'unknown')];
}

/** The disk of a server is the server's matter. */
async function machineFindings(config: Config, now: number): Promise<Finding[]> {
  const { databaseUrl } = config;
  const file = isPostgres(databaseUrl) ? undefined : sqliteFile(databaseUrl);
  const hasFile = file !== undefined && existsSync(file);
  return [
    ...(hasFile ? [modesFinding(file), await diskFinding(file)] : []),
    certificateFinding(config, now),
    plainTextFinding(config),
    await tracesFinding(config),
  ];
}

/** Errors of what nobody can repair but by a backup, or that say what to do themselves. */
function faults(check: Check, errors: readonly string[], well: string, fix = 'restore a backup'): Finding {
  return finding(
    check,
    errors.map((found) => ({ found, fix })),
    well,
  );
}

async function schemaFinding(store: Store): Promise<Finding> {
  try {
    const version = await currentVersion(store);
    const { length } = await pendingMigrations(store);
    const behind = length === 0 ? [] : [`${length} migrations are missing`];
    return faults('schema', behind, `migration ${version}, as this program needs it`, 'run backroom migrate');
  } catch (error) {
    return faults('schema', [(error as Error).message], '', 'see docs/how-to/upgrade.md');
  }
}

const PLACES = Object.values(PLACE_COLUMNS).map((column) => sql.ref(column));

/** Rules that no single constraint can hold; each select names what breaks it. */
const RULES: readonly Rule[] = [
  {
    check: 'units of picks',
    fine: 'order lines hold what their confirmed tickets picked, or declined it before or afterwards',
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
          or l.picked + l.declined > coalesce(p.picked + p.canceled, l.picked + l.declined)
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
        -- A correction closes a request as canceled and asks anew.
        where r.status <> 'CANCELED'
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
    broken: sql`select fulfillment_order_id as what
      from (
        select l.client_id, l.fulfillment_order_id, count(distinct l.pick_ticket_id) as tickets
        from pick_ticket_lines l
        join pick_tickets t on t.client_id = l.client_id and t.pick_ticket_id = l.pick_ticket_id
        where t.status <> 'CLOSED' and t.pick_ticket_type = 'PICK_TICKET' group by 1, 2
      ) o where tickets > 1 limit 3`,
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
    check: 'moves of stock',
    fine: 'each move leads to the one before it of its item, and each level to the last, as far back as moves are kept',
    broken: sql`select m.node_id || ' ' || m.item_id as what
      from (
        select client_id, node_id, item_id, previous_at as at, previous_revision as revision, 0 as is_mark from stock_moves
          where previous_revision is not null
        union all select client_id, node_id, item_id, moved_at, moved_revision, 0 from stock_levels where moved_revision is not null
        union all select client_id, node_id, item_id, at, revision, 1 from stock_move_marks
      ) m
      left join stock_moves p on p.client_id = m.client_id and p.at = m.at and p.node_id = m.node_id
        and p.item_id = m.item_id and p.revision = m.revision
      left join stock_carried c on c.client_id = m.client_id and c.node_id = m.node_id and c.item_id = m.item_id
      where p.revision is null and (m.is_mark = 1 or coalesce(c.revision, 0) < m.revision) limit 3`,
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
function rulesOf(store: Store): [Check, () => Promise<Finding[]>][] {
  return [...RULES, ...RECEIPT_RULES].map(({ check, fine: well, broken, fix = 'restore a backup or ask for help' }) => [
    check,
    async () => {
      const { rows } = await store.read((db) => broken.execute(db));
      const found = rows.map((row) => `${row.what} breaks it`);
      return [faults(check, found, well, fix)];
    },
  ]);
}

/** What the rules of the data say, without the surroundings. */
export async function ruleFindings(store: Store): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [, look] of rulesOf(store)) findings.push(...(await look()));
  return findings;
}

/** The key of the PINs: there, private, and (where the database can be read) the one that it was used with. */
async function secretFinding(config: Config, store: Store | undefined): Promise<Finding> {
  const file = secretFile(config.databaseUrl);
  const isSet = config.secret !== undefined;
  if (!isSet && !existsSync(file)) {
    return faults('secret', [`${file} is missing`], '', 'restore it, or set BACKROOM_SECRET to the key it held');
  }
  const mode = isSet ? 0o600 : statSync(file).mode & 0o777;
  const open = mode === 0o600 ? [] : [{ found: `${file} has mode ${mode.toString(8)}`, fix: `run chmod 600 ${file}` }];
  const wrong = store === undefined ? [] : await wrongKey(config, store);
  const well = isSet ? 'the key of the PINs comes from BACKROOM_SECRET' : `${file} is private`;
  return finding('secret', [...wrong, ...open], well);
}

async function wrongKey(config: Config, store: Store): Promise<Trouble[]> {
  try {
    await mustFit(store, loadSecret(config), otherSecret(config));
    return [];
  } catch (error) {
    return [{ found: (error as Error).message, fix: 'set BACKROOM_SECRET to the key that the database was used with' }];
  }
}
