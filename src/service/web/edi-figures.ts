/**
 * Figures of X12 interchanges for the metrics of the installation (docs/operating.md#metrics). The queries cross
 * tenants. Each reading counts the unfinished interchanges, from a separate index. Most interchanges are finished and
 * kept for a year, so finished interchanges are counted at most once an hour.
 */
import { sql } from 'kysely';
import type { Reader, Store } from '../../platform/storage/db.ts';
import { literals } from '../../platform/storage/literals.ts';
import { UNFINISHED } from '../edi/schema.ts';
import { hourly } from './hourly.ts';

export interface EdiFigures {
  /** Interchanges by direction and status. */
  counts: EdiCount[];
  /** Time at which the oldest interchange with status WAITING was written. */
  waitingAt: number | undefined;
}

interface EdiCount {
  direction: string;
  status: string;
  count: number;
}

const readFinished = hourly(countFinished);

export async function readEdiFigures(db: Reader, store: Store, now: number): Promise<EdiFigures> {
  const { rows } = await sql<EdiCount & { oldest: number }>`
    select direction, status, cast(count(*) as bigint) as count, min(created_at) as oldest
    from edi_interchanges where status in (${literals(...UNFINISHED)})
    group by direction, status`.execute(db);
  const finished = await readFinished(db, store, now);
  return {
    counts: [...rows.map(({ direction, status, count }) => ({ direction, status, count })), ...finished],
    waitingAt: rows.find(({ status }) => status === 'WAITING')?.oldest,
  };
}

async function countFinished(db: Reader): Promise<EdiCount[]> {
  const { rows } = await sql<EdiCount>`
    select direction, status, cast(count(*) as bigint) as count
    from edi_interchanges where status not in (${literals(...UNFINISHED)}) group by direction, status`.execute(db);
  return rows;
}
