/** Two independent accounts of the same units: one from the files and the responses, one from the database. */

import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { readRecord } from '../../src/platform/csv.ts';
import type { Store } from '../../src/platform/storage/db.ts';

export interface Units {
  in: number;
  picked: number;
  declined: number;
  open: number;
}

/**
 * Returns the sum of the column Quantity of CSV files. Lines with another number of columns than the header are
 * ignored.
 */
export function unitsOfFiles(files: readonly string[]): number {
  let units = 0;
  for (const file of files) {
    const [header, ...lines] = readFileSync(file, 'utf8').split('\n').map(fieldsOf);
    const column = header!.indexOf('Quantity');
    for (const fields of lines) if (fields.length === header!.length) units += Number(fields[column]) || 0;
  }
  return units;
}

function fieldsOf(line: string): string[] {
  const record = readRecord(line, 0, ',', true);
  return typeof record === 'string' ? [] : record.fields;
}

/**
 * Counts `picked` and `declined` in the lines of confirmed tickets and completed check-ins, and `in`, `open` and
 * `lines` in the order lines. The two sources are independent: if the counts add up, the sums in the order lines are
 * correct.
 */
export async function unitsOfDatabase(store: Store, clientId: string): Promise<Units & { lines: number }> {
  return store.read(async (db) => {
    const { rows } = await sql<Record<string, number>>`
      with picks as (
        select sum(l.picked) as picked, sum(l.canceled) as canceled
        from pick_ticket_lines l
        join pick_tickets t on t.client_id = l.client_id and t.pick_ticket_id = l.pick_ticket_id
        where t.client_id = ${clientId} and t.outcome = 'CONFIRMED'
      ), arrivals as (
        select sum(i.checked_in) as picked, sum(i.canceled) as canceled
        from checkin_package_items i
        join fulfillment_orders o
          on o.client_id = i.client_id and o.fulfillment_order_id = i.fulfillment_order_id
        where o.client_id = ${clientId} and o.status <> 1300
      ), lines as (
        select count(*) as lines, sum(ordered) as ordered, sum(ordered - picked - declined) as open
        from order_lines where client_id = ${clientId}
      )
      select cast(lines as integer) as lines, cast(coalesce(ordered, 0) as integer) as "in", cast(coalesce(open, 0) as integer) as open,
        cast(coalesce(picks.picked, 0) + coalesce(arrivals.picked, 0) as integer) as picked,
        cast(coalesce(picks.canceled, 0) + coalesce(arrivals.canceled, 0) as integer) as declined
      from lines, picks, arrivals`.execute(db);
    const row = rows[0]!;
    return { in: row.in!, picked: row.picked!, declined: row.declined!, open: row.open!, lines: row.lines! };
  });
}

/** Returns one sentence for each difference; empty if the accounts agree. */
export function disagreements(
  rows: { rowsRead: number; rowsImported: number; rowsRefused: Record<string, number> },
  ours: Units,
  database: Units & { lines: number },
): string[] {
  const refused = Object.values(rows.rowsRefused).reduce((sum, count) => sum + count, 0);
  const checks: [string, number, string, number][] = [
    ['rows read', rows.rowsRead, 'rows imported and rejected', rows.rowsImported + refused],
    ['rows imported', rows.rowsImported, 'order lines in the database', database.lines],
    ['units of the imported rows', ours.in, 'units ordered in the database', database.in],
    ['units in', ours.in, 'units picked, declined and open', ours.picked + ours.declined + ours.open],
    [
      'units in of the database',
      database.in,
      'its units picked, declined and open',
      database.picked + database.declined + database.open,
    ],
    ['units picked by the responses', ours.picked, 'units picked in the database', database.picked],
    ['units declined by the responses', ours.declined, 'units declined in the database', database.declined],
    ['units open by the responses', ours.open, 'units open in the database', database.open],
  ];
  return checks.flatMap(([what, a, other, b]) => (a === b ? [] : [`${what}: ${a}, but ${other}: ${b}`]));
}
