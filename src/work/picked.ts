/** Picks of confirmed pick tickets at a node, by user and quarter of an hour. */
import { sql } from 'kysely';
import type { Reader } from '../platform/storage/db.ts';
import { statement } from '../platform/storage/statement.ts';
import type { Calendar } from '../sla/calendar.ts';
import { hourFrom, QUARTER_MS } from './day.ts';

/** Picks of one user in a quarter of an hour. */
export interface Picked {
  storeId: string;
  userId: string;
  /** First instant of the quarter. */
  at: number;
  /** First instant of its hour at the node. */
  hour: number;
  lines: number;
  units: number;
  short: number;
}

interface Span {
  clientId: string;
  nodeId: string;
  from: number;
  to: number;
}

/** Returns the picks at a node in [from, to). */
export async function findPicked(db: Reader, span: Span, calendar: Calendar): Promise<Picked[]> {
  return (await selectPicked(db, span)).map(({ quarter, ...rest }) => {
    const at = quarter * QUARTER_MS;
    return { ...rest, at, hour: hourFrom(calendar, at) };
  });
}

const sum = (column: 'picked_lines' | 'picked_units' | 'short_units') =>
  sql<number>`cast(sum(${sql.ref(column)}) as bigint)`;

const selectPicked = statement((db, { clientId, nodeId, from, to }: Span) => {
  const quarter = sql<number>`closed_at / ${sql.lit(QUARTER_MS)}`;
  return db
    .selectFrom('pick_tickets')
    .select([
      'store_id as storeId',
      sql<string>`confirmed_by`.as('userId'),
      quarter.as('quarter'),
      sum('picked_lines').as('lines'),
      sum('picked_units').as('units'),
      sum('short_units').as('short'),
    ])
    .where('client_id', '=', clientId)
    .where('node_id', '=', nodeId)
    .where('closed_at', '>=', from)
    .where('closed_at', '<', to)
    .where('picked_lines', 'is not', null)
    .groupBy(['store_id', 'confirmed_by', quarter])
    .orderBy('store_id')
    .orderBy('confirmed_by')
    .orderBy(quarter);
});

/**
 * Sums of picks. `linesPerHour` counts only the hours of the node in which a user confirmed a ticket. Without lines,
 * `linesPerHour` is absent.
 */
export interface PickTotals {
  lines: number;
  units: number;
  short: number;
  linesPerHour?: number;
}

export function totalsOf(picked: readonly Picked[]): PickTotals {
  const total = { lines: 0, units: 0, short: 0 };
  const hours = new Set<string>();
  for (const one of picked) {
    total.lines += one.lines;
    total.units += one.units;
    total.short += one.short;
    hours.add(`${one.hour}/${one.userId}`);
  }
  if (total.lines === 0) return total;
  return { ...total, linesPerHour: Math.round((total.lines / hours.size) * 10) / 10 };
}
