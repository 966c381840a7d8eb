/**
 * Rules of the data that need more than a statement: they parse documents, decrypt values, and compute search keys and
 * amounts again. Large tables are read in parts.
 */
import { type RawBuilder, sql } from 'kysely';
import { termsOf } from '../../items/terms.ts';
import { KEY_FORM, type KeyColumns, keyColumns } from '../../kernel/keys.ts';
import { shareOf } from '../../kernel/money.ts';
import type { Contacts } from '../../kernel/orders.ts';
import { big } from '../../platform/decimal.ts';
import { parseJson } from '../../platform/message/json.ts';
import type { Sealer } from '../../platform/secrets.ts';
import { TYPES } from '../../platform/storage/columns.ts';
import type { Reader } from '../../platform/storage/db.ts';
import type { Dialect } from '../../platform/storage/dialect.ts';
import type { Check } from './doctor-finding.ts';

/** Parameters of a rule. `sealer` is undefined without the right key. */
export interface Looking {
  db: Reader;
  dialect: Dialect;
  sealer: Sealer | undefined;
}

/** Returns the names of a few rows that break a rule. */
export type Look = (looking: Looking) => Promise<string[]>;

export interface Rule {
  check: Check;
  fine: string;
  /** A statement or a function that finds the names of at most three rows that break the rule. */
  broken: RawBuilder<{ what: string }> | Look;
  /** The fix for the operator; default: restore a backup. */
  fix?: string;
}

/** Returns the names of rows that break a rule. */
export async function namesOf(broken: Rule['broken'], looking: Looking): Promise<string[]> {
  if (typeof broken === 'function') return await broken(looking);
  return (await broken.execute(looking.db)).rows.map(({ what }) => what);
}

/** Maximum number of rows that a finding names. */
const NAMED = 3;
/** Number of rows in a part of a large table. */
const PART = 1_000;

/** Reads rows in parts, in the order of the columns `key`, and collects the names that `look` finds. */
export async function inParts<R extends object>(
  select: (after: RawBuilder<unknown>, limit: RawBuilder<unknown>) => RawBuilder<R>,
  key: readonly (keyof R & string)[],
  db: Reader,
  look: (rows: readonly R[]) => Promise<string[]> | string[],
): Promise<string[]> {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  const found: string[] = [];
  for (let last: R | undefined; found.length < NAMED; ) {
    const values = last === undefined ? undefined : sql.join(key.map((name) => sql`${last![name]}`));
    const after = values === undefined ? sql`1 = 1` : sql`(${columns}) > (${values})`;
    const { rows } = await select(after, sql`order by ${columns} limit ${sql.lit(PART)}`).execute(db);
    if (rows.length === 0) break;
    found.push(...(await look(rows)));
    last = rows.at(-1);
  }
  return found.slice(0, NAMED);
}

/** Columns with JSON, by table. */
const DOCUMENTS = Map.groupBy(
  Object.entries(TYPES).flatMap(([name, type]) =>
    type.startsWith('Json<') ? [name.split('.') as [string, string]] : [],
  ),
  ([table]) => table,
);

/** Finds documents that are not valid JSON. A request for a list fails if the list contains such a document. */
export const documents: Look = async ({ db, dialect }) => {
  const found: string[] = [];
  for (const [table, columns] of DOCUMENTS) {
    for (const [, column] of columns) {
      if (found.length >= NAMED) return found;
      const [at, of] = [sql.ref(column), sql.table(table)];
      if (dialect.engine === 'sqlite') {
        const { rows } = await sql<{
          broken: number;
        }>`select count(*) as broken from ${of} where ${at} is not null and json_valid(${at}) = 0`.execute(db);
        const { broken } = rows[0]!;
        if (broken > 0) found.push(`${table}.${column} has ${broken} rows without JSON, which`);
      } else if (await isRejected(db, sql`select count(*) as broken from ${of} where cast(${at} as json) is null`)) {
        found.push(`${table}.${column} has a row without JSON, which`);
        // The error has ended the transaction of the snapshot, so no further statement can run.
        return found;
      }
    }
  }
  return found;
};

/** Whether the statement fails because a text is not valid JSON (22P02). */
async function isRejected(db: Reader, statement: RawBuilder<unknown>): Promise<boolean> {
  try {
    await statement.execute(db);
    return false;
  } catch (error) {
    const { code = '' } = ((error as Error).cause ?? error) as { code?: string };
    if (code === '22P02') return true;
    throw error;
  }
}

interface SealedRow {
  client_id: string;
  id: string;
  sealed: string;
  fingerprint: string | null;
}

/** Finds encrypted values in use that the key does not decrypt, and PINs without the right fingerprint. */
export const sealedValues: Look = async ({ db, sealer }) => {
  if (sealer === undefined) return [];
  const tables = [
    [
      'order',
      sql`select client_id, fulfillment_order_id as id, pin_cipher as sealed, pin_hash as fingerprint
      from fulfillment_orders where pin_cipher is not null and ended_at is null`,
    ],
    ['webhook', sql`select client_id, webhook_id as id, secret as sealed, null as fingerprint from webhooks`],
    [
      'identity provider',
      sql`select client_id, provider_id as id, client_secret as sealed, null as fingerprint from identity_providers`,
    ],
  ] as const;
  const { rows: halves } = await sql<{ id: string }>`select fulfillment_order_id as id from fulfillment_orders
    where (pin_cipher is null) <> (pin_hash is null) limit ${sql.lit(NAMED)}`.execute(db);
  const found = halves.map(({ id }) => `the PIN of order ${id}`);
  for (const [what, rows] of tables) {
    found.push(
      ...(await inParts<SealedRow>(
        (after, limit) => sql`select * from (${rows}) s where ${after} ${limit}`,
        ['client_id', 'id'],
        db,
        (part) => part.filter((row) => !opens(row, sealer)).map(({ id }) => `the sealed value of ${what} ${id}`),
      )),
    );
  }
  return found.slice(0, NAMED);
};

function opens({ client_id, sealed, fingerprint }: SealedRow, sealer: Sealer): boolean {
  try {
    const plain = sealer.open(sealed);
    return fingerprint === null || sealer.fingerprints(client_id, plain).includes(fingerprint);
  } catch {
    return false;
  }
}

/** Tables whose ids come from a sequence of the client. */
const NUMBERED = [
  ['pickTicket', 'pick_tickets', 'pick_ticket_id'],
  ['package', 'packages', 'package_id'],
  ['packSlip', 'pack_slips', 'pack_slip_id'],
] as const;

/** Number of digits of the first number of each sequence. */
const DIGITS = 6;

/**
 * Finds sequences that would assign a number twice. Numbers in text columns are compared by length first, then as text.
 */
export const numbers: Look = async ({ db }) => {
  const found: string[] = [];
  for (const [name, table, id] of NUMBERED) {
    const own = sql.ref(`t.${id}`);
    const value = sql`cast(coalesce(c.value, 0) as text)`;
    const { rows } = await sql<{ what: string }>`
      select 'number ' || ${own} || ' of the sequence ' || ${sql.lit(name)} || ' of client ' || t.client_id as what
      from ${sql.table(table)} t
      left join counters c on c.client_id = t.client_id and c.name = ${sql.lit(name)}
      where substr(${own}, 1, 1) in ('1', '2', '3', '4', '5', '6', '7', '8', '9') and length(${own}) >= ${sql.lit(DIGITS)}
        and (length(${own}) > length(${value}) or (length(${own}) = length(${value}) and ${own} > ${value}))
      limit ${sql.lit(NAMED)}`.execute(db);
    found.push(...rows.map(({ what }) => what));
    // PostgreSQL assigns numbers from blocks. The counter of a block has the name `<sequence>/<last number>`
    // (docs/decisions/092).
    const last = sql`substr(c.name, ${sql.lit(name.length + 2)})`;
    const taken = sql`cast(c.value as text)`;
    const { rows: again } = await sql<{ what: string }>`
      select 'number ' || ${own} || ' of the sequence ' || c.name || ' of client ' || t.client_id as what
      from ${sql.table(table)} t
      join counters c on c.client_id = t.client_id and c.name > ${sql.lit(`${name}/`)} and c.name < ${sql.lit(`${name}0`)}
      where length(${own}) = length(${last}) and ${own} <= ${last}
        and (length(${taken}) < length(${own}) or ${own} > ${taken})
      limit ${sql.lit(NAMED)}`.execute(db);
    found.push(...again.map(({ what }) => what));
  }
  const { rows } = await sql<{ what: string }>`
    select 'number ' || o.last || ' of the sequence fulfillmentId of client ' || o.client_id as what
    from (select client_id, max(fulfillment_id) as last from fulfillment_orders group by client_id) o
    left join counters c on c.client_id = o.client_id and c.name = 'fulfillmentId'
    where o.last > coalesce(c.value, 0) limit ${sql.lit(NAMED)}`.execute(db);
  const { rows: again } = await sql<{ what: string }>`
    select 'number ' || o.fulfillment_id || ' of the sequence ' || c.name || ' of client ' || o.client_id as what
    from fulfillment_orders o
    join counters c on c.client_id = o.client_id and c.name > 'fulfillmentId/' and c.name < 'fulfillmentId0'
    where o.fulfillment_id > c.value and o.fulfillment_id <= cast(substr(c.name, 15) as bigint)
    limit ${sql.lit(NAMED)}`.execute(db);
  return [...found, ...[...rows, ...again].map(({ what }) => what)].slice(0, NAMED);
};

interface ItemRow {
  client_id: string;
  item_id: string;
  doc: string;
}

/**
 * Finds items that lack one of their search words or codes in the index, and search words whose item does not exist.
 */
export const itemTerms: Look = async ({ db, dialect }) => {
  const { rows } = await sql<{
    what: string;
  }>`select distinct 'the missing item ' || t.item_id as what from item_terms t
    left join items i on i.client_id = t.client_id and i.item_id = t.item_id
    where i.item_id is null limit ${sql.lit(NAMED)}`.execute(db);
  if (rows.length > 0) return rows.map(({ what }) => what);
  return inParts<ItemRow>(
    (after, limit) => sql`select client_id, item_id, doc from items where term_form > 0 and ${after} ${limit}`,
    ['client_id', 'item_id'],
    db,
    async (items) => {
      const expected = items.flatMap(({ client_id, item_id, doc }) =>
        termsOf(documentOf(doc) ?? ({} as never)).map((term) => ({ client_id, term, item_id })),
      );
      const rows = dialect.rowsOf(expected, { client_id: 'text', term: 'text', item_id: 'text' });
      const missing = await db
        .selectFrom(rows.as('e'))
        .select('e.item_id')
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('item_terms as t')
                .select('t.term')
                .whereRef('t.client_id', '=', 'e.client_id')
                .whereRef('t.term', '=', 'e.term')
                .whereRef('t.item_id', '=', 'e.item_id'),
            ),
          ),
        )
        .limit(NAMED)
        .execute();
      return [...new Set(missing.map(({ item_id }) => `item ${item_id}`))];
    },
  );
};

/** Parses a document. Returns undefined for invalid JSON, which the rule `documents` reports. */
function documentOf<T>(text: string): T | undefined {
  try {
    return parseJson(text) as T;
  } catch {
    return undefined;
  }
}

interface KeyRow extends KeyColumns {
  client_id: string;
  fulfillment_order_id: string;
  contacts: string;
}

/** Finds open orders that a search by the contacts or the postal code of the order does not find. */
export const orderKeys: Look = ({ db }) =>
  inParts<KeyRow>(
    (after, limit) => sql`select client_id, fulfillment_order_id, contacts, customer_name_key, customer_email_key,
        customer_phone_key, proxy_name_key, proxy_email_key, proxy_phone_key, postal_code_key, key_form
      from fulfillment_orders
      where ended_at is null and blanked_at is null and key_form = ${sql.lit(KEY_FORM)} and ${after} ${limit}`,
    ['client_id', 'fulfillment_order_id'],
    db,
    (rows) => rows.filter((row) => !hasKeys(row)).map((row) => `order ${row.fulfillment_order_id}`),
  );

function hasKeys(row: KeyRow): boolean {
  const people = documentOf<Contacts>(row.contacts);
  if (people?.customer === undefined) return true;
  return Object.entries(keyColumns(people)).every(([column, key]) => row[column as keyof KeyColumns] === key);
}

interface ChargedRow {
  client_id: string;
  fulfillment_order_id: string;
  web_line_id: string;
  currency: string;
  ordered: number;
  unit_price: string;
  charges: string;
  tax: string;
  position: number;
  grand_total: string | null;
  amounts: string | null;
}

interface Recorded {
  orderTotal: { grandTotal: Parameters<typeof big>[0] };
  items: {
    webLineId: string;
    quantity: number;
    itemTotal: Record<'extendedPrice' | 'charges' | 'tax', Parameters<typeof big>[0]>;
  }[];
}

/** Finds amounts that are not numbers, and charges that do not match their share of the line. */
export const amounts: Look = async ({ db }) => {
  const { rows } = await sql<{ what: string }>`
    select fulfillment_order_id || ' line ' || web_line_id as what from order_lines
      where ${noNumber('unit_price')} or ${noNumber('charges')} or ${noNumber('tax')}
    union all select fulfillment_order_id from fulfillment_orders
      where ${noNumber('header_charges')} or ${noNumber('header_tax')} or ${noNumber('cash_on_delivery')}
    union all select fulfillment_order_id from order_charges where ${noNumber('cash_on_delivery')} or ${noNumber('grand_total')}
    limit ${sql.lit(NAMED)}`.execute(db);
  if (rows.length > 0) return rows.map(({ what }) => what);
  return inParts<ChargedRow>(
    (after, limit) => sql`select * from (
        select l.client_id, l.fulfillment_order_id, l.web_line_id, o.currency, l.ordered, l.unit_price, l.charges, l.tax,
          c.position, c.grand_total, c.amounts
        from order_lines l
        join fulfillment_orders o on o.client_id = l.client_id and o.fulfillment_order_id = l.fulfillment_order_id
        join order_charges c on c.client_id = l.client_id and c.fulfillment_order_id = l.fulfillment_order_id
        where c.amounts is not null
      ) charged where ${after} ${limit}`,
    ['client_id', 'fulfillment_order_id', 'web_line_id', 'position'],
    db,
    (part) => part.filter((row) => !isShare(row)).map((row) => `${row.fulfillment_order_id} line ${row.web_line_id}`),
  );
};

/**
 * Whether a charge matches its line. A charge for all units must have the whole amount. A charge for some units can
 * differ from its share only by rounding.
 */
function isShare(row: ChargedRow): boolean {
  const recorded = documentOf<Recorded>(row.amounts!);
  if (recorded === undefined) return true;
  if (row.grand_total !== null && !big(row.grand_total).eq(big(recorded.orderTotal.grandTotal))) return false;
  const own = recorded.items.find(({ webLineId }) => webLineId === row.web_line_id);
  if (own === undefined) return true;
  const { quantity, itemTotal } = own;
  if (quantity > row.ordered || !big(itemTotal.extendedPrice).eq(big(row.unit_price).times(quantity))) return false;
  return (['charges', 'tax'] as const).every((name) => {
    const most = quantity === row.ordered ? 0 : 1;
    return big(itemTotal[name])
      .minus(shareOf(row[name], quantity, row.ordered, row.currency))
      .abs()
      .lte(most);
  });
}

function noNumber(column: string): RawBuilder<boolean> {
  const signs = sql.lit('0123456789.-');
  return sql`(${sql.ref(column)} = '' or rtrim(ltrim(${sql.ref(column)}, ${signs}), ${signs}) <> '')`;
}
