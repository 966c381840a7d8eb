/** Deletes X12 interchanges at the end of their retention (docs/edi-partners.md#how-long-interchanges-are-kept). */
import { sql } from 'kysely';
import { along, type Mark, type Sweep } from './sweep.ts';

/** Interchanges in these states still need somebody or something. */
const KEPT = ['TAKING', 'WAITING', 'OVERDUE', 'QUARANTINED'] as const;

/** Found by the time at which they came or were written; their sets are deleted with them. */
export const interchanges: Sweep<Mark> = {
  name: 'edi past its time',
  days: ({ ediDays }) => ediDays,
  batch: 100,
  find: along(
    'edi_interchanges',
    { at: 'created_at', clientId: 'client_id', id: 'interchange_id' },
    sql`status not in (${sql.join(KEPT.map((status) => sql.lit(status)))})`,
  ),
  remove: async ({ db }, rows) => {
    let count = 0;
    for (const { clientId, id } of rows) {
      const done = await db
        .deleteFrom('edi_interchanges')
        .where('client_id', '=', clientId)
        .where('interchange_id', '=', id)
        .where('status', 'not in', KEPT)
        .executeTakeFirst();
      count += Number(done.numDeletedRows);
    }
    return { interchanges: count };
  },
};
